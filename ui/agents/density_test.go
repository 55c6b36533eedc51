package agents

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/model"
	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// All rows of an agent have a bar in its colour.
func TestARowHasTheColourOfItsAgent(t *testing.T) {
	p := column(busy(), many(3, "Agent"), 26, 34, 0)
	for _, r := range p.rows {
		if r.agent == nil {
			continue
		}
		want := looks.Tag(p.st, r.agent.ID).S(p.st.G[styles.Bar])
		if got := p.line(slices.Index(p.rows, r)); !strings.HasPrefix(got, want) {
			t.Errorf("got row %q, want %q at its left", got, want)
		}
	}
}

// With less room, first the rows of streams give way, then the blank ones, and last all but one row of an
// agent.
func TestTheRowsOfAgentsFollowFromTheRoom(t *testing.T) {
	for _, c := range []struct{ h, rows, streams, blank int }{
		{34, 10, 2, 2}, // 3 agents of 2 rows, and all else
		{11, 10, 2, 2}, // the first one may stream, too
		{10, 8, 0, 2},
		{8, 8, 0, 2},
		{7, 6, 0, 0},
		{6, 6, 0, 0},
		{5, 3, 0, 0},
		{2, 3, 0, 0},
	} {
		p := column(busy(), many(3, "Agent"), 26, c.h, 0)
		streams, blank := 0, 0
		for _, r := range p.rows {
			if r.stream {
				streams++
			}
			if r == (row{}) {
				blank++
			}
		}
		if len(p.rows) != c.rows || streams != c.streams || blank != c.blank {
			t.Errorf("height %d: got %d rows, %d of streams and %d blank, want %+v", c.h, len(p.rows), streams, blank, c)
		}
		panetest.Exact(t, p.Lines(), 26, c.h)
	}
}

// A stream adds one row below its agent when it has a shape, and that row stays. Nothing else moves, neither
// then nor with what follows.
func TestAStreamAddsOneRowThatStays(t *testing.T) {
	f, list := &recording{tape.New()}, many(2, "Agent")
	p := column(f, list, 26, 30, 0)
	before := at(t, p, "Talk 2")
	seen := map[int]int{}
	for range 3 {
		f.request(0, 1, a2a.OpStream, "")
		for range 12 {
			f.chunks(1, 100, "t")
			show(p, f, list, 0)
			seen[at(t, p, "Talk 2")]++
			panetest.Exact(t, p.Lines(), 26, 30)
		}
		f.End(1, a2a.Ended)
		show(p, f, list, 0)
	}
	if seen[before] != shapely-1 || seen[before+1] != 36-shapely+1 || len(seen) != 2 {
		t.Errorf("got frames %v by the row of the second agent, want a row more from event %d on", seen, shapely)
	}
}

// The height counts the row that each agent may get, so that the facts below do not vanish when a stream
// begins.
func TestAStreamHidesNoFacts(t *testing.T) {
	for h := 6; h < 40; h++ {
		f, list := &recording{tape.New()}, many(2, "Agent")
		p := column(f, list, 26, h, 0)
		f.request(0, 1, a2a.OpStream, "")
		show(p, f, list, 0)
		facts := func() string { return fmt.Sprint(len(rowsWith(p, "session")), len(rowsWith(p, "lanes"))) }
		was := facts()
		f.chunks(9, 10, "t")
		f.request(0, 2, a2a.OpStream, "")
		f.chunks(9, 10, "t")
		if show(p, f, list, 0); facts() != was {
			t.Errorf("height %d: got facts %s after streams, want %s", h, facts(), was)
		}
	}
}

// An agent in one row says how its conversation stands; that of the conversation on the screen has all its
// rows.
func TestManyAgentsHaveOneRowEach(t *testing.T) {
	list := many(30, "Agent")
	asks := &model.Task{Conversation: list[4].Conversations[0]}
	asks.State = a2a.StateInputRequired
	list[4].Conversations[0].Tasks = []*model.Task{asks}
	list[8].Phase = model.Unreachable
	p := column(&recording{tape.New()}, list, 26, 34, 0)
	p.SetShown(3, 3)
	p.MarkUnread(7, 1)
	got := panetest.Text(p.Lines())
	panetest.Sees(t, got, "▌Agent a5           ◐ asks", "▌Agent a7            1 new", "▌Talk 3", "▌Agent a9    ✕ unreachable")
	if strings.Contains(got, "Talk 4") || len(p.rows) != 31 {
		t.Errorf("got %d rows, want one for each agent and one for the conversation on the screen:\n%s", len(p.rows), got)
	}
	if in := p.Mouse(tea.MouseClickMsg{}, 3, 5); in != (Select{Agent: 5}) {
		t.Errorf("got %#v for a click on the row of the fifth agent, want its selection", in)
	}
}

// Each row can be reached, and a click selects the agent whose row it hits, also in a list that is scrolled.
func TestEachAgentOfManyCanBeReached(t *testing.T) {
	list := many(60, "Agent")
	p := column(busy(), list, 20, 20, 0)
	p.Focus()
	for i := range list {
		if in := press(p, "\r"); in != (Select{Agent: a2a.AgentID(i + 1), Enter: true}) {
			t.Fatalf("got %#v at agent %d, want its selection", in, i+1)
		}
		p.Key(panetest.Key("down"))
	}
	for key, want := range map[string]a2a.AgentID{"home": 1, "end": 60} {
		p.Key(panetest.Key(key))
		if in := press(p, "\r"); in != (Select{Agent: want, Enter: true}) {
			t.Errorf("%s: got %#v, want agent %d", key, in, want)
		}
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 0, 0)
	for y := range 20 {
		if in := p.Mouse(tea.MouseClickMsg{}, 3, y); in != (Select{Agent: p.rows[p.cursor.Top+y].agent.ID}) {
			t.Errorf("row %d: got %#v, want its agent", y, in)
		}
	}
}

// The row of a stream and that of a hint belong to the agent above them.
func TestAClickOnAnyRowOfAnAgentSelectsIt(t *testing.T) {
	list := many(3, "Agent")
	list[0].Phase = model.Unreachable
	p := column(busy(), list, 20, 34, 0)
	for text, want := range map[string]Intent{
		"watching": Select{Agent: 1}, "21 ev": Select{Agent: 2}, "ev/s": Select{Agent: 3}, "Talk 3": Select{Agent: 3, Conversation: 3}, "session": nil, "↯↻": nil,
	} {
		if in := p.Mouse(tea.MouseClickMsg{}, 3, at(t, p, text)); in != want {
			t.Errorf("%s: got %#v, want %#v", text, in, want)
		}
	}
}

// Scrolling keeps all rows of the selected agent in view, where they have room.
func TestTheSelectedAgentIsWholeInView(t *testing.T) {
	list := many(6, "Agent")
	for _, a := range list {
		a.Conversations = append(a.Conversations, &model.Conversation{ID: a.Conversations[0].ID + 100, Agent: a, Title: "More"})
	}
	p := column(busy(), list, 26, 12, 0)
	p.Focus()
	for _, key := range append(slices.Repeat([]string{"down"}, 20), slices.Repeat([]string{"up"}, 20)...) {
		p.Key(panetest.Key(key))
		if first, last := p.block(p.cursor.At); first < p.cursor.Top || last >= p.cursor.Top+p.h {
			t.Fatalf("got rows %d to %d of the selected agent in a window from %d, want all of them in it", first, last, p.cursor.Top)
		}
	}
}

// Names and titles come from others, and may be anything.
func TestHostileNamesAreDrawnInAnySize(t *testing.T) {
	names := []string{strings.Repeat("long ", 40), "שלום עולם", "a\u200b\u200db\u202ec", "👩‍👩‍👧‍👦", "two\nlines\ttab\x1b[2J", "", "same", "same"}
	f := busy()
	for _, st := range []*styles.Styles{styles.New(themes.Dark(), styles.Unicode()), styles.New(themes.Mono(), styles.ASCII())} {
		for _, n := range []int{1, 3, 8, 30, 60} {
			list := many(n, "")
			for i, a := range list {
				a.Card.Name, a.Tag, a.Conversations[0].Title = names[i%len(names)], names[(i+3)%len(names)], names[(i+1)%len(names)]
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 9}, {8, 20}, {12, 40}, {20, 20}, {20, 34}, {26, 60}, {80, 12}} {
				p := column(f, list, size[0], size[1], time.Second)
				p.SetStyles(st)
				p.MarkUnread(2, 1)
				for _, key := range []string{"j", "j", "G", "g", "pgdown"} {
					p.Key(panetest.Key(key))
					panetest.Exact(t, p.Lines(), size[0], size[1])
					panetest.Sanitized(t, p.Lines())
				}
			}
		}
	}
}
