package model_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/sessiontest"
)

// spoken plays a task that says texts in status messages, "" for a chunk of an artifact in between, and returns the
// texts that the conversation shows and the tape.
func spoken(says []string) (shown []string, records []a2a.RecordID, tape *sessiontest.Tape) {
	tape = sessiontest.NewTape()
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V03}
	x := tape.Ask(call, "go")
	for i, text := range says {
		event := fmt.Sprintf(`{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":"working",`+
			`"message":{"kind":"message","role":"agent","messageId":"s%d","parts":[{"kind":"text","text":%q}]}}}`, i, text)
		if text == "" {
			event = `{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"kind":"text","text":"x"}]}}`
		}
		records = append(records, tape.Event(x, call, event))
	}
	tape.End(x, call, a2a.End{Reason: a2a.Ended})
	for _, b := range tape.State.Turn(1).Blocks {
		for _, e := range b.Entries {
			if e.Kind == model.EntryMessage {
				shown = append(shown, e.Message.Text())
			}
		}
	}
	return shown, records, tape
}

// An agent that streams its text in status messages says one text, whose records all lead to it. Each of
// them stays a record of its own.
func TestATextInStatusMessagesGrows(t *testing.T) {
	shown, records, tape := spoken([]string{"Looking at it", "Asking", "Hello", "!", " How", " are", " you?"})
	if want := "Looking at it|Asking|Hello! How are you?"; strings.Join(shown, "|") != want {
		t.Errorf("got texts %q, want %q", shown, want)
	}
	first, _ := tape.State.Anchor(records[2])
	for _, id := range records[3:] {
		if at, ok := tape.State.Anchor(id); !ok || at.Entry != first.Entry || at.Block != first.Block {
			t.Errorf("record %d leads to %+v, want the entry of the text, %+v", id, at, first)
		}
	}
	if shown, _, _ := spoken([]string{"One", " text", "", " and", " another"}); strings.Join(shown, "|") != "One text| and another" {
		t.Errorf("got texts %q around a chunk, want two", shown)
	}
}

// A text without an end is divided where its entry is long enough; nothing of it is lost.
func TestALongTextInStatusMessagesIsDivided(t *testing.T) {
	var says []string
	for i := range 20_000 {
		says = append(says, fmt.Sprintf(" word%d", i))
	}
	shown, _, _ := spoken(says)
	if len(shown) < 5 || len(shown) > 50 || strings.Join(shown, "") != strings.Join(says, "") {
		t.Errorf("got %d entries with %d bytes, want 5 to 50 with all %d", len(shown), len(strings.Join(shown, "")), len(strings.Join(says, "")))
	}
	for _, text := range shown {
		if len(text) > 17<<10 {
			t.Fatalf("got an entry of %d bytes, want at most 16 KiB and a piece", len(text))
		}
	}
	_, _, tape := spoken([]string{"x", strings.Repeat(" y", 9<<10), " after"})
	var last model.Entry
	for _, e := range tape.State.Turn(1).Blocks[0].Entries {
		if e.Kind == model.EntryMessage {
			last = e
		}
	}
	if last.Message.Text() != " after" || !last.Grown {
		t.Errorf("got entry %q, grown %v; want the rest of the text, which is no step of the work", last.Message.Text(), last.Grown)
	}
}
