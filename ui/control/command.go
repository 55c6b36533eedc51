package control

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/composer"
)

// An Action is what a [Command] or an item of a menu does when it is chosen.
type Action func() tea.Cmd

// A NumberAction is an [Action] of a menu item that asks for a number.
type NumberAction func(number int) tea.Cmd

// A Command is one thing that can be gone to or done by its name. A controller makes its
// commands whenever they are asked for, so that they are about what is on the screen. The
// finder lists all commands; those with a slash word are known to the composer.
type Command struct {
	Group string // in the finder; empty is "command"
	Name  string
	Note  string      // what stands beside the name where there is no key
	Key   key.Binding // that does the same; the zero value if there is none
	Why   string      // why it cannot be done now, empty if it can
	Do    Action      // nil if the user has to say more first

	// What follows is empty for a command that only the finder offers.

	Slash string // the word that asks for it in the composer, without its slash
	Takes string // what follows the word: "FILE", or "[NAME]" if it is optional
	With  func(arg string) tea.Cmd
	// Offers returns the arguments that complete what is written so far. It does no I/O
	// that can block. Nil offers nothing.
	Offers func(arg string) []composer.Offer
}

// maxNote is how much of an offer's note is compared, in bytes.
const maxNote = 100

// Matching returns the offers that begin with what was written, then those that have it
// somewhere, whatever the case.
func Matching(arg string, all []composer.Offer) []composer.Offer {
	var begin, within []composer.Offer
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
