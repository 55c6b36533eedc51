package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A segment is a piece of the header. Where the header is too wide, those of the
// highest rank go first.
type segment struct {
	text  string
	rank  int
	right bool
	flags bool // a click on it shows the findings
}

// header answers: who, which dialect, which context and task, in what state, how
// fast, how many findings, does anyone wait for me.
func (m *Model) header(w int) string {
	all := slices.DeleteFunc(append(m.identity(), m.activity()...), func(s segment) bool { return s.text == "" })
	for headerWidth(all) > w && len(all) > 1 {
		worst := 0
		for i, s := range all {
			if s.rank >= all[worst].rank {
				worst = i
			}
		}
		all = slices.Delete(all, worst, worst+1)
	}
	var left, right []string
	behind := 1 // what stands right of the flags
	m.screen.flags = canvas.Rect{}
	for _, s := range all {
		if s.flags {
			m.screen.flags = canvas.Rect{W: canvas.Width(s.text), H: 1}
			behind = 1
		} else if s.right {
			behind += len(headerGap) + canvas.Width(s.text)
		}
		if s.right {
			right = append(right, s.text)
		} else {
			left = append(left, s.text)
		}
	}
	r := strings.Join(right, headerGap)
	if r != "" {
		r += " "
	}
	m.screen.flags.X = max(0, w-behind-m.screen.flags.W)
	room := max(0, w-canvas.Width(r))
	return canvas.Fit(canvas.Fit(strings.Join(left, headerGap), room)+r, w)
}

// headerGap stands between segments.
const headerGap = "   "

func headerWidth(all []segment) int {
	n := 1
	for _, s := range all {
		n += canvas.Width(s.text) + len(headerGap)
	}
	return n
}

// identity is the left of the header.
func (m *Model) identity() []segment {
	st, g := m.st, &m.st.G
	mark := segment{text: st.Mark.S(" parley ")}
	a := m.agent()
	if a == nil {
		return []segment{mark, {text: st.Faint.S("no agent"), rank: 1}}
	}
	dot := st.OK.S(g[styles.Online])
	switch a.Phase {
	case session.Discovering:
		dot = st.Agent.S(m.spin.View())
	case session.Unreachable, session.Failed:
		dot = st.Failed.S(g[styles.Failed])
	}
	name := canvas.Ellipsize(canvas.SanitizeLine(a.Name()), 32, g[styles.Ellipsis])
	out := []segment{mark, {text: dot + " " + st.Bold.S(name), rank: 1}}
	if p := a.Profile; p.Dialect != "" {
		out = append(out, segment{text: st.Faint.S(p.Dialect.Number() + " " + g[styles.Separator] + " " + p.Binding.String()), rank: 6})
	}
	conv := m.conversation()
	if conv == nil {
		return out
	}
	if conv.ContextID != "" {
		out = append(out, segment{text: st.Faint.S("ctx ") + st.Dim.S(shortID(conv.ContextID)), rank: 7})
	}
	if n := len(conv.Tasks); n > 0 {
		t := conv.Tasks[n-1]
		out = append(out, segment{text: st.Faint.S("task ") + st.Dim.S(shortID(t.ID)) + " " + m.stateChip(t), rank: 3})
	}
	return out
}

// activity is the right of the header.
func (m *Model) activity() []segment {
	st, g := m.st, &m.st.G
	var out []segment
	add := func(rank int, text string) { out = append(out, segment{text: text, rank: rank, right: true}) }
	if m.opts.Name != "" {
		add(5, st.Dim.S("recording "+canvas.Ellipsize(canvas.SanitizeLine(m.opts.Name), 32, g[styles.Ellipsis])))
	}
	if conv := m.conversation(); conv != nil && conv.Stats.Exchange != 0 {
		rank := 8
		if conv.Stats.Open {
			rank = 4
		}
		add(rank, m.streamWords(conv))
	}
	if flags := m.flags(); flags != "" {
		out = append(out, segment{text: flags, rank: 5, right: true, flags: true})
	}
	if n := len(m.state.Waiting()); n > 0 {
		add(2, st.Waiting.Bold().S(strconv.Itoa(n)+" waiting"))
	}
	return out
}

// flags counts the errors and warnings that were found; remarks are not counted.
func (m *Model) flags() string {
	found, flag := m.state.Log.Findings(), m.st.G[styles.Flag]
	var words []string
	if n := found.Count(a2a.Error); n > 0 {
		words = append(words, m.st.Failed.S(flag+" "+strconv.Itoa(n)))
	}
	if n := found.Count(a2a.Warning); n > 0 {
		words = append(words, m.st.Waiting.S(flag+" "+strconv.Itoa(n)))
	}
	return strings.Join(words, " ")
}

// stateChip is a task's state as glyph and word.
func (m *Model) stateChip(t *session.Task) string {
	st, g := m.st, &m.st.G
	word := t.State.String()
	if t.State == a2a.StateOther {
		word = canvas.Ellipsize(canvas.SanitizeLine(t.Word), 20, g[styles.Ellipsis])
	}
	switch t.State {
	case a2a.StateInputRequired, a2a.StateAuthRequired:
		return canvas.Highlight(st.Waiting.S(" "+g[styles.Waiting]+" "+word+" "), st.Selected)
	case a2a.StateCompleted:
		return st.OK.S(g[styles.Done]) + " " + st.Dim.S(word)
	case a2a.StateFailed, a2a.StateRejected:
		return st.Failed.S(g[styles.Failed] + " " + word)
	case a2a.StateCanceled:
		return st.Dim.S(g[styles.Canceled] + " " + word)
	case a2a.StateWorking:
		return st.Agent.S(g[styles.Online]) + " " + st.Dim.S(word)
	case a2a.StateSubmitted:
		return st.Dim.S(g[styles.Idle] + " " + word)
	default:
		return st.Dim.S(g[styles.Unknown] + " " + word)
	}
}

// streamWords tells what the newest stream of the conversation carries, or
// carried: rate and "live" stand only while it is open.
func (m *Model) streamWords(conv *session.Conversation) string {
	st, s := m.st, conv.Stats
	if s.Open {
		rate := ""
		if secs := m.opts.Now().Sub(s.Start).Seconds(); secs > 0 && s.Events > 0 {
			rate = " " + m.st.G[styles.Separator] + " " + strconv.Itoa(int(float64(s.Events)/max(1, secs)+0.5)) + " ev/s"
		}
		if e, ok := m.opts.Engine.(Disturber); ok && e.Unread(s.Exchange) {
			return st.Waiting.S("not read ") + st.Text.S(units.Plural(s.Events, "event"))
		}
		return st.Faint.S("live ") + st.Text.S(units.Plural(s.Events, "event")) + st.Faint.S(rate) + " " + m.spark(s)
	}
	took := s.Last.Sub(s.Start).Round(time.Millisecond)
	return st.Faint.S("last stream ") + st.Dim.S(units.Plural(s.Events, "event")) +
		st.Faint.S(" "+m.st.G[styles.Separator]+" "+units.Duration(took)) + " " + m.spark(s)
}

// spark draws the events of the latest seconds.
func (m *Model) spark(s session.StreamStats) string {
	recent := s.Recent
	if len(recent) > 8 {
		recent = recent[len(recent)-8:]
	}
	top := 1
	for _, n := range recent {
		top = max(top, n)
	}
	var b strings.Builder
	for _, n := range recent {
		b.WriteString(m.st.G.Spark(n, top))
	}
	return m.st.Agent.S(b.String())
}

// shortID is a remote id as it stands on the screen.
func shortID(id string) string { return units.ID(canvas.SanitizeLine(id)) }
