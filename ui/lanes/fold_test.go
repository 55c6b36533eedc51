package lanes

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/log"
)

// withRequests returns a session with five requests for cards, one of which is not there, a check and a stream.
func withRequests() *recording {
	f := newRecording()
	for i := range 5 {
		f.request(10, call(a2a.AgentID(i%3+1), 0, 0, a2a.OpCard), "")
		status := 200
		if i == 2 {
			status = 404
		}
		f.Put(5, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: status, Proto: "HTTP/1.1"}})
		f.body(1, `{}`)
		f.End(1, a2a.Ended)
	}
	f.request(10, call(1, 1, 1, a2a.OpStream), "SendStreamingMessage")
	f.head(5)
	f.status(5, "t1", "COMPLETED")
	f.End(1, a2a.Ended)
	check := call(1, 1, 1, a2a.OpGet)
	check.Check, check.TaskID = true, "t1"
	f.request(10, check, "GetTask")
	f.head(5)
	f.body(1, `{"id":"t1","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}`)
	f.End(1, a2a.Ended)
	return f
}

// Requests that bring no events are one line of each kind, which says how many failed and unfolds.
func TestRequestsWithoutEventsAreFolded(t *testing.T) {
	f := withRequests()
	p, _ := newPane(f, dark(), 100, 30)
	sees(t, p, "▸ 5 card requests · 1 not found  ✓✓✕✓✓", "▸ 1 check ", "▌ Travel Desk", "check ✓")
	if strings.Contains(screen(p), "POST /a2a") || p.Note() != "7 exchanges · whole session" {
		t.Errorf("got note %q and a folded request in\n%s", p.Note(), screen(p))
	}
	press(p, "j")
	if p.line != p.session.folds[foldCards] {
		t.Fatalf("got line %+v after j, want that of the cards", p.line)
	}
	press(p, "space")
	sees(t, p, "▾ 5 card requests · 1 not found")
	if n := strings.Count(screen(p), "POST /a2a"); n != 7 || p.line != p.session.folds[foldCards] { // two in the foot
		t.Errorf("got %d requests and line %+v, want each, and the cursor on the line:\n%s", n, p.line, screen(p))
	}
	third := f.State.Log.Streams()[2].Exchange
	if got := lineOf(t, p, third); !strings.Contains(got, "✕") {
		t.Errorf("got lane %q of a card that is not there, want ✕", got)
	}
	press(p, "j", "j", "j", "space")
	if p.line != p.session.folds[foldCards] || p.sel != third || strings.Contains(screen(p), "▾") {
		t.Errorf("got exchange %d and line %+v, want the line of the cards, with the third request:\n%s", p.sel, p.line, screen(p))
	}
	if in := press(p, "enter"); in == nil || f.State.Log.ExchangeOf(in.(Show).Record) != third {
		t.Errorf("got %+v for enter on the line, want a record of request %d", in, third)
	}
	panetest.Exact(t, p.Lines(), 100, 30)
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 2, headRows+p.List.At)
	sees(t, p, "▾ 5 card requests")
}

// Where a filter hides exchanges, a line counts those that pass; one in an unfolded line can be selected from
// the wire.
func TestALineCountsWhatPassesTheFilter(t *testing.T) {
	f := withRequests()
	p, wire := newPane(f, dark(), 100, 30)
	third := f.State.Log.Streams()[2].Exchange
	wire.list(func(it *log.Item) bool { return it.Exchange() == 1 || it.Exchange() == third })
	sees(t, p, "▸ 2 card requests · 1 not found  ✓✕")
	if p.Note() != "2 of 7 exchanges · filtered · whole session" {
		t.Errorf("got note %q", p.Note())
	}
	p.Select(third)
	if p.line == nil || p.sel != third {
		t.Errorf("got exchange %d, want the one that was selected, on the line", p.sel)
	}
	press(p, "space")
	p.Select(third)
	if p.line != nil || p.sel != third {
		t.Errorf("got exchange %d and line %+v, want the lane of the one that was selected", p.sel, p.line)
	}
	wire.list(nil)
	sees(t, p, "▾ 5 card requests")
}
