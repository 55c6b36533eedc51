// Package header draws the first line of the screen: what is open, how it goes, and what
// waits for the user. The line has the agent, its dialect, the context and the task, the
// rate of the stream, the findings, and how many tasks wait for the user.
package header

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// About is what the header shows.
type About struct {
	Agent        *model.Agent        // nil if there is none
	Conversation *model.Conversation // nil before its first message
	Stream       *log.Stream         // the conversation's newest stream, nil before the first one
	Spinner      string              // the current frame of the spinner, empty where nothing moves
	Recording    string              // the name of the recording that is shown
	Dropped      string              // what of the recording could not be read
	Unrecorded   bool                // the session is not recorded although the user did not ask for that
	Findings     *log.Findings
	Waiting      int // tasks that wait for the user
	Now          time.Time
	Still        bool // time stands still, so that nothing has an age: a recording that is not played
	Paused       bool // the open stream of the conversation is paused
	Calm         bool // an audience reads along: agent, state, and nothing for those who debug
	Nth, Agents  int  // which of how many open agents it is, where nothing else shows the others; else 0
}

// stands returns how the conversation stands, and how long it stays so.
func (a *About) stands() (looks.Stands, time.Duration) {
	now, s := a.Now, a.Stream
	if a.Still {
		now = time.Time{}
	}
	if a.Paused { // then Parley is silent, not the agent
		s = nil
	}
	return looks.StandsOf(a.Agent, a.Conversation, s, now)
}

// Next returns how long the header stays as it is while nothing comes and no turn is at work, 0 for ever.
func (a *About) Next() time.Duration {
	_, next := a.stands()
	return next
}

// Sign returns the sign of how the conversation stands, empty if nothing was sent.
func (a *About) Sign(st *styles.Styles) string {
	stands, _ := a.stands()
	return stands.Sign(st)
}

// A Header draws the first line of the screen.
type Header struct {
	st    *styles.Styles
	cache identityCache
	areas [areas]canvas.Rect
}

// New returns a header.
func New(st *styles.Styles) *Header { return &Header{st: st} }

// SetStyles changes the styles.
func (h *Header) SetStyles(st *styles.Styles) { h.st, h.cache = st, identityCache{} }

// Flags returns the position of the counts of findings, which can be clicked.
func (h *Header) Flags() canvas.Rect { return h.areas[theFlags] }

// Agents returns the position of the number of agents, which can be clicked.
func (h *Header) Agents() canvas.Rect { return h.areas[theAgents] }

// Hide notes that the header is not on the screen.
func (h *Header) Hide() { clear(h.areas[:]) }

// A segment is a piece of the header. If the header is too wide, the segments of the highest
// rank are left out first.
type segment struct {
	text  string
	short string // replaces text before the segment is left out; empty for none
	rank  int
	last  int // the rank when it is shortened, 0 for shortRank
	right bool
	near  bool // it belongs to the one before it, and stands closer
	area  area
}

// An area is a part of the header that can be clicked.
type area uint8

const (
	noArea    area = iota
	theFlags       // a click shows the findings
	theAgents      // a click lists the agents
	areas
)

// Draw returns the header, w cells wide.
func (h *Header) Draw(about About, w int) string {
	all := slices.DeleteFunc(slices.Concat(h.identity(about), h.activity(about)), func(s segment) bool { return s.text == "" })
	all = fit(all, w)
	if program := (segment{text: h.st.Faint.S("parley"), right: true}); !about.Calm && width(append(all, program)) <= w {
		all = append(all, program) // an audience need not see it
	}
	var left, right strings.Builder
	var at [areas]int // where the areas begin in their side
	for i, s := range all {
		side := &left
		if s.right {
			side = &right
		}
		if side.Len() > 0 {
			side.WriteString(before(all, i))
		}
		if s.area != noArea {
			at[s.area] = canvas.Width(side.String())
		}
		side.WriteString(s.text)
	}
	r := right.String()
	if r != "" {
		r += " "
	}
	room := max(0, w-canvas.Width(r))
	h.Hide()
	for _, s := range all {
		if s.area != noArea {
			x := at[s.area]
			if s.right {
				x += room
			}
			h.areas[s.area] = canvas.Rect{X: x, W: canvas.Width(s.text), H: 1}
		}
	}
	return canvas.Fit(canvas.Fit(left.String(), room)+r, w)
}

// before returns the space before a segment.
func before(all []segment, i int) string {
	if all[i].near && i > 0 && all[i-1].right == all[i].right {
		return nearGap
	}
	return gap
}

// fit shortens segments and leaves some out until the header fits into w cells.
func fit(all []segment, w int) []segment {
	for width(all) > w && len(all) > 1 {
		worst := 0
		for i, s := range all {
			if s.rank >= all[worst].rank {
				worst = i
			}
		}
		if short := all[worst].short; short != "" {
			all[worst].text, all[worst].short, all[worst].rank = short, "", cmp.Or(all[worst].last, shortRank)
			continue
		}
		all = slices.Delete(all, worst, worst+1)
	}
	return all
}

// Ranks of segments. Where two are equal, the one that stands behind is left out first.
const (
	nameRank = 1
	chipRank = 2
	taskRank = 4
	// shortRank is the rank of a shortened segment. It is that of an open stream, which stands
	// behind it and is left out first. A stall or a cut stays longer.
	shortRank = 4
	nthRank   = 5
	// speechRank is the rank of the dialect and the binding, and of the figures of a stream that has stalled
	// or was cut: the figures stand behind and are left out first.
	speechRank = 6
	idsRank    = 7
)

// gap separates segments, and nearGap those that belong together.
const gap, nearGap = "   ", "  "

func width(all []segment) int {
	n := 1
	for i, s := range all {
		if n += canvas.Width(s.text); i > 0 {
			n += len(before(all, i))
		}
	}
	return n
}
