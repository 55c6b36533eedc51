package inbox

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	list.Keys
	Go, Open, Copy, ID, Filter, Close key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys:   list.ShortKeys(),
		Go:     keys.Bind("enter", "answer task"),
		Open:   keys.Bind("o", "open link"),
		Copy:   keys.Bind("y", "copy question"),
		ID:     keys.Bind("Y", "copy task id"),
		Filter: sheet.FilterKey("tasks"),
		Close:  keys.Bind("esc", "close", "esc", "q"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.filter.Typing() {
		return p.filter.TypingKeys()
	}
	k, t := p.keys, p.selected()
	k.Filter.SetEnabled(len(p.tasks) > 0)
	k.Go.SetEnabled(t != nil)
	k.ID.SetEnabled(t != nil)
	k.Copy.SetEnabled(t != nil && p.prompt(t).text != "")
	k.Open.SetEnabled(t != nil && len(p.prompt(t).links) > 0)
	k.Keys.SetEnabled(len(p.listed()) > 1)
	return []key.Binding{k.Go, k.Open, k.Down, k.Up, k.Copy, k.ID, k.Filter, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Go, k.Open, k.Copy, k.ID}, {k.Up, k.Down, k.First, k.Last, k.Filter, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.filter.Typing() {
		p.filter.Key(msg)
		p.List.Go(p.List.At, len(p.listed()))
		return nil
	}
	k, t := p.keys, p.selected()
	switch {
	case key.Matches(msg, k.Close):
		if msg.Code == tea.KeyEscape && p.filter.Clear() {
			return nil
		}
		return Close{}
	case key.Matches(msg, k.Filter) && len(p.tasks) > 0:
		p.filter.Open()
	case p.List.Key(msg, &k.Keys, len(p.listed()), p.parts().List), t == nil:
	case key.Matches(msg, k.Go):
		return Go{t}
	case key.Matches(msg, k.Open):
		if links := p.prompt(t).links; len(links) > 0 {
			return Open{links[0]}
		}
		return Refused{"This task has no link to open."}
	case key.Matches(msg, k.Copy):
		if t.Prompt != nil && t.Prompt.Text() != "" {
			return Copy{t.Prompt.Text(), "the question"}
		}
		return Refused{"This task asks without text: there is nothing to copy."}
	case key.Matches(msg, k.ID):
		return Copy{t.ID, "the id of the task"}
	}
	return nil
}
