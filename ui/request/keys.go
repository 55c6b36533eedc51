package request

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// A KeyMap binds the pane's keys. What moves the cursor and deletes is in its Edit.
type KeyMap struct {
	Send, Choose, Editor, Problem, Layout key.Binding
	Previous, Next, Close                 key.Binding
	Edit                                  EditKeys
}

// EditKeys move the cursor and delete.
type EditKeys struct {
	Up, Down, Left, Right, PageUp, PageDown         key.Binding
	LineStart, LineEnd, TextStart, TextEnd          key.Binding
	WordLeft, WordRight                             key.Binding
	Newline, Backspace, Delete                      key.Binding
	DeleteWord, DeleteNextWord, DeleteEnd, DeleteTo key.Binding
	Undo                                            key.Binding
}

// DefaultKeyMap returns the keys of the pane.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Send:     keys.Bind("alt+enter", "send", "alt+enter", "ctrl+enter", "ctrl+s"),
		Choose:   keys.Bind("ctrl+o", "begin with"),
		Editor:   keys.Bind("alt+e", "editor"),
		Problem:  keys.Bind("tab", "next problem"),
		Layout:   keys.Bind("alt+l", "lay out JSON"),
		Previous: keys.Bind("alt+up", "sent before", "alt+up", "alt+p"),
		Next:     keys.Bind("alt+down", "newer", "alt+down", "alt+n"),
		Close:    keys.Bind("esc", "close, keep draft"),
		Edit: EditKeys{
			Up: keys.Bind("up", "up", "up"), Down: keys.Bind("down", "down", "down"),
			Left: keys.Bind("left", "left", "left", "ctrl+b"), Right: keys.Bind("right", "right", "right", "ctrl+f"),
			PageUp: keys.Bind("pgup", "page up", "pgup"), PageDown: keys.Bind("pgdown", "page down", "pgdown"),
			LineStart: keys.Bind("home", "line start", "home", "ctrl+a"), LineEnd: keys.Bind("end", "line end", "end", "ctrl+e"),
			TextStart: keys.Bind("alt+<", "text start", "alt+<", "ctrl+home"), TextEnd: keys.Bind("alt+>", "text end", "alt+>", "ctrl+end"),
			WordLeft:       keys.Bind("alt+left", "word back", "alt+left", "alt+b", "ctrl+left"),
			WordRight:      keys.Bind("alt+right", "word on", "alt+right", "alt+f", "ctrl+right"),
			Newline:        keys.Bind("enter", "new line", "enter", "ctrl+j", "ctrl+m"),
			Backspace:      keys.Bind("backspace", "delete before", "backspace", "ctrl+h", "shift+backspace"),
			Delete:         keys.Bind("delete", "delete", "delete", "ctrl+d"),
			DeleteWord:     keys.Bind("alt+backspace", "delete word before", "alt+backspace", "ctrl+w"),
			DeleteNextWord: keys.Bind("alt+d", "delete word", "alt+d", "alt+delete"),
			DeleteEnd:      keys.Bind("ctrl+k", "delete to line end", "ctrl+k"), DeleteTo: keys.Bind("ctrl+u", "delete to line start", "ctrl+u"),
			Undo: keys.Bind("alt+u", "undo", "alt+u", "ctrl+_", "ctrl+z"),
		},
	}
}

// now returns the keys with those disabled that would do nothing.
func (p *Pane) now() KeyMap {
	p.read()
	k := p.keys
	for _, b := range []*key.Binding{&k.Send, &k.Editor} {
		b.SetEnabled(p.open)
	}
	k.Problem.SetEnabled(p.open && p.placed())
	k.Layout.SetEnabled(p.open && len(p.parsed.request.Body) > 0)
	k.Choose.SetEnabled(len(p.choices()) > 0)
	k.Previous.SetEnabled(p.at > 0)
	k.Next.SetEnabled(p.at < len(p.past)-1)
	return k
}

// placed reports whether something is wrong at a place.
func (p *Pane) placed() bool {
	for _, at := range p.parsed.problems {
		if at.line >= 0 {
			return true
		}
	}
	return p.behind
}

// ShortHelp lists the keys for the footer.
func (p *Pane) ShortHelp() []key.Binding {
	if p.pick.open {
		return p.pick.help(len(p.matching()))
	}
	k := p.now()
	return []key.Binding{k.Send, k.Choose, k.Problem, k.Layout, k.Editor, k.Previous, k.Close}
}

// FullHelp lists all keys of the pane.
func (p *Pane) FullHelp() [][]key.Binding {
	k, e := p.keys, p.keys.Edit
	return [][]key.Binding{
		{k.Send, k.Choose, k.Problem, k.Layout, k.Editor, k.Previous, k.Next, k.Close, e.Newline},
		{e.LineStart, e.LineEnd, e.TextStart, e.TextEnd, e.WordLeft, e.WordRight, e.DeleteWord, e.DeleteNextWord, e.DeleteEnd, e.DeleteTo, e.Undo},
	}
}

// Key handles a key press.
func (p *Pane) Key(msg tea.KeyPressMsg) Intent {
	if p.pick.open {
		return p.pickKey(msg)
	}
	k := p.now()
	switch {
	case key.Matches(msg, k.Close):
		return Close{}
	case key.Matches(msg, k.Choose):
		p.Choose()
	case !p.open:
	case key.Matches(msg, k.Send):
		return p.send()
	case key.Matches(msg, k.Editor):
		return Edit{Text: p.edit.text()}
	case key.Matches(msg, k.Problem):
		p.nextProblem()
	case key.Matches(msg, k.Layout):
		p.layOut()
	case key.Matches(msg, k.Previous):
		p.recall(-1)
	case key.Matches(msg, k.Next):
		p.recall(1)
	case p.moveKey(msg), p.deleteKey(msg):
	case msg.Text != "":
		p.edit.insert(msg.Text)
	}
	return nil
}

// moveKey moves the cursor and reports whether the key does that.
func (p *Pane) moveKey(msg tea.KeyPressMsg) bool {
	k, e := p.keys.Edit, &p.edit
	page := max(1, e.h-1)
	switch {
	case key.Matches(msg, k.Up):
		e.vertical(-1)
	case key.Matches(msg, k.Down):
		e.vertical(1)
	case key.Matches(msg, k.PageUp):
		e.vertical(-page)
	case key.Matches(msg, k.PageDown):
		e.vertical(page)
	case key.Matches(msg, k.Left):
		e.leftward()
	case key.Matches(msg, k.Right):
		e.right()
	case key.Matches(msg, k.LineStart):
		e.goTo(e.row, 0)
	case key.Matches(msg, k.LineEnd):
		e.goTo(e.row, len(e.line()))
	case key.Matches(msg, k.TextStart):
		e.goTo(0, 0)
	case key.Matches(msg, k.TextEnd):
		e.goTo(len(e.lines), 0)
		e.goTo(e.row, len(e.line()))
	case key.Matches(msg, k.WordLeft):
		e.goTo(e.row, e.wordLeft())
	case key.Matches(msg, k.WordRight):
		e.goTo(e.row, e.wordRight())
	default:
		return false
	}
	return true
}

// deleteKey deletes, or breaks the line, and reports whether the key does that.
func (p *Pane) deleteKey(msg tea.KeyPressMsg) bool {
	k, e := p.keys.Edit, &p.edit
	switch {
	case key.Matches(msg, k.Newline):
		e.newline()
	case key.Matches(msg, k.Backspace):
		e.backspace()
	case key.Matches(msg, k.Delete):
		e.remove()
	case key.Matches(msg, k.DeleteWord):
		e.cut(e.wordLeft())
	case key.Matches(msg, k.DeleteNextWord):
		e.cut(e.wordRight())
	case key.Matches(msg, k.DeleteEnd):
		e.cut(len(e.line()))
	case key.Matches(msg, k.Undo):
		e.takeBack()
	case key.Matches(msg, k.DeleteTo):
		e.cut(0)
	default:
		return false
	}
	return true
}
