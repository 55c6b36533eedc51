package agents

import (
	"slices"

	"parley/session/model"
	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts name.
const (
	// ReopenAgent opens the agent again that was closed last.
	ReopenAgent action.ID = "reopen-agent"

	addAgent action.ID = "add-agent"
)

// actions returns the table of the pane. Its help says what is possible for the selected row.
func (p *Pane) actions() *action.Table[Intent] {
	move := list.Motion{Rows: func() int { return len(p.rows) }, Height: func() int { return p.h }, Move: p.move}
	return action.New(nil, slices.Concat(
		list.Actions[Intent](list.ShortKeys(), list.Foot{}, move),
		p.agentActions(),
		p.entryActions(),
	)...).Live()
}

// on returns how an action stands that is about the selected row.
func (p *Pane) on(may func(r row) bool) func() action.State {
	return func() action.State { return action.State{Off: !may(p.selected())} }
}

// agentActions returns the actions about open agents and their conversations.
func (p *Pane) agentActions() []action.Action[Intent] {
	return []action.Action[Intent]{
		{
			Row: action.Row{Keys: []string{"enter"}, Does: "open", Foot: 1, Rank: 1, Now: p.on(row.selectable)},
			Run: func() Intent { return p.selected().open(true) },
		},
		{
			Row: action.Row{Keys: []string{"n"}, Does: "new conversation", Foot: 2, Rank: 2, Short: "new", Now: p.on(func(r row) bool { return r.carded() && r.agent.Tap == "" })},
			Run: func() Intent { return Begin{Agent: p.selected().agent.ID} },
		},
		{
			Row: action.Row{Keys: []string{"c"}, Does: "show card", Foot: 3, Rank: 4, Short: "card", Now: p.on(row.carded)},
			Run: func() Intent { return OpenCard{Agent: p.selected().agent.ID} },
		},
		{
			Row: action.Row{Keys: []string{"b"}, Does: "show beside", Foot: 4, Rank: 5, Short: "beside", Now: p.on(func(r row) bool { return r.agent != nil && !r.problem })},
			Run: func() Intent { return p.selected().beside() },
		},
		{
			Row: action.Row{Keys: []string{"r"}, Does: "reconnect", Foot: 5, Rank: 6, Now: p.canRetry},
			Run: func() Intent { return Retry{Agent: p.selected().agent.ID} },
		},
		{
			Row: action.Row{ID: addAgent, Keys: []string{"a"}, Does: "add agent", Foot: 6, Rank: 3, Short: "add"},
			Run: func() Intent { return Add{} },
		},
	}
}

// canRetry returns how the action stands that gets a card again.
func (p *Pane) canRetry() action.State {
	r := p.selected()
	if r.agent == nil || r.agent.Phase == model.Discovering || r.agent.Tap != "" {
		return action.State{Off: true}
	}
	if r.agent.Phase == model.Ready {
		return action.State{Does: "get card again"}
	}
	return action.State{}
}

// entryActions returns the actions about names, saved and recent agents.
func (p *Pane) entryActions() []action.Action[Intent] {
	return []action.Action[Intent]{
		{
			Row: action.Row{Keys: []string{"s"}, Does: "save agent", Foot: 7, Rank: 7, Short: "save", Now: p.on(func(r row) bool { return r.isAgent() && r.agent.Given == "" || r.entry.recent() })},
			Run: func() Intent {
				if r := p.selected(); r.agent == nil {
					return Save{Entry: r.entry}
				}
				return Save{Agent: p.selected().agent.ID}
			},
		},
		{
			Row: action.Row{Keys: []string{"R"}, Does: "rename agent", Foot: 8, Rank: 8, Short: "rename", Now: func() action.State {
				r := p.selected()
				if r.conv != nil {
					return action.State{Does: "rename conversation"}
				}
				return action.State{Off: !r.named()}
			}},
			Run: func() Intent {
				if r := p.selected(); r.conv != nil {
					return RenameConversation{Conversation: r.conv.ID}
				}
				return Rename{Name: p.selected().keeps().Name}
			},
		},
		{
			Row: action.Row{Keys: []string{"d", "delete"}, Does: "forget agent", Foot: 9, Rank: 11, Short: "forget", Now: p.on(func(r row) bool { return r.named() || r.entry.recent() })},
			Run: func() Intent { return Forget{Entry: p.selected().keeps()} },
		},
		{
			Row: action.Row{Keys: []string{"x"}, Does: "close agent", Foot: 10, Rank: 9, Short: "close", Now: p.on(row.isAgent)},
			Run: func() Intent { return Close{Agent: p.selected().agent.ID} },
		},
		{
			Row: action.Row{ID: ReopenAgent, Keys: []string{"u"}, Does: "reopen agent", Foot: 11, Rank: 10, Short: "reopen", Now: func() action.State { return action.State{Off: p.closed == 0} }},
			Run: func() Intent { return Undo{} },
		},
	}
}

// isAgent reports whether the row is an agent, not one of its conversations.
func (r row) isAgent() bool { return r.agent != nil && r.conv == nil }

// carded reports whether the agent of the row has a card.
func (r row) carded() bool { return r.agent != nil && r.agent.Card != nil }

// named reports whether the row is an agent that has a name of the user.
func (r row) named() bool { return r.isAgent() && r.agent.Given != "" || r.entry.Saved }

// keeps returns the entry of the row, that of an open agent too.
func (r row) keeps() Entry {
	if r.agent != nil {
		return Entry{Name: r.agent.Given, Ref: r.agent.Ref, Saved: r.agent.Given != ""}
	}
	return r.entry
}

// beside returns the intent that shows the row beside the conversation on the screen.
func (r row) beside() Intent {
	in := Beside{Agent: r.agent.ID}
	if r.conv != nil {
		in.Conversation = r.conv.ID
	}
	return in
}
