package layout

import (
	"testing"

	"parley/ui/canvas"
	"parley/ui/control"
)

func TestLayoutKeepsEverythingOnTheScreenAndApart(t *testing.T) {
	for w := 0; w <= 400; w += 3 {
		for h := 0; h <= 120; h += 7 {
			for _, at := range []control.Focus{control.OnComposer, control.OnChat, control.OnWire, control.OnAgents} {
				for _, zoom := range []bool{false, true} {
					for _, split := range []int{-500, 0, 500} {
						for _, pair := range []Pair{NoPair, AtLeft, AtRight} {
							checkLayout(t, Arrange(w, h, Wish{at, zoom, split, 4, pair, NoStage}), w, h)
						}
						for _, stage := range []Stage{TalkAlone, TalkWire} {
							checkLayout(t, Arrange(w, h, Wish{at, zoom, split, 4, AtLeft, stage}), w, h)
						}
					}
				}
			}
		}
	}
}

func checkLayout(t *testing.T, l Layout, w, h int) {
	t.Helper()
	screen := canvas.Rect{W: w, H: h}
	frames := []canvas.Rect{l.Header, l.Tabs, l.Talk, l.Second, l.Wire, l.Footer}
	if !l.AgentsOver {
		frames = append(frames, l.Agents)
	}
	for i, r := range append([]canvas.Rect{l.Chat, l.Composer, l.SecondBody, l.AgentsBody, l.WireBody, l.Agents, l.Sheet}, frames...) {
		if r.W < 0 || r.H < 0 {
			t.Fatalf("%d×%d: rectangle %d: got a negative size, want at least 0: %+v", w, h, i, l)
		}
		if r.W > 0 && r.H > 0 && (!screen.Contains(r.X, r.Y) || !screen.Contains(r.X+r.W-1, r.Y+r.H-1)) {
			t.Fatalf("%d×%d: rectangle %d: got cells outside of the screen, want none: %+v", w, h, i, l)
		}
	}
	for i, a := range frames {
		for _, b := range frames[i+1:] {
			if overlap(a, b) {
				t.Fatalf("%d×%d: got an overlap of %+v and %+v, want none", w, h, a, b)
			}
		}
	}
}

func overlap(a, b canvas.Rect) bool {
	return a.W > 0 && a.H > 0 && b.W > 0 && b.H > 0 &&
		a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H
}

func TestPanesComeWithTheWidth(t *testing.T) {
	for _, c := range []struct {
		w                  int
		at                 control.Focus
		agents, talk, wire bool
	}{
		{200, control.OnComposer, true, true, true},
		{120, control.OnWire, true, true, true},
		{119, control.OnComposer, false, true, true},
		{80, control.OnAgents, true, true, true},
		{79, control.OnComposer, false, true, false},
		{79, control.OnWire, false, false, true},
		{20, control.OnAgents, true, false, false},
	} {
		l := Arrange(c.w, 24, Wish{Focus: c.at, Composer: 3})
		if (l.Agents.W > 0) != c.agents || (l.Talk.W > 0) != c.talk || (l.Wire.W > 0) != c.wire {
			t.Errorf("%d columns, focus %d: got layout %+v, want other panes", c.w, c.at, l)
		}
	}
}

func TestASheetIsFlushWithThePanes(t *testing.T) {
	for _, size := range []struct{ w, h int }{{100, 30}, {120, 40}, {160, 45}, {200, 60}} {
		for _, at := range []control.Focus{control.OnComposer, control.OnWire, control.OnAgents} {
			for _, zoom := range []bool{false, true} {
				l := Arrange(size.w, size.h, Wish{Focus: at, Zoom: zoom, Split: 7, Composer: 3})
				s, left := l.Sheet, 0
				if l.Agents.W > 0 && l.Agents.W < size.w && !l.AgentsOver {
					left = l.Agents.W
				}
				if s.X != left || s.W != size.w-left || s.Y+s.H != l.Footer.Y || s.Y != max(l.Talk.Y, l.Wire.Y, l.Agents.Y) {
					t.Errorf("%d×%d, focus %d, zoom %t: got sheet %+v, want it to cover the panes beside the agents: %+v", size.w, size.h, at, zoom, s, l)
				}
			}
		}
	}
	for _, size := range []struct{ w, h int }{{99, 50}, {80, 24}, {60, 20}} {
		if got, want := Arrange(size.w, size.h, Wish{Composer: 3}).Sheet, (canvas.Rect{Y: 1, W: size.w, H: size.h - 2}); got != want {
			t.Errorf("%d×%d: got sheet %+v, want %+v", size.w, size.h, got, want)
		}
	}
	if got, want := Arrange(20, 5, Wish{Composer: 3}).Sheet, (canvas.Rect{W: 20, H: 5}); got != want {
		t.Errorf("20×5: got sheet %+v, want %+v", got, want)
	}
}

func TestASecondConversationTakesThePlaceOfTheWire(t *testing.T) {
	for _, c := range []struct {
		w                  int
		want               Wish
		talk, second, wire bool
		right              bool // the conversation that the user acts on is at the right
	}{
		{160, Wish{Pair: AtLeft}, true, true, false, false},
		{160, Wish{Pair: AtRight}, true, true, false, true},
		{200, Wish{Pair: AtRight, Focus: control.OnWire}, true, false, true, true},
		{200, Wish{Pair: AtLeft, Focus: control.OnWire}, true, false, true, false},
		{200, Wish{Pair: AtRight, Focus: control.OnChat, Zoom: true}, true, false, false, false},
		{159, Wish{Pair: AtRight}, true, false, true, false},
		{60, Wish{Pair: AtRight}, true, false, false, false},
	} {
		l := Arrange(c.w, 45, c.want)
		other := l.Second
		if l.Wire.W > 0 {
			other = l.Wire
		}
		if (l.Talk.W > 0) != c.talk || (l.Second.W > 0) != c.second || (l.Wire.W > 0) != c.wire || (other.W > 0 && l.Talk.X > other.X) != c.right {
			t.Errorf("%d columns, %+v: got layout %+v, want other panes", c.w, c.want, l)
		}
		edge := l.Edge()
		if want := max(l.Talk.X, other.X); other.W > 0 && (edge.W != 1 || edge.X != want) || other.W == 0 && edge.W != 0 {
			t.Errorf("%d columns, %+v: got edge %+v, want it at column %d", c.w, c.want, edge, want)
		}
	}
}
