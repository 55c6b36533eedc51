package tasks

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "tasks" }

// Note returns whose tasks are listed and how many, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	whose := "all agents"
	if !p.all && p.about.Agent != nil {
		whose = named(p.about.Agent)
	}
	n := units.Plural(len(p.rows), "task")
	if len(p.rows) != len(p.known) {
		n = units.Count(len(p.rows)) + " of " + units.Plural(len(p.known), "task")
	}
	return canvas.Ellipsize(whose, 32, p.st.G[styles.Ellipsis]) + " " + p.st.G[styles.Separator] + " " + n
}

const (
	headRows = 3 // the source of the list, the filter and a rule
	footRows = 7 // details of the selected task, including the rule
	mostRows = 30
)

// Height returns the preferred height in rows.
func (p *Pane) Height() int { return headRows + max(4, min(len(p.rows), mostRows)) + footRows }

// headHeight returns the number of rows above the list.
func (p *Pane) headHeight() int { return min(headRows, max(0, p.h-1)) }

// footHeight returns the number of rows below the list.
func (p *Pane) footHeight() int {
	most := footRows
	if p.h < 2*footRows+headRows+8 { // the list needs the room more
		most -= 2
	}
	return max(0, min(most, p.h-p.headHeight()-3))
}

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int { return max(0, p.h-p.headHeight()-p.footHeight()) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	out := canvas.Stack(p.st, p.w,
		canvas.Part{Rows: []string{p.source(), p.narrowed()}, H: p.headHeight()},
		canvas.Part{Rows: p.drawn(), H: p.listHeight()},
		canvas.Part{Rows: p.foot(), H: p.footHeight()})
	if p.Typing() && p.headHeight() == 1 {
		out[0] = canvas.Fit(p.narrowed(), p.w) // the input is visible at any size
	}
	return out
}

// maxShown is the number of bytes of a name or an id that are read, because both come from an
// agent and may be of any length.
const maxShown = 256

// short returns an id in its short form, sanitized.
func short(id string) string { return units.ID(canvas.SanitizeLine(id[:min(len(id), maxShown)])) }

// named returns an agent's name, sanitized.
func named(a *model.Agent) string {
	name := a.Name()
	return canvas.SanitizeLine(name[:min(len(name), maxShown)])
}

// Cursor returns the terminal's cursor relative to the pane while the input is open, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.Typing() || p.headHeight() == 0 {
		return nil
	}
	return p.input.Cursor(0, p.headHeight()-2, p.w, p.h)
}

// source describes where the listed tasks come from.
func (p *Pane) source() string {
	st, sep := p.st, " "+p.st.G[styles.Separator]+" "
	fit := func(paint styles.Paint, words string) string {
		return paint.S(canvas.Ellipsize(words, p.w, st.G[styles.Ellipsis]))
	}
	a := p.about.Agent
	switch {
	case p.all:
		return fit(st.Dim, "Tasks of this session with every agent, and the lists of agents that have one.")
	case a == nil:
		return fit(st.Dim, "No agent is open.")
	}
	l := a.List
	switch no := lists(a); {
	case l != nil && l.Asking:
		return fit(st.Accent, "Listing the agent's tasks …")
	case l != nil && l.Problem != nil:
		return fit(st.Failed, canvas.SanitizeLine(l.Problem.Sentence))
	case l != nil && l.Told != 0:
		words := "Listed by the agent at " + l.Time.Format("15:04:05") + narrowedTo(&l.Filter) + sep + units.Count(len(l.Tasks))
		if l.Total > 0 {
			words += " of " + units.Count(l.Total)
		}
		switch {
		case l.Next != "" && l.Fresh == 0:
			words += sep + "the newest page has nothing new; n gets another one"
		case l.Next != "":
			words += sep + "n gets the next page"
		default:
			words += sep + "complete"
		}
		return fit(st.Dim, words)
	case no != "":
		return fit(st.Dim, sentence(canvas.SanitizeLine(no)))
	default:
		return fit(st.Dim, "Tasks of this session"+sep+"l lists all tasks of the agent")
	}
}

// narrowedTo describes the filter of an agent's list.
func narrowedTo(f *a2a.ListFilter) string {
	var words []string
	if f.State != a2a.StateUnknown {
		words = append(words, f.State.String())
	}
	if f.ContextID != "" {
		words = append(words, "ctx "+short(f.ContextID))
	}
	if f.StatusTimestampAfter != "" {
		words = append(words, "after "+canvas.SanitizeLine(f.StatusTimestampAfter))
	}
	if len(words) == 0 {
		return ""
	}
	return ", " + strings.Join(words, ", ")
}

// narrowed renders the filter, or the input.
func (p *Pane) narrowed() string {
	st := p.st
	switch {
	case p.Typing():
		return p.input.View()
	case p.filter.line != "":
		return st.Accent.S("/ ") + st.Text.S(canvas.Ellipsize(canvas.SanitizeLine(p.filter.line), max(0, p.w-2), st.G[styles.Ellipsis]))
	}
	return st.Faint.S("/ filters the list by state, context, age and words")
}

// drawn renders the list, or the reason why it is empty.
func (p *Pane) drawn() []string {
	if len(p.rows) == 0 {
		return canvas.Paragraph(p.nothing(), p.w, p.st.Faint)
	}
	p.cursor.Move(0, len(p.rows))
	return p.cursor.Rows(p.st, p.w, len(p.rows), p.listHeight(), func(i int) string { return p.line(p.rows[i]) })
}

// nothing returns the reason why the list is empty.
func (p *Pane) nothing() string {
	switch {
	case p.filter.bad != "":
		return p.filter.bad
	case len(p.known) > 0:
		return "No task matches. esc shows all."
	case p.about.Why != "":
		return "This recording has no task."
	}
	if some, _ := p.listable(false); len(some) > 0 {
		return "This session has no task yet: l lists the agent's tasks, i gets one by its id."
	}
	return "This session has no task yet: i gets one by its id."
}

// line renders a task: its state, id, agent, title, source and age.
func (p *Pane) line(r *row) string {
	const stateWidth, idWidth, agentWidth, fromWidth, agoWidth, gap = 14, 6, 14, 6, 11, "  "
	st, dots := p.st, p.st.G[styles.Ellipsis]
	stands := r.stands()
	sign, paint := looks.Task(st, &stands)
	cell := func(s string, w int) string { return canvas.Fit(canvas.Ellipsize(s, w, dots), w) }
	out := paint.S(st.G[sign]) + " " + paint.S(cell(canvas.SanitizeLine(r.word()), stateWidth)) + gap
	id := short(r.id)
	if id == "" {
		id = "no id"
	}
	out += st.Dim.S(cell(id, idWidth)) + gap
	left := p.w - (2 + stateWidth + idWidth + 2*len(gap))
	right := ""
	if left > fromWidth+agoWidth+16 {
		ago := p.ago(r)
		right = st.Faint.S(gap+cell(r.from(), fromWidth)) + strings.Repeat(" ", max(0, agoWidth-canvas.Width(ago))) + st.Faint.S(ago)
		left -= fromWidth + agoWidth + len(gap)
	}
	if p.all && left > agentWidth+8 {
		out += st.Text.S(cell(named(r.agent), agentWidth)) + gap
		left -= agentWidth + len(gap)
	}
	left = max(0, left)
	again := p.wakes(r)
	if again != "" {
		again = gap + st.G[styles.Retry] + " " + again
	}
	room := max(0, left-canvas.Width(again))
	words := canvas.Fit(canvas.EllipsizeWords(canvas.SanitizeLine(r.words()), room, dots), room)
	return out + st.Text.S(words) + st.Agent.S(canvas.Fit(again, left-room)) + right
}

// wakes describes the engine's next automatic request about a task, empty if there is none.
func (p *Pane) wakes(r *row) string {
	s := r.tried()
	switch {
	case s == nil:
		return ""
	case s.After > 0:
		return p.in(s) + ", attempt " + units.Count(s.Attempt)
	}
	return "attempt " + units.Count(s.Attempt)
}

// ago returns how long a task has been in its current state.
func (p *Pane) ago(r *row) string {
	at := r.time()
	if at.IsZero() || p.about.Now.IsZero() {
		return ""
	}
	return units.Duration(max(0, p.about.Now.Sub(at)).Truncate(1e9))
}

// doing describes the open request or the next automatic one about a task, empty if there is
// none.
func (p *Pane) doing(r *row) string {
	t := r.task
	switch {
	case t == nil:
	case t.Poll != nil:
		return "next poll " + p.in(t.Poll) + ", attempt " + units.Count(t.Poll.Attempt)
	case t.Resubscribe != nil:
		return "resubscribing, attempt " + units.Count(t.Resubscribe.Attempt) + " of " + units.Count(t.Resubscribe.Of)
	case t.AuthPoll != nil:
		return "next auth poll " + p.in(t.AuthPoll) + ", attempt " + units.Count(t.AuthPoll.Attempt)
	case t.LastRequest.Open && t.LastRequest.Op == a2a.OpCancel:
		return "canceling"
	case t.LastRequest.Open && t.LastRequest.Op == a2a.OpGet:
		return "getting the task"
	}
	return ""
}

// in describes the rest of a wait.
func (p *Pane) in(s *log.Signal) string {
	if left := (s.After - max(0, p.about.Now.Sub(s.Time))).Truncate(1e9); left > 0 {
		return "in " + units.Duration(left)
	}
	return "now"
}

// foot renders the details of the selected task.
func (p *Pane) foot() []string {
	r := p.selected()
	if r == nil {
		return nil
	}
	st := p.st
	var out, wrong []string
	if r.task != nil && r.task.LastRequest.Problem != nil && p.doing(r) == "" {
		wrong = canvas.Paragraph(canvas.SanitizeLine(r.task.LastRequest.Problem.Sentence), p.w, st.Failed)
	}
	told := []string{p.names(r), p.content(r), p.progress(r)}
	if len(wrong) > p.footHeight()-3 { // the problem matters more
		told = told[:1]
	}
	for _, words := range told {
		if words != "" {
			out = append(out, st.Dim.S(canvas.Ellipsize(words, p.w, st.G[styles.Ellipsis])))
		}
	}
	return append(out, wrong...)
}

// names describes the ids, the agent and the title of a task.
func (p *Pane) names(r *row) string {
	words := []string{"task " + short(r.id)}
	if c := r.context(); c != "" {
		words = append(words, "ctx "+short(c))
	}
	words = append(words, named(r.agent))
	if s := canvas.SanitizeLine(r.words()); s != "" {
		words = append(words, s)
	}
	return strings.Join(words, " "+p.st.G[styles.Separator]+" ")
}

// content describes what is known of a task, and its source.
func (p *Pane) content(r *row) string {
	var words []string
	switch artifacts, history := 0, 0; {
	case r.task != nil:
		artifacts, history = len(r.task.Artifacts), len(r.task.History)
		words = append(words, "of this session", units.Plural(artifacts, "artifact"))
		if history > 0 {
			words = append(words, units.Plural(history, "message")+" of history")
		}
	default:
		words = append(words, "only listed: enter gets it")
	}
	if l := r.listed; l != nil {
		words = append(words, "listed as "+canvas.SanitizeLine(l.StateWord())+" in #"+strconv.FormatUint(uint64(l.Record), 10))
	}
	if r.task != nil && r.task.Forgotten {
		words = append(words, "the agent no longer knows the task")
	}
	return strings.Join(words, " "+p.st.G[styles.Separator]+" ")
}

// progress describes what happens to a task, or how the last request about it ended.
func (p *Pane) progress(r *row) string {
	if now := p.doing(r); now != "" {
		if r.tried() != nil {
			now += ": p stops it"
		}
		return strings.ToUpper(now[:1]) + now[1:]
	}
	t := r.task
	switch {
	case t == nil:
		return ""
	case p.about.Streamed != nil && p.about.Streamed(t):
		return "A stream reports the task"
	case t.LastRequest.Op == a2a.OpCancel && t.LastRequest.Problem == nil && !t.Over():
		return "The agent accepted the cancel, but the task is " + canvas.SanitizeLine(t.StateWord()) + ": p polls it"
	case t.Waits():
		return "The task waits for you: enter opens it"
	}
	return ""
}
