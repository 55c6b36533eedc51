package doctor

import (
	"slices"

	"parley/ui/action"
	"parley/ui/list"
)

// Actions that texts of the pane name.
const (
	again      action.ID = "again"
	copyReport action.ID = "copy-report"
	send       action.ID = "send-a-message-too"
)

// actions returns the table of the pane.
func (p *Pane) actions() *action.Table[Intent] {
	return action.New(nil, slices.Concat(
		[]action.Action[Intent]{
			{
				Row: action.Row{ID: again, Keys: []string{"r"}, Does: "again", Foot: 1, Now: func() action.State {
					return action.State{Off: p.content.Running || p.content.Reading, Does: p.ofMachine("read again")}
				}},
				Run: func() Intent { return Again{} },
			},
			{
				Row: action.Row{ID: copyReport, Keys: []string{"y"}, Does: "copy report", Foot: 2, Now: func() action.State { return action.State{Off: p.content.Reading} }},
				Run: func() Intent { return Copy{} },
			},
			{
				Row: action.Row{Keys: []string{"tab", "m"}, Does: "this machine", Foot: 3, Now: func() action.State {
					return action.State{Off: p.content.Name == "", Does: p.ofMachine("way to agent")}
				}},
				Run: func() Intent { return Switch{} },
			},
			{
				Row: action.Row{ID: send, Keys: []string{"s"}, Does: "send a message too", Foot: 4, Now: func() action.State {
					return action.State{Off: p.content.Running || p.content.Machine || p.content.Name == ""}
				}},
				Run: func() Intent { return Again{Send: true} },
			},
		},
		list.Actions[Intent](list.DefaultKeys(), list.Foot{}, list.Motion{
			Rows:   func() int { return len(p.rows()) },
			Height: func() int { return p.parts().List },
			Move:   p.move,
		}),
		[]action.Action[Intent]{
			{
				Row: action.Row{Keys: []string{"esc"}, Does: "stop", Fixed: true, Passing: true, Now: func() action.State { return action.State{Off: !p.stoppable()} }},
				Run: func() Intent { return Stop{} },
			},
			{
				Row: action.Row{Keys: []string{"esc", "q"}, Does: "stop, close", Foot: 5, Now: func() action.State {
					if p.stoppable() {
						return action.State{Does: "stop"}
					}
					return action.State{Does: "close"}
				}},
				Run: func() Intent { return Close{} },
			},
		},
	)...)
}

// ofMachine returns words for the facts about this machine, none for the way to an agent.
func (p *Pane) ofMachine(words string) string {
	if p.content.Machine {
		return words
	}
	return ""
}

// stoppable reports whether an examination runs that the user sees.
func (p *Pane) stoppable() bool { return p.content.Running && !p.content.Machine }

// move moves the cursor, which no longer follows the examination then.
func (p *Pane) move(by int) {
	p.List.Move(by, len(p.rows()))
	p.moved = true
}
