package chat

import (
	"parley/a2a"
	"parley/session/model"
)

// An Intent is a request of the pane. It is one of [RevealRecord], [Copy], [Files], [OpenLinks],
// [SetAuthPoll], [StopPolling], [UsePrompt], [OpenOffer], [OpenDemo], [UseRemedy] and
// [MergeArtifacts], or nil when the pane handled the key.
type Intent interface{ intent() }

// RevealRecord reports that the cursor is on what Record built. Open is set when the user asked
// to see the record, not only to move.
type RevealRecord struct {
	Record a2a.RecordID
	Open   bool
	Named  bool // the user named it by its number: its place in a conversation is wanted
}

// Copy asks to put Text on the clipboard: the text under the cursor, as the agent sent it.
type Copy struct{ Text string }

// UsePrompt asks to put a prompt into the composer: an example of the agent's card, or a reply that it suggests as the
// answer to a task.
type UsePrompt struct {
	Example a2a.Example
	Answers *model.Task // nil for an example
}

// OpenDemo asks to open the agents that come with the program.
type OpenDemo struct{}

// UseRemedy asks for one of the remedies for an agent whose dialect is unknown.
type UseRemedy struct{ Remedy Remedy }

// MergeArtifacts asks to merge the scattered artifacts of a task.
type MergeArtifacts struct {
	Agent a2a.AgentID
	Task  string
}

func (MergeArtifacts) intent() {}
func (RevealRecord) intent()   {}
func (Copy) intent()           {}
func (UsePrompt) intent()      {}
func (OpenDemo) intent()       {}
func (UseRemedy) intent()      {}
