package tasks

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/looks"
	"parley/ui/tasks"
)

// Actions returns the actions that work everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			ID: action.ListTasks, Keys: []string{"f3"}, Does: "list tasks", Now: func() action.State { return action.State{Why: c.none()} },
			Slash: "task", Takes: "[ID]", Name: "List the tasks, or open one", Also: []string{"tasks", "list"},
		},
		Run: c.Open, With: c.openOrGo, Offers: c.offers,
	}}
}

// none says that no agent is open, empty if one is.
func (c *Controller) none() string {
	if len(c.host.State().Agents) == 0 {
		return "no agent is open"
	}
	return ""
}

// Commands returns the commands about tasks.
func (c *Controller) Commands() []control.Command {
	refusal := cmp.Or(control.Refusal(c.host), c.none())
	about := func(slash, takes, name string, with func(string) tea.Cmd) control.Command {
		return control.Command{
			Slash: slash, Takes: takes, Name: name, Why: refusal, Offers: c.offers, With: with,
			Run: func() tea.Cmd { return with("") },
		}
	}
	return append(action.Commands(c.host.Key, c.Actions()...),
		about("get", "[ID] [MESSAGES]", "Get a task from the agent, with messages of its history", c.getByID),
		about("subscribe", "[ID]", "Subscribe to a task", c.subscribeTo),
		about("poll", "[ID]", "Poll a task until it is over, or stop polling", c.pollOrStop),
	)
}

// WaitCommands returns the commands about waiting tasks and the timeline of the newest task.
func (c *Controller) WaitCommands() []control.Command {
	timeline := control.Command{Slash: "timeline", Name: "Show how long the task was in each state", Also: []string{"slow", "latency"}, Run: doNothing}
	if t := c.newest(); t == nil {
		timeline.Why = "there is no task here"
	} else {
		timeline.Run = func() tea.Cmd {
			if c.o.Timeline(t) {
				c.host.Focus(control.OnChat)
			}
			return nil
		}
	}
	return []control.Command{c.authPollCommand(), timeline}
}

// openOrGo carries out /task: it opens the list, or shows the task whose id begins with the
// text or is shortened to it.
func (c *Controller) openOrGo(id string) tea.Cmd {
	if id == "" {
		return c.Open()
	}
	found := c.byID(id)
	if found == nil {
		return c.host.Say("This session has no task "+id+": /get "+id+" gets it from the agent.", true)
	}
	return c.goToTask(found)
}

// getByID carries out /get with the id of a task and the length of its history.
func (c *Controller) getByID(arg string) tea.Cmd {
	words := strings.Fields(arg)
	var history *int
	if n := len(words); n > 1 {
		most, err := strconv.ParseUint(words[n-1], 10, 16)
		if err != nil {
			return c.host.Say("/get takes the id of a task and the number of messages of its history.", true)
		}
		length := int(most)
		history, words = &length, words[:n-1]
	}
	ref, why := c.ref(strings.Join(words, " "))
	if why != "" {
		return c.host.Say(why, true)
	}
	return c.get(ref, history)
}

// cancelByID carries out /cancel with the id of a task, or for the running one.
func (c *Controller) cancelByID(id string) tea.Cmd {
	if id == "" {
		return c.CancelRunning()
	}
	ref, why := c.ref(id)
	if why != "" {
		return c.host.Say(why, true)
	}
	return c.request(tasks.Cancel{Ref: ref})
}

// subscribeTo carries out /subscribe.
func (c *Controller) subscribeTo(arg string) tea.Cmd {
	ref, why := c.ref(arg)
	if why != "" {
		return c.host.Say(why, true)
	}
	if t := c.host.State().Task(ref.Agent, ref.ID); t != nil && c.host.State().Streamed(t) {
		return c.host.Say("An open stream already reports task "+looks.ShortID(ref.ID)+".", true)
	}
	return c.subscribe(ref)
}

// pollOrStop carries out /poll: it starts to poll a task, or stops.
func (c *Controller) pollOrStop(arg string) tea.Cmd {
	ref, why := c.ref(arg)
	if why != "" {
		return c.host.Say(why, true)
	}
	t := c.host.State().Task(ref.Agent, ref.ID)
	switch {
	case t == nil:
	case t.Poll != nil:
		return c.StopPoll(t.Poll.Turn)
	case t.Resubscribe != nil:
		return c.StopPoll(t.Resubscribe.Turn)
	case t.Forgotten:
		return c.host.Say("The agent no longer knows task "+looks.ShortID(ref.ID)+": /get gets it once.", true)
	case t.Over():
		return c.host.Say(fmt.Sprintf("Task %s is over (%s): /get gets it once.", looks.ShortID(ref.ID), canvas.SanitizeLine(t.StateWord())), true)
	case t.State == a2a.StateAuthRequired:
		return c.CheckAuth(ref.Agent, ref.ID, t.AuthPoll == nil)
	case t.State == a2a.StateInputRequired:
		return c.host.Say("Task "+looks.ShortID(ref.ID)+" waits for your answer: /get gets it once.", true)
	case c.host.State().Streamed(t):
		return c.host.Say("An open stream already reports task "+looks.ShortID(ref.ID)+": there is nothing to poll.", true)
	}
	return c.poll(ref)
}
