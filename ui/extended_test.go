package ui

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// carded opens an agent.
func (d *desk) carded() *model.Agent {
	d.t.Helper()
	d.book(allFound)
	d.engine.Calls = nil
	return d.model.agent()
}

// notes applies a note about an agent.
func (d *desk) notes(kind string, attrs map[string]string) {
	d.t.Helper()
	attrs["agent"] = "1"
	id := a2a.RecordID(d.model.state.Log.Len() + 1)
	d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{ID: id, Kind: a2a.KindNote, Time: d.clock, Note: &a2a.Note{Type: kind, Attrs: attrs}}}}})
}

func TestTheExtendedCardIsAskedForByKeyAndByName(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		a := d.carded()
		d.press("f2", "e")
		d.sees("getting the extended card of Travel Desk")
		d.press("esc")
		d.write("/extended")
		d.press("enter")
		a.Extended = model.Extended{Stands: true, Public: a.Card}
		d.press("f2")
		d.sees("used until the login ends", "extended ·")
		d.press("e", "d")
		d.sees("the cards are equal")
		if got := strings.Join(d.engine.Calls, ", "); got != "extended card of 1, extended card of 1, public card of 1" {
			t.Errorf("got engine calls %s, want two for the extended card and one for the public card", got)
		}
	})
}

func TestWhatComesOfTheExtendedCardIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		a := d.carded()
		card := d.model.state.Log.At(a.CardRecord)
		if card == nil {
			t.Fatal("no record has the card")
		}
		d.notes(log.NoteExtendedCard, map[string]string{"record": "26"}) // Saboteur's, which differs in many members
		d.says("has an extended card, with", "f2 shows them")
		d.notes(log.NotePublicCard, map[string]string{"sentence": "The login is over."})
		d.wait(unreadTime)
		d.sees("Travel Desk: The login is over.")
		d.press("f2")
		d.sees("public card", "The login is over.")
	})
}

func TestWhereThereIsNoExtendedCardThatIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.run(d.model.cards.AskExtended(1))
		d.sees("No agent is open")
		a := d.carded()
		a.Profile.Dialect = a2a.V01
		d.press("f2", "e")
		d.sees("A2A 0.1 has no extended card.")
		a.Phase = model.Unreachable
		d.press("e")
		d.sees("is not reachable")
		if len(d.engine.Calls) != 0 {
			t.Errorf("got engine calls %v, want none while the agent is not reachable", d.engine.Calls)
		}
	})
	bubble(t, 120, 40, Options{Name: "b"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.press("f2", "e")
		d.sees("recording")
	})
}
