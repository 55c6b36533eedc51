package timeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/a2a"
	"parley/session"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A tape makes records as an engine would, with decoded updates.
type tape struct {
	state *session.State
	now   time.Time
	call  *a2a.Call
	x     a2a.ExchangeID
}

func newTape() *tape {
	return &tape{
		state: session.NewState(),
		now:   time.Date(2026, 11, 20, 14, 2, 3, 0, time.UTC),
		call:  &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10},
	}
}

// put adds a record after ms milliseconds.
func (f *tape) put(ms int, r a2a.Record) a2a.RecordID {
	f.now = f.now.Add(time.Duration(ms) * time.Millisecond)
	r.ID, r.Time, r.Call = a2a.RecordID(f.state.Log.Len()+1), f.now, f.call
	if r.Kind == a2a.KindRequest {
		f.x = r.ID
	}
	r.Exchange = f.x
	it := session.Item{Record: r}
	if r.Kind == a2a.KindEvent || r.Kind == a2a.KindBody {
		it.Update = a2a.Decode(f.call, a2a.Input{Body: r.Payload(), Status: 200, Stream: r.Kind == a2a.KindEvent})
	}
	f.state.Apply(it)
	return r.ID
}

// open begins a stream: its request and the head of the response.
func (f *tape) open(ms int, op a2a.Op) a2a.ExchangeID {
	call := *f.call
	call.Op = op
	method := "SendStreamingMessage"
	if op == a2a.OpSubscribe {
		call.TaskID, method = "t", "SubscribeToTask"
	}
	f.call = &call
	f.put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a"},
		Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"` + method + `","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)})
	f.put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1",
		Header: map[string][]string{"Content-Type": {"text/event-stream"}}, Timing: &a2a.Timing{FirstByte: 40 * time.Millisecond}}})
	return f.x
}

func (f *tape) event(ms int, data string) a2a.RecordID {
	data = `{"jsonrpc":"2.0","id":"1","result":` + data + `}`
	return f.put(ms, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
}

func (f *tape) status(ms int, word string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, word))
}

func (f *tape) chunk(ms int, key, name, text string) a2a.RecordID {
	return f.event(ms, fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":%q,"name":%q,"parts":[{"text":%q}]}}}`, key, name, text))
}

func (f *tape) end(ms int, reason a2a.EndReason) a2a.RecordID {
	return f.put(ms, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: reason}})
}

// booking is a stream with a pause of two seconds, up to and without its end.
func booking() *tape {
	f := newTape()
	f.open(0, a2a.OpStream)
	f.status(2, "SUBMITTED")
	f.status(210, "WORKING")
	for i := range 12 {
		f.chunk(20+i, "itinerary", map[bool]string{true: "itinerary.md"}[i == 0], strings.Repeat("London ", 4))
	}
	f.chunk(2100, "itinerary", "", "and back")
	f.chunk(91, "fares", "fares.json", "OS 411")
	f.chunk(30, "itinerary", "", "at last")
	return f
}

func show(f *tape, st *styles.Styles, w, h int) *View {
	v := New(st)
	v.SetLog(f.state.Log)
	v.SetNow(f.now)
	v.SetSize(w, h)
	v.Show(a2a.RecordID(f.state.Log.Len()))
	return v
}

func dark() *styles.Styles { return styles.New(themes.Dark(), styles.Unicode()) }
func mono() *styles.Styles { return styles.New(themes.Mono(), styles.ASCII()) }

func screen(v *View) string {
	lines := v.Lines(true)
	out := make([]string, len(lines))
	for i := range lines {
		out[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(out, "\n") + "\n"
}

func exact(t testing.TB, v *View) {
	t.Helper()
	lines := v.Lines(true)
	if len(lines) != v.h {
		t.Fatalf("%d rows at %dx%d", len(lines), v.w, v.h)
	}
	for i, line := range lines {
		if got := canvas.Width(line); got != v.w {
			t.Fatalf("row %d is %d cells wide at %dx%d: %q", i, got, v.w, v.h, line)
		}
		if strings.ContainsAny(ansi.Strip(line), "\x1b\n\r\t\a\x00\u009b\u202e") {
			t.Fatalf("row %d can act on a terminal: %q", i, line)
		}
	}
}
