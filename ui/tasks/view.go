package tasks

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if !p.all && p.about.Agent != nil {
		return "tasks of " + agentName(p.about.Agent)
	}
	return "tasks of all agents"
}

// Note returns how many tasks are listed, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	n := units.Plural(len(p.rows), "task")
	if len(p.rows) != len(p.known) {
		n = units.Count(len(p.rows)) + " of " + units.Plural(len(p.known), "task")
	}
	return n
}

const (
	headRows = 3 // the source of the list, the filter and a rule
	footRows = 7 // details of the selected task, including the rule
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	foot := footRows
	if p.H < 2*footRows+headRows+8 { // the list needs the room more
		foot -= 2
	}
	return p.SplitFor(len(p.rows), headRows, foot, 3)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	p.List.Move(0, len(p.rows))
	at := p.parts()
	out := p.Stack(at, []string{p.source(), p.filterRow()}, p.Rows(len(p.rows), at.List, p.line, p.nothing), p.foot())
	if p.Typing() && at.Head == 1 {
		out[0] = canvas.Fit(p.filterRow(), p.W) // the input is visible at any size
	}
	return out
}

// maxRead is the number of bytes of a name or an id that are read, because both come from an
// agent and may be of any length.
const maxRead = 256

// short returns an id in its short form, sanitized.
func short(id string) string { return units.ID(canvas.SanitizeLine(id[:min(len(id), maxRead)])) }

// agentName returns an agent's name, sanitized.
func agentName(a *model.Agent) string {
	name := a.Name()
	return canvas.SanitizeLine(name[:min(len(name), maxRead)])
}

// Cursor returns the terminal's cursor relative to the pane while the input is open, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	head := p.parts().Head
	if !p.Typing() || head == 0 {
		return nil
	}
	return p.input.Cursor(0, head-2, p.W, p.H)
}

// source describes where the listed tasks come from.
func (p *Pane) source() string {
	st, a := p.St, p.about.Agent
	switch {
	case p.all:
		return st.Dim.S(p.Cut("Tasks of this session with every agent, and the lists of agents that have one."))
	case a == nil:
		return st.Dim.S(p.Cut("No agent is open."))
	}
	l := a.List
	switch no := lists(a); {
	case l != nil && l.Pending:
		return st.Accent.S(p.Cut("Listing the agent's tasks …"))
	case l != nil && l.Problem != nil:
		return st.Failed.S(p.Cut(canvas.SanitizeLine(l.Problem.Sentence)))
	case l != nil && l.NewestPage != 0:
		count := units.Count(len(l.Tasks))
		if l.Total > 0 {
			count += " of " + units.Count(l.Total)
		}
		words := []string{"Listed by the agent at " + l.Time.Format("15:04:05") + describeFilter(&l.Filter), count}
		switch {
		case l.Next != "" && l.NewTasks == 0:
			words = append(words, "the newest page has nothing new; "+keys.Name(p.Of(nextPage))+" gets another one")
		case l.Next != "":
			words = append(words, keys.Name(p.Of(nextPage))+" gets the next page")
		default:
			words = append(words, "complete")
		}
		return st.Dim.S(p.Cut(p.Join(words...)))
	case no != "":
		return st.Dim.S(p.Cut(sheet.Sentence(canvas.SanitizeLine(no))))
	default:
		return st.Dim.S(p.Cut(p.Join("Tasks of this session", keys.Name(p.Of(listTasks))+" lists all tasks of the agent")))
	}
}

// describeFilter describes the filter of an agent's list.
func describeFilter(f *a2a.ListFilter) string {
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

// filterRow renders the filter, or the input.
func (p *Pane) filterRow() string {
	st := p.St
	switch {
	case p.Typing():
		return p.input.View()
	case p.filter.line != "":
		return st.Accent.S("/ ") + st.Text.S(p.Ellipsize(canvas.SanitizeLine(p.filter.line), max(0, p.W-2)))
	}
	return st.Faint.S("/ filters the list by state, context, age and words")
}

// nothing returns the reason why the list is empty.
func (p *Pane) nothing() string {
	switch {
	case p.filter.bad != "":
		return p.filter.bad
	case len(p.known) > 0:
		return "No task matches. " + keys.Name(p.Of(clearFilter)) + " shows all."
	case p.about.Why != "":
		return "This recording has no task."
	}
	byID := keys.Name(p.Of(getByID)) + " gets one by its id."
	if some, _ := p.listable(false); len(some) > 0 {
		return "This session has no task yet: " + keys.Name(p.Of(listTasks)) + " lists the agent's tasks, " + byID
	}
	return "This session has no task yet: " + byID
}

// line renders task i: its state, id, agent, title, source and age.
func (p *Pane) line(i int) string {
	const stateWidth, idWidth, agentWidth, fromWidth, agoWidth, gap = 14, 6, 14, 6, 11, "  "
	st, r := p.St, p.rows[i]
	stands := r.lifecycle()
	sign, paint, word := looks.TaskOf(st, r.agent.Away(), &stands)
	out := paint.S(st.G[sign]) + " " + paint.S(p.Cell(canvas.SanitizeLine(word), stateWidth)) + gap
	out += st.Dim.S(p.Cell(cmp.Or(short(r.id), "no id"), idWidth)) + gap
	left := p.W - (2 + stateWidth + idWidth + 2*len(gap))
	right := ""
	if left > fromWidth+agoWidth+16 {
		ago := sheet.Ago(r.time(), p.about.Now)
		right = st.Faint.S(gap+p.Cell(r.from(), fromWidth)) + strings.Repeat(" ", max(0, agoWidth-canvas.Width(ago))) + st.Faint.S(ago)
		left -= fromWidth + agoWidth + len(gap)
	}
	if p.all && left > agentWidth+8 {
		out += st.Text.S(p.Cell(agentName(r.agent), agentWidth)) + gap
		left -= agentWidth + len(gap)
	}
	left = max(0, left)
	again := p.nextRequest(r)
	if again != "" {
		again = gap + st.G[styles.Retry] + " " + again
	}
	room := max(0, left-canvas.Width(again))
	words := canvas.Fit(canvas.EllipsizeWords(canvas.SanitizeLine(r.words()), room, st.G[styles.Ellipsis]), room)
	return out + st.Text.S(words) + st.Agent.S(canvas.Fit(again, left-room)) + right
}

// Next returns how long what the rows show stays as it is: ages, and how long until the next request.
func (p *Pane) Next() time.Duration {
	for i := p.List.Top; i < min(len(p.rows), p.List.Top+p.H); i++ {
		if p.rows[i].signal() != nil {
			return time.Second
		}
	}
	return p.NextAge(len(p.rows), p.about.Now, func(i int) time.Time { return p.rows[i].time() })
}

// nextRequest describes the engine's next automatic request about a task, empty if there is none.
func (p *Pane) nextRequest(r *row) string {
	s := r.signal()
	switch {
	case s == nil:
		return ""
	case s.After > 0:
		return p.remaining(s) + ", attempt " + units.Count(s.Attempt)
	}
	return "attempt " + units.Count(s.Attempt)
}

// activity describes the open request or the next automatic one about a task, empty if there is
// none.
func (p *Pane) activity(r *row) string {
	t := r.task
	switch {
	case t == nil:
	case t.Poll != nil:
		return "next poll " + p.remaining(t.Poll) + ", attempt " + units.Count(t.Poll.Attempt)
	case t.Resubscribe != nil:
		return "resubscribing, attempt " + units.Count(t.Resubscribe.Attempt) + " of " + units.Count(t.Resubscribe.Of)
	case t.AuthPoll != nil:
		return "next auth poll " + p.remaining(t.AuthPoll) + ", attempt " + units.Count(t.AuthPoll.Attempt)
	case t.LastRequest.Open && t.LastRequest.Op == a2a.OpCancel:
		return "canceling"
	case t.LastRequest.Open && t.LastRequest.Op == a2a.OpGet:
		return "getting the task"
	}
	return ""
}

// remaining describes the rest of a wait.
func (p *Pane) remaining(s *log.Signal) string {
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
	st := p.St
	var out, wrong []string
	if r.task != nil && r.task.LastRequest.Problem != nil && p.activity(r) == "" {
		wrong = canvas.Paragraph(canvas.SanitizeLine(r.task.LastRequest.Problem.Sentence), p.W, st.Failed)
	}
	told := []string{p.names(r), p.content(r), p.progress(r)}
	if len(wrong) > p.parts().Foot-3 { // the problem matters more
		told = told[:1]
	}
	for _, words := range told {
		if words != "" {
			out = append(out, st.Dim.S(p.Cut(words)))
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
	words = append(words, agentName(r.agent))
	if s := canvas.SanitizeLine(r.words()); s != "" {
		words = append(words, s)
	}
	return p.Join(words...)
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
		words = append(words, "only listed: "+keys.Name(p.Of(openTask))+" gets it")
	}
	if l := r.listed; l != nil {
		words = append(words, "listed as "+canvas.SanitizeLine(l.StateWord())+" in #"+strconv.FormatUint(uint64(l.Record), 10))
	}
	if r.task != nil && r.task.Forgotten {
		words = append(words, "the agent no longer knows the task")
	}
	return p.Join(words...)
}

// progress describes what happens to a task, or how the last request about it ended.
func (p *Pane) progress(r *row) string {
	if now := p.activity(r); now != "" {
		if r.signal() != nil {
			now += ": " + keys.Name(p.Of(pollTask)) + " stops it"
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
		return "The agent accepted the cancel, but the task is " + canvas.SanitizeLine(t.StateWord()) + ": " + keys.Name(p.Of(pollTask)) + " polls it"
	case t.Waits():
		return "The task waits for you: " + keys.Name(p.Of(openTask)) + " opens it"
	}
	return ""
}
