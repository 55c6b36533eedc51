package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/session/task"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// A segment is a piece of the header. Where the header is too wide, those of the
// highest rank go first.
type segment struct {
	text  string
	short string // stands in for text before a segment of this rank goes; empty for none
	rank  int
	right bool
	flags bool // a click on it shows the findings
}

// header answers: who, which dialect, which context and task, in what state, how
// fast, how many findings, does anyone wait for me.
func (m *Model) header(w int) string {
	all := slices.DeleteFunc(slices.Concat(m.identity(), m.activity()), func(s segment) bool { return s.text == "" })
	all = fitHeader(all, w)
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

// fitHeader shortens segments and leaves some out until the header fits into w cells.
func fitHeader(all []segment, w int) []segment {
	for headerWidth(all) > w && len(all) > 1 {
		worst := 0
		for i, s := range all {
			if s.rank >= all[worst].rank {
				worst = i
			}
		}
		if short := all[worst].short; short != "" {
			all[worst].text, all[worst].short, all[worst].rank = short, "", shortRank
			continue
		}
		all = slices.Delete(all, worst, worst+1)
	}
	return all
}

// shortRank is the rank of what was shortened to stay in the header. It is that of an open
// stream, which stands behind it and goes first.
const shortRank = 4

// headerGap stands between segments.
const headerGap = "   "

func headerWidth(all []segment) int {
	n := 1
	for _, s := range all {
		n += canvas.Width(s.text) + len(headerGap)
	}
	return n
}

// An identity is what the left of the header tells: who is spoken with, and about
// what.
type identity struct {
	any     bool // there is an agent
	agent   string
	phase   model.Phase
	health  model.Health
	spin    string
	dialect a2a.DialectName
	binding a2a.Binding
	claim   string // the version that the card names, if it is another one
	pinned  string // what the user decided about how it is spoken to
	context string
	busy    bool // there is a task
	task    string
	stands  task.Lifecycle
	st      *styles.Styles
}

// A drawnIdentity is an identity as it was drawn.
type drawnIdentity struct {
	of   identity
	segs []segment
}

// identity is the left of the header, which must not be written to.
func (m *Model) identity() []segment {
	now, p := identity{st: m.st}, &m.screen.memo.identity
	if a := m.agent(); a != nil {
		now.any, now.agent, now.phase, now.health = true, a.Name(), a.Phase, a.Pulse.Health
		now.dialect, now.binding = a.Profile.Dialect, a.Profile.Binding
		if a.Profile.Contradicted() {
			now.claim = a.Profile.Claim
		}
		now.pinned = strings.Join(a.Profile.PinnedFields(), ", ")
		if a.Phase == model.Discovering {
			now.spin = m.spin.View()
		}
		if conv := m.conversation(); conv != nil {
			now.context = conv.ContextID
			if n := len(conv.Tasks); n > 0 {
				t := conv.Tasks[n-1]
				now.busy, now.task, now.stands = true, t.ID, t.Lifecycle
			}
		}
	}
	if p.segs == nil || p.of != now {
		*p = drawnIdentity{now, now.draw()}
	}
	return p.segs
}

func (i identity) draw() []segment {
	st, g := i.st, &i.st.G
	mark := segment{text: st.Mark.S(" parley ")}
	if !i.any {
		return []segment{mark, {text: st.Faint.S("no agent"), rank: 1}}
	}
	sign, paint := looks.Agent(st, i.phase, i.health)
	dot := paint.S(g[sign])
	if i.phase == model.Discovering {
		dot = paint.S(i.spin)
	}
	name := canvas.Ellipsize(canvas.SanitizeLine(i.agent), 32, g[styles.Ellipsis])
	out := []segment{mark, {text: dot + " " + st.Bold.S(name), rank: 1}}
	if i.dialect != "" {
		out = append(out, segment{text: i.speech(), short: i.shortSpeech(), rank: 6})
	}
	if i.context != "" {
		out = append(out, segment{text: st.Faint.S("ctx ") + st.Dim.S(shortID(i.context)), rank: 7})
	}
	if i.busy {
		out = append(out, segment{text: st.Faint.S("task ") + st.Dim.S(shortID(i.task)) + " " + i.chip(), rank: 3})
	}
	return out
}

// speech says how the agent is spoken to, and where the card or the user has it otherwise.
func (i identity) speech() string {
	st, sep := i.st, " "+i.st.G[styles.Separator]+" "
	text := st.Faint.S(i.dialect.Number() + sep + i.binding.String())
	if i.claim != "" {
		text = st.Waiting.S("card says "+canvas.SanitizeLine(i.claim)+", agent speaks "+i.dialect.Number()) + st.Faint.S(sep+i.binding.String())
	}
	if i.pinned != "" {
		text = st.Faint.S(i.dialect.Number()+sep+i.binding.String()+sep) + st.Accent.S(i.pinned+" pinned")
	}
	return text
}

// shortSpeech is speech where there is little room: only what a reader would not expect.
func (i identity) shortSpeech() string {
	switch {
	case i.pinned != "":
		return i.st.Accent.S(i.pinned + " pinned")
	case i.claim != "":
		return i.st.Waiting.S("card " + canvas.SanitizeLine(i.claim) + ", agent " + i.dialect.Number())
	}
	return ""
}

// activity is the right of the header.
func (m *Model) activity() []segment {
	st, g := m.st, &m.st.G
	var out []segment
	add := func(rank int, text string) { out = append(out, segment{text: text, rank: rank, right: true}) }
	if m.opts.Name != "" {
		add(5, st.Dim.S("recording "+canvas.Ellipsize(canvas.SanitizeLine(m.opts.Name), 32, g[styles.Ellipsis])))
	}
	if m.opts.Unrecorded {
		add(3, st.Waiting.S("not recorded"))
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
		words = append(words, m.st.Failed.S(flag+" "+units.Count(n)))
	}
	if n := found.Count(a2a.Warning); n > 0 {
		words = append(words, m.st.Waiting.S(flag+" "+units.Count(n)))
	}
	return strings.Join(words, " ")
}

// chip is where the task stands, as sign and word.
func (i identity) chip() string {
	st, g := i.st, &i.st.G
	if i.stands.Forgotten {
		return st.Dim.S(g[styles.Unknown] + " forgotten")
	}
	word := i.stands.State.String()
	if i.phase == model.Unreachable && i.stands.Works() {
		return st.Dim.S(g[styles.Unknown] + " was " + canvas.SanitizeLine(word))
	}
	if i.stands.State == a2a.StateOther {
		word = canvas.Ellipsize(canvas.SanitizeLine(i.stands.Word), 20, g[styles.Ellipsis])
	}
	sign, paint := looks.Task(st, &i.stands)
	switch i.stands.State {
	case a2a.StateInputRequired, a2a.StateAuthRequired:
		return canvas.Highlight(paint.S(" "+g[sign]+" "+word+" "), st.Selected)
	case a2a.StateFailed, a2a.StateRejected:
		return paint.S(g[sign] + " " + word)
	default:
		return paint.S(g[sign]) + " " + st.Dim.S(word)
	}
}

// streamWords tells what the newest stream of the conversation carries, or
// carried: rate and "live" stand only while it is open.
func (m *Model) streamWords(conv *model.Conversation) string {
	st, s := m.st, conv.Stats
	if s.Open {
		rate := ""
		if secs := m.opts.Now().Sub(s.Start).Seconds(); secs > 0 && s.Events > 0 {
			rate = " " + m.st.G[styles.Separator] + " " + strconv.Itoa(int(float64(s.Events)/max(1, secs)+0.5)) + " ev/s"
		}
		if m.opts.Engine.ReadingPaused(s.Exchange) {
			return st.Waiting.S("not read ") + st.Text.S(units.Plural(s.Events, "event"))
		}
		return st.Faint.S("live ") + st.Text.S(units.Plural(s.Events, "event")) + st.Faint.S(rate) + " " + m.spark(s)
	}
	took := s.Last.Sub(s.Start).Round(time.Millisecond)
	return st.Faint.S("last stream ") + st.Dim.S(units.Plural(s.Events, "event")) +
		st.Faint.S(" "+m.st.G[styles.Separator]+" "+units.Duration(took)) + " " + m.spark(s)
}

// spark draws the events of the latest seconds.
func (m *Model) spark(s model.StreamStats) string {
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
