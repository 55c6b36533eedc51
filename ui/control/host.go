package control

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/menu"
	"parley/ui/palette"
)

// A Host is the workbench as a controller sees it.
type Host interface {
	Session
	Screen
	Navigator
}

// Session is what happened, and what can be asked for.
type Session interface {
	State() *model.State
	Engine() Engine
	// Refusal says in a sentence why nothing can be asked of agents, empty if it can.
	Refusal() string
	// AgentName returns what an agent is called on the screen.
	AgentName(agent a2a.AgentID) string
}

// Screen is what a controller can show.
type Screen interface {
	// Say shows a sentence in the footer for a while; bad marks it as a problem.
	Say(text string, bad bool) tea.Cmd
	// Touch asks for a new frame.
	Touch()
	// Open shows a sheet. There is one at a time.
	Open(sheet SheetName)
	// Shows reports whether a sheet is on the screen.
	Shows(sheet SheetName) bool
	// Covered reports whether anything lies over the panes.
	Covered() bool
	// Close puts away what lies over the panes.
	Close()
	// Menu shows a short list of things to do. The value of an item is an [Action] or a
	// [NumberAction].
	Menu(title, note string, items []menu.Item)
	// Find opens the finder on a list. The value of an entry is a [Command] or an [Action];
	// that of the list is a func(text string) tea.Cmd which takes what was typed.
	Find(list palette.List)
	// Ask has the finder ask for the argument of a command.
	Ask(c Command) tea.Cmd
	// Copy puts a text on the clipboard and says so, unless it has more than [MaxClipboard]
	// bytes.
	Copy(text string) tea.Cmd
	// Edit opens a text in the user's editor. What was saved comes back in an [EditedMsg]
	// like back.
	Edit(text string, back EditedMsg) tea.Cmd
	// Leaving returns the keys that close a sheet: those that opened it, and ctrl+c unless
	// that clears what is being typed.
	Leaving(typing bool, opened ...key.Binding) []key.Binding
}

// Navigator is where the user is and can be taken.
type Navigator interface {
	Place() Place
	// GoTo shows a place; what is being written stays with the place that was left.
	GoTo(p Place)
	// Agent returns the agent on the screen, nil if there is none.
	Agent() *model.Agent
	// Conversation returns the conversation on the screen, nil before its first message.
	Conversation() *model.Conversation
	// Focused returns the pane that has the keys.
	Focused() Focus
	// Focus gives the keys to a pane; a recording has no composer.
	Focus(pane Focus)
}

// NoAgent is what a controller says where it needs an agent on the screen and none is open.
const NoAgent = "No agent is open: press ctrl+p and paste the URL of one."

// MaxClipboard is the size beyond which no terminal takes a text.
const MaxClipboard = 16 << 20

// Focus names the pane that has the keys.
type Focus uint8

// The panes that can have the keys.
const (
	OnComposer Focus = iota
	OnChat
	OnWire
	OnAgents
)

// An EditedMsg is sent when the user's editor has ended.
type EditedMsg struct {
	Text    string
	Err     error
	Request bool  // the text is a request, not a message
	JSON    bool  // the text is a JSON value
	At      Place // where the message was being written
}
