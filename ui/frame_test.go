package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/internal/panetest"
)

// mostAllocs is how often a frame without changes allocates at most: each allocation costs the
// garbage collector time, sixty times a second.
const mostAllocs = 64

func TestAFrameOfWhatIsThereAllocatesLittle(t *testing.T) { // not parallel: it counts allocations of the process
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.pairs(midStream)
		for _, second := range []bool{false, true} {
			if second {
				d.press("f8")
			}
			d.model.View()
			n := testing.AllocsPerRun(20, func() {
				d.model.touch()
				d.model.View()
			})
			if n > mostAllocs {
				t.Errorf("second conversation %t: a frame allocates %v times, want at most %d", second, n, mostAllocs)
			}
		}
	})
}

func TestAFrameIsComposedOnceForWhatChanged(t *testing.T) { // not parallel: it counts allocations of the process
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(midStream)
		first := d.model.View()
		for _, msg := range []tea.Msg{nil, tea.MouseMotionMsg{X: 3, Y: 3}, workedMsg{Arrive: func() bool { return false }}} {
			d.model.Update(msg)
			if d.model.screen.dirty {
				t.Errorf("got a new frame after %T, want the last one", msg)
			}
		}
		if n := testing.AllocsPerRun(20, func() { d.model.View() }); n > 0 || d.model.View().Content != first.Content {
			t.Errorf("View allocates %v times for an unchanged frame or changes it, want 0", n)
		}
	})
}

// An event that comes after a pause is shown at once, in the conversation and in the list of
// records in one frame.
func TestAnEventIsInBothPanesInOneFrame(t *testing.T) {
	t.Parallel()
	bubble(t, 200, 60, Options{}, func(d *desk) {
		rec := d.live(midStream)
		d.wait(time.Second)
		d.batches, d.frames = 0, 0
		before := d.model.View().Content
		sample := d.items[midStream]
		now := time.Now()
		rec.Put(sample.Record, sample.Update)
		for d.batches == 0 {
			d.take(<-d.msgs)
		}
		if held := time.Since(now); held > 0 { // the bubble's time
			t.Errorf("the event was shown after %v, want 0", held)
		}
		after := d.model.View().Content
		if d.frames != 1 {
			t.Errorf("got %d frames, want 1", d.frames)
		}
		for name, pane := range map[string][2]int{"conversation": {32, 118}, "wire": {122, 198}} {
			if cut(before, pane) == cut(after, pane) {
				t.Errorf("the event does not show in the %s:\n%s", name, cut(after, pane))
			}
		}
	})
}

// cut returns the columns of a frame from one up to another, without its first row.
func cut(content string, columns [2]int) string {
	rows := strings.Split(content, "\n")
	for i, row := range rows {
		rows[i] = ansi.Strip(ansi.Cut(row, columns[0], columns[1]))
	}
	return strings.Join(rows[1:], "\n")
}

// The engine has the message when the enter key was handled, without a command, a frame or a
// timer in between.
func TestEnterIsSentBeforeAnythingIsDrawn(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allFound)
		d.write("two seats, please")
		d.model.Update(panetest.Key("enter"))
		if got := d.engine.Calls[len(d.engine.Calls)-1]; !strings.Contains(got, `send "two seats, please"`) {
			t.Errorf("got last engine call %s, want the message", got)
		}
	})
}
