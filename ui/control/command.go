package control

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// An Action is what a [Command] or a menu item does when it is chosen.
type Action func() tea.Cmd

// A NumberAction is the [Action] of a menu item that asks for a number.
type NumberAction func(number int) tea.Cmd

// A Command is an action with a name, as the finder and the text field list it.
type Command = action.Command[tea.Cmd]

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
