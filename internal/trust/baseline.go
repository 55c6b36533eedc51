package trust

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/internal/signature"
	"parley/session/card"
)

// A Baseline is the card of an agent that the user has approved, or that Parley saw first.
type Baseline struct {
	// Ref is the agent's address, see [Reference], and Index the number of the card among those
	// at the address, from 0.
	Ref   string `json:"ref"`
	Index int    `json:"index,omitempty"`
	// Name is that on the card.
	Name     string    `json:"name,omitempty"`
	Approved time.Time `json:"approved"`
	// How says who approved it.
	How card.Approval `json:"how,omitempty"`
	// Source is where the card came from.
	Source string          `json:"source,omitempty"`
	Card   json.RawMessage `json:"card"`
}

// maxCard is the longest card that is kept, in bytes.
const maxCard = 256 << 10

// errTooLong is the reason why a card cannot be a baseline, as a clause.
var errTooLong = errors.New("it is longer than 256 KiB, the most that Parley keeps of a card")

// newBaseline returns the baseline that a card is.
func newBaseline(ref string, index int, c *a2a.Card, how card.Approval, now time.Time) (Baseline, error) {
	if len(c.Raw) > maxCard {
		return Baseline{}, errTooLong
	}
	clean, err := masked(c)
	if err != nil {
		return Baseline{}, err
	}
	return Baseline{
		Ref: Reference(ref, c), Index: index, Name: clean.Name, Approved: now.UTC().Truncate(time.Second), How: how,
		Source: a2a.MaskURL(c.SourceURL), Card: clean.Raw,
	}, nil
}

// Drift lists the members in which a card differs from the baseline, see [card.Drift]. Keys are
// those that the user trusts to sign cards; nil judges no signature.
func (b *Baseline) Drift(c *a2a.Card, keys *signature.Keys) []card.Difference {
	approved, err := b.card()
	if err != nil { // load lets no such baseline pass
		return nil
	}
	now, err := masked(c)
	if err != nil {
		now = c
	}
	judge := Judge(keys)
	if bytes.Contains(b.Card, []byte(a2a.Mask)) || bytes.Contains(now.Raw, []byte(a2a.Mask)) {
		judge = nil // who masks a part of a card breaks its signature
	}
	return card.Drift(approved, now, judge)
}

// Judge returns what keys say about the signatures of cards, nil without keys.
func Judge(keys *signature.Keys) card.Judge {
	if keys == nil {
		return nil
	}
	return func(c *a2a.Card) card.Verdict {
		best, _ := signature.Best(signature.Verify(c.Raw, c.Signatures, keys))
		switch best.Verdict {
		case signature.Verified, signature.Deviates:
			return card.Verified
		case signature.Broken:
			return card.Broken
		}
		return card.Unverified
	}
}

// FirstDifference returns the first member in which a card differs from the baseline, apart from
// its signatures; empty if there is none.
func (b *Baseline) FirstDifference(c *a2a.Card) string {
	for _, d := range b.Drift(c, nil) {
		if d.Pointer != "" && d.Pointer != "/signatures" {
			return d.Pointer
		}
	}
	return ""
}

// card returns the approved card.
func (b *Baseline) card() (*a2a.Card, error) { return parse(b.Card, b.Source) }

// masked returns a card in which what looks like a secret is masked.
func masked(c *a2a.Card) (*a2a.Card, error) {
	r := a2a.Record{Kind: a2a.KindBody, Call: &a2a.Call{Op: a2a.OpCard}, Raw: withoutCredentials(slices.Clone(c.Raw))}
	a2a.NewRecordMasker(nil).Mask(&r)
	return parse([]byte(a2a.PlainMasks(string(r.Raw))), a2a.PlainMasks(a2a.MaskURL(c.SourceURL)))
}

// withoutCredentials masks the credentials that a card of A2A 0.1 may contain.
func withoutCredentials(raw []byte) []byte {
	var doc jsontok.Doc
	if doc.Parse(raw) != nil {
		return raw
	}
	at := doc.Root().Get("authentication").Get("credentials")
	if !at.Exists() {
		return raw
	}
	mask, _ := json.Marshal(a2a.Mask) // a string cannot fail
	return slices.Concat(raw[:at.Offset()], mask, raw[at.End():])
}

func parse(raw []byte, source string) (*a2a.Card, error) {
	cards, _, failure := a2a.ParseCard(raw, source)
	if failure != nil {
		return nil, errors.New("it is not an agent card")
	}
	if cards[0].Raw == nil {
		cards[0].Raw = raw
	}
	return cards[0], nil
}

// Reference returns the name under which the baseline of an agent is kept: its address as every
// folder and every run has it, without secrets. Agents of a mesh are told apart by their names.
func Reference(ref string, c *a2a.Card) string {
	if m, problem := a2a.ParseMesh(ref); a2a.IsMesh(ref) && problem == "" && c != nil {
		if m.Agent == "" {
			m.Agent = c.Name
		}
		ref = m.String()
	}
	return strings.TrimRight(a2a.MaskReference(WholePath(ref)), "/")
}

// WholePath returns a reference that names the same agent from every folder.
func WholePath(ref string) string {
	if catalog, entry := a2a.SplitReference(ref); entry != "" {
		return WholePath(catalog) + "@" + entry
	}
	if strings.HasPrefix(ref, ".") || strings.HasSuffix(ref, ".json") && !strings.Contains(ref, "://") {
		if whole, err := filepath.Abs(ref); err == nil {
			return whole
		}
	}
	return ref
}

// keeps reports whether a later run can find a reference again.
func keeps(ref string) bool {
	const most = 4 << 10
	return ref != "" && ref != "-" && len(ref) <= most
}
