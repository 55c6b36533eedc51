package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
)

// clearOrQuit is ctrl+c: it leaves the input that is open and clears what is being
// written; the next one quits. What it would leave behind is named before.
func (m *Model) clearOrQuit() tea.Cmd {
	if m.screen.at != control.OnComposer && m.typing() {
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
	if n := m.outbox.Queued(); n > 0 {
		text += "; " + units.Plural(n, "queued message") + " would not be sent"
	}
	if on := m.goesOn(); on != "" {
		text += "; " + on
	}
	return m.say(text, false)
}

// leave ends the program.
func (m *Model) leave() tea.Cmd { return m.probe.HandOver(tea.Quit) }

// working lists the tasks of all agents that are at work: those that go on when the program
// ends, and those that end with it because their agents run inside it.
func (m *Model) working() (goOn, end []*model.Task) {
	for _, t := range m.tasks() {
		switch {
		case t.ID == "" || !t.Works(): // nobody can ask for a task without an id
		case m.kept.passing[t.Conversation.Agent.ID]:
			end = append(end, t)
		default:
			goOn = append(goOn, t)
		}
	}
	return goOn, end
}

// goesOn says in a sentence's end what becomes of what runs at the agents, empty if nothing
// does.
func (m *Model) goesOn() string {
	goOn, end := m.working()
	lasts := func(a *model.Agent) bool { return !m.kept.passing[a.ID] }
	switch {
	case m.readOnly():
		return ""
	case len(goOn) > 0 && len(end) > 0:
		return taskList(goOn, "goes on", "go on") + "; " + taskList(end, "ends with Parley", "end with Parley")
	case len(goOn) > 0:
		return taskList(goOn, "goes on", "go on")
	case len(end) > 0:
		return taskList(end, "ends with Parley", "end with Parley")
	case m.pendingAt(lasts) > 0:
		return "what runs at the agents goes on"
	}
	return ""
}

// taskList names a few tasks and says what they do, in the form for one and for many.
func taskList(tasks []*model.Task, does, do string) string {
	const most = 3
	var names []string
	for _, t := range tasks[:min(len(tasks), most)] {
		names = append(names, shortID(t.ID)+" of "+canvas.SanitizeLine(t.Conversation.Agent.Name()))
	}
	if more := len(tasks) - most; more > 0 {
		names = append(names, units.Count(more)+" more")
	}
	if len(tasks) > 1 {
		return "tasks " + strings.Join(names, ", ") + " " + do
	}
	return "task " + names[0] + " " + does
}

// left says line by line which tasks go on now that the program ends, with all that is
// needed to ask for them again.
func (m *Model) left() []string {
	if m.readOnly() {
		return nil
	}
	var out []string
	goOn, _ := m.working()
	for _, t := range goOn {
		a := t.Conversation.Agent
		out = append(out, "Task "+canvas.SanitizeLine(t.ID)+" of "+canvas.SanitizeLine(a.Name())+" goes on ("+canvas.SanitizeLine(t.StateWord())+"), at "+
			canvas.SanitizeLine(looks.Reference(a.Ref)))
	}
	return out
}
