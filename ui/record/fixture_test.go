package record

import (
	"net/http"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
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
		call:  &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: "1.0"},
	}
}

// put adds a record after ms milliseconds.
func (f *tape) put(ms int, r a2a.Record, findings ...a2a.Finding) a2a.RecordID {
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
	it.Update.Findings = append(it.Update.Findings[:len(it.Update.Findings):len(it.Update.Findings)], findings...)
	f.state.Apply(it)
	return r.ID
}

func (f *tape) event(ms int, data string, findings ...a2a.Finding) a2a.RecordID {
	return f.put(ms, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}, findings...)
}

// booking is a stream of seven records: a request with secrets, the head of the
// response, two states with a chunk between them, one of them found fault with, an
// answer that holds JSON in a text, and the end.
func booking() *tape {
	f := newTape()
	f.put(0, a2a.Record{
		Kind: a2a.KindRequest, Dir: a2a.Out,
		Raw: []byte(`{"method":"SendStreamingMessage","params":{"token":"•••","message":{"parts":[{"text":"Book me a flight"}]}}}`),
		Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a?key=•••", Proto: "HTTP/1.1", Header: http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"•••"}, "Cookie": {"a=1; b=•••; c=•••"},
		}},
		Redactions: []a2a.Redaction{
			{Name: "in the body", Offset: 51, Length: len(a2a.Mask), Size: 9, Original: "body-word"},
			{Name: "query key", Size: 8, Original: "url-word"},
			{Name: "header Authorization", Size: 17, Original: "Bearer the-secret"},
			{Name: "header Cookie", Size: 3, Original: "one"}, {Name: "header Cookie", Size: 3, Original: "two"},
		},
	})
	f.put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{
		Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream"}, "Set-Cookie": {"x=•••", "y=2"}},
		Timing: &a2a.Timing{DNS: time.Millisecond, Connect: 3 * time.Millisecond, TLS: 12 * time.Millisecond, Sent: 17 * time.Millisecond, FirstByte: 40 * time.Millisecond, Remote: "127.0.0.1:4711"},
	}, Redactions: []a2a.Redaction{{Name: "header Set-Cookie", Size: 7, SHA256: "3fa9"}}})
	f.event(2, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`)
	f.event(2100, `{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","name":"fares","parts":[{"text":"{\"OS 411\":9,\"BA 763\":2}"}]}}}}`)
	f.event(91, `{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-11-20T14:02:07"}}}}`,
		a2a.Finding{Rule: "ART-002", Severity: a2a.Error, Offset: 30, Pointer: "/result/statusUpdate/taskId", Message: "Something is wrong with the task", Fix: "send the right one"},
		a2a.Finding{Rule: "TEST-001", Severity: a2a.Info, Offset: -1, Message: "As a whole"})
	f.put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	return f
}

func openView(f *tape, id a2a.RecordID, w, h int) *View {
	v := New(styles.New(themes.Mono(), styles.Unicode()))
	v.SetLog(f.state.Log)
	v.SetSize(w, h)
	v.Show(f.state.Log.At(id))
	return v
}

// press presses keys, named as in the manual, while the record is read. Keys that are
// not the view's move the cursor.
func press(v *View, names ...string) (last Intent) {
	for _, name := range names {
		in, used := v.Key(keyOf(name), true)
		last = in
		switch {
		case used:
		case name == "j":
			v.Move(1)
		case name == "k":
			v.Move(-1)
		case name == "G", name == "g":
			v.End(name == "G")
		}
	}
	return last
}

func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "space": tea.KeySpace, "left": tea.KeyLeft, "right": tea.KeyRight}
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

func screen(v *View) string {
	var out []string
	for _, line := range v.Lines(true) {
		out = append(out, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

func has(t *testing.T, v *View, wants ...string) {
	t.Helper()
	got := screen(v)
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

func hasNot(t *testing.T, v *View, words ...string) {
	t.Helper()
	got := screen(v)
	for _, word := range words {
		if strings.Contains(got, word) {
			t.Errorf("%q is shown in\n%s", word, got)
		}
	}
}

func exact(t *testing.T, v *View, w, h int) {
	t.Helper()
	lines := v.Lines(true)
	if len(lines) != h {
		t.Fatalf("%d rows at %dx%d", len(lines), w, h)
	}
	for i, line := range lines {
		if got := canvas.Width(line); got != w {
			t.Fatalf("row %d is %d cells wide at %dx%d: %q", i, got, w, h, line)
		}
		if strings.ContainsAny(ansi.Strip(line), "\x1b\n\r\t\a\x00\u009b\u202e") {
			t.Fatalf("row %d can act on a terminal: %q", i, line)
		}
	}
}
