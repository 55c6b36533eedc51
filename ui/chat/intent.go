package chat

import "parley/a2a"

// An Intent is something that the pane asks its user to do. It is one of
// [RevealRecord], [Copy], [Files], [OpenLinks], [Look], [Cease], [Try], [Begin], [Demo], [Mend] and [Merge], or nil
// when the key was dealt with.
type Intent interface{ intent() }

// RevealRecord says that the cursor stands on what Record built. Open is set when
// the user asked to see the record, not only to move.
type RevealRecord struct {
	Record a2a.RecordID
	Open   bool
}

// Copy asks to put Text on the clipboard: what stands under the cursor, as the
// agent sent it.
type Copy struct{ Text string }

// Try asks to send a prompt that the agent's card offers, or to take it into the
// composer.
type Try struct{ Example a2a.Example }

// Demo asks to open the agents that come with the program.
type Demo struct{}

// Mend asks for one of the remedies that are offered where an agent cannot be spoken
// to.
type Mend struct{ Remedy Remedy }

// Merge asks to make the scattered artifacts of a task one.
type Merge struct {
	Agent a2a.AgentID
	Task  string
}

func (Merge) intent()        {}
func (RevealRecord) intent() {}
func (Copy) intent()         {}
func (Try) intent()          {}
func (Demo) intent()         {}
func (Mend) intent()         {}
