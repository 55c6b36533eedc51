// Package push is the pane of the push notification configurations of a task, which the user
// lists, gets, registers and deletes. A webhook is Parley's own or one at a URL that the
// user types.
//
// A [Pane] reads [model.Push] and does not know the engine. It returns what the user asks for
// as an [Intent]; a [Refused] says why something is not possible.
package push

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// About is the data that the pane shows.
type About struct {
	Agent *model.Agent // nil if no agent is open
	Task  *model.Task  // nil if the conversation has no task
	// Base is the URL below which Parley receives deliveries, empty if the receiver is not
	// running.
	Base string
	// Every reports whether each message of the conversation registers a webhook of Parley.
	Every bool
	// Why is the reason why no request can be sent, empty if one can.
	Why string
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Listen registers a webhook of Parley for the task.
	Listen struct{ Task string }
	// Set registers a webhook at another URL for the task.
	Set struct {
		Task   string
		Config a2a.PushConfig
	}
	// List lists the webhooks of the task.
	List struct{ Task string }
	// Get gets one webhook of the task.
	Get struct{ Task, ID string }
	// Delete deletes one webhook of the task.
	Delete struct{ Task, ID string }
	// Every sets whether each later message registers a webhook.
	Every struct{ On bool }
	// Show filters the wire for the deliveries about the task.
	Show struct{ Task string }
	// Copy copies text to the clipboard.
	Copy struct{ Text string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Listen) intent()  {}
func (Set) intent()     {}
func (List) intent()    {}
func (Get) intent()     {}
func (Delete) intent()  {}
func (Every) intent()   {}
func (Show) intent()    {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane shows the webhooks of a task. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about  About
	sel    string // id of the selected webhook
	typing bool   // the form is open
	filter sheet.Filter
	shown  shown
	at     int // the focused input
	inputs [len(fields)]field.Field
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{}
	var inputs []*field.Field
	for i, f := range fields {
		p.inputs[i] = field.New(st, field.Options{Hint: f.hint, Masked: f.secret})
		inputs = append(inputs, &p.inputs[i])
	}
	p.filter = sheet.NewFilter(st)
	p.Table = p.actions()
	p.Base = sheet.New(st, append(inputs, p.filter.Input())...)
	p.SetFilter(&p.filter)
	return p
}

// SetAbout sets the data to show.
func (p *Pane) SetAbout(a About) {
	if p.about.Task != a.Task || p.about.Agent != a.Agent {
		p.sel, p.List = "", list.Cursor{}
		p.filter.Clear()
	}
	p.about = a
}

// Typing reports whether the form or the filter is open, so that letters are text.
func (p *Pane) Typing() bool { return p.typing || p.filter.Typing() }

// all returns the known webhooks of the task.
func (p *Pane) all() []model.Webhook {
	if p.about.Task == nil {
		return nil
	}
	return p.about.Task.Push.Hooks
}

// shown are the webhooks that pass the filter, with what they follow from.
type shown struct {
	words string
	first *model.Webhook
	of    int
	hooks []model.Webhook
}

// hooks returns those that pass the filter.
func (p *Pane) hooks() []model.Webhook {
	all, words, s := p.all(), p.filter.Words(), &p.shown
	if words == "" || len(all) == 0 {
		return all
	}
	if s.words != words || s.first != &all[0] || s.of != len(all) {
		*s = shown{words: words, first: &all[0], of: len(all)}
		for _, h := range all {
			if p.filter.Matches(h.ID, h.URL) {
				s.hooks = append(s.hooks, h)
			}
		}
	}
	return s.hooks
}

// selected moves the cursor to the selected webhook, or to the first one if that is gone, and
// returns it; nil if there is none.
func (p *Pane) selected() *model.Webhook {
	hooks := p.hooks()
	if len(hooks) == 0 {
		return nil
	}
	p.List.At = max(0, slices.IndexFunc(hooks, func(h model.Webhook) bool { return h.ID == p.sel }))
	return &hooks[p.List.At]
}

// selectRow selects the webhook at the cursor.
func (p *Pane) selectRow() {
	if hooks := p.hooks(); len(hooks) > 0 {
		p.sel = hooks[p.List.At].ID
	}
}

// isOwn reports whether a URL is a webhook of Parley.
func (p *Pane) isOwn(rawURL string) bool {
	return p.about.Base != "" && strings.HasPrefix(rawURL, p.about.Base+"/")
}

// outOfReach reports whether the agent runs where it cannot reach Parley's receiver.
func (p *Pane) outOfReach() bool {
	if p.about.Agent == nil {
		return false
	}
	base, err1 := url.Parse(p.about.Base)
	agent, err2 := url.Parse(p.about.Agent.Profile.Endpoint)
	return err1 == nil && err2 == nil && agent.Host != "" && a2a.ReachOf(base.Hostname()) < a2a.ReachOf(agent.Hostname())
}

// dialect returns the agent's dialect, nil if it is unknown.
func (p *Pane) dialect() *a2a.Dialect {
	if p.about.Agent == nil {
		return nil
	}
	d, _ := p.about.Agent.Profile.Spoken()
	return d
}

// deletesByNull reports whether setting a webhook to null deletes it, as in A2A 0.1.
func (p *Pane) deletesByNull() bool { d := p.dialect(); return d != nil && d.Name() == a2a.V01 }

// why returns the reason, as a clause, why an operation cannot be sent; empty if it can.
func (p *Pane) why(op a2a.Op) string {
	switch {
	case p.about.Why != "":
		return p.about.Why
	case p.about.Task == nil:
		return "a webhook belongs to a task, and there is no task here yet"
	case p.about.Task.Forgotten:
		return "the agent no longer knows this task"
	default:
		return p.unsupported(op)
	}
}

// whyEvery returns the reason, as a clause, why messages cannot register a webhook; empty if
// they can.
func (p *Pane) whyEvery() string { return cmp.Or(p.about.Why, p.unsupported(a2a.OpPushSet)) }

// unsupported returns the reason, as a clause, why the dialect has no such operation; empty if
// it has it.
func (p *Pane) unsupported(op a2a.Op) string {
	switch d := p.dialect(); {
	case d == nil:
		return "the agent's dialect is unknown"
	case d.Supports(op) || op == a2a.OpPushDelete && p.deletesByNull():
		return ""
	case op == a2a.OpPushList:
		return "A2A " + d.Name().Number() + " cannot list webhooks: a task has one, and " + keys.Name(p.Of(getWebhook)) + " gets it"
	default:
		return "A2A " + d.Name().Number() + " has no webhooks"
	}
}

// declaration describes, in a sentence, what the card declares about push notifications, and
// reports whether that is a problem.
func (p *Pane) declaration() (words string, bad bool) {
	if p.about.Agent == nil || p.about.Agent.Card == nil {
		return "There is no card that declares push notifications.", false
	}
	switch p.about.Agent.Card.Capabilities.PushNotifications {
	case a2a.True:
		return "The card declares push notifications.", false
	case a2a.False:
		return "The card declares no support for push notifications: the agent may refuse.", true
	default:
		return "The card does not mention push notifications: the agent may refuse.", true
	}
}

// register registers the webhook that the user typed.
func (p *Pane) register() Intent {
	c := p.config()
	u, err := url.Parse(c.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return Refused{"A webhook must be an http or https URL."}
	case c.Credentials != "" && len(c.Schemes) == 0:
		return Refused{"Credentials need a scheme, such as Bearer."}
	}
	p.typing = false
	p.Forget()
	p.Focus(nil)
	return Set{p.about.Task.ID, c}
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a webhook.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	p.selected()
	at := p.parts()
	if p.List.Mouse(msg, y-at.Head, len(p.hooks()), at.List) != list.HitNone {
		p.selectRow()
	}
	return nil
}
