package ui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/task"
)

// again are words of advice that nobody needs whose message was taken, or may have been.
var again = []string{"try again", "tries again", "as a new task", "send it again", "sends it again", "sends the message again"}

// check fails if what came of the turns is not what happened in the world.
func (d *turnsDesk) check() {
	d.checkNotes()
	turns := d.turns()
	for i, t := range turns {
		o, over := t.Outcome()
		var next time.Time // of the next turn with the same text
		for _, n := range slices.Backward(turns[i+1:]) {
			if turnText(n) == turnText(t) {
				next = n.Time
			}
		}
		began, reached := marked(d.world.began, turnText(t), t.Time, next), marked(d.world.reached, turnText(t), t.Time, next)
		fail := func(format string, args ...any) {
			d.fault("turn %d (%s; %s, %s; began %d, reached %d): %s", t.ID, turnText(t), o.Kind, o.Delivery, began, reached, fmt.Sprintf(format, args...))
		}
		if !over || t.Busy() {
			fail("(2) it is not over")
		}
		switch {
		case began > 0 && o.Delivery < task.Unknown:
			fail("(4) the agent works on it")
		case reached > 0 && o.Delivery == task.NotSent:
			fail("(4) the agent has seen it")
		case began > 1:
			fail("(5) one press began more than one task")
		}
		if o.Delivery >= task.Unknown {
			for _, said := range sentences(t, &o) {
				for _, words := range again {
					if strings.Contains(said, words) {
						fail("(7) %q", said)
					}
				}
			}
		}
	}
	d.checkComposer(turns)
	d.checkPins()
	d.checkFindings()
}

// turnText returns the text of the message of a turn.
func turnText(t *model.Turn) string { return t.Message.Parts[0].Text }

// sentences returns what a conversation says about a turn that did not go well.
func sentences(t *model.Turn, o *task.Outcome) (all []string) {
	all = append(all, o.Sentence)
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if pr := b.Entries[i].Problem; pr != nil {
				all = append(all, pr.Sentence)
			}
		}
	}
	return all
}

// checkNotes fails unless every turn has one outcome, and the records say the same without the notes.
func (d *turnsDesk) checkNotes() {
	derived, notes := model.NewState(), map[a2a.TurnID][]string{}
	for _, it := range d.items {
		if n := it.Record.Note; n != nil && n.Type == log.NoteOutcome {
			id := log.IDIn[a2a.TurnID](n.Attrs, log.AttrTurn)
			notes[id] = append(notes[id], n.Attrs[log.AttrKind])
			it.Record.Note = &a2a.Note{Type: "none"}
		}
		derived.Apply(it)
	}
	for _, t := range d.turns() {
		kinds := notes[t.ID]
		for i, kind := range kinds {
			if open := []string{task.Waiting.String(), task.Working.String()}; i < len(kinds)-1 && !slices.Contains(open, kind) {
				d.fault("(1) turn %d: got outcomes %q, want one that ends it", t.ID, kinds)
			}
		}
		if len(kinds) == 0 {
			d.fault("(1) turn %d has no outcome", t.ID)
			continue
		}
		noted, _ := t.Outcome()
		got, _ := derived.Turn(t.ID).Outcome()
		if noted.Delivery != got.Delivery || noted.Kind != got.Kind && noted.Kind != task.Stopped {
			d.fault("(1) turn %d: got %s, %s with the note and %s, %s without it", t.ID, noted.Kind, noted.Delivery, got.Kind, got.Delivery)
		}
	}
}

// checkComposer fails unless the composer has the message that came back, and the queue is empty or waits
// for a reason.
func (d *turnsDesk) checkComposer(turns []*model.Turn) {
	want := ""
	for _, t := range turns {
		if o, _ := t.Outcome(); turnText(t) == "msg-one" || turnText(t) == "msg-more" { // the others were queued
			if want = ""; o.Returns() {
				want = turnText(t)
			}
		}
	}
	if d.left != "" && !slices.ContainsFunc(turns, func(t *model.Turn) bool { return turnText(t) == d.left }) {
		want = d.left // it could not be sent
	}
	if got := d.model.panes.composer.Value(); got != want {
		d.fault("(3) got the text %q in the composer, want %q", got, want)
	}
	if d.model.agent().Away() && len(d.world.reached) > 0 {
		d.fault("(2) the agent counts as away, but it was reached and is still there")
	}
	if d.model.outbox.Queued() > 0 && want == "" && !strings.Contains(ansi.Strip(d.model.View().Content), "enter sends") {
		d.fault("(2) got %d queued messages that wait for nothing", d.model.outbox.Queued())
	}
}

// checkPins fails if Parley did what the user's pins exclude.
func (d *turnsDesk) checkPins() {
	pins := d.plan.pins()
	if pins.Dialect == a2a.Unknown {
		return
	}
	for _, it := range d.items {
		c := it.Record.Call
		if c == nil || it.Record.Kind != a2a.KindRequest {
			continue
		}
		if c.Op == a2a.OpProbe || task.SendsMessage(c.Op) && (c.Dialect != pins.Dialect || pins.Endpoint != "" && c.Endpoint != pins.Endpoint && c.Why != a2a.WhyRedirected) {
			d.fault("(6) record %d: %s in A2A %s at %s, want nothing but A2A %s at %s", it.Record.ID, c.Op, c.Dialect, c.Endpoint, pins.Dialect, pins.Endpoint)
		}
	}
}

// checkFindings fails if an error is found in what Parley did by itself: in its own requests, and in the
// refusals of its guesses.
func (d *turnsDesk) checkFindings() {
	calls, events := map[a2a.ExchangeID]*a2a.Call{}, map[a2a.ExchangeID]int{}
	for id := a2a.RecordID(1); id <= a2a.RecordID(d.model.state.Log.Len()); id++ {
		it := d.model.state.Log.At(id)
		if c := it.Record.Call; c != nil {
			calls[it.Record.Exchange] = c
		}
		events[it.Record.Exchange] += len(it.Update.Events)
	}
	for id := a2a.RecordID(1); id <= a2a.RecordID(d.model.state.Log.Len()); id++ {
		it := d.model.state.Log.At(id)
		c := calls[it.Record.Exchange]
		if c == nil || !(it.Record.Kind == a2a.KindRequest && c.Why.Own() || c.Guess && events[it.Record.Exchange] == 0) {
			continue
		}
		for _, f := range it.Findings {
			if f.Severity == a2a.Error {
				d.fault("(8) record %d (%s, why %q, a guess: %t): %s %s", id, c.Op, c.Why, c.Guess, f.Rule, f.Message)
			}
		}
	}
}
