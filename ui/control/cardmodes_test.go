package control

import (
	"testing"

	"parley/a2a"
)

func TestTheModesOfACardAreReadOnce(t *testing.T) {
	card := &a2a.Card{DefaultInputModes: []string{"text/plain"}, DefaultOutputModes: []string{"image/png"}}
	var m CardModes
	first, gives := m.Input(card), m.Output(card)
	if len(first) != 1 || first[0] != "text/plain" || len(gives) != 1 || gives[0] != "image/png" {
		t.Fatalf("got %v and %v, want text/plain and image/png", first, gives)
	}
	card.DefaultInputModes = []string{"text/html"} // cards do not change; this shows a second read
	if again := m.Input(card); &again[0] != &first[0] {
		t.Errorf("the same card was read again: got %v", again)
	}
	if got := m.Input(&a2a.Card{DefaultInputModes: []string{"text/html"}}); len(got) != 1 || got[0] != "text/html" {
		t.Errorf("another card: got %v, want text/html", got)
	}
	if got := m.Input(nil); got != nil {
		t.Errorf("no card: got %v, want none", got)
	}
}
