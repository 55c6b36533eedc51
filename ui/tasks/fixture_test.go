package tasks

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/session/task"
	"parley/themes"
	"parley/ui/styles"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// office returns an agent of A2A 1.0 with tasks, the newest last.
func office(id a2a.AgentID, name string, states ...a2a.State) *model.Agent {
	a := &model.Agent{ID: id, Card: &a2a.Card{Name: name}, Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}}
	for i, s := range states {
		c := &model.Conversation{ID: a2a.ConversationID(int(id)*100 + i), Agent: a, ContextID: fmt.Sprintf("ctx-%d%d-aaaa", id, i), Title: fmt.Sprint("talk ", i)}
		c.Tasks = []*model.Task{{
			ID: fmt.Sprintf("%d%d00-0000-1111", id, i), ContextID: c.ContextID, Conversation: c, Lifecycle: task.Lifecycle{State: s},
			Transitions: []model.Transition{{State: s, Time: noon.Add(time.Duration(i-60) * time.Minute), Record: a2a.RecordID(10 + i)}},
		}}
		a.Conversations = append(a.Conversations, c)
	}
	return a
}

func listed(a *model.Agent, next string, tasks ...*model.Listed) {
	a.List = &model.TaskList{Tasks: tasks, Next: next, NewestPage: 90, FirstRequest: 89, Time: noon, NewTasks: len(tasks), Total: 9, Version: 1}
}

func newPane(agents ...*model.Agent) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(100, 24)
	p.Open(About{Agent: agents[0], Agents: agents, Now: noon})
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func (p *Pane) text() string { return panetest.Text(p.Lines()) }

func write(p *Pane, text string) {
	for _, r := range text {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func (p *Pane) ids() string {
	var ids []string
	for _, r := range p.rows {
		ids = append(ids, r.id[:2])
	}
	return strings.Join(ids, " ")
}
