package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// mostAllocs is how often a frame allocates at most in which nothing is new: each
// costs the garbage collector something, sixty times a second.
const mostAllocs = 64

func TestAFrameOfWhatIsThereAllocatesLittle(t *testing.T) {
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(midStream)
		d.model.View()
		n := testing.AllocsPerRun(20, func() {
			d.model.touch()
			d.model.View()
		})
		if n > mostAllocs {
			t.Errorf("a frame allocates %v times, more than %d", n, mostAllocs)
		}
	})
}

func TestAFrameIsComposedOnceForWhatChanged(t *testing.T) {
	bubble(t, 200, 60, Options{}, func(d *desk) {
		d.book(midStream)
		first := d.model.View()
		for _, msg := range []tea.Msg{nil, tea.MouseMotionMsg{X: 3, Y: 3}, workedMsg{Arrive: func() bool { return false }}} {
			d.model.Update(msg)
			if d.model.screen.dirty {
				t.Errorf("%T asks for a frame", msg)
			}
		}
		if n := testing.AllocsPerRun(20, func() { d.model.View() }); n > 0 || d.model.View().Content != first.Content {
			t.Errorf("a frame that is there allocates %v times", n)
		}
	})
}
