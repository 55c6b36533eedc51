package compare

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	excerpts "parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// A Side is one of two things that are compared: a session or a part of it.
type Side struct {
	Name  string // as a user named it
	State *model.State

	agents []*model.Agent
	turns  [][]*model.Turn // by agent
	task   *model.Task     // only its blocks are compared; nil for all
	whole  bool            // the side is all of the session
	agent  bool            // the side is all of an agent, its card included
}

// Whole returns a session as a side.
func Whole(name string, s *model.State) *Side {
	side := &Side{Name: name, State: s, whole: true}
	for _, a := range excerpts.Agents(s) {
		side.add(a, a.Conversations...)
	}
	return side
}

// Agent returns the conversations with an agent as a side.
func Agent(name string, s *model.State, a *model.Agent) *Side {
	side := &Side{Name: name, State: s, agent: true}
	side.add(a, a.Conversations...)
	return side
}

// Conversation returns a conversation as a side.
func Conversation(name string, s *model.State, c *model.Conversation) *Side {
	side := &Side{Name: name, State: s}
	side.add(c.Agent, c)
	return side
}

// Task returns a task as a side.
func Task(name string, s *model.State, t *model.Task) *Side {
	side := &Side{Name: name, State: s, task: t}
	side.add(t.Conversation.Agent, t.Conversation)
	side.turns[0] = slices.DeleteFunc(side.turns[0], func(turn *model.Turn) bool {
		return !slices.ContainsFunc(turn.Blocks, func(b *model.Block) bool { return b.Task == t })
	})
	return side
}

// add adds conversations with an agent: the turns that began with a message or brought one.
func (s *Side) add(a *model.Agent, conversations ...*model.Conversation) {
	conversations = slices.SortedFunc(slices.Values(conversations), func(x, y *model.Conversation) int { return cmp.Compare(x.ID, y.ID) })
	var turns []*model.Turn
	for _, c := range conversations {
		for _, t := range c.Turns {
			if t.Message != nil || t.Written != "" || len(t.Blocks) > 0 {
				turns = append(turns, t)
			}
		}
	}
	s.agents, s.turns = append(s.agents, a), append(s.turns, turns)
}

// blocks returns the answers of a turn that belong to the side.
func (s *Side) blocks(t *model.Turn) []*model.Block {
	if s.task == nil {
		return t.Blocks
	}
	return slices.DeleteFunc(slices.Clone(t.Blocks), func(b *model.Block) bool { return b.Task != s.task })
}

// Prompts returns how many turns the side has.
func (s *Side) Prompts() (n int) {
	for _, turns := range s.turns {
		n += len(turns)
	}
	return n
}

// About describes the side in a line.
func (s *Side) About() string {
	var names []string
	for _, a := range s.agents[:min(len(s.agents), 3)] {
		names = append(names, visible.Line(a.Name()))
	}
	if more := len(s.agents) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	words := []string{units.Plural(s.Prompts(), "prompt")}
	if s.whole {
		words = append(words, units.Plural(s.State.Log.Len(), "record"))
	}
	return strings.Join(append(words, cmp.Or(problem.JoinWords(names), "no agent")), ", ")
}

// The kinds of part that a user can name.
const (
	wordAgent        = "agent"
	wordConversation = "conversation"
	wordTask         = "task"
)

// Select returns the part of a session that a user names: all for an empty text, else
// conversation=…, task=… or agent=…, or the number or name of a conversation alone. The error is
// a sentence.
func Select(name string, s *model.State, text string) (*Side, error) {
	kind, word, named := strings.Cut(text, "=")
	if !named {
		kind, word = wordConversation, text
	}
	word = strings.TrimSpace(word)
	if text != "" && word == "" {
		return nil, fmt.Errorf("%q names nothing: after # stands conversation=, task= or agent= with a name, or the number of a conversation", visible.Line(text))
	}
	switch {
	case text == "":
		return Whole(name, s), nil
	case kind == wordConversation:
		return selectConversation(name, s, word)
	case kind == wordTask:
		t, err := findTask(s, word)
		if err != nil {
			return nil, err
		}
		return Task(name, s, t), nil
	case kind == wordAgent:
		a, err := findAgent(s, word)
		if err != nil {
			return nil, err
		}
		return Agent(name, s, a), nil
	}
	return selectConversation(name, s, text) // whose name has a =
}

func selectConversation(name string, s *model.State, word string) (*Side, error) {
	p, err := excerpts.Choose(s, name, excerpts.Choice{Conversation: word})
	if err != nil {
		return nil, err
	}
	return Conversation(name, s, p.Conversations[0]), nil
}

// findTask returns the task whose id begins with a word.
func findTask(s *model.State, word string) (*model.Task, error) {
	var all, hits []*model.Task
	for _, a := range excerpts.Agents(s) {
		for _, c := range a.Conversations {
			all = append(all, c.Tasks...)
		}
	}
	for _, t := range all {
		if t.ID == word {
			return t, nil
		}
		if strings.HasPrefix(strings.ToLower(t.ID), strings.ToLower(word)) {
			hits = append(hits, t)
		}
	}
	switch {
	case len(hits) == 1:
		return hits[0], nil
	case len(hits) > 1:
		return nil, errors.New("several tasks have an id that begins so: " + listed(hits, taskName))
	case len(all) == 0:
		return nil, errors.New("the session has no task")
	}
	return nil, errors.New("the session has no such task: it has " + listed(all, taskName))
}

func taskName(t *model.Task) string { return t.ID }

// findAgent returns the agent of a name, a number or a reference.
func findAgent(s *model.State, word string) (*model.Agent, error) {
	all := excerpts.Agents(s)
	for _, fits := range []func(*model.Agent) bool{
		func(a *model.Agent) bool { return fmt.Sprint(uint64(a.ID)) == word || a.Ref == word },
		func(a *model.Agent) bool { return strings.EqualFold(a.Name(), word) },
		func(a *model.Agent) bool {
			return strings.Contains(strings.ToLower(a.Name()), strings.ToLower(word))
		},
	} {
		hits := slices.DeleteFunc(slices.Clone(all), func(a *model.Agent) bool { return !fits(a) })
		switch {
		case len(hits) == 1:
			return hits[0], nil
		case len(hits) > 1:
			return nil, errors.New("several agents have that name: choose one by its number: " + listed(hits, agentName))
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the session has no agent")
	}
	return nil, errors.New("the session has no such agent: it has " + listed(all, agentName))
}

func agentName(a *model.Agent) string { return fmt.Sprintf("%d (%s)", a.ID, a.Name()) }

// listed lists at most a few names.
func listed[T any](all []T, name func(T) string) string {
	const most = 8
	var words []string
	for _, v := range all[:min(len(all), most)] {
		words = append(words, visible.Line(name(v)))
	}
	if more := len(all) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// streamsOf returns the exchanges of each turn, without the checks of Parley.
func streamsOf(s *model.State) map[a2a.TurnID][]*log.Stream {
	of := map[a2a.TurnID][]*log.Stream{}
	for _, x := range s.Log.Streams() {
		if x.Call != nil && x.Call.Turn != 0 && !x.Call.Check {
			of[x.Call.Turn] = append(of[x.Call.Turn], x)
		}
	}
	return of
}
