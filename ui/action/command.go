package action

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// A Command is an action as the finder lists it.
type Command[R any] struct {
	Keys key.Binding
	Name string
	Also []string // what else users call it
	Off  bool     // it is not possible
	Why  string   // the reason; empty if there is none
	Run  func() R
}

// Commands returns the actions of the table itself that have a name in the finder, in their order.
func (t *Table[R]) Commands() (out []Command[R]) {
	for i := range t.rows {
		a := &t.rows[i]
		name := a.Name
		if a.Named != nil {
			name = a.Named()
		}
		if name == "" || a.Run == nil {
			continue
		}
		s := t.state(i)
		out = append(out, Command[R]{Keys: *t.keys[i], Name: name, Also: a.Also, Off: s.Off, Why: s.Why, Run: a.Run})
	}
	return out
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
