package card

import (
	"strconv"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/keys"
)

// canCompare reports whether there is another card to compare with.
func (p *Pane) canCompare() bool {
	return p.agent != nil && p.agent.Extended.Stands && p.agent.Card != nil && p.agent.Extended.Public != nil
}

// differs reports whether the difference to the extended card is shown.
func (p *Pane) differs() bool { return p.diff && p.canCompare() }

// maxChanges is how many differences of a card are listed.
const maxChanges = 12

// changes shows the differences between the card and the one before it, those about security
// first and as a problem.
func (b *builder) changes(a *model.Agent) {
	if len(a.CardChanges) > 0 && !a.CardSince.IsZero() {
		b.painted("changed", "since "+units.Date(a.CardSince)+", when another run of Parley read the card", b.st.Text)
	}
	for i, change := range a.CardChanges {
		if i == maxChanges {
			b.painted("changed", "and "+units.Plural(len(a.CardChanges)-i, "other change"), b.st.Dim)
			break
		}
		name, paint := "changed", b.st.Text
		if change.Security {
			name, paint = "security", b.st.Failed
		}
		b.painted(name, change.Sentence, paint)
	}
}

// extended shows whether the extended card is in use, its differences, or why there is none.
func (b *builder) extended(x *model.Extended) {
	switch {
	case !x.Stands && x.Why == "":
		return
	case !x.Stands:
		b.painted("public card", x.Why, b.st.Text)
	case len(x.Changes) == 0:
		b.painted("extended card", "used until the login ends; it equals the public card", b.st.OK)
	default:
		b.painted("extended card", "used until the login ends; "+keys.Name(b.keys(compareCards))+" compares it with the public card line by line", b.st.OK)
	}
	for i, change := range x.Changes {
		if i == maxChanges {
			b.painted("", "and "+units.Count(len(x.Changes)-i)+" more", b.st.Dim)
			break
		}
		paint := b.st.Text
		if change.Security {
			paint = b.st.Waiting
		}
		b.painted("  "+strconv.Itoa(i+1), change.Sentence, paint)
	}
	b.gap()
}
