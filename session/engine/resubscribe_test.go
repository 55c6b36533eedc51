package engine

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/sessiontest"
)

// A breaker is an agent of 1.0 whose streams break. It works on one task, which writes
// one artifact.
type breaker struct {
	*httptest.Server
	t      *testing.T
	chunks []string
	again  string // how a subscription continues
	cuts   []int  // after so many frames the first, the second … stream is cut
	lost   int    // frames that are sent on no stream, between two streams
	ids    bool
	clean  bool   // streams are ended, not cut
	get    string // the answer to a get: "", or the code of an error
	pause  string // Retry-After of a refused subscription
	many   bool   // each chunk is an artifact of its own

	mu      sync.Mutex
	pos     int // frames sent so far
	methods []string
	resumed []string // Last-Event-ID of each subscription
}

func newBreaker(t *testing.T, b *breaker) *breaker {
	t.Helper()
	b.t = t
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *breaker) frames() []string {
	update := func(what, rest string) string {
		return fmt.Sprintf(`{%q:{"taskId":"t1","contextId":"c1",%s}}`, what, rest)
	}
	frames := []string{
		`{"task":{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_SUBMITTED"}}}`,
		update("statusUpdate", `"status":{"state":"TASK_STATE_WORKING"}`),
	}
	for i, c := range b.chunks {
		id := "a"
		if b.many {
			id += strconv.Itoa(i)
		}
		frames = append(frames, update("artifactUpdate", fmt.Sprintf(`"append":%v,"artifact":{"artifactId":%q,"parts":[{"text":%q}]}`, i > 0 && !b.many, id, c)))
	}
	return append(frames, update("statusUpdate", `"status":{"state":"TASK_STATE_COMPLETED"}`))
}

// task is the task after so many frames.
func (b *breaker) task(pos int) string {
	state := "WORKING"
	if pos > len(b.chunks)+2 {
		state = "COMPLETED"
	}
	text := strings.Join(b.chunks[:min(max(pos-2, 0), len(b.chunks))], "")
	return fmt.Sprintf(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_%s"},"artifacts":[{"artifactId":"a","parts":[{"text":%q}]}]}`, state, text)
}

func (b *breaker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"name":"Breaker","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, b.URL)
		return
	}
	var q struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.methods = append(b.methods, q.Method)
	answer := func(member string) { fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, member) }
	code, _ := strconv.Atoi(b.get)
	switch q.Method {
	case "GetTask":
		if code != 0 {
			answer(fmt.Sprintf(`"error":{"code":%d,"message":"no"}`, code))
			return
		}
		b.pos = max(b.pos, len(b.frames()))
		answer(`"result":` + b.task(b.pos))
		return
	case "SubscribeToTask":
		b.resumed = append(b.resumed, r.Header.Get("Last-Event-ID"))
		if code, err := strconv.Atoi(b.again); err == nil && code > 0 {
			if b.pause != "" {
				w.Header().Set("Retry-After", b.pause)
			}
			http.Error(w, "nobody listens here", code)
			return
		} else if err == nil {
			answer(fmt.Sprintf(`"error":{"code":%d,"message":"no"}`, code))
			return
		}
	}
	b.stream(w, q.ID, q.Method == "SubscribeToTask")
}

// stream sends the frames of a stream of the breaker's kind, until it is cut.
func (b *breaker) stream(w http.ResponseWriter, id json.RawMessage, subscribed bool) {
	all := b.frames()
	from, first := 0, ""
	if subscribed {
		b.pos = min(b.pos+b.lost, len(all)-1)
		switch b.again {
		case "replay":
			from = 0
		case "last id":
			from, _ = strconv.Atoi(b.resumed[len(b.resumed)-1])
		case "snapshot":
			from, first = b.pos, b.task(b.pos)
		case "behind":
			from = max(b.pos-2, 2)
			first = b.task(from)
		case "last again":
			from = max(b.pos-1, 0)
		default:
			from = b.pos
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(n int, result string) {
		if b.ids && n > 0 {
			fmt.Fprintf(w, "id: %d\n", n)
		}
		fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, result)
	}
	if first != "" {
		send(0, `{"task":`+first+`}`)
	}
	most := len(all)
	if len(b.cuts) > 0 {
		most, b.cuts = b.cuts[0], b.cuts[1:]
	}
	for n, f := range all[from:] {
		if n >= most {
			if f := w.(http.Flusher); !b.clean {
				f.Flush()
				panic(http.ErrAbortHandler)
			}
			return
		}
		send(from+n+1, f)
		b.pos = max(b.pos, from+n+1)
	}
}

func (b *breaker) requests() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.methods, " ")
}

func withResubscribe(o *options) { o.Resubscribe = 5 }

var words = []string{"one ", "two ", "three ", "four ", "five ", "six"}

func TestACutStreamIsListenedToAgain(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withResubscribe)
	b := newBreaker(t, &breaker{chunks: words, again: "snapshot", cuts: []int{4}})
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
	task := turn.Blocks[0].Task
	a := task.Artifacts[0]
	if sig.Sentence != "" || task.State != a2a.StateCompleted || string(a.Text) != strings.Join(words, "") || len(a.Revisions) != 0 || a.Live {
		t.Errorf("got turn end %+v, task %v, artifact %q with %d revisions; want no failure, completed, every word once, 0\n%s", sig, task.State, a.Text, len(a.Revisions), d.log())
	}
	if got := b.requests(); got != "SendStreamingMessage SubscribeToTask" {
		t.Errorf("got requests %s, want SendStreamingMessage SubscribeToTask", got)
	}
	var told []string
	for _, it := range d.items {
		if s := it.Signal; s != nil && (s.Kind == log.SignalResubscribe || s.Kind == log.SignalResubscribeEnded) {
			told = append(told, fmt.Sprintf("%s %d of %d in %s", s.Sentence, s.Attempt, s.Of, s.After))
		}
	}
	if want := []string{"cut 1 of 5 in 1s", "cut 1 of 5 in 0s", " 2 of 5 in 0s"}; !slices.Equal(told, want) {
		t.Errorf("got signals %q, want %q", told, want)
	}
	pr := sessiontest.Problems(turn)
	if len(pr) != 1 || pr[0].Class != a2a.ClassCut || pr[0].Resumed == 0 || task.Resubscribe != nil {
		t.Errorf("got problems %+v, resubscribing %v; want one of class cut that was resumed, none", pr, task.Resubscribe)
	}
	d.finish()
}

// A stream that goes on with another one goes on with its count, too: an agent that cuts streams begins no more
// than one that does not. What a stream repeats was counted before.
func TestACutStreamHasTheItemsOfOneStream(t *testing.T) {
	t.Parallel()
	for again, ends := range map[string]bool{"none": true, "replay": false} {
		d := newHarness(t, func(o *options) {
			withResubscribe(o)
			o.Client = func(string) (co a2a.Options) {
				co.Limits[a2a.LimitItems] = 20
				return co
			}
		})
		b := newBreaker(t, &breaker{chunks: slices.Repeat(words, 2), again: again, cuts: []int{12}, many: true})
		if ends {
			b.chunks, b.cuts = slices.Repeat(words, 6), []int{12, 12, 12}
		}
		d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
		reached := slices.ContainsFunc(d.items, func(it log.Item) bool { return it.Record.End != nil && it.Record.End.Class == a2a.ClassLimit })
		if reached != ends {
			t.Errorf("%s: got the limit reached: %t, want %t\n%s", again, reached, ends, d.log())
		}
		d.finish()
	}
}

func TestAStreamThatEndsTooEarlyIsListenedToAgain(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withResubscribe)
	b := newBreaker(t, &breaker{chunks: words, again: "none", cuts: []int{4}, lost: 2, clean: true})
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
	if got := b.requests(); sig.Sentence != "" || got != "SendStreamingMessage SubscribeToTask GetTask" {
		t.Errorf("got turn end %+v, requests %s; want no failure, SendStreamingMessage SubscribeToTask GetTask", sig, got)
	}
	var gaps []*model.Gap
	for _, e := range turn.Blocks[0].Entries {
		if e.Kind == model.EntryGap {
			gaps = append(gaps, e.Gap)
		}
	}
	if len(gaps) != 1 || gaps[0].From == 0 || gaps[0].To <= gaps[0].From || gaps[0].Whole <= gaps[0].To {
		t.Fatalf("got gaps %+v, want one that a later snapshot filled\n%s", gaps, d.log())
	}
	for _, id := range []a2a.RecordID{gaps[0].From, gaps[0].To} {
		if d.state.Log.At(id).Record.Kind != a2a.KindEvent {
			t.Errorf("got a gap that ends at record %d, want one that ends at an event", id)
		}
	}
	if got := string(turn.Blocks[0].Task.Artifacts[0].Text); got != strings.Join(words, "") {
		t.Errorf("got artifact %q, want %q", got, strings.Join(words, ""))
	}
	d.finish()
}

func TestTheIDOfTheNewestFrameGoesBack(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withResubscribe)
	b := newBreaker(t, &breaker{chunks: words, again: "last id", ids: true, cuts: []int{3, 2}})
	turn, _ := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
	if !slices.Equal(b.resumed, []string{"3", "5"}) {
		t.Errorf("got Last-Event-IDs %q, want 3 and 5", b.resumed)
	}
	for _, e := range turn.Blocks[0].Entries {
		if e.Kind == model.EntryGap {
			t.Errorf("got a gap between records %d and %d, want none", e.Gap.From, e.Gap.To)
		}
	}
	d.finish()
}

func TestAnAgentThatCutsAgainAndAgainIsAskedInTheEnd(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withResubscribe)
	b := newBreaker(t, &breaker{chunks: words, again: "snapshot", cuts: []int{3, 0, 0, 0, 0, 0}})
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
	want := "SendStreamingMessage" + strings.Repeat(" SubscribeToTask", 5) + " GetTask"
	if got := b.requests(); got != want || turn.Blocks[0].Task.State != a2a.StateCompleted || sig.Class != a2a.ClassCut {
		t.Errorf("got requests %s, turn end %+v; want %s, class cut and a completed task", got, sig, want)
	}
	s := time.Second
	if got := d.waits; !slices.Equal(got, []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s, s}) {
		t.Errorf("got waits %v, want them to double from 1 s to 16 s and to begin anew for polling", got)
	}
	d.finish()
}

func TestAnAgentThatLetsNobodyListenAgainIsAskedAtOnce(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"-32601", "-32004", "-32001", "405"} {
		t.Run(code, func(t *testing.T) {
			d := newHarness(t, withResubscribe)
			b := newBreaker(t, &breaker{chunks: words, again: code, cuts: []int{3}})
			turn, _ := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
			if got := b.requests(); got != "SendStreamingMessage SubscribeToTask GetTask" {
				t.Errorf("got requests %s, want SendStreamingMessage SubscribeToTask GetTask", got)
			}
			task, pr := turn.Blocks[0].Task, sessiontest.Problems(turn)
			if task.Forgotten || task.State != a2a.StateCompleted || len(pr) != 2 || code[0] == '-' && pr[1].Class != problem.ClassFallback {
				t.Errorf("got task %+v, problems %+v; want completed, 2 and a fallback for an error code", task, pr)
			}
			d.finish()
		})
	}
}

func TestATaskThatIsGoneIsForgotten(t *testing.T) {
	t.Parallel()
	d := newHarness(t, withResubscribe)
	b := newBreaker(t, &breaker{chunks: words, again: "-32001", get: "-32001", cuts: []int{3}})
	turn, sig := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
	if task := turn.Blocks[0].Task; !task.Forgotten || sig.Class != problem.ClassRPC || turn.Pending {
		t.Errorf("got task %+v, turn end %+v; want forgotten, class rpc", task, sig)
	}
	d.finish()
}

func TestNobodyListensAgainToWhatTheUserStopped(t *testing.T) {
	t.Parallel()
	d := newHarness(t, func(o *options) {
		after := o.After
		o.Resubscribe = 5
		o.After = func(wait time.Duration) <-chan time.Time {
			if wait == time.Second {
				return nil // of the first attempt
			}
			return after(wait)
		}
	})
	b := newBreaker(t, &breaker{chunks: words, again: "snapshot", cuts: []int{3}})
	id := d.Send(model.Target{Agent: d.openAgent(b.URL)}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	d.waitForSignal(log.SignalResubscribe)
	if turn := d.state.Turn(id); !turn.Pending || turn.Blocks[0].Task.Resubscribe == nil {
		t.Errorf("got turn %+v during the wait, want pending and resubscribing", turn)
	}
	d.Stop(id)
	if sig := d.waitForTurnEnd(id); sig.Class != problem.ClassStopped {
		t.Errorf("got turn end %+v, want class stopped", sig)
	}
	if got := b.requests(); got != "SendStreamingMessage" {
		t.Errorf("got requests %s, want SendStreamingMessage alone", got)
	}
	d.finish()
}

const restarter = `
-- scene work --
is work
goto working
send etask state=TASK_STATE_WORKING
hang gate
`

func TestAnAgentThatIsAwayIsTriedAgain(t *testing.T) {
	t.Parallel()
	there := make(chan time.Time)
	d := newHarness(t, func(o *options) {
		after := o.After
		o.Resubscribe = 5
		o.After = func(wait time.Duration) <-chan time.Time {
			if wait == 2*time.Second { // before the second attempt
				return there
			}
			return after(wait)
		}
	})
	a := agent(t, restarter)
	id := d.openAgent(a.URL)
	turn, task := d.startTask(id, "work")
	back := a.Leave()
	d.until("the wait before a second attempt", func(it log.Item) bool {
		s := it.Signal
		return s != nil && s.Kind == log.SignalResubscribe && s.Attempt == 2
	})
	back()
	close(there)
	sig := d.waitForTurnEnd(turn)
	if sig.Class != problem.ClassRPC || !task.Forgotten {
		t.Errorf("got turn end %+v, forgotten %v; want class rpc, forgotten\n%s", sig, task.Forgotten, d.log())
	}
	d.finish()
}

// Whatever an agent writes, wherever its stream is cut and however it continues: the final
// artifact is the agent's.
func TestTheArtifactIsTheAgentsHoweverItsStreamsBreak(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, again := range []string{"replay", "last id", "snapshot", "behind", "last again", "none"} {
		t.Run(again, func(t *testing.T) {
			for range 12 {
				b := &breaker{again: again, ids: again == "last id" || r.IntN(3) == 0, clean: r.IntN(2) == 0}
				for range 1 + r.IntN(8) {
					b.chunks = append(b.chunks, []string{"ha", "ha ", "o", "the tide "}[r.IntN(4)])
				}
				for range 1 + r.IntN(3) {
					b.cuts = append(b.cuts, 2+r.IntN(len(b.chunks)))
				}
				if again == "none" || again == "snapshot" {
					b.lost = r.IntN(3)
				}
				chunks, cuts := b.chunks, slices.Clone(b.cuts)
				d := newHarness(t, withResubscribe)
				newBreaker(t, b)
				turn, _ := d.sendText(model.Target{Agent: d.openAgent(b.URL)}, "go", model.SendOptions{})
				task := turn.Blocks[0].Task
				if got, want := string(task.Artifacts[0].Text), strings.Join(chunks, ""); got != want || len(task.Artifacts) != 1 {
					t.Fatalf("chunks %q, cut after %v\n got %q\nwant %q\n%s", chunks, cuts, got, want, d.log())
				}
				if task.State != a2a.StateCompleted {
					t.Errorf("got task %v, want completed", task.State)
				}
				d.finish()
			}
		})
	}
}
