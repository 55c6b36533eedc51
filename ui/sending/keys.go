package sending

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
)

// A KeyMap contains the pane's key bindings.
type KeyMap struct {
	Up, Down, Edit, Next, Before key.Binding
	Write, Reset, All, Close     key.Binding
	Accept, Leave, AddMode       key.Binding
}

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Up:      keys.Bind("k", "up", "k", "up", "shift+tab"),
		Down:    keys.Bind("j", "down", "j", "down", "tab"),
		Edit:    keys.Bind("enter", "change value", "enter", "e"),
		Next:    keys.Bind("l", "next value", "l", "right", "space"),
		Before:  keys.Bind("h", "previous value", "h", "left"),
		Write:   keys.Bind("w", "edit in full screen"),
		Reset:   keys.Bind("d", "reset value", "d", "delete", "backspace"),
		All:     keys.Bind("R", "reset all values"),
		Close:   keys.Bind("esc", "close", "esc", "q"),
		Accept:  keys.Bind("enter", "accept"),
		AddMode: keys.Bind("tab", "add the agent's modes"),
		Leave:   keys.Bind("esc", "cancel", "esc", "ctrl+c"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.keys
	if p.typing {
		k.AddMode.SetEnabled(p.at() == modes && p.nextMode() != "")
		return []key.Binding{k.Accept, k.AddMode, k.Leave}
	}
	k.Next.SetEnabled(p.at() == answer)
	_, metadata := owners[p.at()]
	k.Write.SetEnabled(metadata)
	k.Reset.SetEnabled(p.isSet(p.at()))
	k.All.SetEnabled(p.anySet())
	return []key.Binding{k.Edit, k.Next, k.Write, k.Down, k.Reset, k.All, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Edit, k.Next, k.Before, k.Write, k.Reset, k.All}, {k.Up, k.Down, k.Close}}
}

// isSet reports whether a setting differs from its default.
func (p *Pane) isSet(f setting) bool { return f == answer && p.way() != 0 || p.value(f) != "" }

func (p *Pane) anySet() bool {
	for f := range numSettings {
		if p.isSet(f) {
			return true
		}
	}
	return false
}

// Key handles a key press. An action that is not possible returns [Refused].
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	k := p.keys
	if p.typing {
		return p.typeKey(msg)
	}
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Up):
		p.List.Step(-1, int(numSettings))
	case key.Matches(msg, k.Down):
		p.List.Step(1, int(numSettings))
	case key.Matches(msg, k.Next) && p.at() == answer:
		return p.turn(1)
	case key.Matches(msg, k.Before) && p.at() == answer:
		return p.turn(-1)
	case key.Matches(msg, k.Edit):
		return p.write()
	case key.Matches(msg, k.Write):
		of, metadata := owners[p.at()]
		if !metadata {
			return Refused{"Only metadata can be edited in full screen."}
		}
		return Write{of}
	case key.Matches(msg, k.Reset):
		return p.set(p.reset(p.at()))
	case key.Matches(msg, k.All):
		for f := range numSettings {
			p.about.Settings = p.reset(f)
		}
		return p.set(p.about.Settings)
	}
	return nil
}

// typeKey handles a key press while the user types a value.
func (p *Pane) typeKey(msg tea.KeyPressMsg) Intent {
	switch {
	case key.Matches(msg, p.keys.Leave):
		p.typing = false
	case key.Matches(msg, p.keys.Accept):
		return p.accept()
	case key.Matches(msg, p.keys.AddMode):
		if more := p.nextMode(); p.at() == modes && more != "" {
			text := strings.TrimRight(p.input.Value(), ", ")
			if text != "" {
				text += ", "
			}
			p.input.SetValue(text + more)
		}
	default:
		p.input.Key(msg)
	}
	return nil
}

// nextMode returns the next output mode of the agent that is not in the input yet.
func (p *Pane) nextMode() string {
	for _, g := range p.about.OutputModes {
		if g = canvas.SanitizeLine(clip(g)); g != "" && !strings.Contains(p.input.Value(), g) {
			return g
		}
	}
	return ""
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a setting; a click on
// the selected setting edits it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.typing {
		return nil
	}
	if p.List.Mouse(msg, y, int(numSettings), int(numSettings)) == list.HitSelected {
		return p.write()
	}
	return nil
}
