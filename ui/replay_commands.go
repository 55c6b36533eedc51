package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/control"
	"parley/ui/player"
)

// playerMsg is sent when a finder command asks for something that the line can do.
type playerMsg struct{ in player.Intent }

// commands returns the finder commands of a replay.
func (r *replayScreen) commands() []control.Command {
	p := r.m.panes.player
	do := func(in player.Intent) control.Action {
		return func() tea.Cmd { return func() tea.Msg { return playerMsg{in} } }
	}
	if r.player == nil {
		return []control.Command{{Keys: p.Of(player.PlayOrPause), Name: "Play from the record under the cursor", Run: do(player.Play{})}}
	}
	play := "Play"
	if r.player.Playing() {
		play = "Pause"
	}
	out := []control.Command{{Keys: p.Of(player.PlayOrPause), Name: play, Run: do(player.Play{})}}
	for _, c := range []struct {
		keys *action.Table[player.Intent]
		id   action.ID
		name string
		in   player.Intent
	}{
		{p.Table, player.GoToPlace, "Go to a time, record, finding or mark", player.Ask{}},
		{p.Table, player.NextRecord, "Go to the next record", player.Step{N: 1}},
		{p.Table, player.PreviousRecord, "Go to the previous record", player.Step{N: -1}},
		{p.Table, player.PlayFaster, "Play faster", player.Speed{Dir: 1}},
		{p.Table, player.PlaySlower, "Play slower", player.Speed{Dir: -1}},
		{p.LineKeys, player.NextFinding, "Go to the next finding", player.GoTo{Text: "next finding"}},
		{p.LineKeys, player.PreviousFinding, "Go to the previous finding", player.GoTo{Text: "previous finding"}},
		{p.LineKeys, player.NextTurn, "Go to the next turn", player.GoTo{Text: "next turn"}},
		{p.LineKeys, player.PreviousTurn, "Go to the previous turn", player.GoTo{Text: "previous turn"}},
		{p.LineKeys, player.NextMark, "Go to the next mark", player.GoTo{Text: "next mark"}},
		{p.LineKeys, player.PreviousMark, "Go to the previous mark", player.GoTo{Text: "previous mark"}},
		{p.LineKeys, player.LastRecord, "Go to the end of the recording", player.GoTo{Text: "end"}},
	} {
		out = append(out, control.Command{Keys: c.keys.Of(c.id), Name: c.name, Run: do(c.in)})
	}
	return out
}
