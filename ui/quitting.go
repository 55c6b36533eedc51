package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
)

// clearOrQuit is ctrl+c: it leaves the input that is open and clears what is being
// written; the next one quits. What it would leave behind is named before.
func (m *Model) clearOrQuit() tea.Cmd {
	if m.screen.at != onComposer && m.typing() {
		m.leaveInput()
		return nil
	}
	if c := m.panes.composer; c.Searching() {
		c.StopSearch(false)
		return nil
	}
	secret := m.panes.composer.Secret()
	cleared := m.panes.composer.Clear()
	if m.quit && !cleared {
		return m.leave()
	}
	m.quit = true
	text := "ctrl+c again quits"
	if cleared && secret {
		text = "cleared, and kept nowhere; " + text
	} else if cleared {
		text = "cleared, up brings it back; " + text
	}
	if n := m.queued(); n > 0 {
		text += "; " + units.Plural(n, "queued message") + " would not be sent"
	}
	if on := m.goesOn(); on != "" {
		text += "; " + on
	}
	return m.say(text, false)
}

// leave ends the program.
func (m *Model) leave() tea.Cmd { return m.handOver(tea.Quit) }

// working lists the tasks of all agents that go on when the program ends.
func (m *Model) working() []*session.Task {
	var out []*session.Task
	for _, t := range m.tasks() {
		if t.Works() {
			out = append(out, t)
		}
	}
	return out
}

// goesOn says in a sentence's end what goes on at the agents, empty if nothing does.
func (m *Model) goesOn() string {
	const most = 3
	tasks := m.working()
	if m.opts.Engine == nil {
		return ""
	}
	if len(tasks) == 0 {
		if m.pending() > 0 {
			return "what runs at the agents goes on"
		}
		return ""
	}
	var names []string
	for _, t := range tasks[:min(len(tasks), most)] {
		names = append(names, shortID(t.ID)+" of "+canvas.SanitizeLine(t.Conversation.Agent.Name()))
	}
	if more := len(tasks) - most; more > 0 {
		names = append(names, units.Count(more)+" more")
	}
	verb, noun := " goes on", "task "
	if len(tasks) > 1 {
		verb, noun = " go on", "tasks "
	}
	return noun + strings.Join(names, ", ") + verb
}

// left says line by line which tasks go on now that the program ends, with all that is
// needed to ask for them again.
func (m *Model) left() []string {
	if m.opts.Engine == nil {
		return nil
	}
	var out []string
	for _, t := range m.working() {
		a := t.Conversation.Agent
		out = append(out, "Task "+canvas.SanitizeLine(t.ID)+" of "+canvas.SanitizeLine(a.Name())+" goes on ("+canvas.SanitizeLine(t.StateWord())+"), at "+
			canvas.SanitizeLine(withoutSecrets(a.Ref)))
	}
	return out
}
