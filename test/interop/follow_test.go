package interop

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// signIn signs in elsewhere, so that no stream reports the change.
func signIn(t *testing.T, at target, s sdk) {
	d := open(t, at)
	turn := d.wait(d.send(model.Target{}, s.signs, a2a.False))
	task := d.task(turn.ID)
	if task.State != a2a.StateAuthRequired {
		t.Fatalf("got state %s, want auth-required\n%s", task.State, d.wire())
	}
	d.until("it was asked for by itself", func() bool { return d.countGets(task) > 0 })
	answer, err := http.Get(at.url + "/sign-in?task=" + task.ID)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	d.until("the task has gone on", func() bool { return task.State == a2a.StateCompleted })
	d.until("nobody asks any more", func() bool { return task.AuthPoll == nil && !turn.Pending })
	d.noProblem(turn.ID)
	if s.signs == "pay" && (len(task.Artifacts) != 1 || len(task.Artifacts[0].Text) < 20) {
		t.Errorf("got artifacts %+v, want one\n%s", task.Artifacts, d.wire())
	}
}

// checkFinished sends a message to a task that is over, in the session of the task and in a later
// one. An agent that refuses it gets it once, and is blamed for nothing.
func checkFinished(t *testing.T, at target, s sdk) {
	at.seen = nil // the message is wrong on purpose
	refuses := s.follows[ended] != ""
	for _, streams := range [...]a2a.Tri{a2a.True, a2a.False} {
		d := open(t, at)
		first := d.send(model.Target{}, "count 1", streams)
		d.wait(first)
		if !refuses {
			return
		}
		to := model.Target{TaskID: d.task(first).ID}
		if s := d.task(first).State; s != a2a.StateCompleted {
			t.Fatalf("got state %s, want completed\n%s", s, d.wire())
		}
		d.refusedOnce(d.send(to, "and more", streams), "The task is over: ")
		why := "The task may be over: "
		if streams == a2a.True && s.unknown != "" {
			why = "InternalError" // the SDK fails to encode its refusal of a stream
		}
		later := open(t, at)
		later.refusedOnce(later.send(to, "and more", streams), why)
	}
}

// refusedOnce checks that the message of a turn was sent once and refused with a reason, and that no
// rule has anything against the card or the ids.
func (d *harness) refusedOnce(turn a2a.TurnID, why string) {
	d.t.Helper()
	d.wait(turn)
	sent, said := 0, ""
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		it := d.state.Log.At(id)
		if r := &it.Record; r.Kind == a2a.KindRequest && r.Call.Turn == turn && (r.Call.Op == a2a.OpSend || r.Call.Op == a2a.OpStream) {
			sent++
		}
		for _, f := range it.Findings {
			if f.Rule == "CARD-019" || f.Rule == "TASK-004" {
				d.t.Errorf("got finding %+v, want none\n%s", f, d.wire())
			}
		}
	}
	for _, b := range d.state.Turn(turn).Blocks {
		for _, e := range b.Entries {
			if e.Problem != nil {
				said += e.Problem.Sentence
			}
		}
	}
	if sent != 1 || !strings.Contains(said, why) || strings.Contains(said, "stream") {
		d.t.Errorf("got %d messages and %q, want one and %q\n%s", sent, said, why, d.wire())
	}
}

// countGets counts the successful gets of a task.
func (d *harness) countGets(task *model.Task) (n int) {
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		if r := &d.state.Log.At(id).Record; r.Kind == a2a.KindEnd && r.Call.AuthPoll && r.Call.TaskID == task.ID {
			n++
		}
	}
	return n
}

// A situation is one in which a message is sent to a task.
type situation string

// The situations, as the manual names them.
const (
	asksInput situation = "asks for input"
	asksAuth  situation = "needs credentials"
	works     situation = "is at work"
	ended     situation = "is completed or has failed"
	canceled  situation = "was cancelled"
	nowhere   situation = "is not known"
	inAnother situation = "is of another context"
)

// situations are all of them, with the state of the task, if there is one.
var situations = [...]struct {
	situation
	state a2a.State
}{
	{asksInput, a2a.StateInputRequired}, {asksAuth, a2a.StateAuthRequired}, {works, a2a.StateWorking}, {ended, a2a.StateCompleted},
	{canceled, a2a.StateCanceled}, {nowhere, a2a.StateOther}, {inAnother, a2a.StateOther},
}

// Situations that SDKs do not support.
var (
	plainGo = map[situation]string{
		works: "InternalError", ended: "InvalidParamsError", canceled: "InvalidParamsError", nowhere: "TaskNotFoundError", inAnother: "InvalidParamsError",
	}
	// busyGo still executes a task that waits for credentials.
	busyGo = map[situation]string{
		asksAuth: "InternalError", works: "InternalError", ended: "InvalidParamsError", canceled: "InvalidParamsError",
		nowhere: "TaskNotFoundError", inAnother: "InvalidParamsError",
	}
	js1 = map[situation]string{
		ended: "UnsupportedOperationError", canceled: "UnsupportedOperationError", nowhere: "TaskNotFoundError", inAnother: "InvalidParamsError",
	}
	js0 = map[situation]string{ended: "InvalidRequestError", canceled: "InvalidRequestError", nowhere: "TaskNotFoundError"}
	// gRPC has one status for invalid requests and parameters.
	js0GRPC = map[situation]string{ended: "InvalidParamsError", canceled: "InvalidParamsError", nowhere: "TaskNotFoundError"}
	trpc    = map[situation]string{canceled: "InternalError", nowhere: "InternalError"}
)

// opFollow sends further messages to tasks in every situation: required ones must be accepted,
// forbidden ones refused, and the others are as in the table.
func opFollow(p *peer, s sdk) {
	d, _ := a2a.LookupDialect(s.dialect)
	for _, c := range situations {
		if c.situation == asksAuth && (!s.auth || s.busy && s.follows[asksAuth] == "") {
			continue // it has no such tasks, or accepts the message only sometimes
		}
		task, contextID, over := p.prepare(c.situation)
		req := p.textRequest("10 to 17 October", task, contextID)
		if want := s.follows[c.situation]; want != "" {
			p.mustFail(a2a.OpSend, req, want)
		} else if got := p.must(a2a.OpSend, req, a2a.EventTask).Task; got.ID != task {
			p.t.Errorf("%s: got task %s, want %s\n%s", c.situation, got.ID, task, p.wire())
		}
		over()
		if c.state == a2a.StateOther {
			continue
		}
		switch refused := s.follows[c.situation] != ""; d.Receives(c.state) {
		case a2a.Expected:
			if refused {
				p.t.Errorf("%s: got a refusal, which %s does not allow", c.situation, s.dialect)
			}
		case a2a.Forbidden:
			if !refused {
				p.t.Errorf("%s: got an answer, which %s forbids", c.situation, s.dialect)
			}
		}
	}
}

// prepare brings a task into a situation and returns the task and the context of the message to
// it; over ends the situation.
func (p *peer) prepare(c situation) (task, contextID string, over func()) {
	p.t.Helper()
	var made *a2a.Task
	switch c {
	case asksInput, inAnother:
		made = p.startTask("ask me")
	case asksAuth:
		made = p.startTask("auth please")
	case ended:
		made = p.startTask("count 1")
	case works:
		task, over = p.startWorkingTask("wait")
		return task, "", over
	case canceled:
		task, over = p.startWorkingTask("wait")
		p.must(a2a.OpCancel, a2a.Request{TaskID: task}, a2a.EventTask)
		over()
		return task, "", func() {}
	default:
		return newID(), "", func() {}
	}
	if c == inAnother {
		return made.ID, p.startTask("fail").ContextID, func() {}
	}
	return made.ID, made.ContextID, func() {}
}

// opRefer starts tasks that refer to another one: in its context, and in their own. The agent
// must receive the reference.
func opRefer(p *peer, s sdk) {
	if d, _ := a2a.LookupDialect(s.dialect); !d.References() {
		return
	}
	first := p.startTask("count 1")
	for _, contextID := range []string{first.ContextID, ""} {
		req := p.textRequest("ask me", "", contextID)
		req.Message.ReferenceTaskIDs = []string{first.ID}
		task := p.must(a2a.OpSend, req, a2a.EventTask).Task
		if task.ID == first.ID || (task.ContextID == first.ContextID) != (contextID != "") {
			p.t.Errorf("got task %s in context %s after %s in %s\n%s", task.ID, task.ContextID, first.ID, first.ContextID, p.wire())
		}
		many := 10
		task = p.must(a2a.OpGet, a2a.Request{TaskID: task.ID, HistoryLength: &many}, a2a.EventTask).Task
		if !slices.ContainsFunc(task.History, func(m a2a.Message) bool { return slices.Equal(m.ReferenceTaskIDs, []string{first.ID}) }) {
			p.t.Errorf("got history %+v, want a message with the reference\n%s", task.History, p.wire())
		}
	}
}
