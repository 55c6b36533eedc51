package chat

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/model"
)

// A step that is over has a sign and its duration, the one that the agent works on runs.
func TestEachStepIsALineWithItsDuration(t *testing.T) {
	conv := travel()
	task, turn := conv.Tasks[0], conv.Turns[0]
	block := turn.Blocks[0]
	task.State, task.Prompt, turn.Pending = a2a.StateWorking, nil, true
	block.Entries = block.Entries[:2] // submitted, working
	at := noon.Add(653 * time.Millisecond)
	step := func(text string, record a2a.RecordID, after time.Duration) {
		at = at.Add(after)
		block.Entries = append(block.Entries, model.Entry{
			Kind: model.EntryMessage, Record: record, Time: at, Message: &a2a.Message{ID: text, Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart(text)}},
		})
		block.Version++
		touch(conv)
	}
	step("Asking three airlines", 5, time.Second)
	step("Comparing 23 fares", 6, 400*time.Millisecond)
	p := open(mono(), conv, 80, 40)
	p.shared.settings.session = func() time.Time { return at.Add(1900 * time.Millisecond) }
	p.Tick()
	got := screen(p)
	for _, want := range []string{"+ Asking three airlines", " 400 ms\n", "* Comparing 23 fares                                     1 s"} {
		if !strings.Contains(got, want) {
			t.Errorf("got a screen without %q, want it:\n%s", want, got)
		}
	}
	step("Here are", 7, 100*time.Millisecond)
	if got := screen(p); !strings.Contains(got, "* Here are") {
		t.Errorf("got a screen without the newest step:\n%s", got)
	}
	text := &block.Entries[len(block.Entries)-1] // the agent streams its text, as its second piece shows
	text.Message, text.Grown = &a2a.Message{ID: "Here are", Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart("Here are three flights.")}}, true
	block.Version++
	touch(conv)
	if got := screen(p); !strings.HasSuffix(got, "|\n| Here are three flights.") {
		t.Errorf("got a text that looks like a step, or none:\n%s", got)
	}
	task.State, turn.Pending = a2a.StateCompleted, false
	task.Version++
	touch(conv)
	if got := screen(p); strings.Contains(got, "* Comparing") || strings.Contains(got, "1.9 s") {
		t.Errorf("got a step that still runs after the end of the task, want none:\n%s", got)
	}
	for w := 8; w < 70; w++ {
		p.SetSize(w, 40)
		exact(t, p, w, 40)
	}
}
