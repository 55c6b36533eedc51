package picker

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the pane's keys. All other keys type.
type KeyMap struct {
	Up, Down, PageUp, PageDown, First, Last key.Binding
	Accept, Into, Above, Mark               key.Binding
	Hidden, Close                           key.Binding
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:       keys.Bind("up", "up", "up", "ctrl+k"),
		Down:     keys.Bind("down", "down", "down", "ctrl+j"),
		PageUp:   keys.Bind("pgup", "page up"),
		PageDown: keys.Bind("pgdown", "page down"),
		First:    keys.Bind("ctrl+home", "first"),
		Last:     keys.Bind("ctrl+end", "last"),
		Accept:   keys.Bind("enter", "attach"),
		Into:     keys.Bind("right", "into the folder"),
		Above:    keys.Bind("left", "folder above", "left", "backspace"),
		Mark:     keys.Bind("tab", "mark"),
		Hidden:   keys.Bind("alt+.", "show hidden"),
		Close:    keys.Bind("esc", "close", "esc", "ctrl+c"),
	}
}

// ShortHelp lists the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k, e := p.keys, p.selected()
	folder := e == nil || e.Folder
	if folder && len(p.rows) > 0 {
		k.Accept.SetHelp("enter", "open")
	}
	if p.hidden {
		k.Hidden.SetHelp("alt+.", "hide hidden")
	}
	k.Mark.SetEnabled(!folder)
	k.Above.SetEnabled(p.input.Value() == "")
	return []key.Binding{k.Accept, k.Mark, k.Above, k.Hidden, k.Close}
}

// FullHelp lists all keys of the pane.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{
		{k.Accept, k.Into, k.Above, k.Mark, k.Hidden, k.Close},
		{k.Up, k.Down, k.PageUp, k.PageDown, k.First, k.Last},
	}
}

// Key handles a key press. What cannot be done is answered with why.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k, blank := p.keys, p.input.Value() == ""
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Accept):
		return p.accept()
	case key.Matches(msg, k.Mark):
		return p.mark()
	case blank && key.Matches(msg, k.Above):
		return p.up()
	case key.Matches(msg, k.Into) && (blank || p.input.Position() == len([]rune(p.input.Value()))):
		if e := p.selected(); e != nil && e.Folder {
			return p.enter(p.path(e))
		}
	case key.Matches(msg, k.Hidden):
		p.hidden = !p.hidden
		p.find()
	case p.walk(msg):
	default:
		p.narrow(p.input.Key(msg))
	}
	return nil
}

// walk takes the keys that move the cursor, and reports whether msg was one.
func (p *Pane) walk(msg tea.KeyPressMsg) bool {
	k, page := p.keys, max(1, p.listHeight()-1)
	switch {
	case key.Matches(msg, k.Up):
		p.move(-1)
	case key.Matches(msg, k.Down):
		p.move(1)
	case key.Matches(msg, k.PageUp):
		p.move(-page)
	case key.Matches(msg, k.PageDown):
		p.move(page)
	case key.Matches(msg, k.First):
		p.move(-len(p.rows))
	case key.Matches(msg, k.Last):
		p.move(len(p.rows))
	default:
		return false
	}
	return true
}

// Mouse handles a click or a turn of the wheel at row y. A click chooses, one on what is
// chosen accepts it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.move(keys.Wheel(msg))
	case tea.MouseClickMsg:
		i := p.top + y - headRows
		if msg.Button != tea.MouseLeft || y < headRows || y >= headRows+p.listHeight() || i >= len(p.rows) {
			return nil
		}
		if again := i == p.at; !again {
			p.at = i
			return nil
		}
		return p.accept()
	}
	return nil
}
