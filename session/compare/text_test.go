package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/model"
	"parley/session/problem"
)

// turn returns a turn whose task made an artifact of chunks. Its ids and times are made of n.
func turn(n int, state a2a.State, metadata string, chunks ...string) *model.Turn {
	c := &model.Conversation{Agent: &model.Agent{}}
	task := &model.Task{ID: fmt.Sprintf("task-%d-x", n), ContextID: fmt.Sprintf("context-%d", n), Metadata: json.RawMessage(metadata), Conversation: c}
	a := &model.Artifact{Key: fmt.Sprintf("artifact-%d", n), Name: "report", Task: task}
	for _, s := range chunks {
		a.Text = append(a.Text, s...)
	}
	a.Chunks = len(chunks)
	return &model.Turn{ID: a2a.TurnID(n), Conversation: c, Blocks: []*model.Block{{Task: task, Entries: []model.Entry{
		{Kind: model.EntryState, State: model.Transition{State: a2a.StateWorking, Time: time.Unix(int64(n), 0)}},
		{Kind: model.EntryMessage, Message: &a2a.Message{ID: fmt.Sprintf("message-%d", n), Parts: []a2a.Part{
			a2a.TextPart(fmt.Sprintf("see task-%d-x of 2026-11-%02dT10:00:00.%dZ and 0a000000-0000-0000-0000-%012d", n, n, n, n)),
			a2a.DataPart(json.RawMessage(metadata)),
		}}},
		{Kind: model.EntryArtifact, Artifact: a},
		{Kind: model.EntryState, State: model.Transition{State: state}},
	}}}}
}

// Ids, times, chunk boundaries, the order of members and the spelling of numbers are no
// difference.
func TestEqualAnswersAreTheSame(t *testing.T) {
	c := Turns(turn(1, a2a.StateCompleted, `{"a":1,"at":"2026-01-01T00:00:00Z"}`, "one ", "two\nthree"),
		turn(2, a2a.StateCompleted, `{"at":"2026-02-02T02:02:02Z","a":1.0}`, "one two\n", "th", "ree"))
	if c.Differ != 0 || c.Cut || c.Verdict() != "Both answers are the same." || len(c.Lines) < 8 {
		t.Errorf("got %q with lines %q, want no difference", c.Verdict(), c.Lines)
	}
}

func TestDifferencesAreMarked(t *testing.T) {
	second := turn(2, a2a.StateFailed, `{"a":2}`, "one\ntoo\n")
	second.Blocks[0].Entries = append(second.Blocks[0].Entries, model.Entry{Kind: model.EntryProblem, Problem: &problem.Problem{
		Sentence: "as the binding says it", Err: &a2a.RPCError{Code: -32001, Name: "TaskNotFoundError", Message: "gone"},
	}})
	c := Turns(turn(1, a2a.StateCompleted, `{"a":1}`, "one\ntwo\n"), second)
	var text strings.Builder
	for _, l := range c.Lines {
		text.WriteString(string(l.Mark) + l.Text + "\n")
	}
	sees(t, text.String(), "-states: working, completed\n", "+states: working, failed\n", " artifact report\n", "   one\n", "-  two\n", "+  too\n",
		"+error: TaskNotFoundError: gone\n", "-    \"a\": 1\n", "+    \"a\": 2\n")
	if c.Differ < 9 || !strings.HasPrefix(c.Verdict(), "The answers differ in ") {
		t.Errorf("got %d different lines and %q", c.Differ, c.Verdict())
	}
}

func TestFilesAreComparedByContent(t *testing.T) {
	with := func(content string) *model.Turn {
		of := turn(1, a2a.StateCompleted, "", "x")
		of.Blocks[0].Entries[2].Artifact.Parts = []model.PlacedPart{{Part: a2a.Part{Kind: a2a.PartBytes, Content: []byte(content), Filename: "a.bin"}}}
		return of
	}
	if c := Turns(with("abc"), with("abc")); c.Differ != 0 {
		t.Errorf("got lines %q, want the same", c.Lines)
	}
	if c := Turns(with("abc"), with("abd")); c.Differ != 2 {
		t.Errorf("got lines %q, want two different ones", c.Lines)
	}
}

func TestLargeAnswersAreCut(t *testing.T) {
	large := strings.Repeat("word word word\n", maxText/8)
	c := Turns(turn(1, a2a.StateCompleted, "", large, "a"), turn(2, a2a.StateCompleted, "", large, "b"))
	if !c.Cut || c.Differ != 0 || !strings.Contains(c.Verdict(), "only the beginning is compared") || len(c.Lines) > maxLines+1 {
		t.Errorf("got %q, cut %v, %d lines", c.Verdict(), c.Cut, len(c.Lines))
	}
	empty := &model.Turn{Conversation: &model.Conversation{Agent: &model.Agent{}}}
	if c := Turns(empty, empty); c.Verdict() != "Both answers are empty." {
		t.Errorf("got %q for empty answers", c.Verdict())
	}
	if c := Turns(empty, turn(1, a2a.StateCompleted, "", "x")); c.Differ != len(c.Lines) || c.Differ == 0 {
		t.Errorf("got lines %q, want only additions", c.Lines)
	}
}

// No line of either text is lost, and none is added, with or without a line break at the end.
func TestTheDifferenceHasBothTexts(t *testing.T) {
	texts := []string{"", "a", "a\n", "a\nb\nc", "a\nB\nc\n", "b\nc\n", "\n\n", "a\r\nb", strings.Repeat("x\n", 50) + "y"}
	for _, a := range texts {
		for _, b := range texts {
			var first, second strings.Builder
			for _, l := range difference(a, b) {
				if l.Mark != '+' {
					first.WriteString(l.Text + "\n")
				}
				if l.Mark != '-' {
					second.WriteString(l.Text + "\n")
				}
			}
			want := func(s string) string { return strings.TrimSuffix(s, "\n") }
			if want(first.String()) != want(a) || want(second.String()) != want(b) {
				t.Errorf("got %q and %q from %q and %q", first.String(), second.String(), a, b)
			}
		}
	}
}

// sees checks that a text contains all of some texts.
func sees(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("got\n%s\nwant %q", text, w)
		}
	}
}
