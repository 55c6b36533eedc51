package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/control/pair"
	"parley/ui/layout"
	"parley/ui/looks"
	"parley/ui/menu"
	"parley/ui/palette"
)

// host is the workbench as the controllers see it.
type host struct{ m *Model }

var _ control.Host = host{}

func (h host) State() *model.State                { return h.m.state }
func (h host) Engine() control.Engine             { return h.m.opts.Engine }
func (h host) Refusal() string                    { return h.m.refusal() }
func (h host) AgentName(agent a2a.AgentID) string { return h.m.agentName(agent) }
func (h host) AgentTag(agent a2a.AgentID) string  { return looks.TagOf(h.m.state, agent) }

func (h host) Say(text string, bad bool) tea.Cmd { return h.m.say(text, bad) }
func (h host) SayUntil(text string, bad bool, over func() bool) tea.Cmd {
	return h.m.sayUntil(text, bad, over)
}
func (h host) Notice() string               { return h.m.notices.shown.text }
func (h host) Key(id action.ID) key.Binding { return h.m.keys.Key(id) }
func (h host) Touch()                       { h.m.touch() }
func (h host) Open(sheet control.SheetName) { h.m.show(sheet) }
func (h host) Shows(sheet control.SheetName) bool {
	return h.m.screen.over == sheet
}
func (h host) Covered() bool { return h.m.screen.over != noOverlay }
func (h host) Close()        { h.m.closeOverlay() }
func (h host) Menu(title, note string, items []menu.Item) {
	h.m.openMenu(title, note, items)
}
func (h host) Find(list palette.List)         { h.m.find(list) }
func (h host) Ask(c control.Command) tea.Cmd  { return h.m.ask(c) }
func (h host) Copy(text, what string) tea.Cmd { return h.m.copy(text, what) }
func (h host) Edit(text string, back control.EditedMsg) tea.Cmd {
	return h.handOver(edit(editor(h.m.opts.Getenv), h.m.opts.TempDir, text, back))
}

// handOver gives the terminal away with a command. If the terminal has not answered what it was asked
// at the start, it says what it waits for.
func (h host) handOver(cmd tea.Cmd) tea.Cmd {
	now, waits := h.m.probe.HandOver(cmd)
	if !waits {
		return now
	}
	return h.SayUntil("waiting for an answer of the terminal; the same key again does not wait", false, func() bool { return !h.m.probe.Waiting() })
}

func (h host) Place() control.Place { return h.m.cur }
func (h host) GoTo(p control.Place) { h.m.goTo(p) }
func (h host) LastPlace(a *model.Agent) control.Place {
	return h.m.visits.last(a, h.m.outbox.Drafted)
}
func (h host) OnScreen(conversation a2a.ConversationID) bool {
	return conversation == h.m.cur.Conversation || conversation != 0 && conversation == h.m.pair.Other()
}
func (h host) Agent() *model.Agent               { return h.m.agent() }
func (h host) Conversation() *model.Conversation { return h.m.conversation() }
func (h host) Focused() control.Focus            { return h.m.screen.at }
func (h host) Focus(pane control.Focus) {
	if pane != control.OnComposer || !h.m.readOnly() {
		h.m.setFocus(pane)
	}
}

var _ pair.Screen = host{}

func (h host) Columns() int { return h.m.screen.w }
func (h host) Unzoom()      { h.m.screen.zoom = false }
func (h host) Both() bool {
	return h.m.screen.w >= layout.SecondWidth && !h.m.present.On() && !h.m.screen.zoom && h.m.pair.Wanted() != layout.NoPair
}
