package control

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/keys"
	"parley/ui/menu"
	"parley/ui/palette"
)

// A Host is the workbench as a controller sees it.
type Host interface {
	Session
	Screen
	Navigator
}

// Session is the session and its engine.
type Session interface {
	State() *model.State
	Engine() Engine
	// Refusal returns a sentence that says why nothing can be sent to agents, empty if it can.
	Refusal() string
	// AgentName returns an agent's name as it is shown.
	AgentName(agent a2a.AgentID) string
	// AgentTag returns the letters that tell an agent from the others, empty if there are no others.
	AgentTag(agent a2a.AgentID) string
}

// Screen is what a controller can show.
type Screen interface {
	// Say shows a sentence at the bottom right for a while; bad marks it as a problem.
	Say(text string, bad bool) tea.Cmd
	// SayUntil is Say for a sentence about something that is not over: it goes when over
	// reports true, if not earlier. Over is called before frames.
	SayUntil(text string, bad bool, over func() bool) tea.Cmd
	// Notice returns the sentence that is shown, empty if there is none.
	Notice() string
	// Key returns the keys of an action of the workbench or of a pane, for texts that name one.
	Key(id action.ID) key.Binding
	// Touch asks for a new frame.
	Touch()
	// Open shows a sheet. There is one at a time.
	Open(sheet SheetName)
	// Shows reports whether a sheet is on the screen.
	Shows(sheet SheetName) bool
	// Covered reports whether anything lies over the panes.
	Covered() bool
	// Close closes what lies over the panes.
	Close()
	// Menu shows a menu. The value of an item is an [Action] or a [NumberAction].
	Menu(title, note string, items []menu.Item)
	// Find opens the finder on a list. The value of an entry is a [Command] or an [Action];
	// that of the list is a func(text string) tea.Cmd that takes the typed text.
	Find(list palette.List)
	// Ask has the finder ask for the argument of a command.
	Ask(c Command) tea.Cmd
	// Copy copies a text to the clipboard and reports that, unless it has more than
	// [MaxClipboard] bytes. What names the text: "the task's id", or what it is a part of:
	// "record 13".
	Copy(text, what string) tea.Cmd
	// Edit opens a text in the user's editor. What was saved comes back in an [EditedMsg]
	// like back.
	Edit(text string, back EditedMsg) tea.Cmd
}

// Navigator is the place that is shown, and the focus.
type Navigator interface {
	Place() Place
	// GoTo shows a place. The draft stays at the place that was left.
	GoTo(p Place)
	// LastPlace returns where the user was last with an agent, else its newest conversation.
	LastPlace(agent *model.Agent) Place
	// OnScreen reports whether a conversation is on the screen: the one at the place, or one
	// beside it.
	OnScreen(conversation a2a.ConversationID) bool
	// Agent returns the agent on the screen, nil if there is none.
	Agent() *model.Agent
	// Conversation returns the conversation on the screen, nil before its first message.
	Conversation() *model.Conversation
	// Focused returns the pane that has the focus.
	Focused() Focus
	// Focus moves the focus to a pane; a recording has no composer.
	Focus(pane Focus)
}

// NoAgent returns the sentence for a command that needs an agent on the screen.
func NoAgent(host Host) string {
	return "No agent is open: press " + keys.Name(host.Key(action.FindAnything)) + " and paste the URL of one."
}

// MaxClipboard is the size, in bytes, beyond which no terminal accepts a text.
const MaxClipboard = 16 << 20

// Focus names a pane that can have the focus.
type Focus uint8

// The panes that can have the focus.
const (
	OnComposer Focus = iota
	OnChat
	OnWire
	OnAgents
	OnPlayer // the line below the panes that plays a recording
)

// An EditedMsg is sent when the user's editor has ended.
type EditedMsg struct {
	Text    string
	Err     error
	Request bool  // the text is a request, not a message
	JSON    bool  // the text is a JSON value
	At      Place // where the message was being written
}
