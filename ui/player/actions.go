package player

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
)

// Actions that commands and texts name.
const (
	PlayOrPause     action.ID = "play-or-pause"
	PreviousRecord  action.ID = "previous-record"
	NextRecord      action.ID = "next-record"
	PlaySlower      action.ID = "play-slower"
	PlayFaster      action.ID = "play-faster"
	GoToPlace       action.ID = "go-to"
	stopOnTheWay    action.ID = "stop-on-the-way"
	LastRecord      action.ID = "last-record"
	NextFinding     action.ID = "next-finding"
	PreviousFinding action.ID = "previous-finding"
	NextMark        action.ID = "next-mark"
	PreviousMark    action.ID = "previous-mark"
	NextTurn        action.ID = "next-turn"
	PreviousTurn    action.ID = "previous-turn"
)

// ask returns what runs an action that asks for in.
func ask(in Intent) func() Intent { return func() Intent { return in } }

// actions returns the table of the keys that work outside text fields, wherever the focus is. The
// input of a place has all keys while it is open, and the line has the rest while it has the focus.
func (p *Pane) actions() *action.Table[Intent] {
	input := action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"enter"}, Does: "go there", Foot: 1, Fixed: true}, Run: p.accept},
		action.Action[Intent]{Row: action.Row{Keys: []string{"esc", "ctrl+c", "tab"}, Does: "close", Foot: 2, Fixed: true}, Run: p.closeInput},
	)
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{ID: PlayOrPause, Keys: []string{"P"}, Does: "play or pause", Named: p.playName}, Run: ask(Play{})},
		action.Action[Intent]{Row: action.Row{ID: PreviousRecord, Keys: []string{","}, Does: "previous record", Name: "Go to the previous record"}, Run: ask(Step{-1})},
		action.Action[Intent]{Row: action.Row{ID: NextRecord, Keys: []string{"."}, Does: "next record", Foot: 3, Name: "Go to the next record"}, Run: ask(Step{1})},
		action.Action[Intent]{Row: action.Row{ID: PlaySlower, Keys: []string{"["}, Does: "play slower", Name: "Play slower"}, Run: ask(Speed{-1})},
		action.Action[Intent]{Row: action.Row{ID: PlayFaster, Keys: []string{"]"}, Does: "play faster", Foot: 7, Name: "Play faster"}, Run: ask(Speed{1})},
		action.Action[Intent]{Row: action.Row{ID: GoToPlace, Keys: []string{":"}, Does: "go to", Name: "Go to a time, record, finding or mark"}, Run: p.open},
		action.Action[Intent]{
			Row: action.Row{ID: stopOnTheWay, Keys: []string{"esc"}, Does: "stop on the way", Foot: 1, Now: func() action.State { return action.State{Off: !p.status.seeks()} }},
			Run: ask(Stop{}),
		},
	).While(p.Typing, input, func(msg tea.KeyPressMsg) Intent {
		p.in.Key(msg)
		return nil
	}).Then(func() bool { return p.focused }, p.LineKeys)
}

// playName names the action that plays. Before the recording is played it has no records.
func (p *Pane) playName() string {
	switch {
	case p.status.Len == 0:
		return "Play from the record under the cursor"
	case p.status.Playing:
		return "Pause"
	}
	return "Play"
}

// lineActions returns the table of the keys of the line itself.
func (p *Pane) lineActions() *action.Table[Intent] {
	const short, long = 5 * time.Second, time.Minute
	toggle := func() action.State {
		if p.status.Playing {
			return action.State{Does: "pause"}
		}
		return action.State{Does: "play"}
	}
	return action.New(nil,
		action.Action[Intent]{Row: action.Row{Keys: []string{"space"}, Does: "play or pause", Foot: 2, Now: toggle}, Run: ask(Play{})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"h", "left"}, Does: "5 seconds back", Foot: 5}, Run: ask(Skip{-short})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"l", "right"}, Does: "5 seconds forward", Foot: 6}, Run: ask(Skip{short})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"j", "down"}, Does: "1 minute back"}, Run: ask(Skip{-long})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"k", "up"}, Does: "1 minute forward"}, Run: ask(Skip{long})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"home"}, Does: "first record"}, Run: ask(GoTo{"start"})},
		action.Action[Intent]{Row: action.Row{ID: LastRecord, Keys: []string{"G", "end"}, Does: "last record", Name: "Go to the end of the recording"}, Run: ask(GoTo{"end"})},
		action.Action[Intent]{Row: action.Row{ID: NextFinding, Keys: []string{"n"}, Does: "next finding", Foot: 8, Name: "Go to the next finding"}, Run: ask(GoTo{"next finding"})},
		action.Action[Intent]{Row: action.Row{ID: PreviousFinding, Keys: []string{"N"}, Does: "previous finding", Name: "Go to the previous finding"}, Run: ask(GoTo{"previous finding"})},
		action.Action[Intent]{Row: action.Row{ID: NextMark, Keys: []string{"'"}, Does: "next mark", Name: "Go to the next mark"}, Run: ask(GoTo{"next mark"})},
		action.Action[Intent]{Row: action.Row{ID: PreviousMark, Keys: []string{"\""}, Does: "previous mark", Name: "Go to the previous mark"}, Run: ask(GoTo{"previous mark"})},
		action.Action[Intent]{Row: action.Row{ID: NextTurn, Keys: []string{"}"}, Does: "next turn", Name: "Go to the next turn"}, Run: ask(GoTo{"next turn"})},
		action.Action[Intent]{Row: action.Row{ID: PreviousTurn, Keys: []string{"{"}, Does: "previous turn", Name: "Go to the previous turn"}, Run: ask(GoTo{"previous turn"})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"m"}, Does: "mark record"}, Run: ask(Mark{})},
		action.Action[Intent]{Row: action.Row{Keys: []string{"g"}, Does: "go to time or record", Foot: 4}, Run: p.open},
		action.Action[Intent]{
			Row:   action.Row{Keys: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}, Shown: "0-9", Does: "go to 0 % to 90 %"},
			Press: action.Digit(func(n int) Intent { return GoToPart{float64(n) / 10} }),
		},
	)
}
