package compare

import (
	"regexp"
	"sync"

	"parley/a2a"
	"parley/session/card"
	"parley/session/model"
)

// loopback matches the ports of loopback addresses in a card.
var loopback = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(localhost|127\.0\.0\.\d{1,3}|\[::1\]):\d{1,5}`)
})

// cards compares the cards of two agents; one may be missing.
func cards(first, second *model.Agent) CardPair {
	var p CardPair
	if first != nil {
		p.First = first.Name()
	}
	if second != nil {
		p.Second = second.Name()
	}
	switch {
	case first == nil || second == nil || first == second:
	case first.Card == nil && second.Card == nil:
		p.Why = "Neither agent showed a card."
	case first.Card == nil || second.Card == nil:
		p.Changes = []card.Change{{Sentence: "Only one of the agents showed a card."}}
	default:
		p.Changes = card.Changes(portless(first.Card), portless(second.Card))
	}
	return p
}

// portless returns a card without the ports of loopback addresses, which are new in every run.
func portless(c *a2a.Card) *a2a.Card {
	raw := loopback().ReplaceAll(c.Raw, []byte("$1"))
	source := loopback().ReplaceAllString(c.SourceURL, "$1")
	if cards, _, err := a2a.ParseCard(raw, source); err == nil {
		for _, k := range cards {
			if k.Name == c.Name {
				return k
			}
		}
	}
	return c
}
