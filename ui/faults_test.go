package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
)

func TestAnOpenStreamIsDisturbedByOneKey(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(midStream)
		e := d.engine
		x := d.model.state.Log.At(midStream).Record.Exchange
		d.press("tab", "tab", "!")
		d.sees("fault injection", fmt.Sprintf("Travel Desk, Book me a flight, #%d", x), "x  cut now", "pause reading")
		d.press("x", "!", "k", "1", "2", "enter", "!", "p")
		d.sees("reading is paused")
		e.Paused = true
		d.press("!")
		d.sees("resume reading", "not read 59 events")
		d.press("p", "!", "d", "!", "r", "!", "c")
		want := []string{"cut 0", "cut 12", "stop reading 0", "read on 0", "duplicate 0", "re-attach 0", "cancel 0"}
		for i := range want {
			want[i] = fmt.Sprintf("%d %s", x, want[i])
		}
		if got := e.CallsOf("fault"); !slices.Equal(got, want) {
			t.Errorf("done: %q, want %q", got, want)
		}
		e.FaultRefusal = "The agent's dialect has no subscription."
		d.press("!", "d")
		d.sees(e.FaultRefusal)
	})
}

func TestAVerdictIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 160, 40, Options{}, func(d *desk) {
		d.book(midStream)
		d.send(batchMsg{Items: []log.Item{{Record: a2a.Record{
			ID: midStream + 1, Kind: a2a.KindNote, Time: d.clock,
			Note: &a2a.Note{Type: log.NoteVerdict, Attrs: map[string]string{"sentence": "The agent went on where it was cut."}},
		}}}})
		if n := strings.Count(d.text(), "The agent went on where it was cut."); n < 1 {
			t.Errorf("frame lacks the verdict:\n%s", d.text())
		}
		d.run(d.model.say(strings.Repeat("long ", 40), false))
		d.wait(noticeTime + time.Second)
		if d.model.notices.shown.text == "" {
			t.Error("got no notice, want the sentence for as long as it takes to read")
		}
		d.wait(10 * time.Second)
		if d.model.notices.shown.text != "" {
			t.Errorf("got notice %q after its time, want none", d.model.notices.shown.text)
		}
		d.press("tab", "tab", "a", "a", "G")
		d.sees("verdict")
	})
}

func TestWhyNoStreamIsDisturbedIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab")
		d.model.opts.Engine = RecordingEngine()
		d.press("!")
		d.sees("This is a recording")
		d.model.opts.Engine = d.engine
		d.press("!")
		d.sees("No stream is open here")
		d.press("ctrl+p")
		d.write("fault injection")
		d.sees("No stream is open here")
	})
}
