package push

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Listen, Other, List, Get, Delete    key.Binding
	Every, Show, Copy, Filter, Close    key.Binding
	NextField, PrevField, Accept, Leave key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:      list.RowKeys(),
		Listen:    keys.Bind("n", "register Parley's webhook"),
		Other:     keys.Bind("a", "register another URL"),
		List:      keys.Bind("l", "list webhooks"),
		Get:       keys.Bind("enter", "get webhook"),
		Delete:    keys.Bind("d", "delete webhook", "d", "delete"),
		Every:     keys.Bind("i", "add to each message"),
		Show:      keys.Bind("f", "filter wire"),
		Copy:      keys.Bind("y", "copy URL"),
		Filter:    sheet.FilterKey("webhooks"),
		Close:     keys.Bind("esc", "close", "esc", "q"),
		NextField: keys.Bind("tab", "next field", "tab", "down"),
		PrevField: keys.Bind("shift+tab", "previous field", "shift+tab", "up"),
		Accept:    keys.Bind("enter", "register"),
		Leave:     keys.Bind("esc", "cancel", "esc", "ctrl+c"),
	}
}

// activeKeys returns the key bindings for the current state: bindings without an effect are
// disabled, and help texts match what the keys do.
func (p *Pane) activeKeys() KeyMap {
	k, some := p.keys, p.selected() != nil
	k.Keys.SetEnabled(len(p.hooks()) > 1)
	k.Listen.SetEnabled(p.why(a2a.OpPushSet) == "")
	k.Other.SetEnabled(p.why(a2a.OpPushSet) == "")
	k.List.SetEnabled(p.why(a2a.OpPushList) == "")
	k.Get.SetEnabled(p.why(a2a.OpPushGet) == "" && (some || p.deletesByNull()))
	k.Delete.SetEnabled(p.why(a2a.OpPushDelete) == "" && (some || p.deletesByNull()))
	k.Every.SetEnabled(p.whyEvery() == "")
	k.Show.SetEnabled(p.about.Task != nil && p.about.Task.Push.Deliveries > 0)
	k.Copy.SetEnabled(some)
	k.Filter.SetEnabled(len(p.all()) > 0)
	if p.deletesByNull() {
		k.Delete.SetHelp(k.Delete.Help().Key, "set to null")
	}
	if p.about.Every {
		k.Every.SetHelp(k.Every.Help().Key, "remove from messages")
	}
	return k
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.Typing() {
		return p.filter.TypingKeys()
	}
	k := p.activeKeys()
	if p.typing {
		return []key.Binding{k.Accept, k.NextField, k.PrevField, k.Leave}
	}
	return []key.Binding{k.Listen, k.Every, k.List, k.Get, k.Delete, k.Other, k.Show, k.Copy, k.Filter, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Listen, k.Every, k.List, k.Get, k.Delete, k.Other},
		{k.Up, k.Down, k.Show, k.Copy, k.Filter, k.Close},
	}
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	switch {
	case p.typing:
		return p.formKey(msg, k)
	case p.filter.Typing():
		p.filter.Key(msg)
		return nil
	}
	h := p.selected()
	switch {
	case key.Matches(msg, k.Close):
		if msg.Code == tea.KeyEscape && p.filter.Clear() {
			return nil
		}
		return Close{}
	case key.Matches(msg, k.Filter) && len(p.all()) > 0:
		p.filter.Open()
	case p.List.Key(msg, &k.Keys, len(p.hooks()), p.parts().List):
		p.selectRow()
	case key.Matches(msg, k.Every):
		if why := p.whyEvery(); why != "" {
			return refuse(why)
		}
		return Every{!p.about.Every}
	case key.Matches(msg, k.Copy) && h != nil:
		return Copy{h.URL}
	case key.Matches(msg, k.Show):
		if p.about.Task != nil && p.about.Task.Push.Deliveries > 0 {
			return Show{p.about.Task.ID}
		}
		return refuse("there are no deliveries about this task")
	default:
		return p.ask(msg, k)
	}
	return nil
}

// ask handles the keys that send a request to the agent.
func (p *Pane) ask(msg tea.KeyPressMsg, k KeyMap) Intent {
	op := a2a.Op("")
	switch {
	case key.Matches(msg, k.Listen), key.Matches(msg, k.Other):
		op = a2a.OpPushSet
	case key.Matches(msg, k.List):
		op = a2a.OpPushList
	case key.Matches(msg, k.Get):
		op = a2a.OpPushGet
	case key.Matches(msg, k.Delete):
		op = a2a.OpPushDelete
	default:
		return nil
	}
	if why := p.why(op); why != "" {
		return refuse(why)
	}
	task, id := p.about.Task.ID, ""
	if h := p.selected(); h != nil {
		id = h.ID
	} else if (op == a2a.OpPushGet || op == a2a.OpPushDelete) && !p.deletesByNull() {
		return refuse("no webhook is known: " + keys.Name(p.keys.List) + " lists the task's webhooks")
	}
	switch {
	case key.Matches(msg, k.Listen):
		return Listen{task}
	case key.Matches(msg, k.Other):
		p.typing = true
		p.focus(0)
		return nil
	case op == a2a.OpPushList:
		return List{task}
	case op == a2a.OpPushGet:
		return Get{task, id}
	default:
		return Delete{task, id}
	}
}

// refuse returns a refusal with the reason as a sentence.
func refuse(why string) Intent { return Refused{sheet.Sentence(why)} }
