package card

import (
	"strings"
	"testing"

	"parley/a2a"
)

// The number of a mask belongs to one run: a card in which a secret has another number has not changed.
func TestTheNumbersOfMasksAreNoChange(t *testing.T) {
	t.Parallel()
	text := `{"name":"Desk","description":"d","version":"1","capabilities":{},"skills":[],"defaultInputModes":[],"defaultOutputModes":[],
		"documentationUrl":"https://h/•••₁","supportedInterfaces":[{"url":"https://h/a2a/•••₁?key=•••₂","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`
	read := func(text string) *a2a.Card {
		cards, _, failure := a2a.ParseCard([]byte(text), "https://h/card?key="+a2a.Mask)
		if failure != nil {
			t.Fatal(failure)
		}
		return cards[0]
	}
	now := read(text)
	for name, other := range map[string]string{
		"other numbers": strings.NewReplacer("₁", "₇", "₂", "₁₂").Replace(text),
		"no numbers":    a2a.PlainMasks(text),
	} {
		old := read(other)
		if got := Changes(old, now); len(got) > 0 {
			t.Errorf("%s: got changes %+v, want none", name, got)
		}
		if got := Drift(old, now, nil); len(got) > 0 {
			t.Errorf("%s: got differences %+v, want none", name, got)
		}
	}
	if got := Changes(read(strings.Replace(text, "/a2a/", "/b/", 1)), now); len(got) == 0 {
		t.Error("got no change of an address, want one")
	}
}
