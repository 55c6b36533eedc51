package ui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/tasks"
)

// openTasks lists the tasks of the agent on the screen.
func (m *Model) openTasks() tea.Cmd {
	if len(m.state.Agents) == 0 {
		return m.say("No agent is open: ctrl+p and paste the URL of one.", true)
	}
	m.panes.tasks.Open(m.tasksAbout())
	m.show(overTasks)
	return nil
}

const overTasks control.SheetName = "tasks"

// tasksSheet lies over the panes while tasks are looked after. What is pasted there is a
// task's id, if nothing else is typed.
func (m *Model) tasksSheet() control.Sheet {
	p := m.panes.tasks
	return control.Sheet{
		Pane: p, Help: "tasks", Keys: p.FullHelp, Height: p.Height(), Leave: m.leaving(p.Typing(), m.keys.Tasks), Ticks: true,
		Key:     func(msg tea.KeyPressMsg) tea.Cmd { return m.tasked(p.Key(msg)) },
		Mouse:   func(msg tea.MouseMsg, x, y int) tea.Cmd { return m.tasked(p.Mouse(msg, x, y)) },
		Paste:   p.Paste,
		Refresh: func() { p.Update(m.tasksAbout()) },
	}
}

// tasksAbout is what the list of tasks shows.
func (m *Model) tasksAbout() tasks.About {
	return tasks.About{Agent: m.agent(), Agents: m.state.Agents, Now: m.opts.Now(), Streamed: m.state.Streamed, Why: m.refusal()}
}

// tasked carries out what the list of tasks asks for.
func (m *Model) tasked(in tasks.Intent) tea.Cmd {
	switch in := in.(type) {
	case tasks.Close:
		m.closeOverlay()
	case tasks.Refused:
		return m.say(in.Why, true)
	case tasks.Say:
		return m.say(in.Text, false)
	case tasks.Copy:
		return m.copy(in.Text)
	case tasks.Look:
		return m.lookAfter(chat.Look{Agent: in.Ref.Agent, Task: in.Ref.ID, On: in.On})
	case tasks.Stop:
		m.opts.Engine.Stop(in.Turn)
		return m.say("the task is not asked for any more; the agent may still be at work", false)
	case tasks.Open:
		if t := m.state.Task(in.Ref.Agent, in.Ref.ID); t != nil {
			return m.attend(t)
		}
		return m.visit(in.Ref, nil)
	default:
		return m.askAbout(in)
	}
	return nil
}

// askAbout asks an agent what the list of tasks wants to know.
func (m *Model) askAbout(in tasks.Intent) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	switch in := in.(type) {
	case tasks.Get:
		m.opts.Engine.Get(in.Ref.Agent, in.Ref.ID, m.belongs(in.Ref), in.History)
		return m.say("asked "+m.agentName(in.Ref.Agent)+" for task "+shortID(in.Ref.ID), false)
	case tasks.Cancel:
		m.opts.Engine.Cancel(in.Ref.Agent, in.Ref.ID, m.belongs(in.Ref))
		return m.say("asked "+m.agentName(in.Ref.Agent)+" to cancel task "+shortID(in.Ref.ID), false)
	case tasks.Subscribe:
		return m.subscribe(in.Ref)
	case tasks.Poll:
		m.opts.Engine.Await(in.Ref.Agent, in.Ref.ID, m.belongs(in.Ref), nil)
		return m.say("asking for task "+shortID(in.Ref.ID)+" until it is over or waits for you", false)
	case tasks.List:
		for _, id := range in.Agents {
			m.opts.Engine.List(id, in.Filter, nil)
		}
	}
	return nil
}

// belongs is the conversation to which a task belongs that an agent is asked about: its
// own, else that of its context, else a new one.
func (m *Model) belongs(ref tasks.Ref) a2a.ConversationID {
	if t := m.state.Task(ref.Agent, ref.ID); t != nil {
		return t.Conversation.ID
	}
	if a := m.state.Agent(ref.Agent); a != nil && ref.ContextID != "" {
		for _, c := range a.Conversations {
			if c.ContextID == ref.ContextID {
				return c.ID
			}
		}
	}
	return m.opts.Engine.NewConversation(ref.Agent)
}

// visit asks for a task and goes where it will be shown.
func (m *Model) visit(ref tasks.Ref, history *int) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	conv := m.belongs(ref)
	m.opts.Engine.Get(ref.Agent, ref.ID, conv, history)
	m.closeOverlay()
	m.goTo(control.Place{Agent: ref.Agent, Conversation: conv})
	m.focusComposer()
	return m.say("asked "+m.agentName(ref.Agent)+" for task "+shortID(ref.ID), false)
}

// subscribe listens to a task and goes where it is shown.
func (m *Model) subscribe(ref tasks.Ref) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	conv := m.belongs(ref)
	m.opts.Engine.Subscribe(ref.Agent, ref.ID, conv)
	m.closeOverlay()
	m.goTo(control.Place{Agent: ref.Agent, Conversation: conv})
	m.focusComposer()
	return m.say("listening to task "+shortID(ref.ID)+" of "+m.agentName(ref.Agent), false)
}

// refOf is the task that a user names: by its id, its beginning or as it is shown, of the
// agent on the screen before any other; the newest of the conversation if nothing is
// named. What this session never saw is taken as the id of a task of that agent.
func (m *Model) refOf(id string) (ref tasks.Ref, why string) {
	if id = strings.TrimSpace(id); id == "" {
		if conv := m.conversation(); conv != nil && len(conv.Tasks) > 0 {
			return refTo(conv.Tasks[len(conv.Tasks)-1]), ""
		}
		return ref, "There is no task in this conversation: name one by its id."
	}
	if t := m.taskNamed(id); t != nil {
		return refTo(t), ""
	}
	if m.agent() == nil {
		return ref, "No agent is open that could be asked for task " + id + "."
	}
	ref = tasks.Ref{Agent: m.cur.Agent, ID: id}
	if l := m.agent().List; l != nil {
		for _, t := range l.Tasks {
			if t.ID == id || units.ID(t.ID) == id {
				ref.ID, ref.ContextID = t.ID, t.ContextID
			}
		}
	}
	return ref, ""
}

func refTo(t *model.Task) tasks.Ref {
	return tasks.Ref{Agent: t.Conversation.Agent.ID, ID: t.ID, ContextID: t.ContextID}
}

// taskNamed returns the task that is named so, nil if this session saw none. An id that is
// given whole wins, then one of the agent on the screen.
func (m *Model) taskNamed(id string) *model.Task {
	if t := m.state.Task(m.cur.Agent, id); t != nil {
		return t
	}
	var found *model.Task
	for _, t := range m.tasks() {
		switch {
		case t.ID == id:
			return t
		case units.ID(t.ID) != id && !strings.HasPrefix(t.ID, id):
		case found == nil || found.Conversation.Agent.ID != m.cur.Agent:
			found = t
		}
	}
	return found
}

// getTask is /get: a task by its id, and how many messages of its history at most.
func (m *Model) getTask(arg string) tea.Cmd {
	words := strings.Fields(arg)
	var history *int
	if n := len(words); n > 1 {
		most, err := strconv.ParseUint(words[n-1], 10, 16)
		if err != nil {
			return m.say("/get takes the id of a task, and how many messages of its history: a number.", true)
		}
		length := int(most)
		history, words = &length, words[:n-1]
	}
	ref, why := m.refOf(strings.Join(words, " "))
	if why != "" {
		return m.say(why, true)
	}
	return m.visit(ref, history)
}

// cancelNamed is /cancel: the task that runs in the conversation, or any by its id.
func (m *Model) cancelNamed(id string) tea.Cmd {
	if id == "" {
		return m.cancelTask()
	}
	ref, why := m.refOf(id)
	if why != "" {
		return m.say(why, true)
	}
	return m.tasked(tasks.Cancel{Ref: ref})
}

// subscribeTo is /subscribe.
func (m *Model) subscribeTo(arg string) tea.Cmd {
	ref, why := m.refOf(arg)
	if why != "" {
		return m.say(why, true)
	}
	if t := m.state.Task(ref.Agent, ref.ID); t != nil && m.state.Streamed(t) {
		return m.say("A stream that is open tells of task "+shortID(ref.ID)+" already.", true)
	}
	return m.subscribe(ref)
}

// pollTask is /poll: it begins to ask for a task again and again, or ends that.
func (m *Model) pollTask(arg string) tea.Cmd {
	ref, why := m.refOf(arg)
	if why != "" {
		return m.say(why, true)
	}
	t := m.state.Task(ref.Agent, ref.ID)
	switch {
	case t == nil:
	case t.Poll != nil:
		return m.tasked(tasks.Stop{Turn: t.Poll.Turn})
	case t.Resubscribe != nil:
		return m.tasked(tasks.Stop{Turn: t.Resubscribe.Turn})
	case t.Forgotten:
		return m.say("The agent no longer knows task "+shortID(ref.ID)+": /get asks for it once.", true)
	case t.Over():
		return m.say(fmt.Sprintf("Task %s is over (%s): /get asks for it once.", shortID(ref.ID), canvas.SanitizeLine(t.StateWord())), true)
	case t.State == a2a.StateAuthRequired:
		return m.tasked(tasks.Look{Ref: ref, On: t.AuthPoll == nil})
	case t.State == a2a.StateInputRequired:
		return m.say("Task "+shortID(ref.ID)+" waits for your answer, and does nothing before: /get asks for it once.", true)
	case m.state.Streamed(t):
		return m.say("A stream that is open tells of task "+shortID(ref.ID)+": there is nothing to ask for.", true)
	}
	return m.poll(ref)
}

// poll asks for a task until it is over and goes where it is shown.
func (m *Model) poll(ref tasks.Ref) tea.Cmd {
	if why := m.refusal(); why != "" {
		return m.say(why, true)
	}
	conv := m.belongs(ref)
	m.opts.Engine.Await(ref.Agent, ref.ID, conv, nil)
	m.closeOverlay()
	m.goTo(control.Place{Agent: ref.Agent, Conversation: conv})
	m.focusComposer()
	return m.say("asking for task "+shortID(ref.ID)+" until it is over or waits for you", false)
}

// overseeing lists what can be done about tasks.
func (m *Model) overseeing() []control.Command {
	none := ""
	if len(m.state.Agents) == 0 {
		none = "no agent is open"
	}
	asks := cmp.Or(m.refusal(), none)
	about := func(slash, takes, name string, with func(string) tea.Cmd) control.Command {
		return control.Command{
			Slash: slash, Takes: takes, Name: name, Why: asks, Offers: m.taskOffers, With: with,
			Do: func() tea.Cmd { return with("") },
		}
	}
	return []control.Command{
		{
			Key: m.keys.Tasks, Slash: "task", Takes: "[ID]", Name: "List the tasks, or go to one", Why: none, Do: m.openTasks, Offers: m.taskOffers,
			With: func(id string) tea.Cmd {
				if id == "" {
					return m.openTasks()
				}
				return m.toTaskID(id)
			},
		},
		about("get", "[ID] [MESSAGES]", "Ask the agent for a task, with so much of its history", m.getTask),
		about("subscribe", "[ID]", "Listen to a task, whoever began it", m.subscribeTo),
		about("poll", "[ID]", "Ask for a task until it is over, or no longer", m.pollTask),
	}
}
