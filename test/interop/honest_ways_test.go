package interop

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/chain"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/tap"
)

// A way is one in which an agent is used and judged.
type way struct {
	name  string
	suits func(*sdk) bool
	try   func(*judge)
}

// honestWays are the ways, each with a new agent.
var honestWays = []way{
	{"plain", anyAgent, (*judge).plain},
	{"streamed", anyAgent, (*judge).streamed},
	{"several turns", anyAgent, (*judge).turns},
	{"continued", anyAgent, func(j *judge) { j.continued(j.url) }},
	{"finished", anyAgent, func(j *judge) { j.finished(j.url) }},
	{"canceled", anyAgent, (*judge).canceled},
	{"resubscribed", anyAgent, (*judge).resubscribed},
	{"cut", anyAgent, (*judge).cut},
	{"pushed", (*sdk).registers, (*judge).pushed},
	{"pushed to others", (*sdk).registers, (*judge).pushedToOthers},
	{"official client", (*sdk).hasClient, (*judge).official},
	{"tapped", anyAgent, (*judge).tapped},
	{"tapped late", anyAgent, (*judge).tappedLate},
	{"faults of a tap", anyAgent, (*judge).faulty},
	{"faults of Parley", (*sdk).keeps, (*judge).faultyParley},
	{"recorded late", anyAgent, (*judge).recordedLate},
	{"exported", anyAgent, (*judge).exported},
	{"served", anyAgent, (*judge).served},
	{"guarded", anyAgent, (*judge).guarded},
	{"guarded partly", anyAgent, (*judge).guardedPartly},
	{"proxied", anyAgent, (*judge).proxied},
	{"examined", anyAgent, func(j *judge) { j.examined(j.url, j.flags(j.url)...) }},
}

func anyAgent(*sdk) bool { return true }

// registers reports whether webhooks can be registered.
func (s *sdk) registers() bool { return s.serves(a2a.OpPushSet) }

// hasClient reports whether there is a client of the SDK for the binding.
func (s *sdk) hasClient() bool {
	return s.path == "" && slices.Contains([]string{"a2a-go-2.4.0", "a2a-go-0.3.15", "a2a-js-1.3.0", "a2a-js-0.3.14"}, s.module) &&
		!(s.module == "a2a-go-2.4.0" && s.dialect == a2a.V03GRPC)
}

// keeps reports whether an agent ends its streams and answers plain calls before the task is over.
func (s *sdk) keeps() bool { return s.module != "trpc-a2a-go-0.0.3" }

func (j *judge) plain() {
	at := j.s.at(j.url, j.seen)
	stream(j.t, at, a2a.False)
	sendWithOptions(j.t, at, true)
	sendWithOptions(j.t, at, false)
	j.on(j.url, "send", "fail")
	if j.s.unsent == "" {
		j.on(j.url, "send", "artifact")
	}
	if j.s.messages {
		j.on(j.url, "send", "hello")
	}
	if j.s.serves(a2a.OpList) {
		j.on(j.url, "task", "list")
	}
}

func (j *judge) streamed() {
	j.on(j.url, "send", "--stream", "count 3")
	j.on(j.url, "send", "--stream", "fail")
	if j.s.messages {
		j.on(j.url, "send", "--stream", "hello")
	}
}

// turns has a conversation in one process.
func (j *judge) turns() {
	out, said, exit := j.recorded(j.url, "ask\n10 October\ncount 2\n/quit\n", "chat")
	if exit != 0 {
		j.t.Errorf("chat: got exit %d, want 0\n%s%s", exit, out, said)
	}
}

// continued begins tasks, and goes on with them in other processes.
func (j *judge) continued(url string) {
	for _, how := range [][]string{{"send"}, {"send", "--stream"}} {
		asked := j.on(url, append(how, "ask me")...)
		done := j.on(url, append(how, "--task-id", asked, "10 to 17 October")...)
		j.on(url, "task", "get", "--history", "10", done)
	}
}

// finished asks for what a task that is over cannot do.
func (j *judge) finished(url string) {
	for _, how := range [][]string{{"send"}, {"send", "--stream"}} {
		done := j.on(url, append(how, "count 2")...)
		j.refused(url, append(how, "--task-id", done, "and more")...)
		j.refused(url, "task", "cancel", done)
		j.refused(url, "task", "subscribe", done)
	}
}

// canceled cancels a task in the process that began it, and in another one.
func (j *judge) canceled() {
	cancel(j.t, j.s.at(j.url, j.seen))
	if !j.s.keeps() {
		return
	}
	id := j.on(j.url, "send", "--async", "wait")
	j.on(j.url, "task", "cancel", id)
	j.refused(j.url, "task", "get", id)
	j.refused(j.url, "task", "cancel", id)
}

// resubscribed subscribes to a task that another process began.
func (j *judge) resubscribed() {
	subscribe(j.t, j.s.at(j.url, j.seen))
	j.subscribes(j.url)
}

// subscribes subscribes at an address to a task that began at the agent's own.
func (j *judge) subscribes(url string) {
	if j.s.keeps() { // no other task goes on without its client
		j.refused(url, "task", "subscribe", j.on(j.url, "send", "--async", "count 40"))
	}
}

// A tapping is a tap in front of an agent.
type tapping struct {
	j    *judge
	feed *log.Feed
	set  *tap.Set
	tap.State
}

// tap starts a tap in front of the agent.
func (j *judge) tap() *tapping { return j.tapInto(nil) }

// tapInto starts a tap that records into a file, if there is one.
func (j *judge) tapInto(file *journal.Journal) *tapping {
	j.t.Helper()
	p := &tapping{j: j, feed: log.NewFeed()}
	p.set = tap.NewSet(tap.SetOptions{Tap: tap.Options{Recorder: journal.NewRecorder(p.feed, file), Format: grpc.NewFormat()}})
	j.t.Cleanup(p.set.Close)
	var err error
	if p.State, err = p.set.Start(j.t.Context(), "tap", j.url, ""); err != nil {
		j.t.Fatal(err)
	}
	return p
}

// judge adds the findings of the tap, but those of rules about what a client does on purpose.
func (p *tapping) judge(but ...string) {
	p.j.t.Helper()
	p.set.Close()
	p.feed.Close()
	state := model.NewState()
	state.Check(chain.NewChecker())
	for {
		items, err := p.feed.Next(p.j.t.Context(), 0)
		if err != nil {
			break
		}
		for _, it := range items {
			state.Apply(it)
		}
	}
	seen := findings{}
	seen.addLog(state.Log)
	for key, example := range seen {
		if rule, _, _ := strings.Cut(key, " "); !slices.Contains(but, rule) {
			p.j.seen[key] = "behind a tap: " + example
		}
	}
}

// cut cuts a stream behind the back of the client, which goes on with the task.
func (j *judge) cut() {
	p := j.tap()
	p.set.Faults(p.Agent).On(tap.Fault{Kind: tap.FaultCut, Op: a2a.OpStream, After: 3, Times: 1})
	j.refused(p.URL, "send", "--stream", "count 20")
	p.judge()
}

// pushed registers webhooks of Parley.
func (j *judge) pushed() {
	if j.s.pushes {
		checkPush(j.t, j.s.at(j.url, j.seen))
	}
	j.hooks(j.url)
}

// hooks registers a webhook from the command line.
func (j *judge) hooks(url string) {
	id := j.on(j.url, "send", "ask me")
	j.on(url, "task", "push-config", "create", id, "--url", "http://127.0.0.1:1/hook", "--id", "p1")
	j.on(url, "task", "push-config", "get", id, "p1")
	if j.s.serves(a2a.OpPushList) {
		j.on(url, "task", "push-config", "list", id)
	} else if j.s.has(a2a.OpPushList) {
		j.refused(url, "task", "push-config", "list", id)
	}
	if j.s.has(a2a.OpPushDelete) {
		j.refused(url, "task", "push-config", "delete", id, "p1")
	}
}

// A receiver is somebody's webhook. What it got can be waited for.
type receiver struct {
	*httptest.Server
	got chan string // bodies
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{got: make(chan string, 1000)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(req.Body)
		select {
		case r.got <- body.String():
		case <-t.Context().Done():
		}
	}))
	t.Cleanup(r.Close)
	return r
}

// until waits for a body with one of two words.
func (r *receiver) until(t *testing.T, word, or string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		select {
		case body := <-r.got:
			if strings.Contains(body, word) || strings.Contains(body, or) {
				return
			}
		case <-ctx.Done():
			t.Fatalf("got no delivery with %q in a minute", word)
		}
	}
}

// pushedToOthers lets another client register webhooks through a tap, with and without a token and credentials, for
// a task that begins before and one that begins behind the tap.
func (j *judge) pushedToOthers() {
	earlier := ""
	if j.s.keeps() {
		earlier = j.s.connect(j.t, j.url).startTask("ask me").ID
	}
	p := j.tap()
	other := j.s.connect(j.t, p.URL)
	for i, hook := range []a2a.PushConfig{{}, {Token: "a-token-of-others"}, {Schemes: []string{"Bearer"}, Credentials: "a-key-of-others"}} {
		to := newReceiver(j.t)
		hook.ID, hook.URL = fmt.Sprintf("hook-%d", i), to.URL+"/hook"
		task, stop := other.startWorkingTask("count 40")
		for _, id := range []string{task, earlier} {
			if id == "" {
				continue
			}
			set := hook
			other.do(a2a.OpPushSet, a2a.Request{TaskID: id, Push: &set})
			other.do(a2a.OpPushGet, a2a.Request{TaskID: id, PushID: hook.ID})
			if j.s.has(a2a.OpPushList) {
				other.do(a2a.OpPushList, a2a.Request{TaskID: id})
			}
		}
		if j.s.pushes {
			to.until(j.t, "completed", "TASK_STATE_COMPLETED")
		}
		if j.s.has(a2a.OpPushDelete) {
			other.do(a2a.OpPushDelete, a2a.Request{TaskID: task, PushID: hook.ID})
		}
		stop()
	}
	j.hooks(p.URL)
	if j.s.pushes {
		checkPush(j.t, j.s.at(p.URL, j.seen))
	}
	p.judge("CLNT-010") // the test polls fast
}

// official lets the client of the agent's SDK talk to it through a tap.
func (j *judge) official() {
	p := j.tap()
	c := officialClient{sdk: sdk{module: j.s.module, dialect: j.s.dialect}, command: clientOf(j.t, j.s.module), url: j.url}
	c.converse(j.t, p.URL)
	p.judge()
}

// tapped uses the agent behind a tap.
func (j *judge) tapped() {
	p := j.tap()
	j.on(p.URL, "send", "count 3")
	j.on(p.URL, "send", "--stream", "count 3")
	j.continued(p.URL)
	j.examined(p.URL, j.flags(p.URL)...)
	j.finished(p.URL)
	p.judge("CLNT-005") // the message to a task that is over
}

// tappedLate starts the tap when the tasks have begun.
func (j *judge) tappedLate() {
	asked, other, done := j.on(j.url, "send", "ask me"), j.on(j.url, "send", "ask me"), j.on(j.url, "send", "count 2")
	endless := ""
	if j.s.keeps() {
		endless = j.on(j.url, "send", "--async", "wait")
	}
	p := j.tap()
	j.on(p.URL, "send", "--task-id", asked, "10 October")
	j.on(p.URL, "send", "--stream", "--task-id", other, "10 October")
	j.on(p.URL, "task", "get", done)
	if j.s.serves(a2a.OpList) {
		j.on(p.URL, "task", "list")
	}
	j.subscribes(p.URL)
	if endless != "" {
		j.on(p.URL, "task", "cancel", endless)
		j.refused(p.URL, "task", "get", endless)
	}
	p.judge()
}

// faulty lets a tap change what passes. The records of the tap blame nobody for that; those of a client, which
// cannot know, are not judged.
func (j *judge) faulty() {
	p := j.tap()
	for i, fault := range []tap.Fault{
		{Kind: tap.FaultDuplicate}, {Kind: tap.FaultReorder}, {Kind: tap.FaultStall, After: 2, For: 50 * time.Millisecond},
		{Kind: tap.FaultDelay, For: 10 * time.Millisecond}, {Kind: tap.FaultUnauthorized}, {Kind: tap.FaultUnavailable},
	} {
		fault.Op, fault.Times = a2a.OpStream, 1
		p.set.Faults(p.Agent).On(fault)
		text := fmt.Sprintf("count %d", 5+i) // the same text would be the same message once more
		j.run("", append([]string{"send", "--stream", text, "-a", p.URL, "--poll-interval", "20ms", "--timeout", "2s"}, j.flags(p.URL)...)...)
	}
	p.judge("CLNT-009", "CLNT-013") // Retry-After and credentials, for which the tap asked on purpose
}

// faultyParley lets Parley break streams on purpose.
func (j *judge) faultyParley() {
	for _, kind := range []engine.FaultKind{engine.FaultCut, engine.FaultResubscribe, engine.FaultDuplicate, engine.FaultPause, engine.FaultCancel} {
		j.t.Run(kind.String(), func(t *testing.T) {
			d := open(t, j.s.at(j.url, j.seen))
			turn := d.send(model.Target{}, "count 60", a2a.True)
			d.until("the third event", func() bool { return len(d.records(a2a.KindEvent)) > 2 })
			x := d.records(a2a.KindEvent)[0].Exchange
			d.engine.InjectFault(x, engine.Fault{Kind: kind})
			if kind == engine.FaultPause {
				d.engine.InjectFault(x, engine.Fault{Kind: engine.FaultResume})
			}
			d.wait(turn)
		})
	}
}

// recordedLate judges recordings that lack their beginning, from each record on: of conversations, and of a tap.
func (j *judge) recordedLate() {
	begins := []string{
		record(j.t, j.url, j.s),
		j.recording(func(t *testing.T, file *journal.Journal) {
			at := j.s.at(j.url, nil)
			at.file = file
			cancel(t, at)
			several(t, at)
		}),
		j.recording(func(_ *testing.T, file *journal.Journal) {
			p := j.tapInto(file)
			j.continued(p.URL)
			if j.s.registers() {
				j.hooks(p.URL)
			}
			p.judge()
		}),
	}
	for _, path := range begins {
		text, err := os.ReadFile(path)
		if err != nil {
			j.t.Fatal(err)
		}
		lines := slices.Collect(strings.Lines(string(text)))
		late := j.file()
		for from := 1; from < len(lines); from++ {
			if err := os.WriteFile(late, []byte(lines[0]+strings.Join(lines[from:], "")), 0o600); err != nil {
				j.t.Fatal(err)
			}
			j.seen.addFile(j.t, late)
		}
	}
}

// recording returns the recording of what is done.
func (j *judge) recording(do func(*testing.T, *journal.Journal)) string {
	path := j.file()
	file, err := journal.Create(path, journal.Options{Now: time.Now})
	if err != nil {
		j.t.Fatal(err)
	}
	j.t.Run("record", func(t *testing.T) { do(t, file) })
	if err := file.Close(); err != nil {
		j.t.Fatal(err)
	}
	return path
}

// exported judges what Parley made of a recording: its parts, what is left of it without secrets, and what comes back
// from an HTTP archive.
func (j *judge) exported() {
	file := record(j.t, j.url, j.s)
	make := func(command string, args ...string) string {
		made := j.file()
		if out, said, exit := j.run("", append(append([]string{command}, args...), "-o", made)...); exit != 0 {
			j.t.Errorf("%s %s: got exit %d, want 0\n%s%s", command, args, exit, out, said)
		}
		return made
	}
	for _, part := range [][]string{{"--conversation", "2"}, {"--filter", "kind:event"}, {"--redact", "count|[0-9]+"}, {"--redact", "working|completed|task"}} {
		j.seen.addFile(j.t, make("export", append([]string{file, "--as", "jsonl"}, part...)...))
	}
	if j.s.binding() != a2a.BindingGRPC { // which archives do not have
		j.seen.addFile(j.t, make("import", make("export", file, "--as", "har")))
	}
}

// served judges the agent's recording, as parley serve plays it, each time from its beginning.
func (j *judge) served() {
	file := record(j.t, j.url, j.s)
	url := serveFile(j.t, file).Agents[0].URL
	j.on(url, "send", "--stream", "count 5")
	j.on(url, "send", "count 3")
	for _, args := range examinations {
		url := serveFile(j.t, file).Agents[0].URL
		j.examine(url, args, j.flags(url))
	}
}
