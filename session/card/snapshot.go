package card

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"parley/a2a"
)

// A Snapshot is the part of a card that is compared with another card. It can be saved
// between runs: security details as text, the rest as names and checksums. It holds no
// credentials, and URLs without their secrets.
type Snapshot struct {
	// Source is the origin of the card, empty for a file.
	Source          string              `json:"source,omitempty"`
	Name            string              `json:"name,omitempty"`
	Version         string              `json:"version,omitempty"`
	ProtocolVersion string              `json:"protocolVersion,omitempty"`
	Description     string              `json:"description,omitempty"` // checksum
	Interfaces      []InterfaceSnapshot `json:"interfaces,omitempty"`
	// Requirements are the alternatives, each as text.
	Requirements []string       `json:"requirements,omitempty"`
	Schemes      []NamedSummary `json:"schemes,omitempty"`
	// Signatures are those who signed, named by a checksum of their algorithm and key.
	Signatures  []NamedSummary `json:"signatures,omitempty"`
	Streaming   bool           `json:"streaming,omitempty"`
	Push        bool           `json:"push,omitempty"`
	Extended    bool           `json:"extended,omitempty"`
	Extensions  []string       `json:"extensions,omitempty"`
	Skills      []NamedSummary `json:"skills,omitempty"`
	InputModes  []string       `json:"inputModes,omitempty"`
	OutputModes []string       `json:"outputModes,omitempty"`
	// Sum is the checksum of the card without its signatures, independent of the order of its
	// members.
	Sum string `json:"sum,omitempty"`
}

// An InterfaceSnapshot is one endpoint of a card.
type InterfaceSnapshot struct {
	Place   string `json:"place"` // binding and URL, as text
	Origin  string `json:"origin,omitempty"`
	Version string `json:"version,omitempty"`
}

// A NamedSummary is an entry of a card that has a name: a skill, a scheme, a signature.
type NamedSummary struct {
	Name string `json:"name"`
	// Words describe the security details, Sum is the checksum of the entry.
	Words string `json:"words,omitempty"`
	Sum   string `json:"sum,omitempty"`
}

// NewSnapshot returns the snapshot of a card.
func NewSnapshot(c *a2a.Card) Snapshot {
	c = unnumbered(c)
	s := Snapshot{
		Source: a2a.Origin(c.SourceURL), Name: c.Name, Version: c.Version, ProtocolVersion: c.ProtocolVersion,
		Streaming:    c.Capabilities.Streaming == a2a.True,
		Push:         c.Capabilities.PushNotifications == a2a.True,
		Extended:     c.Capabilities.ExtendedAgentCard == a2a.True,
		Extensions:   mapped(c.Capabilities.Extensions, func(e a2a.Extension) string { return a2a.MaskURL(e.URI) }),
		InputModes:   c.DefaultInputModes,
		OutputModes:  c.DefaultOutputModes,
		Interfaces:   mapped(c.Interfaces, snapshotInterface),
		Requirements: mapped(c.Security, requirementWords),
		Schemes:      mapped(c.SecuritySchemes, summarizeScheme),
		Skills:       mapped(c.Skills, summarizeSkill),
		Signatures:   mapped(signers(c.Signatures), func(s signer) NamedSummary { return NamedSummary{Name: s.identity, Words: s.words} }),
		Sum:          sumOfCard(c.Raw),
	}
	if c.Description != "" {
		s.Description = checksum([]byte(c.Description))
	}
	return s
}

// unnumbered returns a card with masks in place of stand-ins, whose numbers differ between runs.
func unnumbered(c *a2a.Card) *a2a.Card {
	raw := a2a.PlainMasks(string(c.Raw))
	if raw == string(c.Raw) {
		return c
	}
	cards, _, failure := a2a.ParseCard([]byte(raw), c.SourceURL)
	if failure != nil || len(cards) == 0 {
		return c
	}
	return cards[0]
}

func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i := range list {
		out[i] = f(list[i])
	}
	return out
}

func snapshotInterface(i a2a.Interface) InterfaceSnapshot {
	return InterfaceSnapshot{Place: i.Binding.String() + " at " + a2a.MaskURL(i.URL), Origin: a2a.Origin(i.URL), Version: i.Version}
}

// requirementWords names the schemes that have to be satisfied together.
func requirementWords(r a2a.SecurityRequirement) string {
	if len(r) == 0 {
		return "no credentials"
	}
	names := mapped(r, func(s a2a.SchemeScopes) string {
		if len(s.Scopes) == 0 {
			return s.Scheme
		}
		return s.Scheme + " (" + strings.Join(s.Scopes, ", ") + ")"
	})
	slices.Sort(names)
	return strings.Join(names, " with ")
}

// requirementsWords names alternatives.
func requirementsWords(alternatives []string) string { return strings.Join(alternatives, " or ") }

// summarizeScheme describes where a scheme puts credentials, and which servers issue them. The
// credentials that a 0.1 card may contain are omitted.
func summarizeScheme(s a2a.SecurityScheme) NamedSummary {
	words := []string{s.Type}
	add := func(lead, value string) {
		if value != "" {
			words = append(words, strings.TrimSpace(lead+" "+value))
		}
	}
	add("", s.Scheme)
	add("in", s.In)
	add("named", s.Name)
	add("at", a2a.MaskURL(s.OpenIDConnectURL))
	add("with metadata at", a2a.MaskURL(s.OAuth2MetadataURL))
	for i := range s.Flows {
		f := &s.Flows[i]
		add("with", f.Type)
		for _, u := range []string{f.AuthorizationURL, f.DeviceAuthorizationURL, f.TokenURL, f.RefreshURL} {
			add("at", a2a.MaskURL(u))
		}
	}
	rest, _ := json.Marshal(s.Flows) // plain values cannot fail
	return NamedSummary{Name: s.Key, Words: strings.Join(words, " "), Sum: checksum([]byte(s.Description), []byte(s.BearerFormat), rest)}
}

// summarizeSkill separates a skill's requirements from its description.
func summarizeSkill(s a2a.Skill) NamedSummary {
	type example struct {
		Text string
		Data json.RawMessage
	}
	rest, err := json.Marshal([]any{s.ID, s.Description, nonNil(s.Tags), nonNil(s.InputModes), nonNil(s.OutputModes),
		mapped(s.Examples, func(e a2a.Example) example { return example(e) })})
	if err != nil { // data that is not JSON
		rest = []byte(s.ID + s.Description)
	}
	return NamedSummary{Name: s.Name, Words: requirementsWords(mapped(s.Security, requirementWords)), Sum: checksum(rest)}
}

// nonNil makes an absent list the same as an empty one.
func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// maxSorted is the largest card, in bytes, whose comparison ignores the order of members at any
// depth; that of a larger one ignores the order of its own members.
const maxSorted = 1 << 20

// sumOfCard returns a checksum of a card that does not depend on the order of members, on spaces
// and on signatures, unless the JSON is broken; empty for none.
func sumOfCard(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return checksum(raw)
	}
	delete(members, "signatures")
	for name, value := range members {
		if len(raw) > maxSorted {
			break
		}
		d := json.NewDecoder(bytes.NewReader(value))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			continue
		}
		if sorted, err := json.Marshal(v); err == nil {
			members[name] = sorted
		}
	}
	sorted, err := json.Marshal(members) // in the order of the names
	if err != nil {
		return checksum(raw)
	}
	return checksum(sorted)
}

// checksum is long enough to distinguish two versions of a thing.
func checksum(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	const length = 12 // bytes
	return hex.EncodeToString(h.Sum(nil)[:length])
}
