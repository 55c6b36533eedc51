package chat

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// maxStays is how many states of a task are listed: the newest.
const maxStays = 100

// timeline draws the states of a task, their beginnings and durations: a row for each, with a
// line of proportional length, and the sums.
func (k *renderer) timeline(t *model.Task, w int) []string {
	stays := t.Stays(k.currentTime())
	if n := len(stays); n > 0 && stays[n-1].Open && stays[n-1].State.Interrupted() {
		stays[n-1].For, _ = units.Age(stays[n-1].For)
	}
	sum := k.totals(stays)
	var out []string
	if more := len(stays) - maxStays; more > 0 {
		out = append(out, k.truncate(k.st.Faint.S(units.Plural(more, "earlier state")), w))
		stays = stays[more:]
	}
	longest := time.Duration(1)
	for _, s := range stays {
		longest = max(longest, s.For)
	}
	for _, s := range stays {
		out = append(out, k.truncate(k.stay(s, longest, w), w))
	}
	if sum != "" {
		out = append(out, k.cleanText(k.st.Dim, sum, w)...)
	}
	return out
}

// currentTime returns the time until which current states last; zero in a recording, where it is
// unknown.
func (k *renderer) currentTime() time.Time {
	if k.recording {
		return time.Time{}
	}
	return k.now
}

// stay draws one state.
func (k *renderer) stay(s model.Stay, longest time.Duration, w int) string {
	const word, clock, long, least = 14, 12, 11, 6
	sign, paint := looks.Past(k.st, s.State)
	name := s.State.String()
	if s.State == a2a.StateOther || s.State == a2a.StateUnknown && s.Word != "" {
		name = k.clean(s.Word)
	}
	out := paint.S(k.st.G[sign]+" "+canvas.Fit(canvas.Ellipsize(name, word, k.st.G[styles.Ellipsis]), word)) + "  "
	lasted, room := "", w-(2+word+2)
	switch {
	case s.For > 0 || s.Open && !k.recording:
		lasted = units.Duration(s.For)
	case s.Open:
		lasted = "?"
	}
	if room > clock+long+2 {
		out += k.st.Faint.S(canvas.Fit(s.Time.Format("15:04:05.000"), clock))
		room -= clock
	}
	out += strings.Repeat(" ", max(1, long-canvas.Width(lasted))) + k.st.Text.S(lasted)
	room -= long
	stamp := k.agentTime(s)
	if room > canvas.Width(stamp)+2 && stamp != "" {
		return out + "  " + k.st.Faint.S(stamp)
	}
	if room -= 2; room >= least && s.For > 0 {
		cells := max(1, int(int64(min(room, 40))*int64(s.For/time.Microsecond+1)/int64(longest/time.Microsecond+1)))
		out += "  " + paint.S(strings.Repeat(k.st.G[styles.Horizontal], cells))
	}
	return out
}

// agentTime returns the beginning of a state by the agent's own clock, if it is worth showing: the
// agent knows it better for a polled task.
func (k *renderer) agentTime(s model.Stay) string {
	if s.Stamp.IsZero() {
		return ""
	}
	if off := s.Time.Sub(s.Stamp); off < time.Second && off > -time.Second {
		return ""
	}
	return "the agent says " + s.Stamp.In(s.Time.Location()).Format("15:04:05")
}

// totals shows the total time of each activity, and the whole time.
func (k *renderer) totals(stays []model.Stay) string {
	var worked, waited, all time.Duration
	for _, s := range stays {
		switch all += s.For; {
		case s.State.Interrupted():
			waited += s.For
		case !s.State.Terminal():
			worked += s.For
		}
	}
	if all == 0 {
		return ""
	}
	words := []string{}
	if worked > 0 {
		words = append(words, "at work "+units.Duration(worked))
	}
	if waited > 0 {
		words = append(words, "waiting for you "+units.Duration(waited))
	}
	return k.join(append(words, units.Duration(all)+" in all")...)
}

// headRow returns the head of the cursor's block if that belongs to a task.
func (p *Pane) headRow() *row {
	if p.task() == nil {
		return nil
	}
	for _, t := range p.out.turns {
		if t.turn == p.row.turn && p.row.block < len(t.blocks) {
			return t.blocks[p.row.block].head
		}
	}
	return nil
}

// task returns the task of the cursor's block, nil if there is none.
func (p *Pane) task() *model.Task {
	if p.row == nil || p.row.block < 0 || p.row.block >= len(p.row.turn.Blocks) {
		return nil
	}
	return p.row.turn.Blocks[p.row.block].Task
}

// ShowTimeline shows how long a task was in each state, at its newest block. It reports whether
// the task is in the shown conversation.
func (p *Pane) ShowTimeline(t *model.Task) bool {
	p.sync()
	b := p.out.newest[t]
	if b == nil {
		return false
	}
	b.head.detail = false
	p.toggleDetails(b.head)
	return true
}

// toggleDetails shows or hides the details of a row, and goes there.
func (p *Pane) toggleDetails(r *row) {
	r.detail = !r.detail
	p.row, p.line = r, -1
	if h, ok := r.body.(*head); ok && h.block.Task != nil {
		p.timeline, p.renderer.now = r, p.renderer.session()
	}
	p.dirty = true
	p.refold()
}

// Next returns how long what the pane shows stays as it is while nothing comes, 0 for ever. What runs is the
// time of a task which is not over and whose states are listed, and that until a busy agent accepts a message.
func (p *Pane) Next() time.Duration {
	switch k := p.renderer; {
	case p.out.retry != nil && !k.recording && k.now.Before(p.out.retry.body.(*problemBlock).entry().Problem.Again):
		return time.Second
	case !p.timelineRuns():
		return 0
	}
	if t := p.timeline.body.(*head).block.Task; t.Asks() {
		_, next := units.Age(p.renderer.session().Sub(t.Since()))
		return next
	}
	return time.Second
}

// timelineRuns reports whether the states of a task that is not over are listed.
func (p *Pane) timelineRuns() bool {
	if p.timeline == nil || !p.timeline.detail || p.renderer.recording || !p.isListed(p.timeline) {
		return false
	}
	return !p.timeline.body.(*head).block.Task.Over()
}
