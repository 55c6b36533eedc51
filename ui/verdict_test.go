package ui

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/a2atest"
)

// The sheet of a card says what card get --validate, check and doctor say: internal/cli tests them with the
// same cards.
func TestTheSheetOfACardJudgesItAsTheCommandsDo(t *testing.T) {
	t.Parallel()
	for _, c := range a2atest.FaultyCards() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			cards, _, failure := a2a.ParseCard([]byte(strings.ReplaceAll(c.Card, "%s", "http://127.0.0.1:8080")), "http://127.0.0.1:8080/.well-known/agent-card.json")
			if failure != nil {
				t.Fatal(failure)
			}
			bubble(t, 150, 40, Options{}, func(d *desk) {
				a := d.carded()
				a.Card, a.CardRecord = cards[0], 0
				d.press("f2")
				valid := map[bool]string{true: "valid", false: "not valid"}[c.Valid]
				d.sees(fmt.Sprintf("rules           %s, score %d of 100", valid, c.Score))
				if c.Rule != "" {
					d.sees(c.Rule + " " + c.At + ": ")
				}
			})
		})
	}
}
