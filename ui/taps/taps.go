// Package taps is the pane of the taps: each with the address that clients use, the agent
// behind it, and the fault that it injects. The address takes the place of the agent's; a
// row also says what has passed.
//
// A [Pane] shows the taps that it is given and returns what the user asks for as an [Intent].
package taps

import (
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A Tap is a tap as the pane shows it.
type Tap struct {
	Name      string
	URL       string // that clients use
	Target    string // the URL of the agent
	Agent     a2a.AgentID
	Exchanges int
	Open      int    // exchanges that have not ended
	Fault     string // that it injects, empty for none
	Problem   string // what is wrong with its agent, in a clause; empty if nothing is
}

// About is what the pane shows.
type About struct {
	Taps []Tap
	Why  string // why no tap can be started, empty if one can
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Show shows the conversations that pass through a tap.
	Show struct{ Tap Tap }
	// Begin asks for the agent of a new tap.
	Begin struct{}
	// Faults asks which fault a tap injects.
	Faults struct{ Tap Tap }
	// Stop stops a tap.
	Stop struct{ Tap Tap }
	// Chain shows which exchange led to which.
	Chain struct{}
	// Copy copies text to the clipboard. What names the text.
	Copy struct{ Text, What string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Show) intent()    {}
func (Begin) intent()   {}
func (Faults) intent()  {}
func (Stop) intent()    {}
func (Chain) intent()   {}
func (Copy) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane lists taps. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	about About
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// SetAbout sets what is shown. The cursor stays at its tap.
func (p *Pane) SetAbout(about About) {
	was := p.selected()
	p.about = about
	for i := range about.Taps {
		if was != nil && about.Taps[i].Name == was.Name {
			p.List.At = i
			return
		}
	}
	p.List.Go(p.List.At, len(about.Taps))
}

// Select moves the cursor to the tap of a name.
func (p *Pane) Select(name string) {
	for i := range p.about.Taps {
		if p.about.Taps[i].Name == name {
			p.List.At = i
		}
	}
}

// selected returns the tap under the cursor, nil if there is none.
func (p *Pane) selected() *Tap {
	if p.List.At < len(p.about.Taps) {
		return &p.about.Taps[p.List.At]
	}
	return nil
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a tap; a click on the
// selected one shows its conversations.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	if p.List.Mouse(msg, y, len(p.about.Taps), p.parts().List) == list.HitSelected {
		return Show{*p.selected()}
	}
	return nil
}
