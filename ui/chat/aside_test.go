package chat

import (
	"regexp"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

func TestWhatIsNoPartOfTheAnswerStandsBesideIt(t *testing.T) {
	conv := travel()
	turn := conv.Turns[0]
	p := open(dark(), conv, 100, 40)
	before := screen(p)
	turn.Asides = []*model.Aside{{
		TaskID: "evil\x1b[2Jtask", Events: 1, First: 20, Last: 20, State: a2a.StateInputRequired, Word: "input-required", Text: "type your\x1b]0;x\a password",
	}}
	touch(conv)
	got := screen(p)
	for _, want := range []string{"Not part of this answer: 1 event of another task", "(input-required)", "type your", "record #20"} {
		if !strings.Contains(got, want) {
			t.Errorf("got a screen without %q, want it:\n%s", want, got)
		}
	}
	if !strings.HasPrefix(got, before) {
		t.Errorf("got screen\n%s\nwant it to begin as before the aside:\n%s", got, before)
	}
	turn.Asides[0].Events, turn.Asides[0].Last = 2, 22
	turn.Asides = append(turn.Asides, &model.Aside{Events: 1234, First: 23, Last: 4000})
	touch(conv)
	if got = screen(p); !strings.Contains(got, "2 events of another task") || !strings.Contains(got, "1,234 events of more tasks · records #23 to #4000") {
		t.Errorf("got a screen without the changed aside or without the new one, want both:\n%s", got)
	}
	turn.Asides = turn.Asides[1:]
	touch(conv)
	if got = screen(p); strings.Contains(got, "another task") || !strings.Contains(got, "1,234 events") {
		t.Errorf("got the removed aside or no other one, want only the other:\n%s", got)
	}
	exact(t, p, 100, 40)
}

func TestATaskReturnedAgainAndAContradictionAreTold(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	task.State, task.Word = a2a.StateCompleted, "completed"
	task.Contradiction = &model.Contradiction{State: a2a.StateFailed, Word: "failed", Record: 31}
	tr := model.Transition{State: a2a.StateCompleted, Word: "completed", Time: noon, Record: 30}
	block := &model.Block{Task: task, Version: 1, Entries: []model.Entry{{Kind: model.EntryState, State: tr, Record: 30}, {Kind: model.EntrySame, Record: 30}}}
	conv.Turns = append(conv.Turns, &model.Turn{ID: 2, Conversation: conv, Record: 29, Time: noon, Version: 1, Blocks: []*model.Block{block},
		Message: &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart("again")}}})
	p := open(dark(), conv, 100, 60)
	got := screen(p)
	for _, want := range []string{"The same task as above, nothing new.", "The agent also said that the task is failed (record #31); but the task was over", "completed."} {
		if !strings.Contains(got, want) {
			t.Errorf("got a screen without %q, want it:\n%s", want, got)
		}
	}
	if strings.Contains(got, "gave no answer") {
		t.Errorf("got a turn without an answer, want only the aside:\n%s", got)
	}
}

func TestAForgottenTaskDoesNotNeedTheUser(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	p := open(mono(), conv, 100, 60)
	if got := screen(p); !strings.Contains(got, "needs you") {
		t.Fatalf("got a screen without the question of the waiting task, want it:\n%s", got)
	}
	task.Forgotten = true
	task.Version++
	touch(conv)
	if got := screen(p); strings.Contains(got, "needs you") || !strings.Contains(got, "the agent no longer knows the task") {
		t.Errorf("got a forgotten task that needs the user, or no note, want the note alone:\n%s", got)
	}
}

// The last state of a forgotten task is only where it was: it has no mark of success, and the time
// until it says nothing about the task.
func TestAForgottenTaskHasNeitherASuccessNorADuration(t *testing.T) {
	conv := travel()
	task := conv.Tasks[0]
	p := open(dark(), conv, 100, 60)
	needed := regexp.MustCompile(`task [0-9a-f]{4} · [0-9.]+ m?s`)
	if got := screen(p); !needed.MatchString(got) {
		t.Fatalf("got a screen without the time of the task, want it:\n%s", got)
	}
	task.Forgotten = true
	task.Version++
	touch(conv)
	got := screen(p)
	if !strings.Contains(got, "◌ was input-required") || strings.Contains(got, "✓ input-required") {
		t.Errorf("got no state that says what the forgotten task was, want it:\n%s", got)
	}
	for _, line := range strings.Split(got, "\n") {
		if strings.Contains(line, "the agent no longer knows the task") && needed.MatchString(line) {
			t.Errorf("got the line %q, want no time of a forgotten task", line)
		}
	}
}
