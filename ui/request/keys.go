package request

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/editor"
	"parley/ui/keys"
)

// A KeyMap binds the pane's keys. Edit has the keys that move the cursor and delete.
type KeyMap struct {
	Send, Choose, Editor, Problem, Layout, IDs key.Binding
	Previous, Next, Close                      key.Binding
	Edit                                       editor.KeyMap
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Send:     keys.Bind("alt+enter", "send request", "alt+enter", "ctrl+enter", "ctrl+s"),
		Choose:   keys.Bind("ctrl+t", "choose template"),
		Editor:   keys.Bind("alt+e", "open editor"),
		Problem:  keys.Bind("tab", "next problem"),
		Layout:   keys.Bind("alt+l", "format JSON"),
		IDs:      keys.Bind("alt+i", "keep ids"),
		Previous: keys.Bind("alt+up", "previous request", "alt+up", "alt+p"),
		Next:     keys.Bind("alt+down", "next request", "alt+down", "alt+n"),
		Close:    keys.Bind("esc", "close, keep draft"),
		Edit:     editor.DefaultKeyMap(),
	}
}

// activeKeys returns the keys with those disabled that have no effect now.
func (p *Pane) activeKeys() KeyMap {
	p.read()
	k := p.keys
	for _, b := range []*key.Binding{&k.Send, &k.Editor} {
		b.SetEnabled(p.open)
	}
	k.Problem.SetEnabled(p.open && p.hasPlace())
	k.Layout.SetEnabled(p.open && len(p.parsed.request.Body) > 0)
	k.IDs.SetEnabled(p.open && p.draft.hasIDs())
	if p.draft.keepIDs {
		k.IDs.SetHelp(k.IDs.Help().Key, "new ids")
	}
	k.Choose.SetEnabled(len(p.choices()) > 0)
	k.Previous.SetEnabled(p.at > 0)
	k.Next.SetEnabled(p.at < len(p.past)-1)
	return k
}

// hasPlace reports whether a problem has a place.
func (p *Pane) hasPlace() bool {
	return p.behind || slices.ContainsFunc(p.parsed.problems, func(at problem) bool { return at.line >= 0 })
}

// ShortHelp returns the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.pick.open {
		return p.pick.help(len(p.filteredChoices()))
	}
	k := p.activeKeys()
	return []key.Binding{k.Send, k.IDs, k.Choose, k.Problem, k.Layout, k.Close, k.Editor, k.Previous}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all keys in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Send, k.Choose, k.Problem, k.Layout, k.IDs, k.Editor, k.Previous, k.Next, k.Close, k.Edit.Newline}, k.Edit.Help(),
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.pick.open {
		return p.pickKey(msg)
	}
	k := p.activeKeys()
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Choose):
		p.Choose()
	case !p.open:
	case key.Matches(msg, k.Send):
		return p.send()
	case key.Matches(msg, k.Editor):
		return Edit{Text: p.edit.Text()}
	case key.Matches(msg, k.Problem):
		p.nextProblem()
	case key.Matches(msg, k.Layout):
		p.formatBody()
	case key.Matches(msg, k.IDs):
		return p.switchIDs()
	case key.Matches(msg, k.Previous):
		p.recall(-1)
	case key.Matches(msg, k.Next):
		p.recall(1)
	case p.edit.Key(msg, k.Edit):
	case msg.Text != "":
		p.edit.Insert(msg.Text)
	}
	return nil
}
