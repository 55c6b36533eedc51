package inbox

import (
	"cmp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/sheet"
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
	footRows = 8 // details of the selected task, including the rule
)

// parts returns the heights of list and foot.
func (p *Pane) parts() sheet.Parts {
	h, n := p.Room(), len(p.listed())
	least := min(h, max(1, min(h/2, n)))
	rows := min(max(h-footRows, least), max(n, least))
	return sheet.Parts{List: rows, Foot: h - rows}
}

// Cursor returns the terminal's cursor relative to the pane while the user types a filter, else
// nil.
func (p *Pane) Cursor() *tea.Cursor { return p.FilterCursor() }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at := p.parts()
	return p.Stack(at, nil, p.Rows(len(p.listed()), at.List, p.row, p.empty), p.foot())
}

// empty says why no task is listed.
func (p *Pane) empty() string {
	if len(p.tasks) > 0 {
		return "No task here contains this."
	}
	return "Nothing waits for you: a task that asks for input or credentials appears here, and " + keys.Name(p.Of(answerTask)) + " goes to it."
}

// row renders task i: its state, its agent, its prompt and how long it has waited.
func (p *Pane) row(i int) string {
	t := p.listed()[i]
	sign, paint := looks.State(p.St, t.State)
	ago, ask := p.ago(t), p.prompt(t)
	const agentWidth, gaps = 16, 6
	room := p.W - canvas.Width(ago) - gaps - 2
	who := min(agentWidth, max(6, room/3))
	asks, _, _ := strings.Cut(ask.text, "\n")
	asks, words := cmp.Or(asks, describeWait(t)), p.St.Text
	if !t.Waits() {
		asks, words = describeEnd(t), p.St.Faint
	}
	asks = canvas.EllipsizeWords(asks, max(0, room-who), p.St.G[styles.Ellipsis])
	return paint.S(p.St.G[sign]) + " " + words.S(p.Cell(ask.who, who)) + "  " + words.S(canvas.Fit(asks, max(0, room-who))) + "  " + p.St.Faint.S(ago)
}

// ago returns how long a task has been in its current state, empty if unknown.
func (p *Pane) ago(t *model.Task) string { return sheet.Ago(t.Since(), p.now) }

// Next returns how long the ages of the rows stay as they are.
func (p *Pane) Next() time.Duration {
	tasks := p.listed()
	return p.NextAge(len(tasks), p.now, func(i int) time.Time { return tasks[i].Since() })
}

// describeWait describes what a task without a text in its prompt waits for.
func describeWait(t *model.Task) string {
	if t.State == a2a.StateAuthRequired {
		return "needs credentials"
	}
	return "needs input"
}

// describeEnd returns the reason why a task no longer waits.
func describeEnd(t *model.Task) string {
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
	st, a := p.St, p.prompt(t)
	out := []string{st.Dim.S(p.Cut(p.Join(canvas.SanitizeLine(t.StateWord()), "task "+units.ID(canvas.SanitizeLine(t.ID)), canvas.SanitizeLine(t.Title()))))}
	if len(a.links) > 0 {
		opens, paint := keys.Name(p.Of(openLink)), st.Text
		if t.Waits() {
			paint = st.Waiting
		}
		host := canvas.HostIn(a.links[0], p.W-len(opens+" opens "), st.G[styles.Ellipsis])
		out = append(out, st.Accent.S(opens)+st.Dim.S(" opens ")+paint.S(host)+st.Faint.S(p.Cut(p.Join("", canvas.SanitizeLine(a.links[0])))))
	}
	const most = 200 // more lines than any window has rows
	for _, l := range strings.SplitN(cmp.Or(a.text, describeWait(t)+", without a text"), "\n", most) {
		out = append(out, canvas.Paragraph(l, p.W, st.Text)...)
		if len(out) > p.H {
			break
		}
	}
	return out
}
