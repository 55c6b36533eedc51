package cli

import (
	"context"
	"net/http"
	"strings"
	"testing"
)

const oldCard = `{"name":"Old","url":"%s/rpc","version":"1","capabilities":{"streaming":false},"skills":[]}`

// silent is an agent of A2A 0.1 that answers a message only when the test ends, and signals its
// arrival.
func silent(t *testing.T) (s *stub, got chan struct{}) {
	t.Helper()
	got = make(chan struct{}, 8)
	over := make(chan struct{})
	s = newStub(t, oldCard, func(q *asked, _ http.ResponseWriter) {
		if q.Method == "tasks/send" {
			got <- struct{}{}
			select {
			case <-over:
			case <-q.req.Context().Done():
			}
		}
	})
	t.Cleanup(func() { close(over) })
	return s, got
}

// The command that goes on reaches the agent in the same way.
func TestTheCommandThatGoesOnHasTheSameWayToTheAgent(t *testing.T) {
	t.Parallel()
	s := newStub(t, streamCard, func(q *asked, w http.ResponseWriter) { q.event(w, completed) })
	r := parley(t, "send", "-a", s.URL, "x", "--transport", "HTTP+JSON", "--transport", "JSONRPC", "--allow-origin", "https://agent.example", "--artifact-gateway", "https://files.example")
	want := " --artifact-gateway https://files.example --transport HTTP+JSON --transport JSONRPC --allow-origin https://agent.example --context-id "
	if r.code != 0 || !strings.Contains(r.out, "Resume: parley send --agent-card "+s.URL+want) {
		t.Errorf("got exit %d, want 0 and a command with%s\n%s%s", r.code, want, r.out, r.err)
	}
}

// TestAsyncDoesNotWaitForAnAgentThatAnswersWhenItIsDone sends to an agent that never answers:
// only the task id that Parley chose leads back to the task.
func TestAsyncDoesNotWaitForAnAgentThatAnswersWhenItIsDone(t *testing.T) {
	t.Parallel()
	s, _ := silent(t)
	r := parley(t, "send", "-a", s.URL, "x", "--async", "--dialect", "v0.1")
	id, _ := at(s.only(t, "tasks/send").Params, "id").(string)
	if r.code != 0 || id == "" || !strings.Contains(r.out, "Task: "+id+"\n") || !strings.Contains(r.out, "State: not known yet\n") ||
		!strings.Contains(r.out, "Resume: parley task get --agent-card "+s.URL+" --dialect v0.1 "+id+"\n") {
		t.Errorf("got exit %d and id %q, want 0 and the way back to the task\n%s%s", r.code, id, r.out, r.err)
	}
	r = parley(t, "send", "-a", s.URL, "x", "--async", "--dialect", "v0.1", "-o", "json")
	sent := s.asked("tasks/send")
	if doc := document(t, r.out); r.code != 0 || at(doc, "task", "id") != at(sent[len(sent)-1].Params, "id") {
		t.Errorf("got exit %d, want 0 and the id that was sent\n%s%s", r.code, r.out, r.err)
	}
}

// TestAnInterruptedMessageIsNotToBeSentAgain interrupts a command while the agent works.
func TestAnInterruptedMessageIsNotToBeSentAgain(t *testing.T) {
	t.Parallel()
	s, got := silent(t)
	ctx, interrupt := context.WithCancel(t.Context())
	go func() { <-got; interrupt() }()
	r := commandLine{args: []string{"send", "-a", s.URL, "x", "--dialect", "v0.1"}, ctx: ctx}.run(t)
	id, _ := at(s.only(t, "tasks/send").Params, "id").(string)
	if r.code != 1 || id == "" || strings.Contains(r.err, "Run it again") ||
		!strings.Contains(r.err, "waiting for task "+id) || !strings.Contains(r.err, "Hint: parley task get --agent-card "+s.URL+" --dialect v0.1 "+id) {
		t.Errorf("0.1: got exit %d and id %q, want 1 and the way back to the task\n%s", r.code, id, r.err)
	}

	busy := make(chan struct{}, 1)
	s = newStub(t, plainCard, func(q *asked, _ http.ResponseWriter) { busy <- struct{}{}; <-q.req.Context().Done() })
	ctx, interrupt = context.WithCancel(t.Context())
	go func() { <-busy; interrupt() }()
	r = commandLine{args: []string{"send", "-a", s.URL, "x"}, ctx: ctx}.run(t)
	if r.code != 1 || strings.Contains(r.err, "Run it again") || !strings.Contains(r.err, "may start a second task") {
		t.Errorf("1.0: got exit %d, want 1 and a warning about a second task\n%s", r.code, r.err)
	}
}
