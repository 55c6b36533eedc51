package action

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// An ID identifies an action in its table. Settings and the manual write it behind the name of the
// table: "wire.mark-record".
type ID string

// A Row says what is known about an action before it runs.
type Row struct {
	ID    ID       // empty: the words of Does, as in "mark-record"
	Keys  []string // the keys that settings do not change
	Shown string   // how the help writes the keys; empty: the first one
	Does  string   // the words of the help
	Foot  int      // the place in the footer, from 1; 0 leaves the action out
	// Rank says how long the action stays in a footer with little room: 1 stays longest. 0 puts it
	// behind all that have a rank, in the order of their places.
	Rank int
	// Short and Wide are the words of the footer, where there is little room and where there is
	// much. Empty: Does.
	Short, Wide string
	Fixed       bool // no setting changes the keys
	// Passing leaves the action out of the help. A passing action takes a key for a moment, such
	// as esc while there is something to clear.
	Passing bool
	// First puts the keys before those of whatever lies over the panes, see [Table.First].
	First bool
	// Asks makes a press ask for a second one, where the letter may be meant as text.
	Asks bool
	// Live makes the help say how the action stands at the moment, also in a table that is not live.
	Live bool
	// Now says how the action stands at the moment. It is asked for each frame and each press, so
	// it must be quick. Nil: always possible, in the words of Does.
	Now func() State

	// The rest makes the action a command.

	Name   string        // in the finder; empty leaves the action out
	Named  func() string // the name, if it is another one at times; while it is empty, the action is left out
	Note   string        // stands beside the name in place of a key
	Also   []string      // other texts that find it: what else users call it
	Slash  string        // its word in the text field, without the slash
	Takes  string        // what follows the word: "FILE", or "[NAME]" if it is optional
	Hidden bool          // the finder lists it only if a text finds it
}

// Known returns the ID of the action, also if it follows from the words.
func (r *Row) Known() ID {
	if r.ID == "" {
		return ID(keys.Slug(r.Does))
	}
	return r.ID
}

// A State is how an action stands at the moment.
type State struct {
	Off bool // not possible: the footer and the live help leave it out
	// Why is the reason, for the finder. If the action is off, a press of its key says it; without a
	// reason, others may have the key. Else a press runs the action, which says more.
	Why   string
	Note  string // another note in the finder than that of the row
	Idle  bool   // possible, but without an effect: the footer and the live help leave it out
	Foot  int    // another place in the footer than that of the row; negative: the footer leaves it out
	Does  string // other words than those of the row, also in the footer; empty keeps them
	Rank  int    // another rank in the footer than that of the row
	Short string // other words of a footer with little room
	Wide  string // and of one with much
	Least string // the words of a footer in which no others fit
	// Shown are the keys that the footer and the live help name: one that the action has, while
	// another action has the usual one for a moment, or a shorter range of digits.
	Shown string
}

// works reports whether a press has the effect that the words name.
func (s *State) works() bool { return !s.Off && !s.Idle && s.Why == "" }

// An Action is a row with what it does. R is what a pane returns for a key press. Run runs it as a
// command, and for a key press unless Press is set. A command that needs an argument has With alone.
type Action[R any] struct {
	Row
	Run   func() R
	Press func(msg tea.KeyPressMsg) R // of an action to which it matters which of its keys is pressed
	With  func(arg string) R          // runs it as a command with what follows its word
	// Offers returns the arguments that complete a text. It does no I/O that can block. If nil,
	// nothing is offered.
	Offers func(arg string) []Offer
}

// An Offer is a completion of a word or an argument. Its texts may come from the network.
type Offer struct {
	Text, Note string
	Label      string // listed instead of Text, empty if Text is listed
}

// Digit returns the Press of an action whose keys are digits.
func Digit[R any](run func(n int) R) func(tea.KeyPressMsg) R {
	return func(msg tea.KeyPressMsg) R {
		name := msg.String() // the code is another one on a keypad
		return run(int(name[len(name)-1] - '0'))
	}
}

// Do returns the Run of an action that reports nothing.
func Do[R any](act func()) func() R {
	return func() (r R) {
		act()
		return r
	}
}

// Unless returns the Now of an action that is possible unless one of the functions returns a reason
// against it, of which the first counts.
func Unless(reasons ...func() string) func() State {
	return func() (s State) {
		for _, why := range reasons {
			if s.Why = why(); s.Why != "" {
				break
			}
		}
		return s
	}
}

// Either returns the Named of an action that is called other while is reports true.
func Either(name, other string, is func() bool) func() string {
	return func() string {
		if is() {
			return other
		}
		return name
	}
}

// If returns a name or a reason that is there while is reports true, and empty otherwise.
func If(text string, is func() bool) func() string { return Either("", text, is) }
