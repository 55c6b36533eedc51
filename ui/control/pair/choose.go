package pair

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"parley/session/model"
	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/palette"
)

// choose returns the place that a user most likely wants to see beside the present one: the
// conversation before it, else one that waits for the user or works, else the next one of the
// agents.
func (c *Controller) choose() (control.Place, bool) {
	places := c.places()
	here := c.host.Place()
	at := slices.Index(places, here)
	next := slices.Concat(places[at+1:], places[:max(at, 0)])
	for _, p := range slices.Backward(c.recent) {
		if slices.Contains(next, p) {
			return p, true
		}
	}
	for _, wanted := range []func(*model.Conversation) bool{waits, works} {
		for _, p := range next {
			if conv := c.host.State().Conversation(p.Conversation); conv != nil && wanted(conv) {
				return p, true
			}
		}
	}
	if len(next) == 0 {
		return control.Place{}, false
	}
	return next[0], true
}

func waits(conv *model.Conversation) bool {
	return slices.ContainsFunc(conv.Tasks, func(t *model.Task) bool { return t.Asks() })
}

func works(conv *model.Conversation) bool {
	return slices.ContainsFunc(conv.Turns, func(t *model.Turn) bool { return t.Pending })
}

// places returns the conversations in the order of the agents pane, and for an agent without one
// the place where it begins.
func (c *Controller) places() []control.Place {
	var out []control.Place
	for _, a := range c.host.State().Agents {
		if len(a.Conversations) == 0 {
			out = append(out, control.Place{Agent: a.ID})
		}
		for _, conv := range a.Conversations {
			out = append(out, control.Place{Agent: a.ID, Conversation: conv.ID})
		}
	}
	return out
}

// find lists the conversations that can be shown beside the present one.
func (c *Controller) find() tea.Cmd {
	l := palette.List{Title: "show beside", Hint: "conversation or agent"}
	for _, p := range c.places() {
		if p == c.host.Place() {
			continue
		}
		e := palette.Entry{Group: "beside", Name: c.host.AgentName(p.Agent), Value: control.Action(func() tea.Cmd { return c.Show(p) })}
		if conv := c.host.State().Conversation(p.Conversation); conv != nil {
			e.Name, e.Note = cmp.Or(conv.Name(), e.Name), e.Name
		}
		l.Entries = append(l.Entries, e)
	}
	if len(l.Entries) == 0 {
		return c.host.Say(c.none(), true)
	}
	c.host.Find(l)
	return nil
}

// GoToOther is the action that goes to the other conversation.
const GoToOther action.ID = "go-to-other-conversation"

// Actions returns the actions that work everywhere. The footer names the one that goes to the other
// conversation while that is on the screen.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	some := action.Unless(action.If("there is no other conversation", c.alone))
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{
				Keys: []string{"f8"}, Does: "show second conversation", Now: some,
				Named: action.Either("Show a second conversation in place of the wire", "Show the wire in place of the second conversation", c.screen.Both),
			},
			Run: c.toggle,
		},
		{
			Row: action.Row{ID: GoToOther, Keys: []string{"f9"}, Does: "go to other conversation", Name: "Go to the other conversation", Now: func() action.State {
				s := some()
				s.Idle = !c.screen.Both()
				return s
			}},
			Run: c.swap,
		},
		{Row: action.Row{Slash: "beside", Name: "Choose the conversation to show beside this one", Now: some}, Run: c.find},
	}
}

// alone reports whether there is one place at most.
func (c *Controller) alone() bool {
	n := 0
	for _, a := range c.host.State().Agents {
		n += max(1, len(a.Conversations))
	}
	return n < 2
}
