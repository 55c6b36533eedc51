package tasks

import (
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

// Actions returns the actions about tasks. The first one works everywhere.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	about := func(slash, takes, name string, with func(string) tea.Cmd) action.Action[tea.Cmd] {
		return action.Action[tea.Cmd]{
			Row: action.Row{Slash: slash, Takes: takes, Name: name, Now: action.Unless(control.Refused(c.host), c.none)},
			Run: func() tea.Cmd { return with("") }, With: with, Offers: c.offers,
		}
	}
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				ID: action.ListTasks, Keys: []string{"f3"}, Does: "list tasks", Now: action.Unless(c.none),
				Slash: "task", Takes: "[ID]", Name: "List the tasks, or open one", Also: []string{"tasks", "list"},
			},
			Run: c.Open, With: c.openOrGo, Offers: c.offers,
		},
		about("get", "[ID] [MESSAGES]", "Get a task from the agent, with messages of its history", c.getByID),
		about("subscribe", "[ID]", "Subscribe to a task", c.subscribeTo),
		about("poll", "[ID]", "Poll a task until it is over, or stop polling", c.pollOrStop),
	}
}

// none says that no agent is open, empty if one is.
func (c *Controller) none() string {
	if len(c.host.State().Agents) == 0 {
		return "no agent is open"
	}
	return ""
}

// WaitActions returns the actions about the tasks of the conversation on the screen: the one that waits
// for credentials, and the newest.
func (c *Controller) WaitActions() []action.Action[tea.Cmd] {
	none := action.If("there is no task here", func() bool { return c.newest() == nil })
	return []action.Action[tea.Cmd]{
		c.authPollAction(),
		{
			Row: action.Row{Slash: "timeline", Name: "Show how long the task was in each state", Also: []string{"slow", "latency"}, Now: action.Unless(none)},
			Run: func() tea.Cmd {
				if t := c.newest(); t != nil && c.o.Timeline(t) {
					c.host.Focus(control.OnChat)
				}
				return nil
			},
		},
	}
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
