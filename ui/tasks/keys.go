package tasks

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Show, Get, History, Cancel key.Binding
	Subscribe, Poll, ID, Scope key.Binding
	List, More, Filter         key.Binding
	Copy, CopyContext, Close   key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:        list.DefaultKeys(),
		Show:        keys.Bind("enter", "open task"),
		Get:         keys.Bind("r", "get task"),
		History:     keys.Bind("h", "get with history"),
		Cancel:      keys.Bind("x", "cancel task"),
		Subscribe:   keys.Bind("s", "subscribe"),
		Poll:        keys.Bind("p", "poll task"),
		ID:          keys.Bind("i", "get by id"),
		Scope:       keys.Bind("a", "show all agents"),
		List:        keys.Bind("l", "list tasks"),
		More:        keys.Bind("n", "next page"),
		Filter:      keys.Bind("/", "filter tasks"),
		Copy:        keys.Bind("y", "copy id"),
		CopyContext: keys.Bind("Y", "copy context id"),
		Close:       keys.Bind("esc", "close", "esc", "q"),
	}
}

// activeKeys returns the key bindings for the current state: bindings without an effect are
// disabled, and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	k, r := p.keys, p.selected()
	k.Keys.SetEnabled(len(p.rows) > 1)
	k.Show.SetEnabled(r != nil && (r.task != nil || p.why(r) == ""))
	for _, b := range []*key.Binding{&k.Get, &k.History, &k.Cancel, &k.Subscribe, &k.Poll} {
		b.SetEnabled(r != nil && p.why(r) == "")
	}
	k.ID.SetEnabled(p.about.Why == "" && p.about.Agent != nil)
	k.Scope.SetEnabled(p.about.Agent != nil && len(p.about.Agents) > 1)
	some, _ := p.listable(false)
	k.List.SetEnabled(len(some) > 0)
	some, _ = p.listable(true)
	k.More.SetEnabled(len(some) > 0)
	k.Filter.SetEnabled(len(p.known) > 0)
	k.Copy.SetEnabled(r != nil && r.id != "")
	k.CopyContext.SetEnabled(r != nil && r.context() != "")
	if p.all && p.about.Agent != nil {
		k.Scope.SetHelp(k.Scope.Help().Key, "show this agent")
	}
	if r.signal() != nil {
		k.Poll.SetHelp(k.Poll.Help().Key, "stop polling")
	}
	if p.filter.line != "" {
		k.Close.SetHelp(k.Close.Help().Key, "clear filter")
	}
	return k
}

// typingKeys returns the key bindings while the input is open.
func (p *Pane) typingKeys() (accept, leave key.Binding) {
	in := inputs[p.field]
	return keys.Bind("enter", in.accept), keys.Bind("esc", in.leave, "esc", "ctrl+c")
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.Typing() {
		accept, leave := p.typingKeys()
		return []key.Binding{accept, leave}
	}
	k := p.activeKeys()
	return []key.Binding{
		k.Show, k.Get, k.Poll, k.Subscribe, k.Cancel, k.List, k.More, k.Filter, k.Scope, k.ID, k.Copy, k.History, k.Close,
	}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Show, k.Get, k.History, k.Cancel, k.Subscribe, k.Poll, k.ID, k.List, k.More, k.Filter, k.Scope},
		append(append([]key.Binding{k.Copy, k.CopyContext}, k.Keys.All()...), k.Close),
	}
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.Typing() {
		return p.typeKey(msg)
	}
	k := p.keys
	if !key.Matches(msg, k.Cancel) {
		defer func() { p.pendingCancel = taskKey{} }()
	}
	switch {
	case key.Matches(msg, k.Close):
		return p.close(msg)
	case key.Matches(msg, k.List):
		return p.list(false)
	case key.Matches(msg, k.More):
		return p.list(true)
	case key.Matches(msg, k.Filter):
		p.openInput(fieldFilter)
	case key.Matches(msg, k.ID):
		return p.anyID()
	case key.Matches(msg, k.Scope):
		return p.rescope()
	case p.List.Key(msg, &k.Keys, len(p.rows), p.parts().List):
	default:
		return p.act(msg, k)
	}
	return nil
}

// act handles the keys that act on the selected task.
func (p *Pane) act(msg tea.KeyPressMsg, k KeyMap) Intent {
	r := p.selected()
	if r == nil {
		if b := []key.Binding{k.Show, k.Get, k.History, k.Cancel, k.Subscribe, k.Poll, k.Copy, k.CopyContext}; key.Matches(msg, b...) {
			return refuse("no tasks are listed")
		}
		return nil
	}
	switch {
	case key.Matches(msg, k.Copy):
		if r.id == "" {
			return refuse("the agent gave this task no id")
		}
		return Copy{r.id, "the id of the task"}
	case key.Matches(msg, k.CopyContext):
		if r.context() == "" {
			return refuse("the context of this task is unknown")
		}
		return Copy{r.context(), "the id of the context"}
	case key.Matches(msg, k.Show):
		return p.open(r)
	case key.Matches(msg, k.Get, k.History, k.Cancel, k.Subscribe, k.Poll):
		if why := p.why(r); why != "" {
			return refuse(why)
		}
		return p.ask(msg, k, r)
	}
	return nil
}

// ask handles the keys that send a request about a task.
func (p *Pane) ask(msg tea.KeyPressMsg, k KeyMap, r *row) Intent {
	switch {
	case key.Matches(msg, k.Get):
		return Get{Ref: r.ref()}
	case key.Matches(msg, k.History):
		p.openInput(fieldHistory)
		return nil
	case key.Matches(msg, k.Cancel):
		return p.cancel(r)
	case key.Matches(msg, k.Subscribe):
		return p.subscribe(r)
	default:
		return p.poll(r)
	}
}
