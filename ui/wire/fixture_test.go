package wire

import (
	"net/http"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
	"parley/ui/styles"
)

func result(inner string) string {
	return `{"jsonrpc":"2.0","id":"c41f-1","result":` + inner + `}`
}

const ids = `"taskId":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","contextId":"7f3a11b9-02c8-4e1d-8f00-aa11bb22cc33"`

func chunk(id, name, part string) string {
	return result(`{"artifactUpdate":{` + ids + `,"artifact":{"artifactId":"` + id + `","name":"` + name + `","parts":[` + part + `]},"append":true}}`)
}

// booking returns a tape with the stream of a booking agent: eleven records.
func booking() *tape.Tape {
	f := tape.New()
	f.Put(0, a2a.Record{
		Kind: a2a.KindRequest, Dir: a2a.Out,
		Raw: []byte(`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage","params":{"message":{"messageId":"m1","role":"ROLE_USER","parts":[{"text":"Book me a flight to London"}]}}}`),
		Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:4711/a2a", Proto: "HTTP/1.1", Header: http.Header{
			"Content-Type": {"application/json"}, "A2a-Version": {"1.0"}, "Authorization": {"•••"},
		}},
		Redactions: []a2a.Redaction{{Name: "header Authorization", Size: 43}},
	})
	f.Put(41, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Header: http.Header{"Content-Type": {"text/event-stream; charset=utf-8"}}}})
	f.Event(2, result(`{"task":{"id":"91c2e0d4-77f1-4b12-9c3a-0a1b2c3d4e5f","contextId":"7f3a11b9-02c8-4e1d-8f00-aa11bb22cc33","status":{"state":"TASK_STATE_SUBMITTED"}}}`))
	f.Event(210, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
	f.Event(96, chunk("itinerary", "itinerary.md", `{"text":"`+strings.Repeat("London, 10 to 17", 4)+`"}`))
	f.Event(88, chunk("itinerary", "itinerary.md", `{"text":"`+strings.Repeat("x", 71)+`"}`))
	f.Event(2100, chunk("itinerary", "itinerary.md", `{"text":"| SK 805 |  "}`), a2a.Finding{Rule: "GAP-001", Severity: a2a.Warning, Offset: -1, Message: "2.1 s without an event", Fix: "send a status while working"})
	f.Event(91, chunk("fares", "fares.json", `{"data":{"OS 411":9,"BA 763":2,"SK 805":14}}`))
	f.Event(12, chunk("map", "map.png", `{"raw":"`+strings.Repeat("iVBORw0KGgo9", 1500)+`","filename":"map.png","mediaType":"image/png"}`))
	f.Event(4, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-11-20T14:02:07","message":{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"Which dates would you like, and is one bag enough?"}]}}}}`))
	f.End(1, a2a.Ended)
	return f
}

func openPane(f *tape.Tape, t themes.Theme, w, h int) *Pane {
	p := New(styles.New(t, styles.Unicode()))
	p.SetLog(f.State.Log)
	p.SetNow(f.Now)
	p.SetSize(w, h)
	p.Focus()
	p.Lines()
	return p
}

// press presses keys by name: "a", "enter", "ctrl+t", "space".
func press(p *Pane, names ...string) (last Intent) {
	for _, name := range names {
		last = p.Key(panetest.Key(name))
	}
	return last
}

func screen(p *Pane) string { return panetest.Text(p.Lines()) }

func exact(t *testing.T, p *Pane, w, h int) {
	t.Helper()
	panetest.Exact(t, p.Lines(), w, h)
	measured(t, p)
}

// measured tests that rows have as many lines as the list is told.
func measured(t *testing.T, p *Pane) {
	t.Helper()
	p.Lines()
	for i := range min(p.rows.Len(), 100) {
		id := p.rows.at(i)
		if got, want := p.rows.Height(i, p.w), len(p.drawRow(id, p.w)); got != want {
			t.Errorf("the row of record %d has height %d, want the %d lines that it is drawn with", id, got, want)
		}
	}
}

func has(t *testing.T, p *Pane, wants ...string) {
	t.Helper()
	panetest.Sees(t, screen(p), wants...)
}
