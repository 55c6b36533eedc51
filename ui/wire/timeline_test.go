package wire

import (
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/tape"
	"parley/session/log"
	"parley/themes"
	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/record"
)

func TestTheStreamStandsWhereTheRecordStood(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	press(p, "s")
	exact(t, p, 62, 40)
	has(t, p, "stream 1", "input-required", "silent for 2.1 s", "gap p50", "closed by agent")
	if strings.Contains(screen(p), "pretty") {
		t.Error("got a record beside the timeline, want the timeline alone")
	}
	if press(p, "s"); !strings.Contains(screen(p), "pretty") || strings.Contains(screen(p), "stream 1") {
		t.Errorf("s did not switch back to the record, want the record alone:\n%s", screen(p))
	}
	press(p, "s", "d")
	if !strings.Contains(screen(p), "pretty") || !p.reading {
		t.Error("d did not give the keys to the record, want the record open")
	}
	press(p, "s", "esc")
	if !strings.Contains(screen(p), "stream 1") {
		t.Error("first esc hid the timeline, want only the keys in the rows")
	}
	if press(p, "esc"); strings.Contains(screen(p), "stream 1") {
		t.Error("second esc did not hide the timeline, want it hidden")
	}
}

// The keys of the rows still act on the selected record.
func TestTheRowsKeysActBesideTheStream(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	press(p, "s", "esc", "g")
	if got, ok := press(p, "y").(Copy); !ok || got.What != "record 1" || !strings.Contains(got.Text, "SendStreamingMessage") {
		t.Errorf("y returned %+v, want Copy of record 1", got)
	}
	if got, ok := press(p, "w").(Save); !ok || len(got.Data) == 0 {
		t.Errorf("w returned %+v, want Save with the body", got)
	}
	if press(p, "J"); p.Selected() == 1 {
		t.Error("J did not move the timeline's cursor, want another record")
	}
	if press(p, "K"); p.Selected() != 1 {
		t.Errorf("K selected record %d, want 1", p.Selected())
	}
	if press(p, "2", "v"); !p.stream.on {
		t.Error("keys of the hidden record closed the timeline, want it open")
	}
}

func TestTheStreamsCursorAndTheSelectionAreOne(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	press(p, "s", "g")
	if p.Selected() != 1 || p.rows.follow {
		t.Errorf("record %d is selected, follow %v; want 1, false", p.Selected(), p.rows.follow)
	}
	for want := a2a.RecordID(2); want <= 11; want++ {
		if press(p, "l"); p.Selected() != want {
			t.Fatalf("record %d is selected, want %d", p.Selected(), want)
		}
	}
	press(p, "h", "h")
	if p.Selected() != 9 {
		t.Errorf("record %d is selected, want 9", p.Selected())
	}
	press(p, "K") // selects the row above
	if p.Selected() != 8 || p.stream.view.Selected() != 8 {
		t.Errorf("row %d and timeline record %d are selected, want 8 in both", p.Selected(), p.stream.view.Selected())
	}
	if got := press(p, "enter"); got != (Reveal{Record: 8}) {
		t.Errorf("enter returned %v, want Reveal of record 8", got)
	}
	got, ok := press(p, "y").(Copy)
	if !ok || got.What != "stream 1" || !strings.Contains(got.Text, "silent for 2.1 s") {
		t.Errorf("y returned %+v, want Copy of stream 1", got)
	}
	press(p, "G", "esc")
	before := p.Selected()
	if press(p, "k"); p.Selected() != before-1 || p.stream.view.Selected() != before-1 {
		t.Errorf("k selected row %d and timeline record %d, want %d in both", p.Selected(), p.stream.view.Selected(), before-1)
	}
}

// The filter stays when the timeline's cursor passes records that it hides.
func TestTheStreamPassesWhatTheFilterHides(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	p.setFilter("status")
	listed := p.rows.Len()
	if listed == 0 || listed == 11 {
		t.Fatalf("filter lists %d records, want some of 11", listed)
	}
	press(p, "s", "g")
	var seen []a2a.RecordID
	for range 11 {
		seen = append(seen, p.stream.view.Selected())
		press(p, "l")
		exact(t, p, 62, 40)
	}
	if !slices.Equal(seen, []a2a.RecordID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}) {
		t.Errorf("timeline's cursor passed records %v, want 1 to 11", seen)
	}
	if p.rows.Len() != listed {
		t.Errorf("filter lists %d records, want %d as before", p.rows.Len(), listed)
	}
}

func TestTheStreamFollowsWhatComes(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
	p := openPane(f, themes.Dark(), 62, 30)
	p.ShowStream()
	for range 20 {
		id := f.Event(300, chunk("a", "a.md", `{"text":"some text"}`))
		p.AddRecords(id)
		if p.Lines(); p.stream.view.Selected() != id || !p.rows.follow {
			t.Fatalf("timeline's cursor is on record %d, want %d, followed", p.stream.view.Selected(), id)
		}
	}
	p.SetNow(f.Now.Add(time.Second))
	has(t, p, "no event for 1 s", "open")
	p.SetNow(f.Now.Add(5 * time.Second))
	has(t, p, "┊ ‖ silent 5 s", "stalled")
}

// Polls and the stream of another agent arrive while one stream is shown.
func TestTheStreamThatIsFollowedIsNotPushedAway(t *testing.T) {
	f := booking()
	poll := func() {
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "GET", URL: "http://127.0.0.1/tasks/t"}})
		f.Put(9, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	}
	begin := func() a2a.ExchangeID {
		f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out})
		return f.Exchange
	}
	get, stream := *f.Call, f.Call
	get.Op = a2a.OpGet
	f.Call = &get
	poll()
	p := openPane(f, themes.Dark(), 62, 30)
	press(p, "s")
	has(t, p, "stream 1 ")
	f.Call = stream
	one := begin()
	has(t, p, "stream 14 ")
	two := begin()
	has(t, p, "stream 14 ")
	f.Exchange = one
	id := f.Event(5, chunk("a", "a.md", `{"text":"some text"}`))
	f.Exchange = two
	f.Event(5, chunk("b", "b.md", `{"text":"some text"}`))
	p.Lines()
	if got := p.stream.view.Selected(); got != id || !p.rows.follow {
		t.Errorf("timeline's cursor is on record %d, want %d, followed", got, id)
	}
	f.Exchange = one
	f.Put(5, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}})
	f.Call = &get
	poll()
	has(t, p, "stream 14 ")
	f.Call, f.Exchange = stream, two
	f.Event(5, chunk("b", "b.md", `{"text":"some text"}`))
	has(t, p, "stream 15 ")
	press(p, "esc", "k", "k") // to the poll, which is shown because the user selected it
	has(t, p, "exchange 19 ")
}

// The rows, too, show a stall below the newest record while it lasts.
func TestAStallStandsBelowTheNewestRow(t *testing.T) {
	f := tape.New()
	f.Put(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(`{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`)})
	f.Put(40, a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}})
	f.Event(5, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_WORKING"}}}`))
	p := openPane(f, themes.Mono(), 62, 30)
	for after, want := range map[time.Duration]time.Duration{1200 * time.Millisecond: 755 * time.Millisecond, 61 * time.Second: 58955 * time.Millisecond} {
		if p.SetNow(f.Now.Add(after)); p.Next() != want {
			t.Errorf("after %v: got the next change in %v, want it in %v", after, p.Next(), want)
		}
	}
	if p.SetNow(f.Now.Add(1999 * time.Millisecond)); strings.Contains(screen(p), "silent") {
		t.Errorf("got a stall too early:\n%s", screen(p))
	}
	for _, s := range []string{"2 s", "8 s", "10 s"} {
		wait, _ := time.ParseDuration(strings.ReplaceAll(s, " ", ""))
		p.SetNow(f.Now.Add(wait))
		has(t, p, "── ‖ silent "+s)
		exact(t, p, 62, 30)
	}
	f.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalStallEnded, Time: f.Now.Add(10 * time.Second), Agent: 1, Conversation: 1, Turn: 1}})
	if p.SetNow(f.Now.Add(11 * time.Second)); strings.Contains(screen(p), "silent") {
		t.Errorf("got a stall after bytes came, want none:\n%s", screen(p))
	}
	p.SetNow(f.Now.Add(20 * time.Second))
	has(t, p, "silent 10 s")
	p.AddRecords(f.Event(20_000, result(`{"statusUpdate":{`+ids+`,"status":{"state":"TASK_STATE_COMPLETED"}}}`)))
	if strings.Contains(screen(p), "silent") {
		t.Errorf("got a stall after an event came, want none:\n%s", screen(p))
	}
	f.End(10, a2a.Ended)
	if p.AddRecords(0); p.Next() != 0 {
		t.Errorf("got a change in %v after the end, want none", p.Next())
	}
}

func TestTheMouseActsInTheStream(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	press(p, "s")
	lines := strings.Split(screen(p), "\n")
	y := slices.IndexFunc(lines, func(s string) bool { return strings.Contains(s, "● working") && !strings.Contains(s, "stream") })
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 20, y)
	if p.Selected() != 4 {
		t.Errorf("click on the state selected record %d, want 4:\n%s", p.Selected(), screen(p))
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 20, y)
	p.Mouse(tea.MouseMotionMsg{}, 20, y)
	exact(t, p, 62, 40)
}

func TestTheStreamFitsAnyPane(t *testing.T) {
	for _, h := range []int{0, 1, 2, 5, 9, 10, 11, 15, 60} {
		for _, w := range []int{0, 1, 10, 33, 120} {
			for _, theme := range []themes.Theme{themes.Dark(), themes.Mono()} {
				p := openPane(booking(), theme, w, h)
				for _, k := range []string{"s", "k", "h", "g", "D", "l", "G", "esc", "j", "s"} {
					press(p, k)
					exact(t, p, w, h)
				}
			}
		}
	}
	empty := openPane(tape.New(), themes.Dark(), 60, 20)
	if press(empty, "s"); empty.stream.on || empty.ShowStream() {
		t.Error("got a timeline without a record, want none")
	}
}

func TestTheHelpSaysWhatTheStreamsKeysDo(t *testing.T) {
	p := openPane(booking(), themes.Dark(), 62, 40)
	stands := func() (out []bool) {
		for _, id := range []action.ID{showStream, previousRecord, nextRecord, record.CopyText} {
			i := slices.IndexFunc(slices.Concat(p.FullHelp()...), func(b key.Binding) bool {
				return keys.Slug(b.Help().Desc) == string(id) || id == showStream && b.Help().Desc == "show record"
			})
			out = append(out, i >= 0 && slices.Concat(p.FullHelp()...)[i].Enabled())
		}
		return out
	}
	if got := stands(); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Errorf("got the keys of the timeline enabled %v while it is hidden, want only the toggle and the copy of the record", got)
	}
	press(p, "s")
	if got := stands(); !slices.Equal(got, []bool{true, true, true, true}) || p.ShortHelp()[0].Help().Desc != "show record" {
		t.Errorf("got the keys of the timeline enabled %v and %q first, want all and show record", got, p.ShortHelp()[0].Help().Desc)
	}
}
