package signin

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// KeyMap contains the pane's key bindings. All other keys type.
type KeyMap struct{ Accept, Next, Prev, Up, Down, Way, Renew, SignOut, Copy, Browse, Cancel, Close key.Binding }

// DefaultKeyMap returns the default key bindings.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Accept:  keys.Bind("enter", "sign in"),
		Next:    keys.Bind("tab", "next field"),
		Prev:    keys.Bind("shift+tab", "previous field"),
		Up:      keys.Bind("up", "up"),
		Down:    keys.Bind("down", "down"),
		Way:     keys.Bind("ctrl+t", "next way"),
		Renew:   keys.Bind("r", "renew token"),
		SignOut: keys.Bind("d", "sign out", "d", "delete"),
		Copy:    keys.Bind("alt+y", "copy address or code"),
		Browse:  keys.Bind("alt+o", "open page again"),
		Cancel:  keys.Bind("esc", "cancel sign-in", "esc", "ctrl+c"),
		Close:   keys.Bind("esc", "close", "esc", "ctrl+c", "f5"),
	}
}

// ShortHelp returns the key bindings for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	k := p.keys
	if pr := p.content.Progress; pr != nil {
		k.Accept.SetHelp(k.Accept.Help().Key, "use pasted address")
		k.Accept.SetEnabled(strings.TrimSpace(p.pasted.Value()) != "")
		k.Copy.SetEnabled(pr.URL != "")
		k.Browse.SetEnabled(pr.URL != "")
		hide := keys.Bind("f5", "hide, go on waiting")
		return []key.Binding{k.Accept, k.Cancel, k.Copy, k.Browse, hide}
	}
	i := p.identity()
	k.Accept.SetEnabled(i == nil)
	k.Renew.SetEnabled(i != nil && i.Renews)
	k.SignOut.SetEnabled(i != nil)
	k.Way.SetEnabled(len(p.content.Ways) > 1)
	return []key.Binding{k.Accept, k.Renew, k.SignOut, k.Next, k.Way, k.Close}
}

// KeyMap returns the keys, for the user's settings to change.
func (p *Pane) KeyMap() any { return &p.keys }

// FullHelp returns all key bindings, in columns.
func (p *Pane) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Accept, k.Way, k.Next, k.Prev, k.Up, k.Down}, {k.Renew, k.SignOut, k.Copy, k.Browse, k.Cancel, k.Close}}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.content.Progress != nil {
		return p.progressKey(msg)
	}
	k, i := &p.keys, p.identity()
	switch {
	case key.Matches(msg, k.Close):
		p.Forget()
		return Close{}
	case key.Matches(msg, k.Way):
		if n := len(p.content.Ways); n > 0 {
			p.choose((p.ways.At + 1) % n)
			p.focus()
		}
	case key.Matches(msg, k.Next):
		p.step(1)
	case key.Matches(msg, k.Prev):
		p.step(-1)
	case key.Matches(msg, k.Up), p.field() == nil && msg.String() == "k":
		p.move(-1)
	case key.Matches(msg, k.Down), p.field() == nil && msg.String() == "j":
		p.move(1)
	case i != nil && key.Matches(msg, k.Renew):
		if !i.Renews {
			return Refused{"This cannot be renewed: sign in again."}
		}
		return Renew{p.List.At}
	case i != nil && key.Matches(msg, k.SignOut):
		return SignOut{p.List.At}
	case i != nil:
	case key.Matches(msg, k.Accept):
		return p.submit()
	default:
		if in := p.field(); in != nil {
			in.Key(msg)
		}
	}
	return nil
}

// progressKey handles a key press while a sign-in is under way.
func (p *Pane) progressKey(msg tea.KeyPressMsg) Intent {
	k, pr := &p.keys, p.content.Progress
	switch {
	case key.Matches(msg, k.Cancel):
		p.pasted.Reset()
		return Cancel{}
	case key.Matches(msg, k.Close): // the sign-in goes on
		return Close{}
	case key.Matches(msg, k.Copy):
		switch {
		case pr.Code != "":
			return Copy{pr.Code, "the code"}
		case pr.URL != "":
			return Copy{pr.URL, "the address of the page"}
		}
	case key.Matches(msg, k.Browse):
		switch {
		case pr.Complete != "":
			return Browse{pr.Complete}
		case pr.URL != "":
			return Browse{pr.URL}
		}
	case key.Matches(msg, k.Accept):
		if address := strings.TrimSpace(p.pasted.Value()); address != "" && p.field() != nil {
			p.pasted.Reset()
			return Paste{address}
		}
	default:
		if in := p.field(); in != nil {
			in.Key(msg)
		}
	}
	return nil
}

// Mouse handles a click: it moves the focus to a row.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.content.Progress != nil {
		return nil
	}
	at := p.parts()
	switch {
	case y >= at.waysTop && y < at.waysTop+at.ways:
		if _, wheel := msg.(tea.MouseWheelMsg); wheel || isClick(msg) {
			c := p.ways
			c.Mouse(msg, y-at.waysTop, len(p.content.Ways), at.ways)
			p.at = onWays
			p.choose(c.At)
		}
	case !isClick(msg):
	case y >= at.inputsTop && y < at.inputsTop+at.inputs:
		p.at, p.input = onInputs, at.firstInput+y-at.inputsTop
	case y >= at.listTop && y < at.listTop+at.list:
		p.at = onIdentities
		p.List.Mouse(msg, y-at.listTop, len(p.content.Identities), at.list)
	}
	p.focus()
	return nil
}

func isClick(msg tea.MouseMsg) bool {
	click, ok := msg.(tea.MouseClickMsg)
	return ok && click.Button == tea.MouseLeft
}
