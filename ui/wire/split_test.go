package wire

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/themes"
)

// streamOf returns a log with a stream of n short events.
func streamOf(n int) *tape.Tape {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://h/"}, Raw: []byte(`{"jsonrpc":"2.0","method":"message/stream"}`)})
	for range n {
		f.Event(41, `{"jsonrpc":"2.0","result":{"kind":"status-update"}}`)
	}
	return f
}

func TestTheRowsGetWhatAShortRecordLeaves(t *testing.T) {
	for _, h := range []int{36, 56} {
		p := openPane(streamOf(100), themes.Mono(), 78, h)
		if got, want := p.listHeight(), h-leastRecord(h)-1; got != want {
			t.Errorf("height %d: got %d lines of rows above a short record, want %d", h, got, want)
		}
		panetest.Exact(t, p.Lines(), 78, h)
	}
}

func TestALongRecordGetsHalfOfThePane(t *testing.T) {
	f := streamOf(100)
	f.Event(41, `{"result":{`+strings.Repeat(`"a":1,`, 90)+`"b":2}}`)
	p := openPane(f, themes.Mono(), 78, 56)
	if got := p.detailHeight(); got != 28 {
		t.Errorf("got %d lines for a record of 92, want half of 56", got)
	}
	p.AddRecords(f.Event(41, `{}`))
	p.Lines()
	if got := p.detailHeight(); got != 28 {
		t.Errorf("got %d lines after a short event of the same stream, want the split to stay", got)
	}
	p.AddRecords(f.Put(5, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}}))
	p.Lines()
	if got := p.detailHeight(); got >= 28 {
		t.Errorf("got %d lines at the end of the stream, want what the end needs", got)
	}
	f.Put(50, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://h/"}})
	p.AddRecords(101)
	p.Lines()
	if got := p.detailHeight(); got >= 28 {
		t.Errorf("got %d lines for the short record of another exchange, want fewer", got)
	}
}

func TestFewRowsLeaveTheRestToTheRecord(t *testing.T) {
	p := openPane(streamOf(3), themes.Mono(), 78, 56)
	if got := p.listHeight(); got > 6 {
		t.Errorf("got %d lines for four rows, want the rest for the record", got)
	}
}

// One row of the pane is filled: that of the part which has the keys.
func TestOnlyThePartWithTheKeysHasAFilledRow(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 78, 40)
	p.Select(8)
	count := func(on string) (n int) {
		for _, line := range p.Lines() {
			if strings.HasPrefix(line, on) {
				n++
			}
		}
		return n
	}
	for _, c := range []struct {
		keys         string
		filled, held int
	}{{"", 1, 0}, {"d", 1, 1}, {"esc", 1, 0}, {"s", 1, 1}, {"esc", 1, 1}} {
		if c.keys != "" {
			press(p, c.keys)
		}
		settle(p)
		if filled, held := count(p.st.Selected.On), count(p.st.Held.On); filled != c.filled || held != c.held {
			t.Errorf("after %q: got %d filled and %d held rows, want %d and %d:\n%s", c.keys, filled, held, c.filled, c.held, screen(p))
		}
	}
}

func TestNarrowRowsKeepTheTimeAndWhatCame(t *testing.T) {
	for _, w := range []int{42, 36, 32} {
		got := screen(openPane(booking(), themes.Mono(), w, 40))
		for _, want := range []string{" +2.1 s ", " · | SK 805 |␣␣ ", "W\n"} {
			if !strings.Contains(got, want) {
				t.Errorf("width %d: got\n%s\nwant %q", w, got, want)
			}
		}
	}
}
