package chat

import "parley/a2a"

// An Intent is a request of the pane. It is one of [RevealRecord], [Copy], [Files],
// [OpenLinks], [Look], [StopPolling], [Try], [Begin], [Demo], [TryRemedy] and [Merge], or nil when the
// pane handled the key.
type Intent interface{ intent() }

// RevealRecord reports that the cursor is on what Record built. Open is set when the user asked
// to see the record, not only to move.
type RevealRecord struct {
	Record a2a.RecordID
	Open   bool
}

// Copy asks to put Text on the clipboard: the text under the cursor, as the agent sent it.
type Copy struct{ Text string }

// Try asks to send a prompt of the agent's card, or to put it into the composer.
type Try struct{ Example a2a.Example }

// Demo asks to open the agents that come with the program.
type Demo struct{}

// TryRemedy asks for one of the remedies for an agent whose dialect is unknown.
type TryRemedy struct{ Remedy Remedy }

// Merge asks to merge the scattered artifacts of a task.
type Merge struct {
	Agent a2a.AgentID
	Task  string
}

func (Merge) intent()        {}
func (RevealRecord) intent() {}
func (Copy) intent()         {}
func (Try) intent()          {}
func (Demo) intent()         {}
func (TryRemedy) intent()    {}
