package wire

import (
	"net/http"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/tape"
	"parley/themes"
)

func TestTabsGoRoundAndSkipWhatIsNotThere(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 30)
	p.Select(10)
	has(t, p, "── 10 pretty  raw  headers  timing  findings 1 ──", "▾ statusUpdate", "⚑ W STAT-004 The timestamp has no zone")
	press(p, "l")
	has(t, p, `data: {"jsonrpc":"2.0","id":"c41f-1"`, "␊")
	press(p, "3")
	has(t, p, "→ POST http://127.0.0.1:4711/a2a HTTP/1.1", "Authorization  •••  masked 43 B", "← HTTP/1.1 200 OK", "Head rebuilt: its bytes are not")
	press(p, "5")
	has(t, p, "at    /result/statusUpdate/status/timestamp")
	press(p, "right")
	has(t, p, "▾ statusUpdate")
	press(p, "left", "j")
	has(t, p, "── 11 pretty  raw  headers  timing ──", "ended  the agent closed")
	press(p, "5")
	has(t, p, "ended  the agent closed")
}

func TestHeadsThatArriveLaterAreShown(t *testing.T) {
	f := tape.New()
	p := openPane(f, themes.Mono(), 62, 30)
	p.AddRecords(f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/card", Proto: "HTTP/1.1"}}))
	press(p, "3", "f")
	has(t, p, "→ GET http://h/card HTTP/1.1")
	p.AddRecords(f.Put(5, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 503, Proto: "HTTP/1.1", Header: http.Header{"Retry-After": {"3"}}}}))
	has(t, p, "── 1 ", "← HTTP/1.1 503 Service Unavailable", "Retry-After  3")
}

func TestEndsAndNotesSayWhatTheyAre(t *testing.T) {
	f := booking()
	f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, Raw: []byte("data: {"), End: &a2a.End{
		Reason: a2a.Cut, Sentence: "The connection to 127.0.0.1:4711 broke; ask for the task again.", Class: "body", Detail: "unexpected EOF",
	}})
	p := openPane(f, themes.Mono(), 62, 34)
	has(t, p, "cut     the connection broke", "again.", "class   body", "detail  unexpected EOF", "7 B follow the last event")
	press(p, "l")
	has(t, p, "data: {")
	p.AddRecords(f.Put(1, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "pin", Attrs: map[string]string{"dialect": "0.3", "agent": "1"}}}))
	press(p, "1")
	has(t, p, "pin", "agent    1\ndialect  0.3")
	p.AddRecords(f.Put(1, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In}))
	has(t, p, "an end without a reason")
}

func TestBrokenBodiesAreShownWithTheirSentence(t *testing.T) {
	f := booking()
	f.Put(3, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte("{\"jsonrpc\":\"2.0\",\"result\":{\"kind\":\"task\",\r\n oops \xff}")})
	p := openPane(f, themes.Mono(), 80, 34)
	has(t, p, "▾ result", `kind "task"`, "✕ Not JSON at byte", "oops ⟨FF⟩}", f.State.Log.At(12).Update.Err.Sentence[:40])
}

func TestFrameFieldsStandAboveTheTree(t *testing.T) {
	f := booking()
	f.Put(1, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("event: message\nid: 17\nretry: 3000\ndata: {\"a\":1}\n\n"), Data: []byte(`{"a":1}`),
		SSE: &a2a.SSEFields{ID: "17", Event: "message", Retry: "3000"}})
	p := openPane(f, themes.Mono(), 62, 34)
	has(t, p, "event message\nid    17\nretry 3000\n 1   a 1")
}

func TestCopyIsExact(t *testing.T) {
	f := booking()
	raw := "data: {\"a\":\"\\u00e9\\n\",\"b\":{\"n\": 1.0}}\r\n\r\n"
	f.Put(1, a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte(raw), Data: []byte(raw[6 : len(raw)-4])})
	p := openPane(f, themes.Mono(), 62, 34)
	if got := press(p, "y"); got != (Copy{Text: raw, What: "record 12"}) {
		t.Errorf("y in the rows returned %#v, want the raw bytes", got)
	}
	if got := press(p, "d", "y"); got != (Copy{Text: "é\n", What: "/a in record 12"}) {
		t.Errorf("y on a string returned %#v, want its text", got)
	}
	if got := press(p, "j", "y"); got != (Copy{Text: `{"n": 1.0}`, What: "/b in record 12"}) {
		t.Errorf("y on an object returned %#v, want its bytes", got)
	}
	if got := press(p, "2", "y"); got != (Copy{Text: raw, What: "record 12"}) {
		t.Errorf("y in the raw tab returned %#v, want the raw bytes", got)
	}
	got, _ := press(p, "3", "y").(Copy)
	if !strings.Contains(got.Text, "POST http://127.0.0.1:4711/a2a HTTP/1.1\nA2a-Version 1.0\n") || strings.Contains(got.Text, "\x1b") {
		t.Errorf("y in the headers tab returned %#v, want the plain text of the head", got)
	}
	p.Select(2)
	if got, _ := press(p, "d", "y").(Copy); !strings.Contains(got.Text, "HTTP/1.1 200 OK\n") {
		t.Errorf("y on a head without bytes returned %#v, want its status line", got)
	}
}

func TestReadingFoldsAndEntersAndLeaves(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 34)
	p.Select(10)
	if got := press(p, "enter"); got != (Reveal{Record: 10}) {
		t.Errorf("enter returned %#v, want Reveal of record 10", got)
	}
	press(p, "d", "j", "j", "space")
	has(t, p, "▸ result {statusUpdate}")
	press(p, "enter", "-")
	has(t, p, "▸ result {statusUpdate}")
	press(p, "+")
	has(t, p, "▾ statusUpdate")
	press(p, "K")
	if p.Selected() != 9 || !p.reading {
		t.Errorf("after K record %d is selected, reading %v; want record 9, true", p.Selected(), p.reading)
	}
	press(p, "G")
	has(t, p, "mediaType")
	if !p.Back() || p.reading || p.Back() {
		t.Error("Back did not leave the record exactly once, want once")
	}
	press(p, "D")
	if got := screen(p); !strings.HasPrefix(got, "── 9 pretty") {
		t.Errorf("D: got more than record 9, want it alone:\n%s", got)
	}
	press(p, "D")
	has(t, p, "Δt     record")
}

func TestLowPanesShowOneHalf(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 40, 8)
	p.Select(10)
	if got := screen(p); strings.Contains(got, "pretty") || !strings.Contains(got, "← input-req") {
		t.Errorf("low pane: got more than the rows, want them alone:\n%s", got)
	}
	press(p, "d")
	if got := screen(p); !strings.HasPrefix(got, "── 10 pretty") {
		t.Errorf("low pane: got more than the record after d, want it alone:\n%s", got)
	}
	press(p, "/")
	if got := screen(p); !strings.HasPrefix(got, "find") {
		t.Errorf("got another first row, want the search of the record:\n%s", got)
	}
	press(p, "esc", "d", "/")
	has(t, p, "\n/", "← input-req")
	press(p, "esc")
	p.SetSize(20, 3)
	exact(t, p, 20, 3)
	has(t, p, "← input-req")
}

func TestMouse(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 62, 30)
	click := func(x, y int) { p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft, X: x, Y: y}, x, y) }
	click(10, 5)
	if p.Selected() != 5 || p.Note() != "11 records · held" {
		t.Errorf("click selected record %d, note %q; want 5, held", p.Selected(), p.Note())
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 3, 3)
	if p.Selected() != 2 {
		t.Errorf("wheel selected record %d, want 2", p.Selected())
	}
	p.Select(10)
	rule := p.h - p.detailHeight()
	click(strings.Index(screen(p)[strings.Index(screen(p), "── 10"):], "headers")-4, rule)
	has(t, p, "Head rebuilt")
	press(p, "1")
	click(5, rule+3)
	click(5, rule+3)
	has(t, p, "▸ result {statusUpdate}")
	click(5, rule+3)
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 3, rule+5)
	has(t, p, "\n 4   ▾ statusUpdate")
	click(5, 1)
	if p.reading || p.Selected() != 1 {
		t.Error("a click in the rows did not leave the record, want record 1 selected")
	}
	for y := -2; y < 40; y++ {
		click(70, y)
	}
}

func TestLargeBodiesWaitForTheirJob(t *testing.T) {
	f := booking()
	p := openPane(f, themes.Mono(), 62, 30)
	p.AddRecords(f.Event(1, `{"items":[`+strings.Repeat(`{"n":1},`, 150_000)+`{}]}`))
	jobs := p.Jobs() // before the first frame with the record
	if len(p.Jobs()) > 0 {
		t.Error("Jobs returned the same job twice, want it once")
	}
	has(t, p, "Reading 1.2 MB of JSON")
	if len(jobs) != 1 || !jobs[0]()() {
		t.Fatal("got no job, or one without a change, want a job that changes the view")
	}
	has(t, p, "▾ items")
}

func TestNoteListsWhereACardWasLookedFor(t *testing.T) {
	f := booking()
	f.Put(1, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "opened", Attrs: map[string]string{
		"attempts": `[{"URL":"http://h/a.json","Sentence":"Nothing is there."},{"URL":"http://h/b.json"}]`,
	}}})
	has(t, openPane(f, themes.Mono(), 62, 34), "not at    http://h/a.json\n          Nothing is there.\nfound at  http://h/b.json")
	f.Put(1, a2a.Record{Kind: a2a.KindNote, Note: &a2a.Note{Type: "opened", Attrs: map[string]string{"attempts": "[oops"}}})
	has(t, openPane(f, themes.Mono(), 62, 34), "attempts  [oops")
}

func TestAFindingLeadsIntoItsRecord(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 40)
	p.SelectFinding(10, "STAT-004")
	if p.Selected() != 10 || !p.reading {
		t.Errorf("record %d is selected, reading %v; want 10, true", p.Selected(), p.reading)
	}
	has(t, p, "\n/result/statusUpdate/status/timestamp  bytes")
	p.SelectFinding(7, "GAP-001") // a finding about the whole record
	has(t, p, "── 7 pretty  raw  headers  timing  findings 1 ──", "⚑ W GAP-001 2.1 s without an event")
	p.SelectFinding(99, "GAP-001")
	if p.Selected() != 7 {
		t.Errorf("SelectFinding of a missing record selected %d, want 7", p.Selected())
	}
}

func TestWhatTheRecordAsksForIsPassedOn(t *testing.T) {
	p := openPane(booking(), themes.Mono(), 80, 40)
	p.Select(10)
	if got, _ := press(p, "w").(Save); got.Name != "record-10.json" || len(got.Data) == 0 {
		t.Errorf("w returned %s with %d bytes, want record-10.json with the body", got.Name, len(got.Data))
	}
	press(p, "d", "5")
	if got, _ := press(p, "m").(Say); !strings.Contains(got.Text, "STAT-004 is muted") {
		t.Errorf("m returned %q, want that STAT-004 is muted", got.Text)
	}
	if got := screen(p); strings.Contains(got, "368 B W") {
		t.Errorf("got a flag for a muted finding, want none:\n%s", got)
	}
	press(p, "4", "G", "enter")
	if p.Selected() != 11 || !p.reading {
		t.Errorf("enter on the last step selected record %d, want 11 with the keys", p.Selected())
	}
	found := false
	for _, a := range p.Commands() {
		if a.Name == "Save the body of record 11 to a file" {
			found = true
			if a.Why == "" {
				t.Error("got an enabled action that saves an end without a body, want it disabled")
			}
		}
	}
	if !found {
		t.Error("got no action that saves the body, want one")
	}
}
