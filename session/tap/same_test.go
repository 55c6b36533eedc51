package tap_test

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	a2agrpc "parley/a2a/grpc"
	"parley/a2a/grpc/grpctest"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/tap"
)

// A tape keeps what a client records of its own exchanges.
type tape struct {
	mu    sync.Mutex
	items []log.Item
}

func (t *tape) put(r a2a.Record, u a2a.Update) a2a.RecordID {
	t.mu.Lock()
	defer t.mu.Unlock()
	r.ID = a2a.RecordID(len(t.items) + 1)
	if r.Kind == a2a.KindRequest {
		r.Exchange = r.ID
	}
	t.items = append(t.items, log.Item{Record: r, Update: u})
	return r.ID
}

func (t *tape) take() []log.Item {
	t.mu.Lock()
	defer t.mu.Unlock()
	items := t.items
	t.items = nil
	return items
}

// A watched set is a set of taps with what it records.
type watched struct {
	t    *testing.T
	feed *log.Feed
	set  *tap.Set
	// foreign are exchanges that the client does not record.
	foreign map[a2a.ExchangeID]bool
}

func watch(t *testing.T) *watched {
	w := &watched{t: t, feed: log.NewFeed(), foreign: map[a2a.ExchangeID]bool{}}
	w.set = tap.NewSet(tap.SetOptions{Tap: tap.Options{Recorder: journal.NewRecorder(w.feed, nil), Format: a2agrpc.NewFormat()}})
	t.Cleanup(w.set.Close)
	return w
}

// start starts a tap in front of an agent.
func (w *watched) start(to string) tap.State {
	w.t.Helper()
	state, err := w.set.Start(w.t.Context(), "", to, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return state
}

// exchanges returns the records of the next exchanges, without notes, in the order of the wire.
func (w *watched) exchanges(n int) (items []log.Item) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute) // only a failure takes so long
	defer cancel()
	for ends := 0; ends < n; {
		next, err := w.feed.Next(ctx, 1)
		if err != nil {
			w.t.Fatalf("got %d ends, want %d: %v", ends, n, err)
		}
		for _, it := range next {
			r := &it.Record
			if r.Kind == a2a.KindRequest && r.Head.Method == "" { // an attempt to speak TLS
				w.foreign[r.ID] = true
			}
			if it.Signal != nil || r.Kind == a2a.KindNote || w.foreign[r.Exchange] {
				continue
			}
			items = append(items, it)
			if r.Kind == a2a.KindEnd {
				ends++
			}
		}
	}
	return items
}

// shown writes what a reader of a session sees of an exchange: not the addresses and the times.
func shown(items []log.Item) string {
	var b strings.Builder
	for i := range items {
		it := &items[i]
		r := &it.Record
		fmt.Fprintf(&b, "%s %s %s torn %v omitted %d", r.Kind, r.Dir, log.Describe(it), r.Torn, r.Omitted)
		if r.SSE != nil {
			fmt.Fprintf(&b, " sse %+v", *r.SSE)
		}
		if r.Head != nil && r.Kind != a2a.KindRequest {
			fmt.Fprintf(&b, " status %d type %q", r.Head.Status, r.Head.Header.Get("Content-Type"))
		}
		if r.Binary != nil {
			fmt.Fprintf(&b, " binary %s %x", r.Binary.Kind, r.Binary.Bytes)
		}
		if r.End != nil {
			fmt.Fprintf(&b, " %s", r.End.Reason)
			if r.End.Trailer != nil {
				fmt.Fprintf(&b, " trailer %q", r.End.Trailer.Header.Get("Grpc-Status"))
			}
		}
		fmt.Fprintf(&b, "\n  %q\n  %q\n", r.Raw, r.Data)
		for k := range it.Update.Events {
			fmt.Fprintf(&b, "  %s %s %s\n", it.Update.Events[k].Kind, it.Update.Events[k].TaskID, it.Update.Events[k].Raw)
		}
		if it.Update.Err != nil {
			fmt.Fprintf(&b, "  %s\n", it.Update.Err.Sentence)
		}
	}
	return b.String()
}

// clientOf returns a client that records its own exchanges.
func clientOf(t *testing.T, p a2a.Profile, tp *tape) *a2a.Client {
	n := 0
	c := a2a.NewClient(p, nil, a2a.Options{
		Trace: a2a.Trace{Put: tp.put, Now: time.Now}, NewID: func() string { n++; return fmt.Sprint("q-", n) },
		Carriers: map[a2a.Binding]a2a.Carrier{a2a.BindingGRPC: a2agrpc.New()},
	})
	t.Cleanup(c.Close)
	return c
}

// A tap records of a client's exchanges what the client records itself, byte for byte and event by event, from
// agents of every version, one of which misbehaves in every way.
func TestATapRecordsWhatTheClientRecords(t *testing.T) {
	t.Parallel()
	agents, stop, err := demo.Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	for _, agent := range agents {
		t.Run(agent.Name, func(t *testing.T) {
			w, tp := watch(t), &tape{}
			state := w.start(agent.URL)
			found := a2a.Discover(t.Context(), state.URL, &a2a.Call{Op: a2a.OpCard}, a2a.Options{Trace: a2a.Trace{Put: tp.put, Now: time.Now}}, a2a.Hooks{})
			if found.Card == nil || !strings.HasPrefix(found.Profile.Endpoint, state.URL) {
				t.Fatalf("got %+v, want a card that leads to the tap %s", found.Profile, state.URL)
			}
			n := 0
			for _, it := range tp.take() {
				if it.Record.Kind == a2a.KindEnd {
					n++
				}
			}
			w.exchanges(n)
			c := clientOf(t, found.Profile, tp)
			for _, skill := range found.Card.Skills {
				for i, example := range skill.Examples {
					if strings.HasPrefix(example.Text, "Restart") {
						continue // how long nothing listens is a matter of chance
					}
					op := a2a.OpStream
					if i%2 == 1 {
						op = a2a.OpSend
					}
					compare(t, w, tp, c, op, example.Text)
				}
			}
		})
	}
}

// compare sends one message and compares both records of it.
func compare(t *testing.T, w *watched, tp *tape, c *a2a.Client, op a2a.Op, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a failure takes so long
	defer cancel()
	call := &a2a.Call{Op: op}
	out := c.Do(ctx, a2a.Request{Call: call, Message: &a2a.Message{ID: "m-" + text, Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(text)}}}, a2a.Hooks{})
	c.Close() // an agent may close a connection that is kept, just when it is used again
	own := tp.take()
	n := 0
	for i := range own {
		if own[i].Record.Kind == a2a.KindEnd {
			n++
		}
	}
	if got, want := shown(w.exchanges(n)), shown(own); got != want {
		t.Errorf("%s %q (%s):\nthe tap\n%s\nthe client\n%s", op, text, out.End.Reason, got, want)
	}
}

func TestATapRecordsGRPCAsTheClientDoes(t *testing.T) {
	t.Parallel()
	server := grpctest.Start(t, func(c *grpctest.Call) error {
		_ = c.Stream.SetHeader(metadata.Pairs("x-agent", "clerk"))
		switch {
		case strings.HasSuffix(c.Path, "SendStreamingMessage"):
			for _, text := range []string{
				`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`,
				`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"text":"one "}]}}}`,
				`{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"two"}]}}}`,
				`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`,
			} {
				if err := c.Answer(text); err != nil {
					return err
				}
			}
			return nil
		case strings.HasSuffix(c.Path, "SendMessage"):
			return c.Answer(`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`)
		default:
			return status.Error(codes.NotFound, "no task, 100 % sure")
		}
	})
	w, tp := watch(t), &tape{}
	state := w.start("http://" + server.Address)
	base, err := url.Parse(state.URL)
	if err != nil {
		t.Fatal(err)
	}
	c := clientOf(t, a2a.Profile{Dialect: a2a.V10GRPC, Binding: a2a.BindingGRPC, Endpoint: "grpc://" + base.Host}, tp)
	compare(t, w, tp, c, a2a.OpStream, "hello")
	compare(t, w, tp, c, a2a.OpSend, "again")
	c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpGet}, TaskID: "nobody"}, a2a.Hooks{})
	items := w.exchanges(1)
	if got, want := shown(items), shown(tp.take()); got != want {
		t.Errorf("a get:\nthe tap\n%s\nthe client\n%s", got, want)
	}
	call := items[0].Record.Call
	if call.Op != a2a.OpGet || call.Dialect != a2a.V10GRPC || call.TaskID != "nobody" || call.Endpoint != "grpc://"+server.Address {
		t.Errorf("got %+v, want a get over gRPC at the agent", call)
	}
}

// Over gRPC, the card and the webhook of a client lead through the tap too.
func TestCardsAndWebhooksOverGRPCLeadThroughTheTap(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var registered string
	var server *grpctest.Server
	format := a2agrpc.NewFormat()
	server = grpctest.Start(t, func(c *grpctest.Call) error {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case strings.HasSuffix(c.Path, "GetExtendedAgentCard"):
			return c.Answer(`{"name":"A","version":"1","skills":[],"capabilities":{},"supportedInterfaces":[{"url":"` + server.Address + `","protocolBinding":"GRPC","protocolVersion":"1.0"}]}`)
		case strings.HasSuffix(c.Path, "GetTaskPushNotificationConfig"):
			return c.Answer(`{"taskId":"t","id":"c","url":"` + registered + `"}`)
		default:
			text, _ := format.Render(&a2a.Binary{Kind: "lf.a2a.v1.TaskPushNotificationConfig", Bytes: c.Request})
			_, rest, _ := strings.Cut(string(text), `"url":"`)
			registered, _, _ = strings.Cut(rest, `"`)
			return c.Answer(`{"taskId":"t","id":"c","url":"` + registered + `"}`)
		}
	})
	w, tp := watch(t), &tape{}
	state := w.start("http://" + server.Address)
	host := strings.TrimPrefix(state.URL, "http://")
	c := clientOf(t, a2a.Profile{Dialect: a2a.V10GRPC, Binding: a2a.BindingGRPC, Endpoint: "grpc://" + host}, tp)
	do := func(req a2a.Request) string {
		t.Helper()
		if out := c.Do(t.Context(), req, a2a.Hooks{}); out.Err != nil {
			t.Fatalf("%s: got %v", req.Call.Op, out.Err)
		}
		for _, it := range tp.take() {
			if it.Record.Kind == a2a.KindBody {
				return string(it.Record.Raw)
			}
		}
		return ""
	}
	if card := do(a2a.Request{Call: &a2a.Call{Op: a2a.OpExtendedCard}}); !strings.Contains(card, `"url":"`+host+`"`) {
		t.Errorf("got card %s, want its interface at the tap %s", card, host)
	}
	const own = "http://127.0.0.1:9/hook"
	set := do(a2a.Request{Call: &a2a.Call{Op: a2a.OpPushSet}, TaskID: "t", Push: &a2a.PushConfig{URL: own, ID: "c"}})
	get := do(a2a.Request{Call: &a2a.Call{Op: a2a.OpPushGet}, TaskID: "t", PushID: "c"})
	mu.Lock()
	defer mu.Unlock()
	if !strings.HasPrefix(registered, state.URL+"/.parley-webhook/") || !strings.Contains(set, `"url":"`+own+`"`) || !strings.Contains(get, `"url":"`+own+`"`) {
		t.Errorf("got %q at the agent, and %s and %s at the client; want a webhook of the tap there and its own here", registered, set, get)
	}
}
