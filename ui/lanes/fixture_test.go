package lanes

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/styles"
)

// A fakeWire is a wire whose filter is a function.
type fakeWire struct {
	log     *log.Log
	passes  func(*log.Item) bool // nil lists all
	marked  []a2a.RecordID
	version uint64
}

func (w *fakeWire) Filtered() bool       { return w.passes != nil }
func (w *fakeWire) HitsVersion() uint64  { return w.version }
func (w *fakeWire) MarksVersion() uint64 { return w.version }

func (w *fakeWire) CountHits(x a2a.ExchangeID, from, to int) (n int) {
	for _, id := range w.log.Exchange(x)[from:to] {
		if w.passes(w.log.At(id)) {
			n++
		}
	}
	return n
}

func (w *fakeWire) Marks() iter.Seq[a2a.RecordID] { return slices.Values(w.marked) }

// mark replaces the marks.
func (w *fakeWire) mark(ids ...a2a.RecordID) { w.marked, w.version = ids, w.version+1 }

// list replaces the filter.
func (w *fakeWire) list(passes func(*log.Item) bool) { w.passes, w.version = passes, w.version+1 }

// A recording is a session with several exchanges at once.
type recording struct{ *tape.Tape }

func newRecording() *recording { return &recording{tape.New()} }

// request begins an exchange.
func (f *recording) request(ms int, call a2a.Call, method string) a2a.ExchangeID {
	call.Dialect = a2a.V10
	f.Call = &call
	f.Put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a"},
		Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"1","method":%q,"params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`, method, f.State.Log.Len())})
	return f.Exchange
}

// in continues an exchange.
func (f *recording) in(x a2a.ExchangeID) *recording {
	f.Exchange, f.Call = x, f.State.Log.Stream(x).Call
	return f
}

func (f *recording) head(ms int) {
	f.Put(ms, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
}

func (f *recording) body(ms int, result string) {
	f.Put(ms, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(`{"jsonrpc":"2.0","id":"1","result":` + result + `}`)})
}

func (f *recording) event(ms int, result string) a2a.RecordID {
	return f.Event(ms, `{"jsonrpc":"2.0","id":"1","result":`+result+`}`)
}

func (f *recording) status(ms int, task, word string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"statusUpdate":{"taskId":%q,"contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, task, word))
}

func (f *recording) chunk(ms int, task string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"artifactUpdate":{"taskId":%q,"contextId":"c","append":true,"artifact":{"artifactId":"a","name":"a.md","parts":[{"text":"some words "}]}}}`, task))
}

func call(agent a2a.AgentID, conv a2a.ConversationID, turn a2a.TurnID, op a2a.Op) a2a.Call {
	return a2a.Call{Agent: agent, Conversation: conv, Turn: turn, Op: op}
}

// threeAgents returns a session in which one stream is cut and resumed, one is open, one message is
// sent twice, and a webhook is called.
func threeAgents() *recording {
	f := newRecording()
	card := f.request(0, call(1, 0, 0, a2a.OpCard), "")
	f.in(card).body(30, `{}`)
	f.End(1, a2a.Ended)
	trip := f.request(400, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(41)
	f.status(5, "t1", "SUBMITTED")
	f.status(200, "t1", "WORKING")
	essay := f.request(100, call(2, 2, 2, a2a.OpStream), "SendStreamingMessage")
	f.head(60)
	f.status(5, "t2", "WORKING")
	for i := range 60 {
		f.in(essay).chunk(20, "t2")
		if i%6 == 0 {
			f.in(trip).chunk(3, "t1")
		}
	}
	f.in(trip).chunk(2400, "t1")
	f.End(300, a2a.Cut)
	again := call(1, 1, 1, a2a.OpSubscribe)
	again.TaskID = "t1"
	resumed := f.request(900, again, "SubscribeToTask")
	f.head(20)
	for range 12 {
		f.in(essay).chunk(30, "t2")
		f.in(resumed).chunk(30, "t1")
	}
	f.in(resumed).status(400, "t1", "COMPLETED")
	f.End(10, a2a.Ended)
	refused := f.request(100, call(3, 3, 3, a2a.OpSend), "SendMessage")
	f.in(refused).Put(0, a2a.Record{Kind: a2a.KindEnd, End: &a2a.End{Reason: a2a.Refused, Sentence: "nobody listens there"}})
	f.request(500, call(3, 3, 3, a2a.OpSend), "SendMessage")
	f.body(700, `{"task":{"id":"t3","contextId":"c3","status":{"state":"TASK_STATE_INPUT_REQUIRED"}}}`)
	f.End(2, a2a.Ended)
	f.Call = &a2a.Call{Agent: 3, Conversation: 3, Op: a2a.OpDelivery, Dialect: a2a.V10}
	f.Put(600, a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:9/w"},
		Raw: []byte(`{"statusUpdate":{"taskId":"t3","contextId":"c3","status":{"state":"TASK_STATE_WORKING"}}}`)})
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.Out, Head: &a2a.Head{Status: 200}, End: &a2a.End{Reason: a2a.Ended}})
	f.in(essay).chunk(800, "t2")
	return f
}

// names are those of the demo.
func names() Names {
	return Names{
		Agent:        func(id a2a.AgentID) string { return []string{"", "Travel Desk", "Scribe", "Old Clerk"}[id%4] },
		Tag:          func(id a2a.AgentID) string { return []string{"", "TD", "Scri", "OC"}[id%4] },
		Conversation: func(id a2a.ConversationID) string { return fmt.Sprintf("Conversation %d", id) },
	}
}

// newPane returns a pane of a session, a second after its newest record.
func newPane(f *recording, st *styles.Styles, w, h int) (*Pane, *fakeWire) {
	wire := &fakeWire{log: f.State.Log}
	p := New(st, wire, names())
	p.SetLog(f.State.Log)
	p.SetNow(f.Now.Add(time.Second), false)
	p.SetSize(w, h)
	return p, wire
}

func dark() *styles.Styles { return styles.New(themes.Dark(), styles.Unicode()) }
func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

// press presses keys by name.
func press(p *Pane, names ...string) (last Intent) {
	for _, name := range names {
		last = p.Key(panetest.Key(name))
	}
	return last
}

func screen(p *Pane) string { return panetest.Text(p.Lines()) }

// rowsOf returns the cells of an exchange's lane, without styles: the bar, and the row below it.
func rowsOf(t testing.TB, p *Pane, x a2a.ExchangeID) (bar, beat string) {
	t.Helper()
	rows := p.Lines()
	e, ok := p.index[x]
	if !ok {
		t.Fatalf("exchange %d is not listed:\n%s", x, screen(p))
	}
	cells := func(i int) string {
		y := i - p.List.Top + p.parts().Head
		if i >= len(p.rows) || y < p.parts().Head || y >= p.parts().Head+p.parts().List {
			t.Fatalf("exchange %d is not visible:\n%s", x, screen(p))
		}
		line := []rune(panetest.Text(rows[y : y+1]))
		return strings.TrimRight(string(line[min(p.nameWidth()+1, len(line)):]), " \n")
	}
	at := p.entries[e]
	if bar = cells(at); p.rows[at].lane.tall {
		beat = cells(at + 1)
	}
	return bar, beat
}

// lineOf returns the bar of an exchange.
func lineOf(t testing.TB, p *Pane, x a2a.ExchangeID) string {
	t.Helper()
	bar, _ := rowsOf(t, p, x)
	return bar
}

// sees fails t unless the screen contains all these words.
func sees(t testing.TB, p *Pane, words ...string) {
	t.Helper()
	panetest.Sees(t, screen(p), words...)
}

// frame returns the pane in its frame of rows.
func frame(p *Pane) string {
	return p.Title() + " " + p.Note() + "\n" + strings.Join(p.Lines(), "\n") + "\n"
}
