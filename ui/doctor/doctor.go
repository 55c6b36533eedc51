// Package doctor is the pane of an examination: a row for each step on the way to an agent,
// or for each fact about this machine. The rows appear while the examination runs; below
// them stands what the selected one found and what to do.
//
// A [Pane] shows what it is given and returns what the user asks for as an [Intent].
package doctor

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/ui/action"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Again examines again. Send also sends a message.
	Again struct{ Send bool }
	// Copy copies the report.
	Copy struct{}
	// Switch shows the facts about this machine in place of the steps, or the steps again.
	Switch struct{}
	// Stop ends the examination.
	Stop struct{}
	// Close closes the pane.
	Close struct{}
)

func (Again) intent()  {}
func (Copy) intent()   {}
func (Switch) intent() {}
func (Stop) intent()   {}
func (Close) intent()  {}

// A Content is an examination as the pane shows it.
type Content struct {
	Name    string // of the agent, empty if only this machine is described
	Report  doctor.Report
	Began   time.Time // of the step that runs
	Running bool
	Stopped bool // the user ended it
	Machine bool // the facts are shown
	Reading bool // the facts are being read
	Sends   bool // a message is sent, too
}

// A Pane shows an examination. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	content Content
	moved   bool      // the user chose a row; until then the selection follows the examination
	now     time.Time // of the frame
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{Base: sheet.New(st)}
	p.Table = p.actions()
	return p
}

// Begin shows another examination from its first step.
func (p *Pane) Begin(c Content) {
	p.moved, p.List = false, list.Cursor{}
	p.SetContent(c)
}

// SetContent sets what is shown. Until the user chooses a row, the step that runs is selected, and
// in the end the one that failed, else the first that warns.
func (p *Pane) SetContent(c Content) {
	if c.Machine != p.content.Machine {
		p.moved, p.List = false, list.Cursor{}
	}
	p.content = c
	if !p.moved && !c.Machine {
		p.List.Go(telling(&c), len(p.rows()))
	}
	p.List.Move(0, len(p.rows()))
}

// SetNow sets the time of the next frame.
func (p *Pane) SetNow(now time.Time) { p.now = now }

// telling returns the step that a user wants to read.
func telling(c *Content) int {
	steps, warns := c.Report.Steps, -1
	for i := range steps {
		switch steps[i].Status {
		case connection.Failed, connection.Running:
			return i
		case connection.Warning:
			if warns < 0 {
				warns = i
			}
		}
	}
	if !c.Running && warns >= 0 {
		return warns
	}
	return max(0, len(steps)-1)
}

// A row is a step that has begun, the name of one that has not, or a fact.
type row struct {
	step *connection.Step
	name string
	fact *doctor.Fact
}

// rows returns what is listed.
func (p *Pane) rows() (out []row) {
	r := &p.content.Report
	if p.content.Machine {
		for i := range r.Facts {
			out = append(out, row{fact: &r.Facts[i]})
		}
		return out
	}
	for i := range r.Steps {
		out = append(out, row{step: &r.Steps[i]})
	}
	for _, name := range r.Pending() {
		out = append(out, row{name: name})
	}
	return out
}

// selected returns the selected row, an empty one if there is none.
func (p *Pane) selected() row {
	if rows := p.rows(); p.List.At < len(rows) {
		return rows[p.List.At]
	}
	return row{}
}

// Cursor returns nil: nothing is typed.
func (p *Pane) Cursor() *tea.Cursor { return nil }

// Mouse handles a click or a turn of the wheel at row y.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	if p.List.Mouse(msg, y-at.Head, len(p.rows()), at.List) != list.HitNone {
		p.moved = true
	}
	return nil
}
