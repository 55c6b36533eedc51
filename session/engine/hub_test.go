package engine

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// A hub is an agent of 1.0 with one task; the test decides what its streams bring.
type hub struct {
	*httptest.Server
	second   string // what a second stream does: "", refuse, replace, divide, mute
	snapshot bool   // a subscription begins with the whole task
	cancel   string // the effect of a cancel: "", refuse, quiet (not reported on streams)
	gives    bool   // the task is canceled when its last stream is closed

	mu      sync.Mutex
	streams []chan string
	told    int
	state   string
	joined  chan struct{} // one per open stream
	left    chan struct{} // receives once per closed stream
	methods []string
}

func newHub(t *testing.T, h *hub) *hub {
	t.Helper()
	h.state, h.joined, h.left = "WORKING", make(chan struct{}, 10), make(chan struct{}, 10)
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Server.Close)
	return h
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		fmt.Fprintf(w, `{"name":"Hub","version":"1","supportedInterfaces":[{"url":%q,"protocolBinding":"JSONRPC","protocolVersion":"1.0"}],
			"capabilities":{"streaming":true},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`, h.URL)
		return
	}
	var q struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.NewDecoder(r.Body).Decode(&q)
	h.mu.Lock()
	h.methods = append(h.methods, q.Method)
	state, open := h.state, len(h.streams)
	h.mu.Unlock()
	answer := func(member string) { fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, q.ID, member) }
	switch {
	case q.Method == "GetTask":
		answer(`"result":` + hubTask(state))
	case q.Method == "CancelTask" && h.cancel == "refuse":
		answer(`"error":{"code":-32002,"message":"no"}`)
	case q.Method == "CancelTask":
		if h.cancel == "" {
			h.status("CANCELED")
			h.end()
		}
		answer(`"result":` + hubTask("CANCELED"))
	case q.Method == "SubscribeToTask" && h.second == "refuse":
		answer(`"error":{"code":-32004,"message":"no"}`)
	default:
		h.listen(w, r, q.ID, open > 0, q.Method == "SubscribeToTask")
	}
}

func hubTask(state string) string {
	return fmt.Sprintf(`{"id":"t1","contextId":"c1","status":{"state":"TASK_STATE_%s"}}`, state)
}

// listen serves a stream until it ends.
func (h *hub) listen(w http.ResponseWriter, r *http.Request, id json.RawMessage, second, subscribed bool) {
	mine := make(chan string, 100)
	h.mu.Lock()
	if second && h.second == "replace" {
		for _, s := range h.streams {
			close(s)
		}
		h.streams = nil
	}
	if subscribed && h.snapshot || !subscribed {
		mine <- `{"task":` + hubTask(h.state) + `}`
	}
	if !second || h.second != "mute" {
		h.streams = append(h.streams, mine)
	}
	h.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	h.joined <- struct{}{}
	for {
		select {
		case event, ok := <-mine:
			if !ok {
				return
			}
			event = strings.ReplaceAll(event, "STAMP", fmt.Sprint(time.Now().UnixNano()))
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n\n", id, event)
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			h.mu.Lock()
			h.streams = slices.DeleteFunc(h.streams, func(s chan string) bool { return s == mine })
			if h.gives {
				h.state = "CANCELED"
			}
			h.mu.Unlock()
			h.left <- struct{}{}
			return
		}
	}
}

// chunk sends a piece of text, and status a state, on every stream.
func (h *hub) chunk() {
	h.tell(func(n int) string {
		return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c1","append":%v,"artifact":{"artifactId":"a","parts":[{"text":"chunk %d "}]}}}`, n > 0, n)
	})
}

func (h *hub) status(state string) {
	h.mu.Lock()
	h.state = state
	h.mu.Unlock()
	h.tell(func(int) string {
		return fmt.Sprintf(`{"statusUpdate":{"taskId":"t1","contextId":"c1","status":{"state":"TASK_STATE_%s","message":{"messageId":"STAMP","role":"ROLE_AGENT","parts":[{"text":"so it is"}]}}}}`, state)
	})
}

func (h *hub) tell(event func(n int) string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	text := event(h.told)
	for i, s := range h.streams {
		if h.second != "divide" || h.told%len(h.streams) == i {
			s <- text
		}
	}
	h.told++
}

// end ends every stream.
func (h *hub) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.streams {
		close(s)
	}
	h.streams = nil
}

// startStream starts a turn on a hub and returns its exchange after its first event.
func (d *harness) startStream(h *hub) (a2a.AgentID, a2a.TurnID, a2a.ExchangeID) {
	d.t.Helper()
	id := d.openAgent(h.URL)
	turn := d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go")}}, model.SendOptions{})
	it := d.waitForEvent()
	return id, turn, it.Record.Exchange
}

// waitForEvent waits for the next event of a stream.
func (d *harness) waitForEvent() log.Item {
	d.t.Helper()
	return d.until("an event", func(it log.Item) bool { return it.Record.Kind == a2a.KindEvent })
}

// newestRecord returns the newest record of a kind.
func (d *harness) newestRecord(kind a2a.RecordKind) *a2a.Record {
	d.t.Helper()
	for id := d.state.Log.Len(); id > 0; id-- {
		if r := &d.state.Log.At(a2a.RecordID(id)).Record; r.Kind == kind {
			return r
		}
	}
	d.t.Fatalf("got no record of kind %s in the log, want one", kind)
	return nil
}

// waitForVerdict waits for the verdict about an exchange and returns its sentence.
func (d *harness) waitForVerdict() string {
	d.t.Helper()
	it := d.until("a verdict", isVerdict)
	return it.Record.Note.Attrs[log.AttrSentence]
}

func isVerdict(it log.Item) bool {
	return it.Record.Note != nil && it.Record.Note.Type == log.NoteVerdict
}

// waitForVerdictAndTurnEnd waits for the verdict and the end of a turn, in any order.
func (d *harness) waitForVerdictAndTurnEnd(turn a2a.TurnID) (sentence string) {
	d.t.Helper()
	over := false
	d.until("a verdict and the end of the turn", func(it log.Item) bool {
		over = over || it.Signal != nil && it.Signal.Kind == log.SignalTurnOver && it.Signal.Turn == turn
		if isVerdict(it) {
			sentence = it.Record.Note.Attrs[log.AttrSentence]
		}
		return over && sentence != ""
	})
	return sentence
}

// mustInjectFault injects a fault that must be possible.
func (d *harness) mustInjectFault(x a2a.ExchangeID, f Fault) {
	d.t.Helper()
	if why := d.InjectFault(x, f); why != "" {
		d.t.Fatalf("got refusal %q of the fault, want none", why)
	}
}

// comparison returns the duplicate-stream check of an open stream.
func (d *harness) comparison(x a2a.ExchangeID) *duplicateCheck {
	d.t.Helper()
	fw, _ := d.stream(x)
	if fw == nil {
		d.t.Fatal("got a closed stream, want it open")
	}
	fw.mu.Lock()
	defer fw.mu.Unlock()
	if fw.injection.duplicateCheck == nil {
		d.t.Fatal("got a stream without a duplicate-stream check, want one")
	}
	return fw.injection.duplicateCheck
}

// waitForEvents waits until so many more events came on a stream and on the others.
func (d *harness) waitForEvents(x a2a.ExchangeID, first, others int) {
	d.t.Helper()
	d.until("the events of both streams", func(it log.Item) bool {
		switch {
		case it.Record.Kind != a2a.KindEvent:
		case it.Record.Exchange == x:
			first--
		default:
			others--
		}
		return first <= 0 && others <= 0
	})
}
