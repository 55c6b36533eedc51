package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

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
	k, l := p.Keys(), p.LineKeys()
	if r.player == nil {
		return []control.Command{{Key: k.Play, Name: "Play from the record under the cursor", Do: do(player.Play{})}}
	}
	play := "Play"
	if r.player.Playing() {
		play = "Pause"
	}
	out := []control.Command{{Key: k.Play, Name: play, Do: do(player.Play{})}}
	for _, c := range []struct {
		key  key.Binding
		name string
		in   player.Intent
	}{
		{k.GoTo, "Go to a time, record, finding or mark", player.Ask{}},
		{k.Forward, "Go to the next record", player.Step{N: 1}}, {k.Back, "Go to the previous record", player.Step{N: -1}},
		{k.Faster, "Play faster", player.Speed{Dir: 1}}, {k.Slower, "Play slower", player.Speed{Dir: -1}},
		{l.NextFinding, "Go to the next finding", player.GoTo{Text: "next finding"}}, {l.LastFinding, "Go to the previous finding", player.GoTo{Text: "previous finding"}},
		{l.NextTurn, "Go to the next turn", player.GoTo{Text: "next turn"}}, {l.LastTurn, "Go to the previous turn", player.GoTo{Text: "previous turn"}},
		{l.NextMark, "Go to the next mark", player.GoTo{Text: "next mark"}}, {l.LastMark, "Go to the previous mark", player.GoTo{Text: "previous mark"}},
		{l.End, "Go to the end of the recording", player.GoTo{Text: "end"}},
	} {
		out = append(out, control.Command{Key: c.key, Name: c.name, Do: do(c.in)})
	}
	return out
}
