package action

import (
	"cmp"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Command is an action as the finder and the text field list it, in the words of the moment: the
// finder lists all commands, the text field those with a slash word. Commands are made whenever they
// are needed, so that they are about what is on the screen.
type Command[R any] struct {
	Group string // in the finder; empty is "command"
	Name  string
	Note  string      // stands beside the name in place of a key
	Keys  key.Binding // the zero value if there are none
	Also  []string    // other texts that find it: what else users call it, or the address of an agent
	Off   bool        // it is not possible
	Why   string      // the reason; empty if there is none
	// Hidden is set for what the finder lists only if a text finds it, because there is much of it.
	Hidden bool
	Slash  string   // its word in the text field, without the slash; empty: only the finder has it
	Takes  string   // what follows the word: "FILE", or "[NAME]" if it is optional
	Run    func() R // nil if the command needs an argument
	With   func(arg string) R
	// Offers returns the arguments that complete a text, without I/O that can block; nil offers none.
	Offers func(arg string) []Offer
}

// Commands returns the actions that have a name, in their order. The function of returns the keys of
// an action, which are those that the user chose. A row without keys has those of the action that its
// ID names.
func Commands[R any](of func(ID) key.Binding, actions ...Action[R]) (out []Command[R]) {
	for i := range actions {
		a := &actions[i]
		name := a.Name
		if a.Named != nil {
			name = a.Named()
		}
		if name == "" || a.Run == nil && a.With == nil {
			continue
		}
		c := Command[R]{Name: name, Note: a.Note, Also: a.Also, Hidden: a.Hidden, Slash: a.Slash, Takes: a.Takes, Run: a.Run, With: a.With, Offers: a.Offers}
		if a.ID != "" || len(a.Keys) > 0 {
			c.Keys = of(a.Known())
		}
		if a.Now != nil {
			s := a.Now()
			c.Off, c.Why, c.Note = s.Off, s.Why, cmp.Or(s.Note, c.Note)
		}
		out = append(out, c)
	}
	return out
}

// Commands returns the actions of the table itself that have a name: all, or those with the ids in
// their order.
func (t *Table[R]) Commands(ids ...ID) []Command[R] {
	if len(ids) == 0 {
		return Commands(t.Of, t.rows...)
	}
	rows := make([]Action[R], len(ids))
	for i, id := range ids {
		rows[i] = t.rows[t.row(id)]
	}
	return Commands(t.Of, rows...)
}

// As returns the actions of a part of a pane as actions of the pane: to turns what the part returns
// for a key press into what the pane returns.
func As[R, S any](to func(S) R, actions ...Action[S]) []Action[R] {
	out := make([]Action[R], len(actions))
	for i, a := range actions {
		out[i].Row = a.Row
		if a.Run != nil {
			out[i].Run = func() R { return to(a.Run()) }
		}
		if a.Press != nil {
			out[i].Press = func(msg tea.KeyPressMsg) R { return to(a.Press(msg)) }
		}
	}
	return out
}
