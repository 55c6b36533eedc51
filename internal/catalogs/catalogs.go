// Package catalogs compares the entries of AI catalogs with the agents that the user has saved, and
// filters them.
package catalogs

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sahilm/fuzzy"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/session/card"
)

// A Saved is an agent that the user saved, with what is known of its card.
type Saved struct {
	Name, Ref string
	// Card is that of the last visit; nil if there was none.
	Card *card.Snapshot
}

// A Match says how an entry is saved.
type Match struct {
	Name    string // of the saved agent, empty if there is none
	Differs string // a clause that says how its card differs, empty if nothing says so
}

// Compare returns how each entry of a catalog is saved. An agent is saved by the catalog's
// reference and the entry, or by the URL of its card.
func Compare(c *a2a.Catalog, saved []Saved) []Match {
	byURL, byEntry := map[string]*Saved{}, map[*a2a.CatalogEntry]*Saved{}
	for i := range saved {
		s := &saved[i]
		if catalog, entry := a2a.SplitReference(s.Ref); entry != "" && base(catalog) == base(c.Ref) {
			if e, _ := c.Find(entry); e != nil {
				byEntry[e] = s
			}
			continue
		}
		byURL[base(s.Ref)] = s
	}
	matches := make([]Match, len(c.Entries))
	for i := range c.Entries {
		e := &c.Entries[i]
		if e.Kind != aicatalog.Agent {
			continue
		}
		s := byEntry[e]
		if s == nil && e.URL != "" {
			s = byURL[base(e.URL)]
		}
		if s != nil {
			matches[i] = Match{Name: s.Name, Differs: differs(e, s.Card)}
		}
	}
	return matches
}

// differs says in a clause how an entry differs from the card that was seen last.
func differs(e *a2a.CatalogEntry, seen *card.Snapshot) string {
	if seen == nil {
		return ""
	}
	listed := e.Version
	if e.Data != nil {
		if cards, _, _ := a2a.ParseCard(e.Data, ""); len(cards) > 0 {
			now := card.NewSnapshot(cards[0])
			listed = cmp.Or(listed, now.Version)
			if now.Version == seen.Version && seen.Sum != "" && now.Sum != seen.Sum {
				return "its card has changed"
			}
		}
	}
	if listed != "" && seen.Version != "" && listed != seen.Version {
		return "version " + listed + ", you have seen " + seen.Version
	}
	return ""
}

// base returns an address without what different people write differently at its ends.
func base(ref string) string {
	ref = strings.TrimSpace(ref)
	if origin := a2a.TypedOrigin(ref); origin != "" { // however its scheme and host are written
		_, rest, absolute := strings.Cut(ref, "://")
		if !absolute {
			rest = ref
		}
		_, path, _ := strings.Cut(rest, "/")
		ref = origin + "/" + path
	}
	for _, end := range []string{"/.well-known/agent-card.json", "/.well-known/agent.json", "/.well-known/ai-catalog.json"} {
		ref = strings.TrimSuffix(ref, end)
	}
	return strings.TrimRight(ref, "/")
}

// Filter returns the indices of the entries that a text finds, the best first; all in their order
// if it is empty.
func Filter(entries []a2a.CatalogEntry, text string) []int {
	text = strings.TrimSpace(text)
	type hit struct{ index, score int }
	var hits []hit
	for i := range entries {
		e := &entries[i]
		if text == "" {
			hits = append(hits, hit{index: i})
			continue
		}
		best, ok := 0, false
		for _, m := range fuzzy.Find(strings.ToLower(text), []string{begin(e.Name()), begin(e.Identifier), begin(strings.Join(e.Tags, " ")), begin(e.Label()), begin(e.Publisher)}) {
			best, ok = max(best, m.Score), true
		}
		if ok {
			hits = append(hits, hit{i, best})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	found := make([]int, len(hits))
	for i, h := range hits {
		found[i] = h.index
	}
	return found
}

// begin returns the beginning of a text in lower case: no more of it is searched.
func begin(text string) string {
	const most = 200
	if len(text) > most {
		text = text[:most]
		for !utf8.ValidString(text) && text != "" {
			text = text[:len(text)-1]
		}
	}
	return strings.ToLower(text)
}
