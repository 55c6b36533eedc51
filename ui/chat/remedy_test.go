package chat

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/session/problem"
)

func TestWhatCanBeTriedWithAStrangerIsOffered(t *testing.T) {
	agent := travel().Agent
	agent.Phase, agent.Problem = model.Failed, "“Travel Desk” says A2A 2.0."
	p := open(mono(), nil, 60, 14)
	p.Show(agent, nil)
	text := screen(p)
	for _, words := range []string{"says A2A 2.0", "alt+1  pin a dialect", "alt+2  probe the endpoint again", "alt+3  write a request by hand"} {
		if !strings.Contains(text, words) {
			t.Errorf("got a screen without %q, want it:\n%s", words, text)
		}
	}
	if strings.Contains(text, "Book me a flight") {
		t.Errorf("got a prompt that cannot be sent on the screen, want none:\n%s", text)
	}
	exact(t, p, 60, 14)
	if got := press(p, "alt+3"); got != (UseRemedy{WriteRequest}) {
		t.Errorf("alt+3: got %v, want WriteRequest", got)
	}
	if got := press(p, "alt+4"); got != nil {
		t.Errorf("alt+4: got %v, want nil", got)
	}
	for y, line := range strings.Split(screen(p), "\n") {
		got := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, y)
		if strings.Contains(line, "probe the endpoint again") != (got == UseRemedy{ProbeAgain}) {
			t.Errorf("click on %q: got %v", line, got)
		}
	}
	for h := range 8 { // only the offers remain
		p.SetSize(40, h)
		exact(t, p, 40, h)
	}
	agent.Card = nil
	p.SetSize(60, 14)
	if text := screen(p); !strings.Contains(text, "alt+1  pin a dialect") {
		t.Errorf("got no remedies without a card, want alt+1:\n%s", text)
	}
}

func TestATurnThatWasWrittenByHandSaysSo(t *testing.T) {
	conv := travel()
	conv.Turns[0].Written = "SendMessage\x1b[2J"
	p := open(mono(), conv, 60, 40)
	exact(t, p, 60, 40)
	if text := screen(p); !strings.Contains(text, "wrote a request by hand: SendMessage") || !strings.Contains(text, "Book me a flight") {
		t.Errorf("got a screen without the request written by hand or its message, want both:\n%s", text)
	}
	conv.Turns[0].Message, conv.Turns[0].Blocks = nil, nil
	p = open(mono(), conv, 60, 40)
	if text := screen(p); !strings.Contains(text, "wrote a request by hand") || strings.Contains(text, "begun elsewhere") ||
		!strings.Contains(text, "sent nothing new; the wire has the records") || strings.Contains(text, "gave no answer") {
		t.Errorf("got a turn without a message:\n%s\nwant the request written by hand, with a hint to the wire", text)
	}
}

// A task that Parley no longer polls can be got again, and the chat names the key.
func TestAResultThatWasGivenUpNamesTheKey(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Problem: &problem.Problem{
		Class: a2a.ClassGivenUp, Sentence: "The agent did not return the result of task 91c2 within 30 s.",
	}})
	p := open(mono(), conv, 60, 60)
	if text := screen(p); !strings.Contains(text, "did not return the result") || !strings.Contains(text, "f3 lists the tasks, where you can get it again") {
		t.Errorf("got no key that leads to the task, want f3:\n%s", text)
	}
}

// What a failure left open is told before what to do about it, and what to do goes when it is done.
func TestARemedyStandsBelowItsCauseUntilItIsDone(t *testing.T) {
	conv := travel()
	turn, b := conv.Turns[0], conv.Turns[0].Blocks[0]
	b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 50, Problem: &problem.Problem{
		Class: a2a.ClassCut, Open: true, Sentence: "The connection broke after 2895 bytes.",
	}})
	b.Task.State = a2a.StateWorking
	const remedy = "f3 lists the tasks, where you can get this one"
	p := open(mono(), conv, 70, 60)
	cause, advice, found := strings.Cut(screen(p), "after 2895 bytes.")
	if !found || strings.Contains(cause, remedy) || !strings.Contains(advice, remedy) {
		t.Errorf("got\n%s\nwant the cause, then %q", screen(p), remedy)
	}
	b.Task.Transitions = append(b.Task.Transitions, model.Transition{State: a2a.StateCompleted, Record: 60})
	b.Task.State = a2a.StateCompleted
	touch(conv)
	if text := screen(p); strings.Contains(text, remedy) || !strings.Contains(text, "after 2895 bytes.") {
		t.Errorf("got\n%s\nwant the cause alone when the task has ended", text)
	}

	// A message whose task is not known is found in the agent's list.
	b.Task, turn.Blocks = nil, []*model.Block{{Version: 1, Entries: []model.Entry{{Kind: model.EntryProblem, Record: 50, Problem: &problem.Problem{
		Class: a2a.ClassStatus, Open: true, Sentence: "Something on the way answered 504.",
	}}}}}
	conv.Agent.Profile.Dialect = a2a.V10
	const find = "f3 lists the agent's tasks: see there whether it took the message"
	p = open(mono(), conv, 110, 60)
	if text := screen(p); !strings.Contains(text, find) || strings.Contains(text, "try again") {
		t.Errorf("got\n%s\nwant %q", text, find)
	}
	conv.Agent.List = &model.TaskList{NewestPage: 70}
	touch(conv)
	if text := screen(p); strings.Contains(text, find) {
		t.Errorf("got\n%s\nwant no advice to list the tasks after they were listed", text)
	}
	conv.Agent.List, conv.Agent.Profile.Dialect = nil, a2a.V03
	p = open(mono(), conv, 110, 60)
	if text := screen(p); strings.Contains(text, "f3 lists") || !strings.Contains(text, "The agent's log says whether it took the message") {
		t.Errorf("got\n%s\nwant no list where the dialect has none", text)
	}
}

// Nothing that is tried with a stranger helps while a card has to be approved.
func TestAHeldAgentOffersItsCardAlone(t *testing.T) {
	agent := travel().Agent
	agent.Phase, agent.Problem = model.Failed, "The card of Travel Desk has changed."
	p := open(mono(), nil, 60, 14)
	p.Show(agent, nil)
	screen(p)
	p.SetHeld(true)
	text := screen(p)
	if !strings.Contains(text, "alt+1  review what has changed in the card") || strings.Contains(text, "pin a dialect") {
		t.Errorf("got other offers than the card:\n%s", text)
	}
	if got := press(p, "alt+1"); got != (UseRemedy{ReviewCard}) {
		t.Errorf("alt+1: got %v, want ReviewCard", got)
	}
	if got := press(p, "alt+2"); got != nil {
		t.Errorf("alt+2: got %v, want nil", got)
	}
	p.SetHeld(false)
	if text := screen(p); !strings.Contains(text, "pin a dialect") {
		t.Errorf("got no other offers after the approval:\n%s", text)
	}
}

// A failure of an operation on a task is no news once the task is over, and a quotation in it stays whole.
func TestAFailedOperationFadesWithItsTask(t *testing.T) {
	conv := travel()
	b := conv.Turns[0].Blocks[0]
	failed := (&problem.Problem{Class: a2a.ClassStatus, Sentence: "Something answered 503 with a page titled “Busy. Wait”. Ask for the task again in 2 s."}).Of([]a2a.Op{a2a.OpSubscribe})
	b.Entries = append(b.Entries, model.Entry{Kind: model.EntryProblem, Record: 50, Problem: failed})
	b.Task.State = a2a.StateWorking
	p := open(mono(), conv, 120, 60)
	if text := screen(p); !strings.Contains(text, "Subscription: Something answered 503 with a page titled “Busy. Wait”. Ask for the task again in 2 s.") {
		t.Errorf("got\n%s\nwant the subscription and when to ask again", text)
	}
	b.Task.Transitions = append(b.Task.Transitions, model.Transition{State: a2a.StateCompleted, Record: 60})
	b.Task.State = a2a.StateCompleted
	touch(conv)
	if text := screen(p); strings.Contains(text, "again in 2 s") || !strings.Contains(text, "titled “Busy. Wait”.") {
		t.Errorf("got\n%s\nwant the cause alone after the end of the task", text)
	}
	b.Entries[len(b.Entries)-1].Replaced = true
	touch(conv)
	if text := screen(p); strings.Contains(text, "Subscription") {
		t.Errorf("got\n%s\nwant nothing of a failure that was settled", text)
	}
	for text, want := range map[string]string{"A. B.": "A.", "A “b. c": "A “b. c.", "”. A. B.": "”.", "": ".", "x": "x."} {
		if got := firstSentence(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
