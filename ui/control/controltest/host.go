// Package controltest has an engine and a host for tests of controllers and of the workbench.
package controltest

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/menu"
	"parley/ui/palette"
)

// A Host is a workbench without a screen. It records what a controller asks for; a test sets
// the place on the screen and the focus.
type Host struct {
	Session *model.State
	Fake    Engine
	Refuses string // why nothing can be sent
	At      control.Place
	FocusOn control.Focus
	Shown   control.SheetName // the open sheet, empty if there is none
	Said    []Notice
	Over    func() bool // ends the newest notice; nil if only time does
	Copied  []string
	Menus   []Menu
	Lists   []palette.List // of the finder
	Edited  []string       // texts opened in the user's editor
	Visited []control.Place
	Asked   []control.Command // whose argument the finder asked for
}

var _ control.Host = (*Host)(nil)

// A Notice is a sentence in the footer.
type Notice struct {
	Text string
	Bad  bool
}

// A Menu is a menu that was shown.
type Menu struct {
	Title, Note string
	Items       []menu.Item
}

// NewHost returns a host of a session.
func NewHost(s *model.State) *Host { return &Host{Session: s} }

// LastNotice returns the sentence that was said last, a zero notice if there is none.
func (h *Host) LastNotice() Notice {
	if len(h.Said) == 0 {
		return Notice{}
	}
	return h.Said[len(h.Said)-1]
}

// Notice returns the text of the sentence that was said last.
func (h *Host) Notice() string { return h.LastNotice().Text }

// State returns the session.
func (h *Host) State() *model.State { return h.Session }

// Engine returns the fake engine.
func (h *Host) Engine() control.Engine { return &h.Fake }

// Refusal returns Refuses.
func (h *Host) Refusal() string { return h.Refuses }

// AgentName returns the name of an agent of the session.
func (h *Host) AgentName(agent a2a.AgentID) string {
	if a := h.Session.Agent(agent); a != nil {
		return a.Name()
	}
	return "The agent"
}

// AgentTag returns the tag of an agent of the session.
func (h *Host) AgentTag(agent a2a.AgentID) string { return looks.TagOf(h.Session, agent) }

// Say records a sentence.
func (h *Host) Say(text string, bad bool) tea.Cmd {
	h.Said, h.Over = append(h.Said, Notice{text, bad}), nil
	return nil
}

// SayUntil records a sentence and what ends it.
func (h *Host) SayUntil(text string, bad bool, over func() bool) tea.Cmd {
	cmd := h.Say(text, bad)
	h.Over = over
	return cmd
}

// Key returns the default keys of an action.
func (h *Host) Key(id action.ID) key.Binding { return panetest.Bound(id) }

// Press presses a key of actions, and reports whether it was one.
func Press(actions []action.Action[tea.Cmd], name string) (tea.Cmd, bool) {
	return action.New(nil, actions...).Press(panetest.Key(name))
}

// Commands returns actions as the finder lists them.
func Commands(actions []action.Action[tea.Cmd]) []control.Command {
	return action.Commands(panetest.Bound, actions...)
}

// Touch does nothing.
func (h *Host) Touch() {}

// Open opens a sheet.
func (h *Host) Open(sheet control.SheetName) { h.Shown = sheet }

// Shows reports whether a sheet is open.
func (h *Host) Shows(sheet control.SheetName) bool { return h.Shown == sheet }

// Covered reports whether any sheet is open.
func (h *Host) Covered() bool { return h.Shown != "" }

// Close closes the sheet.
func (h *Host) Close() { h.Shown = "" }

// Menu records a menu.
func (h *Host) Menu(title, note string, items []menu.Item) {
	h.Menus = append(h.Menus, Menu{title, note, items})
}

// Find records a list of the finder.
func (h *Host) Find(list palette.List) { h.Lists = append(h.Lists, list) }

// Ask records a command.
func (h *Host) Ask(c control.Command) tea.Cmd {
	h.Asked = append(h.Asked, c)
	return nil
}

// Copy records a text.
func (h *Host) Copy(text, _ string) tea.Cmd {
	h.Copied = append(h.Copied, text)
	return nil
}

// Edit records a text.
func (h *Host) Edit(text string, _ control.EditedMsg) tea.Cmd {
	h.Edited = append(h.Edited, text)
	return nil
}

// Place returns the place on the screen.
func (h *Host) Place() control.Place { return h.At }

// GoTo shows a place.
func (h *Host) GoTo(p control.Place) {
	h.At = p
	h.Visited = append(h.Visited, p)
}

// LastPlace returns the newest conversation of an agent.
func (h *Host) LastPlace(a *model.Agent) control.Place { return control.Newest(a) }

// OnScreen reports whether a conversation is the one at the place.
func (h *Host) OnScreen(conversation a2a.ConversationID) bool {
	return conversation == h.At.Conversation
}

// Agent returns the agent on the screen.
func (h *Host) Agent() *model.Agent { return h.Session.Agent(h.At.Agent) }

// Conversation returns the conversation on the screen.
func (h *Host) Conversation() *model.Conversation {
	if h.At.Conversation == 0 {
		return nil
	}
	return h.Session.Conversation(h.At.Conversation)
}

// Focused returns the pane with the focus.
func (h *Host) Focused() control.Focus { return h.FocusOn }

// Focus moves the focus.
func (h *Host) Focus(pane control.Focus) { h.FocusOn = pane }
