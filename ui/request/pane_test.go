package request

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// A bench is a pane with a simulated user.
type bench struct {
	t      testing.TB
	pane   *Pane
	checks int
	rules  []a2a.Finding
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t}
	b.pane = New(styles.New(themes.Mono(), styles.Unicode()), func(a2a.AgentID, *a2a.RawRequest) []a2a.Finding {
		b.checks++
		return b.rules
	})
	b.pane.SetSize(80, 24)
	return b
}

func (b *bench) press(names ...string) (last Intent) {
	for _, name := range names {
		last = b.pane.Key(panetest.Key(name))
	}
	return last
}

func (b *bench) write(text string) {
	for _, r := range text {
		b.pane.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func (b *bench) text() string {
	b.t.Helper()
	panetest.Exact(b.t, b.pane.Lines(), b.pane.w, b.pane.h)
	return panetest.Text(b.pane.Lines())
}

func (b *bench) sees(words ...string) {
	b.t.Helper()
	panetest.Sees(b.t, b.text(), words...)
}

const body = `{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"n":1.50,"list":[]}}`

func draft() Draft {
	return Draft{Agent: 1, Conversation: 2, To: "Travel Desk", Request: a2a.RawRequest{
		Method: "POST", URL: "http://127.0.0.1:4100/a2a", Body: []byte(body),
		Header: http.Header{"Content-Type": {"application/json"}, "A2a-Version": {"1.0"}},
	}}
}

func TestARequestIsShownAsTextAndSentAsItWas(t *testing.T) {
	b := newBench(t)
	b.pane.Open(draft())
	b.sees("→ Travel Desk · body 79 B · unchanged", "1   POST http://127.0.0.1:4100/a2a", "2   A2a-Version: 1.0", "3   Content-Type: application/json",
		`6     "jsonrpc": "2.0",`, `"n": 1.50,`)
	got, ok := b.press("alt+enter").(Send)
	if !ok || string(got.Request.Body) != body || got.Agent != 1 || got.Conversation != 2 || got.Request.Method != "POST" {
		t.Errorf("sent %+v, want the draft unchanged", got)
	}
	b.press("right") // behind the brace
	b.write(`"x": 1,`)
	got = b.press("ctrl+s").(Send)
	if !strings.HasPrefix(string(got.Request.Body), "{\"x\": 1,\n  \"jsonrpc\"") {
		t.Errorf("sent body %q, want the edited one", got.Request.Body)
	}
	if h := got.Request.Header; h.Get("A2A-Version") != "1.0" || len(h) != 2 {
		t.Errorf("sent headers %v, want 2 with A2A-Version 1.0", h)
	}
	b.press("alt+l")
	if got := string(b.press("alt+enter").(Send).Request.Body); got != `{"x":1,`+body[1:] {
		t.Errorf("sent compacted body %s, want it on one line", got)
	}
	b.press("alt+u")
	b.sees(`{"x": 1,`)
}

func TestWhatIsWrongIsSaidWhereItIs(t *testing.T) {
	for _, c := range []struct {
		name, text string
		says       string
		line, col  int
		blocks     bool
	}{
		{"nothing", "", "The first line is empty", 0, 0, true},
		{"no URL", "POST /a2a\n\n{}", "The first line has no http, https or grpc URL", 0, 5, true},
		{"words", "POST http://a/ b c\n\n{}", "Write a space in a URL", 0, 15, true},
		{"method", "PO,ST http://a/\n\n{}", "is not a method", 0, 2, true},
		{"no colon", "POST http://a/\nContent-Type\n\n{}", "Name: value", 1, 0, true},
		{"no blank line", "POST http://a/\n{\"a\":1}", "a blank line before it", 1, 0, true},
		{"header name", "POST http://a/\nA b: c\n\n{}", "not a header name", 1, 1, true},
		{"control", "POST http://a/\nA: b\x1bc\n\n{}", "cannot carry this character", 1, 4, true},
		{"comma", "POST http://a/\n\n{\n  \"a\": 1,\n}", "This is not JSON", 3, 8, false},
		{"cut", "POST http://a/\n\n{\"a\": \"b", "body ends inside", 2, 8, false},
		{"two", "POST http://a/\n\n{}\n{}", "a second value", 3, 0, false},
		{"text is text", "POST http://a/\nContent-Type: text/plain\n\nhello", "", -1, 0, false},
		{"no body", "GET http://a/ HTTP/1.1\r\nA: b\r\n\r\n", "", -1, 0, false},
		{"a URL alone", "http://a/", "", -1, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.pane.Open(draft())
			b.pane.Edited(c.text)
			b.sees()
			p := b.pane.parsed
			if c.says == "" {
				if len(p.problems) > 0 {
					t.Fatalf("got problems %+v, want none", p.problems)
				}
			} else if len(p.problems) == 0 || !strings.Contains(p.problems[0].message, c.says) || p.problems[0].line != c.line || p.problems[0].col != c.col {
				t.Fatalf("got problems %+v, want %q at %d:%d", p.problems, c.says, c.line, c.col)
			}
			got := b.press("alt+enter")
			if _, refused := got.(Refused); refused != c.blocks {
				t.Errorf("alt+enter returned %+v, want refused %v", got, c.blocks)
			}
			if c.blocks {
				b.sees("cannot send: line")
			}
		})
	}
}

func TestRulesAreHeardBeforeSending(t *testing.T) {
	b := newBench(t)
	at := strings.Index(body, `"SendMessage"`)
	b.rules = []a2a.Finding{
		{Rule: "MSG-001", Severity: a2a.Warning, Message: "there is no message", Offset: -1},
		{Rule: "METH-001", Severity: a2a.Error, Message: "no such method", Fix: "write message/send", Pointer: "/method", Offset: at},
	}
	d := draft()
	d.Request.Body = []byte(strings.ReplaceAll(body, ",", ",\n")) // several lines are not formatted
	b.pane.Open(d)
	b.sees("E 7:", "METH-001 no such method", "W MSG-001 there is no message")
	b.press("tab")
	if b.pane.edit.Row != 6 {
		t.Errorf("tab moved to line %d, want 7", b.pane.edit.Row+1)
	}
	b.sees("write message/send")
	if _, ok := b.press("alt+enter").(Send); !ok {
		t.Error("alt+enter with a finding did not send, want Send")
	}
}

func TestRulesDoNotGuessAtABrokenBody(t *testing.T) {
	b := newBench(t)
	b.pane.Open(draft())
	b.checks = 0
	b.press("right")
	b.write("x")
	b.sees("This is not JSON")
	if b.checks != 0 {
		t.Errorf("broken body was checked %d times, want 0", b.checks)
	}
	b.press("backspace")
	b.text()
	if b.checks != 1 {
		t.Errorf("corrected body was checked %d times, want 1", b.checks)
	}
}

func TestSecretsStandBehindMasks(t *testing.T) {
	rec := &a2a.Record{
		Kind: a2a.KindRequest, Raw: []byte(`{"token":"•••","more":"•••"}`),
		Head: &a2a.Head{Method: "POST", URL: "http://h/?key=•••", Header: http.Header{"Authorization": {"Bearer •••"}, "Cookie": {"•••"}}},
		Redactions: []a2a.Redaction{
			{Name: "header Authorization", Original: "s3cret"}, {Name: "header Cookie"},
			{Name: "query key", Original: "k3y"},
			{Name: "token", Offset: 10, Length: 9, Original: "t0ken"}, {Name: "token", Offset: 29, Length: 9, Original: `m\"re`},
		},
	}
	d := Draft{Agent: 1, To: "h"}
	d.Request, d.Secrets, d.Missing = FromRecord(rec)
	b := newBench(t)
	b.pane.SetSize(100, 40)
	b.pane.Open(d)
	for _, secret := range []string{"s3cret", "k3y", "t0ken", "m\\\"re"} {
		if strings.Contains(b.text(), secret) {
			t.Errorf("got secret %q on the screen, want it masked:\n%s", secret, b.text())
		}
	}
	b.sees("Authorization: Bearer •••1", "replaces the value of header Authorization", "The value of header Cookie is no longer known")
	if text := b.press("alt+e").(Edit).Text; strings.Contains(text, "s3cret") {
		t.Errorf("got a secret in the editor, want it masked: %s", text)
	}
	b.press("right")
	b.write(" ")
	got := b.press("alt+enter").(Send).Request
	if got.Header.Get("Authorization") != "Bearer s3cret" || got.Header.Get("Cookie") != a2a.Mask || got.URL != "http://h/?key=k3y" ||
		!strings.Contains(string(got.Body), `"token": "t0ken"`) || !strings.Contains(string(got.Body), `"more": "m\"re"`) {
		t.Errorf("sent %+v with body %s, want the secrets filled in", got, got.Body)
	}
	b.press("alt+up")
	b.sees("•••1")
}

func TestNothingThatWasWrittenIsLost(t *testing.T) {
	b := newBench(t)
	b.pane.Open(draft())
	b.press("alt+enter")
	b.write("first")
	b.pane.Open(draft()) // a draft of another record
	b.write("second")
	b.press("alt+up")
	b.sees("first")
	b.press("alt+up")
	if strings.Contains(b.text(), "first") {
		t.Errorf("got the first draft after the second alt+up, want an earlier one:\n%s", b.text())
	}
	b.press("alt+down", "alt+down")
	b.sees("second")
	if got := b.press("esc"); got != (Close{}) {
		t.Errorf("esc returned %v, want Close", got)
	}
	b.sees("second")
}

func TestOneBeginsWithAMethodOfTheDialect(t *testing.T) {
	b := newBench(t)
	b.sees("the request is empty: ctrl+t chooses")
	var list []model.Preset
	for i := range 40 {
		list = append(list, model.Preset{Op: a2a.OpGet, Name: fmt.Sprintf("Method%d", i), Request: a2a.RawRequest{URL: fmt.Sprintf("http://h/%d", i)}})
	}
	b.pane.SetPresets(list)
	b.pane.draft = Draft{Agent: 7, To: "Scribe"}
	b.pane.Choose()
	b.sees("method  Method0", "Method21")
	b.press("down", "down", "enter")
	b.sees("GET http://h/2", "→ Scribe")
	b.pane.Edited("POST http://h/2\nAuthorization: " + a2a.Mask + "\n\n")
	b.sees("replaces the credential of")
	b.press("alt+u")
	b.press("alt+enter", "ctrl+t")
	for range 60 {
		b.press("down")
	}
	b.sees("before  GET http://h/2")
	b.press("enter")
	if got := b.press("alt+enter").(Send); got.Agent != 7 || got.Request.URL != "http://h/2" {
		t.Errorf("sent %+v, want http://h/2 to agent 7", got)
	}
	b.press("ctrl+t", "esc")
	b.sees("GET http://h/2")
	b.press("ctrl+t")
	b.write("METHOD37 get")
	if got := b.text(); strings.Contains(got, "Method1") || b.pane.Cursor() == nil {
		t.Errorf("list is not filtered or has no cursor:\n%s", got)
	}
	b.press("enter")
	b.sees("GET http://h/37")
	b.press("ctrl+t")
	b.pane.Paste(tea.PasteMsg{Content: "no such\nthing"})
	b.sees("no match")
	b.press("enter", "esc")
	b.sees("GET http://h/37")
}

func TestALargeBodyIsReadWhenItIsSent(t *testing.T) {
	b := newBench(t)
	d := draft()
	d.Request.Body = []byte(`{"data":"` + strings.Repeat("A", 8<<20) + `"}` + "\n")
	b.pane.Open(d)
	before := b.checks
	for range 50 {
		b.press("right")
		b.text()
	}
	b.write("xx")
	b.press("end")
	b.text()
	if b.checks != before {
		t.Errorf("large body was checked %d times before sending, want 0", b.checks-before)
	}
	b.sees("large: it is checked on request, by tab")
	if got := b.press("alt+enter").(Send); len(got.Request.Body) != len(d.Request.Body)+2 || b.checks != before+1 {
		t.Errorf("sent %d bytes after %d checks, want %d after 1", len(got.Request.Body), b.checks-before, len(d.Request.Body)+2)
	}
}

func TestHostileTextIsDrawnInAnySize(t *testing.T) {
	b := newBench(t)
	evil := "PO\x1b[2JST http://a/\x00\nA\u202e: \xff\xfe\n\n" + strings.Repeat("e\u0301\u0301👩‍👩‍👧語\t\x07", 60) + "\n" + strings.Repeat("\u0301", 1000)
	d := draft()
	d.To = evil
	d.Request.Body = []byte(evil)
	b.rules = []a2a.Finding{{Rule: evil, Message: evil, Fix: evil, Severity: 9, Offset: 1 << 30, Pointer: "/x"}}
	b.pane.Open(d)
	for _, text := range []string{b.pane.edit.Text(), evil} {
		b.pane.Edited(text)
		for w := range 20 {
			for h := range 12 {
				b.pane.SetSize(4*w, h)
				b.press("down", "end", "left", "left")
				b.text()
				b.pane.Cursor()
				b.pane.Mouse(tea.MouseClickMsg{X: 2 * w, Y: h / 2, Button: tea.MouseLeft}, 2*w, h/2)
			}
		}
		if b.pane.edit.Text() != text {
			t.Error("got another text after cursor moves, want the same")
		}
	}
}
