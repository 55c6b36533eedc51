package inbox

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "waiting for you" }

// Note returns how many tasks wait, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.waits == 0 {
		return "none any more"
	}
	return units.Plural(p.waits, "task")
}

const (
	footRows = 8  // details of the selected task, including the rule
	mostRows = 12 // most rows of the list in the preferred height
)

// Height returns the preferred height in rows.
func (p *Pane) Height() int { return max(3, min(len(p.tasks), mostRows)) + footRows }

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int {
	if p.h < 2 {
		return p.h
	}
	return max(p.h-footRows, min(p.h/2, max(1, len(p.tasks))))
}

// Cursor returns nil: the pane has no input.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	rows := p.listHeight()
	list := p.cursor.Rows(p.st, p.w, len(p.tasks), rows, func(i int) string { return p.row(p.tasks[i]) })
	if len(p.tasks) == 0 {
		list = []string{p.st.Faint.S("Nothing waits for you.")}
	}
	return canvas.Stack(p.st, p.w, canvas.Part{}, canvas.Part{Rows: list, H: rows}, canvas.Part{Rows: p.foot(), H: p.h - rows})
}

// row renders a task: its state, its agent, its prompt and how long it has waited.
func (p *Pane) row(t *model.Task) string {
	sign, paint := looks.State(p.st, t.State)
	words, dots := p.st.Text, p.st.G[styles.Ellipsis]
	if !waits(t) {
		words = p.st.Faint
	}
	ago := p.ago(t)
	ask := p.asked(t)
	const agentWidth, gaps = 16, 6
	room := p.w - canvas.Width(ago) - gaps - 2
	who := min(agentWidth, max(6, room/3))
	asks, _, _ := strings.Cut(ask.text, "\n")
	if asks == "" {
		asks = wants(t)
	}
	if !waits(t) {
		asks = over(t)
	}
	return paint.S(p.st.G[sign]) + " " + words.S(canvas.Fit(canvas.Ellipsize(ask.who, who, dots), who)) + "  " +
		words.S(canvas.Fit(canvas.EllipsizeWords(asks, max(0, room-who), dots), max(0, room-who))) + "  " + p.st.Faint.S(ago)
}

// ago returns how long a task has been in its current state.
func (p *Pane) ago(t *model.Task) string {
	at := since(t)
	if at.IsZero() {
		return ""
	}
	return units.Duration(max(0, p.now.Sub(at)).Truncate(1e9))
}

// wants describes what a task without a text in its prompt waits for.
func wants(t *model.Task) string {
	if t.State == a2a.StateAuthRequired {
		return "needs credentials"
	}
	return "needs input"
}

// over returns the reason why a task no longer waits.
func over(t *model.Task) string {
	switch {
	case t.Forgotten:
		return "the agent no longer knows the task"
	case t.Answered:
		return "answered"
	default:
		return "no longer waits: " + canvas.SanitizeLine(t.StateWord())
	}
}

// foot renders the details of the selected task.
func (p *Pane) foot() []string {
	t := p.selected()
	if t == nil {
		return nil
	}
	st, sep := p.st, " "+p.st.G[styles.Separator]+" "
	a := p.asked(t)
	fit := func(s string) string { return canvas.Ellipsize(s, p.w, st.G[styles.Ellipsis]) }
	title := canvas.SanitizeLine(t.Title())
	out := []string{st.Dim.S(fit(canvas.SanitizeLine(t.StateWord()) + sep + "task " + units.ID(canvas.SanitizeLine(t.ID)) + sep + title))}
	if len(a.links) > 0 {
		host := canvas.HostIn(a.links[0], p.w-len("o opens "), st.G[styles.Ellipsis])
		out = append(out, st.Accent.S("o")+st.Dim.S(" opens ")+st.Waiting.S(host)+st.Faint.S(fit(sep+canvas.SanitizeLine(a.links[0]))))
	}
	text := a.text
	if text == "" {
		text = wants(t) + ", without a text"
	}
	const most = 200 // more lines than any window has rows
	for _, l := range strings.SplitN(text, "\n", most) {
		out = append(out, canvas.Paragraph(l, p.w, st.Text)...)
		if len(out) > p.h {
			break
		}
	}
	return out
}
