package model_test

import (
	"fmt"
	"slices"
	"testing"

	"parley/a2a"
	"parley/session/model"
	"parley/session/sessiontest"
)

// meshTask plays a task of a mesh whose stream is cut and subscribed to again: pieces before the
// cut, pieces after it, and the text of the last answer. It returns the texts that are shown.
func meshTask(before, after []string, last string) (shown []string) {
	tape, n := sessiontest.NewTape(), 0
	call := func(op a2a.Op) *a2a.Call {
		return &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: op, TaskID: "t", Dialect: a2a.SAMBroker, Binding: a2a.BindingMQTT}
	}
	say := func(x a2a.ExchangeID, op a2a.Op, text string) {
		n++
		tape.Event(x, call(op), fmt.Sprintf(`{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":"working",`+
			`"message":{"kind":"message","role":"agent","messageId":"p%d","parts":[{"kind":"text","text":%q}]}}}`, n, text))
	}
	x := tape.Ask(call(a2a.OpStream), "go")
	for _, text := range before {
		say(x, a2a.OpStream, text)
	}
	if after != nil {
		tape.End(x, call(a2a.OpStream), a2a.End{Reason: a2a.Cut, Class: a2a.ClassCut})
		x = tape.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Local, Call: call(a2a.OpSubscribe)})
		for _, text := range after {
			say(x, a2a.OpSubscribe, text)
		}
	}
	tape.Event(x, call(a2a.OpSubscribe), fmt.Sprintf(`{"kind":"task","id":"t","contextId":"c","status":{"state":"completed",`+
		`"message":{"kind":"message","role":"agent","messageId":"end","parts":[{"kind":"text","text":%q}]}}}`, last))
	for _, b := range tape.State.Turn(1).Blocks {
		for _, e := range b.Entries {
			switch {
			case e.Kind == model.EntryGap:
				shown = append(shown, "gap")
			case e.Message != nil:
				shown = append(shown, e.Message.Text())
			}
		}
	}
	return shown
}

func TestTheLastAnswerOfAMeshIsShownUnlessItEndsTheStream(t *testing.T) {
	for name, c := range map[string]struct {
		before, after []string
		last          string
		want          []string
	}{
		"streamed whole":            {[]string{"one ", "two"}, nil, "two", []string{"one two"}},
		"with space around it":      {[]string{"one ", "two \n"}, nil, " two", []string{"one two \n"}},
		"streamed after a gap":      {[]string{"one "}, []string{"two ", "three"}, "two three", []string{"one ", "gap", "two three"}},
		"streamed around a gap":     {[]string{"one "}, []string{"two"}, "one two", []string{"one ", "gap", "two"}},
		"pieces lost in a gap":      {[]string{"one "}, []string{"three"}, "one two three", []string{"one ", "gap", "three", "one two three"}},
		"another text":              {[]string{"one"}, nil, "else", []string{"one", "else"}},
		"a text that was not last":  {[]string{"one ", "two"}, nil, "one", []string{"one two", "one"}},
		"everything lost in a gap":  {nil, []string{}, "one", []string{"one"}},
		"longer than what streamed": {[]string{"two"}, nil, "one two", []string{"two", "one two"}},
	} {
		if got := meshTask(c.before, c.after, c.last); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
