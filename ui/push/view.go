package push

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// Title returns the title of the frame.
func (p *Pane) Title() string { return "push notifications" }

// Note returns the task's id and state, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.about.Task == nil {
		return "no task yet"
	}
	return "task " + units.ID(canvas.SanitizeLine(p.about.Task.ID)) + " " + p.st.G[styles.Separator] + " " + canvas.SanitizeLine(p.about.Task.StateWord())
}

// Height returns the preferred height in rows.
func (p *Pane) Height() int {
	const few, many = 4, 12
	return 4 + max(few, min(len(p.hooks()), many)) + 2 + len(fields)
}

// headHeight returns the number of rows above the list.
func (p *Pane) headHeight() int { return min(4, max(0, p.h-1)) }

// footHeight returns the number of rows below the list.
func (p *Pane) footHeight() int {
	if p.form.open {
		return min(2+len(fields), max(0, p.h-p.headHeight()))
	}
	return max(0, min(2+len(fields), p.h-p.headHeight()-2))
}

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int { return max(0, p.h-p.headHeight()-p.footHeight()) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	return canvas.Stack(p.st, p.w,
		canvas.Part{Rows: p.head(), H: p.headHeight()},
		canvas.Part{Rows: p.list(), H: p.listHeight()},
		canvas.Part{Rows: p.foot(), H: p.footHeight()})
}

// head returns the rows above the list: what the card declares, where Parley receives
// deliveries, and whether messages register a webhook.
func (p *Pane) head() []string {
	words, bad := p.declared()
	paint := p.st.Text
	if bad {
		paint = p.st.Waiting
	}
	at, reach := "The receiver is not running: the first webhook of Parley starts it.", p.st.Dim
	switch {
	case p.about.Base != "" && p.outOfReach():
		at, reach = "Received at "+canvas.SanitizeLine(p.about.Base)+", which the agent cannot reach: --push-url names a tunnel", p.st.Waiting
	case p.about.Base != "":
		at = "Received at " + canvas.SanitizeLine(p.about.Base)
	}
	if t := p.about.Task; t != nil && t.Push.Came > 0 {
		n := units.Count(t.Push.Came) + " deliveries"
		if t.Push.Came == 1 {
			n = "1 delivery"
		}
		at += " " + p.st.G[styles.Separator] + " " + n + " about this task"
	}
	every := "Messages register no webhook"
	if p.about.Every {
		every = "Each message of this conversation registers a webhook of Parley"
	}
	fit := func(s string) string { return canvas.Ellipsize(s, p.w, p.st.G[styles.Ellipsis]) }
	return []string{paint.S(fit(words)), reach.S(fit(at)), p.st.Dim.S(fit(every) + p.st.Faint.S("  i"))}
}

// list renders the webhooks, or the reason why there are none.
func (p *Pane) list() []string {
	hooks := p.hooks()
	if len(hooks) == 0 {
		return canvas.Paragraph(p.none(), p.w, p.st.Faint)
	}
	return p.rows().Rows(p.st, p.w, len(hooks), p.listHeight(), func(i int) string { return p.row(&hooks[i]) })
}

// none returns the reason why the list is empty.
func (p *Pane) none() string {
	switch t := p.about.Task; {
	case p.about.Why != "":
		return sentence(p.about.Why)
	case t == nil && p.about.Every:
		return "There is no task here yet: the next message registers a webhook."
	case t == nil:
		return "There is no task here yet, and a webhook belongs to a task: i registers one with the next message."
	case t.Push.Listed != 0:
		return "The task has no webhook. n registers Parley's webhook."
	case t.Push.Came > 0 && p.why(a2a.OpPushList) == "":
		return "A message registered a webhook: l lists the webhooks that the agent has."
	case t.Push.Came > 0:
		return "A message registered a webhook: enter gets the webhook that the agent has."
	case p.why(a2a.OpPushList) == "":
		return "The task's webhooks are unknown: l lists them, n registers Parley's webhook."
	default:
		return "The task's webhook is unknown: enter gets it, n registers Parley's webhook."
	}
}

// row renders a webhook: whether it is Parley's, its id, its URL and how deliveries
// authenticate.
func (p *Pane) row(h *model.Webhook) string {
	const whereWidth, idWidth = 6, 18
	where, paint := "away", p.st.Dim
	if p.own(h.URL) {
		where, paint = "here", p.st.OK
	}
	id := canvas.SanitizeLine(h.ID)
	if id == "" {
		id = "the only one"
	}
	brings := brings(&h.PushConfig)
	room := max(8, p.w-whereWidth-idWidth-4-canvas.Width(brings)-2)
	dots := p.st.G[styles.Ellipsis]
	return paint.S(canvas.Fit(where, whereWidth)) + p.st.Text.S(canvas.Fit(canvas.Ellipsize(id, idWidth, dots), idWidth)) + "  " +
		p.st.Text.S(canvas.Fit(canvas.Ellipsize(canvas.SanitizeLine(h.URL), room, dots), room)) + "  " + p.st.Faint.S(brings)
}

// brings names what a delivery to a webhook has to carry, without its secrets.
func brings(c *a2a.PushConfig) string {
	var words []string
	if c.Token != "" {
		words = append(words, "token")
	}
	for _, s := range c.Schemes {
		words = append(words, canvas.SanitizeLine(s))
	}
	return strings.Join(words, ", ")
}

// foot renders the form, the open request, the last problem, or the details of the selected
// webhook.
func (p *Pane) foot() []string {
	if p.form.open {
		return p.form.lines(p.st, p.w)
	}
	var out []string
	if t := p.about.Task; t != nil {
		switch {
		case t.Push.Asking != "":
			return []string{p.st.Accent.S(asking(t.Push.Asking))}
		case t.Push.Problem != nil:
			return canvas.Paragraph(canvas.SanitizeLine(t.Push.Problem.Sentence), p.w, p.st.Failed)
		}
		if words := t.Undelivered(); words != "" {
			out = canvas.Paragraph(canvas.SanitizeLine(words), p.w, p.st.Waiting)
		}
	}
	h := p.selected()
	if h == nil {
		return out
	}
	field := func(label, value string) {
		if value != "" {
			value = canvas.Ellipsize(canvas.SanitizeLine(value), max(8, p.w-labelWidth), p.st.G[styles.Ellipsis])
			out = append(out, p.st.Faint.S(canvas.Fit(label, labelWidth))+p.st.Text.S(value))
		}
	}
	field("id", h.ID)
	field("url", h.URL)
	field("brings", brings(&h.PushConfig))
	field("reported by", "#"+strconv.FormatUint(uint64(h.Record), 10))
	return out
}

// asking describes the open request.
func asking(op a2a.Op) string {
	switch op {
	case a2a.OpPushSet:
		return "Registering the webhook …"
	case a2a.OpPushDelete:
		return "Deleting the webhook …"
	case a2a.OpPushGet:
		return "Getting the webhook …"
	default:
		return "Listing the webhooks of the task …"
	}
}

// sentence returns words with a capital letter and a full stop.
func sentence(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + strings.TrimSuffix(words[1:], ".") + "."
}
