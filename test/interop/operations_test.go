package interop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// operations calls every operation that an SDK serves. It reports whether all of them ran.
func operations(t *testing.T, url string, s sdk, seen findings) bool {
	done := map[a2a.Op]bool{}
	all := []struct {
		name string
		test func(*peer, sdk)
	}{
		{"card", opCard}, {"send", opSend}, {"stream", opStream}, {"several turns", opSeveral},
		{"credentials", opAuth}, {"failure", opFailure}, {"every kind of part", opParts}, {"get", opGet},
		{"file", opFile}, {"list", opList}, {"cancel", opCancel}, {"subscribe", opSubscribe}, {"webhooks", opPush},
		{"extended card", opExtended}, {"unknown task", opUnknown}, {"unknown method", opMethod},
	}
	ran := 0
	for _, op := range all {
		t.Run(op.name, func(t *testing.T) {
			ran++
			p := s.connect(t, url)
			op.test(p, s)
			seen.add(p)
			maps.Copy(done, p.done)
		})
	}
	if ran < len(all) {
		return false // the test runs only some of them
	}
	for _, op := range everyOp {
		if s.serves(op) && !done[op] {
			t.Errorf("%s of %s: got no successful attempt, want one", op, s.dialect)
		}
	}
	return true
}

func opCard(p *peer, s sdk) {
	want, _ := a2a.LookupDialect(s.dialect)
	if p.profile.Dialect.Number() != want.Name().Number() || p.profile.Binding != s.binding() {
		p.t.Errorf("got profile %+v", p.profile)
	}
	for _, e := range p.profile.Evidence {
		if e.Reason == "" {
			p.t.Errorf("got no reason for %s = %s", e.Field, e.Value)
		}
	}
	if p.profile.Problem != "" || len(p.profile.Warnings) > 0 && s.path == "" {
		p.t.Errorf("got problem %q and warnings %q, want none", p.profile.Problem, p.profile.Warnings)
	}
	if s.module == "a2a-js-1.3.0" && (len(p.card.SecuritySchemes) != 1 || p.card.SecuritySchemes[0].Scheme != "Bearer") {
		p.t.Errorf("got security schemes %+v, want Bearer", p.card.SecuritySchemes) // it exposes its internal form
	}
	if len(p.card.Unknown) != 0 {
		p.t.Errorf("got unknown members %v, want none", p.card.Unknown)
	}
}

func opSend(p *peer, s sdk) {
	if s.messages {
		m := p.must(a2a.OpSend, p.textRequest("hello", "", ""), a2a.EventMessage).Message
		if m.Text() != "Hello from the SDK" || m.Role != a2a.RoleAgent || m.IDMade {
			p.t.Errorf("got message %+v", m)
		}
	}
	task := p.startTask("count 3")
	if task.ID == "" || task.Status.State != a2a.StateCompleted || text(task) != "1 2 3 " {
		p.t.Errorf("got task %s %s %q, want it completed with 1 2 3\n%s", task.ID, task.Status.Word, text(task), p.wire())
	}
}

// text joins the texts of all artifacts: SDKs store chunks as parts or as artifacts.
func text(task *a2a.Task) string {
	var b strings.Builder
	for _, a := range task.Artifacts {
		for _, part := range a.Parts {
			b.WriteString(part.Text)
		}
	}
	return b.String()
}

func opStream(p *peer, _ sdk) {
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	var got strings.Builder
	out, _ := p.follow(ctx, a2a.OpStream, p.textRequest("count 4", "", ""), func(ev a2a.Event) {
		if ev.Kind == a2a.EventArtifact {
			if want := got.Len() > 0; ev.Append != want {
				p.t.Errorf("got append %v after %q, want %v", ev.Append, got.String(), want)
			}
			got.WriteString(ev.Artifact.Parts[0].Text)
			if last := got.String() == "1 2 3 4 "; ev.LastChunk != last {
				p.t.Errorf("got lastChunk %v after %q, want %v", ev.LastChunk, got.String(), last)
			}
		}
		if ev.Kind == a2a.EventStatus && ev.Status.State == a2a.StateCompleted {
			time.AfterFunc(100*time.Millisecond, cancel) // some servers never close
		}
	})
	if got.String() != "1 2 3 4 " || out.State != a2a.StateCompleted || !out.Streamed {
		p.t.Errorf("got stream %q to %s (%v), want 1 to 4 to completed\n%s", got.String(), out.State, out.Err, p.wire())
	}
}

func opSeveral(p *peer, s sdk) {
	task := p.startTask("ask me")
	if task.Status.State != a2a.StateInputRequired || task.Status.Message == nil || task.Status.Message.Text() != "Which dates?" {
		p.t.Fatalf("got status %+v, want a question about dates\n%s", task.Status, p.wire())
	}
	p.answerTask(task)
}

func opAuth(p *peer, s sdk) {
	if !s.auth {
		return
	}
	task := p.startTask("auth please")
	if task.Status.State != a2a.StateAuthRequired || task.Status.Message == nil || task.Status.Message.Text() != "Sign in first" {
		p.t.Fatalf("got status %+v, want auth-required\n%s", task.Status, p.wire())
	}
	if s.busy {
		return
	}
	p.answerTask(task)
}

// answerTask answers a waiting task.
func (p *peer) answerTask(task *a2a.Task) {
	p.t.Helper()
	next := p.must(a2a.OpSend, p.textRequest("10 to 17 October", task.ID, task.ContextID), a2a.EventTask).Task
	if next.ID != task.ID || next.Status.State != a2a.StateCompleted || text(next) != "You said 10 to 17 October" {
		p.t.Errorf("got task %s %s %q, want the answer\n%s", next.ID, next.Status.Word, text(next), p.wire())
	}
}

func opFailure(p *peer, _ sdk) {
	task := p.startTask("fail")
	if task.Status.State != a2a.StateFailed || task.Status.Message == nil || task.Status.Message.Text() != "Nothing is known about that" {
		p.t.Errorf("got status %+v, want failed\n%s", task.Status, p.wire())
	}
}

func opParts(p *peer, s sdk) {
	if s.unsent != "" {
		p.mustFail(a2a.OpSend, p.textRequest("artifact", "", ""), s.unsent)
		return
	}
	task := p.startTask("artifact")
	if len(task.Artifacts) != 1 || len(task.Artifacts[0].Parts) != 4 {
		p.t.Fatalf("got artifacts %+v, want one with 4 parts\n%s", task.Artifacts, p.wire())
	}
	if a := task.Artifacts[0]; a.Name != "every kind" {
		p.t.Errorf("got name %q, want every kind", a.Name)
	}
	words, near, far, data := &task.Artifacts[0].Parts[0], &task.Artifacts[0].Parts[1], &task.Artifacts[0].Parts[2], &task.Artifacts[0].Parts[3]
	if words.Kind != a2a.PartText || words.Text != "three files" {
		p.t.Errorf("got text part %+v", words)
	}
	content, err := near.Bytes()
	if near.Kind != a2a.PartBytes || err != nil || string(content) != "Hello, file!" || near.MediaType != "text/plain" {
		p.t.Errorf("got file part %q %v %+v", content, err, near)
	}
	if far.Kind != a2a.PartURL || far.URL != "https://example.com/far.png" || far.MediaType != "image/png" {
		p.t.Errorf("got URL part %+v", far)
	}
	if !s.nameless && (near.Filename != "hello.txt" || far.Filename != "far.png") {
		p.t.Errorf("got names %q and %q, want hello.txt and far.png", near.Filename, far.Filename)
	}
	var got bytes.Buffer
	content = data.Data
	if s.binding() == a2a.BindingGRPC { // maps have no order there
		var sorted any
		_ = json.Unmarshal(content, &sorted) // Compact fails too
		content, _ = json.Marshal(sorted)
	}
	if err := json.Compact(&got, content); err != nil || got.String() != `{"big":12345678901234,"nested":{"list":[1,"two",null]}}` {
		p.t.Errorf("got data %s %v", data.Data, err)
	}
}

func opGet(p *peer, s sdk) {
	task := p.startTask("ask me")
	p.answerTask(task)
	many := 10
	again := p.must(a2a.OpGet, a2a.Request{TaskID: task.ID, HistoryLength: &many}, a2a.EventTask).Task
	if again.ID != task.ID || again.Status.State != a2a.StateCompleted {
		p.t.Errorf("got task %+v, want the same completed one", again)
	}
	var asked bool
	for i := range again.History {
		asked = asked || again.History[i].Role == a2a.RoleUser && again.History[i].Text() == "ask me"
	}
	if !asked {
		p.t.Errorf("got no message of the user in the history\n%s", p.wire())
	}
}

// opFile sends bytes, which must arrive and return unchanged.
func opFile(p *peer, s sdk) {
	req := p.textRequest("measure", "", "")
	req.Message.Parts = append(req.Message.Parts, a2a.Part{Kind: a2a.PartBytes, Content: []byte("\x00\xffbytes"), Filename: "b.bin"})
	task := p.must(a2a.OpSend, req, a2a.EventTask).Task
	if s.size == "" {
		s.size = "7 bytes"
	}
	if got := text(task); got != s.size {
		p.t.Errorf("got size %s, want %s\n%s", got, s.size, p.wire())
	}
	many := 10
	task = p.must(a2a.OpGet, a2a.Request{TaskID: task.ID, HistoryLength: &many}, a2a.EventTask).Task
	if len(task.History) == 0 || len(task.History[0].Parts) != 2 {
		p.t.Fatalf("got history %+v, want a message of 2 parts\n%s", task.History, p.wire())
	}
	content, err := task.History[0].Parts[1].Bytes()
	if err != nil || string(content) != "\x00\xffbytes" {
		p.t.Errorf("got file %q %v, want the bytes as sent\n%s", content, err, p.wire())
	}
}

func opList(p *peer, s sdk) {
	if !s.has(a2a.OpList) {
		return
	}
	if name := s.refused[a2a.OpList]; name != "" {
		p.mustFail(a2a.OpList, a2a.Request{}, name)
		return
	}
	first, second := p.startTask("count 1"), p.startTask("count 2")
	list := p.must(a2a.OpList, a2a.Request{List: a2a.ListFilter{PageSize: 1}}, a2a.EventTaskList)
	if len(list.Tasks) != 1 || list.NextPageToken == "" {
		p.t.Errorf("got a page of %d tasks, next %q, want 1 and a token\n%s", len(list.Tasks), list.NextPageToken, p.wire())
	}
	filter := a2a.ListFilter{ContextID: first.ContextID, State: a2a.StateCompleted, IncludeArtifacts: a2a.True}
	list = p.must(a2a.OpList, a2a.Request{List: filter}, a2a.EventTaskList)
	if len(list.Tasks) != 1 || list.Tasks[0].ID != first.ID || text(&list.Tasks[0]) != "1 " || list.Tasks[0].ID == second.ID {
		p.t.Errorf("got tasks %+v, want the first one\n%s", list.Tasks, p.wire())
	}
}

func opCancel(p *peer, s sdk) {
	id, stop := p.startWorkingTask("wait")
	task := p.must(a2a.OpCancel, a2a.Request{TaskID: id}, a2a.EventTask).Task
	if task.ID != id || task.Status.State != a2a.StateCanceled {
		p.t.Errorf("got task %+v, want it canceled\n%s", task, p.wire())
	}
	stop()
	if s.forgets {
		p.mustFail(a2a.OpGet, a2a.Request{TaskID: id}, "TaskNotFoundError")
		return
	}
	p.mustFail(a2a.OpCancel, a2a.Request{TaskID: p.startTask("count 1").ID}, "TaskNotCancelableError")
}

func opSubscribe(p *peer, _ sdk) {
	for n := 30; !p.subscribes(n); n *= 2 { // most of it was over before the subscription
		if n > 2000 {
			p.t.Fatalf("got almost no events\n%s", p.wire())
		}
	}
}

// subscribes subscribes to a task that counts to n, and reports whether it was in time.
func (p *peer) subscribes(n int) (inTime bool) {
	id, stop := p.startWorkingTask(fmt.Sprintf("count %d", n))
	defer stop()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	var chunks int
	out, _ := p.follow(ctx, a2a.OpSubscribe, a2a.Request{TaskID: id}, func(ev a2a.Event) {
		tooLate := ev.Kind == a2a.EventError && chunks == 0 // the task was over: the next one is longer
		if ev.TaskID != id && ev.Kind != a2a.EventNotA2A && !tooLate {
			p.t.Errorf("got an event of task %q: %+v", ev.TaskID, ev)
		}
		if ev.Kind == a2a.EventArtifact {
			chunks++
		}
		if ev.Kind == a2a.EventStatus && ev.Status.State.Terminal() {
			cancel()
		}
	})
	if chunks < 3 {
		return false
	}
	if out.State != a2a.StateCompleted || !out.Streamed {
		p.t.Errorf("got %d chunks to %s, %v, want completed\n%s", chunks, out.State, out.Err, p.wire())
	}
	return true
}

func opPush(p *peer, s sdk) {
	task := p.startTask("ask me")
	hook := a2a.PushConfig{ID: "hook-1", URL: "https://hooks.example.com/a2a", Token: "not a secret"}
	set := p.must(a2a.OpPushSet, a2a.Request{TaskID: task.ID, Push: &hook}, a2a.EventPushConfig)
	same := func(what string, got []a2a.PushConfig) {
		p.t.Helper()
		if len(got) != 1 || got[0].URL != hook.URL || got[0].TaskID != task.ID {
			p.t.Errorf("%s: got webhooks %+v, want the registered one\n%s", what, got, p.wire())
		}
	}
	same("set", set.PushConfigs)
	id := set.PushConfigs[0].ID
	same("get", p.must(a2a.OpPushGet, a2a.Request{TaskID: task.ID, PushID: id}, a2a.EventPushConfig).PushConfigs)
	rest := []struct {
		op   a2a.Op
		req  a2a.Request
		want a2a.EventKind
	}{
		{a2a.OpPushList, a2a.Request{TaskID: task.ID}, a2a.EventPushConfig},
		{a2a.OpPushDelete, a2a.Request{TaskID: task.ID, PushID: id}, a2a.EventEmpty},
	}
	for _, c := range rest {
		switch name := s.refused[c.op]; {
		case !s.has(c.op):
		case name != "":
			p.mustFail(c.op, c.req, name)
		default:
			ev := p.must(c.op, c.req, c.want)
			if c.op == a2a.OpPushList {
				same("list", ev.PushConfigs)
			}
		}
	}
}

func opExtended(p *peer, s sdk) {
	if !s.has(a2a.OpExtendedCard) {
		return
	}
	if name := s.refused[a2a.OpExtendedCard]; name != "" {
		p.mustFail(a2a.OpExtendedCard, a2a.Request{}, name)
		return
	}
	card := p.must(a2a.OpExtendedCard, a2a.Request{}, a2a.EventCard).Card
	if card.Name != p.card.Name+", extended" || len(card.Unknown) != 0 {
		p.t.Errorf("got card %q with unknown members %v, want the extended one", card.Name, card.Unknown)
	}
}

func opUnknown(p *peer, s sdk) {
	p.mustFail(a2a.OpGet, a2a.Request{TaskID: "no-such-task"}, "TaskNotFoundError")
	p.mustFail(a2a.OpCancel, a2a.Request{TaskID: "no-such-task"}, "TaskNotFoundError")
	if s.unknown == "" {
		s.unknown = "TaskNotFoundError"
	}
	p.mustFail(a2a.OpSubscribe, a2a.Request{TaskID: "no-such-task"}, s.unknown)
}

// opMethod uses another dialect than the agent's: the failure must be recognised as such.
func opMethod(p *peer, s sdk) {
	other := a2a.V03
	switch s.dialect {
	case a2a.V03, a2a.V02:
		other = a2a.V01
	case a2a.V03GRPC:
		other = a2a.V10 // which this agent may serve too
	}
	profile := p.profile
	profile.Dialect = other
	o := a2a.Options{NewID: newID, Carriers: carriers(), Trace: a2a.Trace{Put: func(a2a.Record, a2a.Update) a2a.RecordID { return 1 }, Now: time.Now}}
	stranger := a2a.NewClient(profile, p.card, o)
	defer stranger.Close()
	req := p.textRequest("hello", newID(), "")
	req.Call = &a2a.Call{Op: a2a.OpSend}
	out := stranger.Do(p.t.Context(), req, a2a.Hooks{})
	var failure *a2a.RPCError
	if !errors.As(out.Err, &failure) || !out.RejectedUnread() {
		p.t.Errorf("got error %v, want an operation failure that started nothing", out.Err)
	}
}
