package layout

import (
	"testing"

	"parley/ui/canvas"
	"parley/ui/control"
)

func TestPresenterModeHasAMeasureInTheMiddle(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		stage Stage
		chat  canvas.Rect
		wire  canvas.Rect
	}{
		{100, 30, TalkAlone, canvas.Rect{X: 6, Y: 2, W: 88, H: 23}, canvas.Rect{}},
		{100, 30, TalkWire, canvas.Rect{X: 6, Y: 2, W: 88, H: 11}, canvas.Rect{X: 4, Y: 17, W: 92, H: 12}},
		{160, 45, TalkAlone, canvas.Rect{X: 36, Y: 2, W: 88, H: 38}, canvas.Rect{}},
		{160, 45, TalkWire, canvas.Rect{X: 4, Y: 2, W: 88, H: 38}, canvas.Rect{X: 96, Y: 2, W: 64, H: 42}},
		{80, 24, TalkAlone, canvas.Rect{X: 3, Y: 2, W: 74, H: 18}, canvas.Rect{}},
		{80, 22, TalkWire, canvas.Rect{X: 3, Y: 2, W: 74, H: 16}, canvas.Rect{}}, // no room
		{80, 24, TalkWire, canvas.Rect{X: 3, Y: 2, W: 74, H: 8}, canvas.Rect{X: 1, Y: 14, W: 78, H: 9}},
		{200, 60, TalkWire, canvas.Rect{X: 18, Y: 2, W: 88, H: 53}, canvas.Rect{X: 124, Y: 2, W: 76, H: 57}},
	} {
		l := Arrange(c.w, c.h, Wish{Stage: c.stage, Composer: 3, Pair: AtLeft})
		if l.Chat != c.chat || l.Wire != c.wire || !l.Bare || l.Agents.W+l.Second.W+l.Tabs.W+l.Edge().W != 0 {
			t.Errorf("%d×%d, stage %d: got conversation %+v and wire %+v, want %+v and %+v alone", c.w, c.h, c.stage, l.Chat, l.Wire, c.chat, c.wire)
		}
	}
}

// What has the focus is on the screen.
func TestPresenterModeShowsTheFocus(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}} {
		for _, stage := range []Stage{TalkAlone, TalkWire} {
			for _, zoom := range []bool{false, true} {
				l := Arrange(size[0], size[1], Wish{Focus: control.OnWire, Stage: stage, Zoom: zoom})
				if l.Wire.W == 0 || zoom && l.Talk.W > 0 {
					t.Errorf("%v, stage %d, zoom %t: got %+v, want the wire, which has the focus", size, stage, zoom, l)
				}
			}
			if l := Arrange(size[0], size[1], Wish{Focus: control.OnAgents, Stage: stage}); l.Agents.W == 0 || !l.AgentsOver {
				t.Errorf("%v, stage %d: got %+v, want the agents over the conversation", size, stage, l)
			}
		}
	}
}

// The text of a sheet stands where that of the conversation stood.
func TestASheetIsFlushWithThePage(t *testing.T) {
	for _, size := range [][2]int{{200, 60}, {160, 45}, {100, 30}, {80, 24}, {40, 12}} {
		for _, stage := range []Stage{TalkAlone, TalkWire} {
			l := Arrange(size[0], size[1], Wish{Stage: stage, Composer: 3})
			if text := inside(l.Sheet); text.X != l.Chat.X && l.Sheet.X > 0 || text.W < l.Chat.W-2 || l.Sheet.Y != l.Talk.Y {
				t.Errorf("%v, stage %d: got sheet %+v, want it over %+v", size, stage, l.Sheet, l.Chat)
			}
		}
	}
}
