package control

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// An Action is what a [Command] or a menu item does when it is chosen.
type Action func() tea.Cmd

// A NumberAction is the [Action] of a menu item that asks for a number.
type NumberAction func(number int) tea.Cmd

// A Command is an action with a name. A controller makes its commands whenever they are needed,
// so that they are about what is on the screen. The finder lists all commands; the composer
// knows those with a slash word.
type Command struct {
	Group string // in the finder; empty is "command"
	Name  string
	Note  string      // stands beside the name if there is no key
	Key   key.Binding // does the same; the zero value if there is none
	Why   string      // why it is not possible now, empty if it is
	Do    Action      // nil if the command needs an argument
	// Also are other texts that find it: what else users call it, or the address of an agent.
	Also []string
	// Hidden is set for what the finder lists only if a text finds it, because there is much of it.
	Hidden bool

	// The rest is empty for a command that only the finder lists.

	Slash string // its word in the composer, without the slash
	Takes string // what follows the word: "FILE", or "[NAME]" if it is optional
	With  func(arg string) tea.Cmd
	// Offers returns the arguments that complete a text. It does no I/O that can block. If nil,
	// nothing is offered.
	Offers func(arg string) []action.Offer
}

// CommandsOf returns the actions that have a name as commands. The function of returns the keys of an
// action, which are those that the user chose.
func CommandsOf(of func(action.ID) key.Binding, rows ...action.Action[tea.Cmd]) []Command {
	actions := action.Commands(of, rows...)
	out := make([]Command, len(actions))
	for i, c := range actions {
		out[i] = Command{Name: c.Name, Also: c.Also, Key: c.Keys, Why: c.Why, Hidden: c.Hidden, Slash: c.Slash, Takes: c.Takes, Do: c.Run, With: c.With, Offers: c.Offers}
	}
	return out
}

// maxNote is how many bytes of an offer's note are compared.
const maxNote = 100

// Matching returns the offers that begin with a text, then those that contain it, without
// regard to case.
func Matching(arg string, all []action.Offer) []action.Offer {
	var begin, within []action.Offer
	low := strings.ToLower(arg)
	for _, o := range all {
		switch name := strings.ToLower(o.Text); {
		case strings.HasPrefix(name, low):
			begin = append(begin, o)
		case strings.Contains(name, low) || strings.Contains(strings.ToLower(o.Note[:min(len(o.Note), maxNote)]), low):
			within = append(within, o)
		}
	}
	return append(begin, within...)
}
