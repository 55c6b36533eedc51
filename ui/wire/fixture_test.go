package wire

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

func result(inner string) string {
	return `{"jsonrpc":"2.0","id":"c41f-1","result":` + inner + `}`
}

const ids = `"taskId":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","contextId":"7f3a11b9-02c8-4e1d-8f00-aa11bb22cc33"`

func chunk(id, name, part string) string {
	return result(`{"artifactUpdate":{` + ids + `,"artifact":{"artifactId":"` + id + `","name":"` + name + `","parts":[` + part + `]},"append":true}}`)
}

// booking is a stream as a booking agent sends it: eleven records.
func booking() *tape {
	f := newTape()
	f.put(0, a2a.Record{
		Kind: a2a.KindRequest, Dir: a2a.Out,
		Raw: []byte(`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Book me a flight to London"}]}}}`),
		Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a", Proto: "HTTP/1.1", Header: http.Header{
			"Content-Type": {"application/json"}, "A2a-Version": {"1.0"}, "Authorization": {"•••"},
		}},
		Redactions: []a2a.Redaction{{Name: "header Authorization", Size: 43}},
	})
	f.put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}}})
	f.event(2, result(`{"task":{"id":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","contextId":"7f3a11b9-02c8-4e1d-8f00-aa11bb22cc33","status":{"state":"TASK_STATE_SUBMITTED"}}}`))
	f.event(210, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
	f.event(96, chunk("itinerary", "itinerary.md", `{"text":"`+strings.Repeat("London, 10 to 17", 4)+`"}`))
	f.event(88, chunk("itinerary", "itinerary.md", `{"text":"`+strings.Repeat("x", 71)+`"}`))
	f.event(2100, chunk("itinerary", "itinerary.md", `{"text":"| SK 805 |  "}`), a2a.Finding{Rule: "GAP-001", Severity: a2a.Warning, Offset: -1, Message: "2.1 s without an event", Fix: "send a status while working"})
	f.event(91, chunk("fares", "fares.json", `{"data":{"OS 411":9,"BA 763":2,"SK 805":14}}`))
	f.event(12, chunk("map", "map.png", `{"raw":"`+strings.Repeat("iVBORw0KGgo9", 1500)+`","filename":"map.png","mediaType":"image/png"}`))
	f.event(4, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-11-20T14:02:07","message":{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"Which dates would you like, and is one bag enough?"}]}}}}`))
	f.put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	return f
}

func openPane(f *tape, t themes.Theme, w, h int) *Pane {
	p := New(styles.New(t, styles.Unicode()))
	p.SetLog(f.state.Log)
	p.SetNow(f.now)
	p.SetSize(w, h)
	p.Focus()
	p.Lines()
	return p
}

// press types words of keys: "a", "enter", "ctrl+t", "space".
func press(p *Pane, names ...string) (last Intent) {
	for _, name := range names {
		last = p.Key(keyOf(name))
	}
	return last
}

func keyOf(name string) tea.KeyPressMsg {
	codes := map[string]rune{
		"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome,
		"end": tea.KeyEnd, "esc": tea.KeyEscape, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	}
	rest, ctrl := strings.CutPrefix(name, "ctrl+")
	if code, ok := codes[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	k := tea.Key{Code: []rune(rest)[0], Text: rest}
	if ctrl {
		k.Mod, k.Text = tea.ModCtrl, ""
	}
	return tea.KeyPressMsg(k)
}

func screen(p *Pane) string {
	lines := p.Lines()
	out := make([]string, len(lines))
	for i := range lines {
		out[i] = strings.TrimRight(ansi.Strip(lines[i]), " ")
	}
	return strings.Join(out, "\n")
}

func exact(t *testing.T, p *Pane, w, h int) {
	t.Helper()
	lines := p.Lines()
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

func has(t *testing.T, p *Pane, wants ...string) {
	t.Helper()
	got := screen(p)
	for _, want := range wants {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
