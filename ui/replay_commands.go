package ui

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
	"parley/ui/player"
)

// playerMsg is sent when a finder command asks for something that the line can do.
type playerMsg struct{ in player.Intent }

// commands returns the finder commands of a replay: before the recording is played, the one that plays it.
func (r *replayScreen) commands() []control.Command {
	p := r.m.panes.player
	all := p.Commands(player.PlayOrPause)
	if r.player != nil {
		all = append(all, p.Commands(player.GoToPlace, player.NextRecord, player.PreviousRecord, player.PlayFaster, player.PlaySlower)...)
		all = append(all, p.LineKeys.Commands(player.NextFinding, player.PreviousFinding, player.NextTurn, player.PreviousTurn, player.NextMark, player.PreviousMark, player.LastRecord)...)
	}
	return paneCommands(all, func(run func() player.Intent) tea.Cmd {
		in := run()
		return func() tea.Msg { return playerMsg{in} }
	})
}
