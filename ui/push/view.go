package push

import (
	"cmp"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.about.Task == nil {
		return "webhooks"
	}
	return "webhooks of task " + units.ID(canvas.SanitizeLine(p.about.Task.ID))
}

// Note returns the task's state, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.about.Task == nil {
		return "no task yet"
	}
	return canvas.SanitizeLine(p.about.Task.StateWord())
}

const (
	headRows = 4               // including the rule below
	footRows = 2 + len(fields) // including the rule above
)

// parts returns the heights of head, list and foot.
func (p *Pane) parts() sheet.Parts {
	if p.typing {
		return p.SplitFor(max(1, len(p.hooks())), headRows, footRows, 0)
	}
	return p.SplitFor(len(p.hooks()), headRows, footRows, 2)
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	p.selected()
	at := p.parts()
	return p.Stack(at, p.head(), p.Rows(len(p.hooks()), at.List, p.row, p.empty), p.foot())
}

// head returns the rows above the list: what the card declares, where Parley receives
// deliveries, and whether messages register a webhook.
func (p *Pane) head() []string {
	words, bad := p.declaration()
	paint := p.St.Text
	if bad {
		paint = p.St.Waiting
	}
	at, reach := "The receiver is not running: the first webhook of Parley starts it.", p.St.Dim
	switch {
	case p.about.Base != "" && p.outOfReach():
		at, reach = "Received at "+canvas.SanitizeLine(p.about.Base)+", which the agent cannot reach: --push-url names a tunnel", p.St.Waiting
	case p.about.Base != "":
		at = "Received at " + canvas.SanitizeLine(p.about.Base)
	}
	if t := p.about.Task; t != nil && t.Push.Deliveries > 0 {
		n := units.Count(t.Push.Deliveries) + " deliveries"
		if t.Push.Deliveries == 1 {
			n = "1 delivery"
		}
		at = p.Join(at, n+" about this task")
	}
	every := "Messages register no webhook"
	if p.about.Every {
		every = "Each message of this conversation registers a webhook of Parley"
	}
	return []string{paint.S(p.Cut(words)), reach.S(p.Cut(at)), p.St.Dim.S(p.Cut(every) + p.St.Faint.S("  "+keys.Name(p.Of(addToEach))))}
}

// empty returns the reason why the list is empty.
func (p *Pane) empty() string {
	registers := keys.Name(p.Of(registerOwn)) + " registers Parley's webhook."
	switch t := p.about.Task; {
	case len(p.all()) > 0:
		return "No webhook contains this."
	case p.about.Why != "":
		return sheet.Sentence(p.about.Why)
	case t == nil && p.about.Every:
		return "There is no task here yet: the next message registers a webhook."
	case t == nil:
		return "There is no task here yet, and a webhook belongs to a task: " + keys.Name(p.Of(addToEach)) + " registers one with the next message."
	case t.Push.Listed != 0:
		return "The task has no webhook. " + registers
	case t.Push.Deliveries > 0 && p.why(a2a.OpPushList) == "":
		return "A message registered a webhook: " + keys.Name(p.Of(listWebhooks)) + " lists the webhooks that the agent has."
	case t.Push.Deliveries > 0:
		return "A message registered a webhook: " + keys.Name(p.Of(getWebhook)) + " gets the webhook that the agent has."
	case p.why(a2a.OpPushList) == "":
		return "The task's webhooks are unknown: " + keys.Name(p.Of(listWebhooks)) + " lists them, " + registers
	default:
		return "The task's webhook is unknown: " + keys.Name(p.Of(getWebhook)) + " gets it, " + registers
	}
}

// row renders webhook i: whether it is Parley's, its id, its URL and how deliveries
// authenticate.
func (p *Pane) row(i int) string {
	const whereWidth, idWidth = 6, 18
	h := &p.hooks()[i]
	where, paint := "away", p.St.Dim
	if p.isOwn(h.URL) {
		where, paint = "here", p.St.OK
	}
	id := cmp.Or(canvas.SanitizeLine(h.ID), "the only one")
	brings := authentication(&h.PushConfig)
	room := max(8, p.W-whereWidth-idWidth-4-canvas.Width(brings)-2)
	return paint.S(canvas.Fit(where, whereWidth)) + p.St.Text.S(p.Cell(id, idWidth)) + "  " +
		p.St.Text.S(p.Cell(canvas.SanitizeLine(h.URL), room)) + "  " + p.St.Faint.S(brings)
}

// authentication names what a delivery to a webhook has to carry, without its secrets.
func authentication(c *a2a.PushConfig) string {
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
	if p.typing {
		return p.formLines()
	}
	var out []string
	if t := p.about.Task; t != nil {
		switch {
		case t.Push.Pending != "":
			return []string{p.St.Accent.S(describeRequest(t.Push.Pending))}
		case t.Push.Problem != nil:
			return canvas.Paragraph(canvas.SanitizeLine(t.Push.Problem.Sentence), p.W, p.St.Failed)
		}
		if words := t.Undelivered(); words != "" {
			out = canvas.Paragraph(canvas.SanitizeLine(words), p.W, p.St.Waiting)
		}
	}
	h := p.selected()
	if h == nil {
		return out
	}
	rows := max(1, p.parts().Foot/4) // of each value
	for _, d := range [][2]string{{"id", h.ID}, {"url", h.URL}, {"brings", authentication(&h.PushConfig)}, {"reported by", "#" + strconv.FormatUint(uint64(h.Record), 10)}} {
		out = append(out, p.Detail(d[0], labelWidth, d[1], rows)...)
	}
	return out
}

// describeRequest describes the open request.
func describeRequest(op a2a.Op) string {
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
