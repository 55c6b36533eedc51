package answers

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/compare"
	"parley/session/export"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/answers"
	"parley/ui/control"
	"parley/ui/palette"
)

// Actions returns the action that compares what is on the screen with something else of the session.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Slash: "diff", Name: "Compare this conversation, task or agent with another", Also: []string{"difference"}, Now: action.Unless(c.refusal)},
		Run: c.choose,
	}}
}

// refusal says why nothing can be compared, empty if something can.
func (c *Controller) refusal() string {
	if conv := c.host.Conversation(); conv == nil || len(conv.Turns) == 0 {
		return "there is no conversation on the screen yet"
	}
	if c.alone() {
		return "there is nothing to compare it with: another conversation, task or agent"
	}
	return ""
}

// alone reports whether there is no other conversation or task than those on the screen.
func (c *Controller) alone() bool {
	here := c.host.Conversation()
	for _, a := range c.host.State().Agents {
		for _, conv := range a.Conversations {
			if conv != here && len(conv.Turns) > 0 {
				return false
			}
		}
	}
	return here == nil || len(here.Tasks) < 2
}

// choose lists what can be compared.
func (c *Controller) choose() tea.Cmd {
	if why := c.refusal(); why != "" {
		return c.host.Say(why, true)
	}
	c.host.Find(palette.List{Title: "compare with", Hint: "conversation, task or agent", Entries: c.others()})
	return nil
}

// others returns the other conversations of the session, and its other tasks and agents. Each is
// compared with its like on the screen.
func (c *Controller) others() (all []palette.Entry) {
	here := c.host.Conversation()
	if here == nil {
		return nil
	}
	add := func(group, name, note string, first, second side) {
		all = append(all, palette.Entry{Group: group, Name: name, Note: note, Value: control.Action(func() tea.Cmd { return c.compare(first, second) })})
	}
	own := newestTask(here)
	var tasks, agents []func()
	for _, a := range c.host.State().Agents {
		for _, conv := range a.Conversations {
			if conv != here && len(conv.Turns) > 0 {
				add("conversation", conversationName(conv), c.host.AgentName(a.ID), side{conversation: here}, side{conversation: conv})
			}
			for _, t := range conv.Tasks {
				if own != nil && t != own {
					tasks = append(tasks, func() {
						add("task", t.Title(), units.ID(t.ID)+", "+c.host.AgentName(a.ID), side{task: own}, side{task: t})
					})
				}
			}
		}
		if a != here.Agent && len(a.Conversations) > 0 {
			agents = append(agents, func() {
				add("agent", c.host.AgentName(a.ID), units.Plural(len(a.Conversations), "conversation"), side{agent: here.Agent}, side{agent: a})
			})
		}
	}
	for _, f := range append(tasks, agents...) {
		f()
	}
	return all
}

// A side is one of two things of the session that are compared: one of its members is set.
type side struct {
	conversation *model.Conversation
	task         *model.Task
	agent        *model.Agent
}

// of returns the side in a state of the session.
func (s side) of(state *model.State) *compare.Side {
	switch {
	case s.task != nil:
		return compare.Task("task "+units.ID(s.task.ID), state, s.task)
	case s.agent != nil:
		return compare.Agent(s.agent.Name(), state, s.agent)
	default:
		return compare.Conversation(conversationName(s.conversation), state, s.conversation)
	}
}

// twin returns a function that finds the side in a copy of the session. It reads the original at
// once, because that one goes on.
func (s side) twin() func(*model.State) (side, error) {
	agent, conversation, taskID := a2a.AgentID(0), a2a.ConversationID(0), ""
	switch {
	case s.task != nil:
		agent, conversation, taskID = s.task.Conversation.Agent.ID, s.task.Conversation.ID, s.task.ID
	case s.agent != nil:
		agent = s.agent.ID
	default:
		agent, conversation = s.conversation.Agent.ID, s.conversation.ID
	}
	return func(state *model.State) (side, error) {
		a := state.Agent(agent)
		if a == nil {
			return side{}, errGone
		}
		if conversation == 0 {
			return side{agent: a}, nil
		}
		for _, conv := range a.Conversations {
			if conv.ID != conversation {
				continue
			}
			if taskID == "" {
				return side{conversation: conv}, nil
			}
			for _, t := range conv.Tasks {
				if t.ID == taskID {
					return side{task: t}, nil
				}
			}
		}
		return side{}, errGone
	}
}

// errGone is why a side is not in the records.
var errGone = errors.New("the records do not have both sides: compare them when an answer has come")

// newestTask returns the task of a conversation that began last, nil if it has none.
func newestTask(conv *model.Conversation) *model.Task {
	if n := len(conv.Tasks); n > 0 {
		return conv.Tasks[n-1]
	}
	return nil
}

func conversationName(conv *model.Conversation) string {
	return cmp.Or(conv.Name(), fmt.Sprintf("conversation %d", conv.ID))
}

// maxPrompts is how many prompts of a side are compared beside a session that goes on, of which
// the comparison has a copy.
const maxPrompts = 100_000

// compare compares two sides in a copy of the session, because that goes on meanwhile, and shows
// the differences.
func (c *Controller) compare(first, second side) tea.Cmd {
	state := c.host.State()
	if max(first.of(state).Prompts(), second.of(state).Prompts()) > maxPrompts {
		return c.host.Say("more than "+units.Count(maxPrompts)+" prompts are too many for the screen: parley diff compares them in the recording", true)
	}
	view, twins := state.Log.View(), [2]func(*model.State) (side, error){first.twin(), second.twin()}
	return c.start(control.Activity{
		Name: "comparison", About: first.of(state).Name + " and " + second.of(state).Name,
		Note: "Nothing is sent.", Canceled: "The comparison was canceled.",
		Work: func(ctx context.Context, report func(done, total int)) (func() tea.Cmd, error) {
			copied, err := export.Copy(ctx, view, func(done, total int) { report(done, 2*total) })
			if err != nil {
				return nil, err
			}
			var sides [2]*compare.Side
			for i, twin := range twins {
				s, err := twin(copied)
				if err != nil {
					return nil, err
				}
				sides[i] = s.of(copied)
			}
			result, err := compare.Compare(ctx, sides[0], sides[1], compare.Options{Report: func(done, total int) { report(total+done, 2*total) }})
			if err != nil {
				return nil, err
			}
			document := answers.Result(result)
			return func() tea.Cmd {
				c.back = ""
				c.pane.SetDocument(document)
				c.host.Open(SheetName)
				return nil
			}, nil
		},
	})
}
