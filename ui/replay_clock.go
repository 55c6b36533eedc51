package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

const (
	// playFrame is the least time between two looks at the clock of a player, playPause the most:
	// the line below the panes moves as often.
	playFrame = frame
	playPause = 100 * time.Millisecond
	// farAway is how many records the screen may be behind a player before the player waits.
	farAway = maxBatch
)

// play shows what is due. While the screen is far behind, no time passes.
func (r *replayScreen) play() {
	if r.player != nil && r.far() {
		r.player.Wait()
	} else if r.player != nil {
		r.player.Tick()
	}
}

// far reports whether the screen is far from the player's position.
func (r *replayScreen) far() bool {
	return r.back != nil || r.player.Position()-r.m.state.Log.Len() > farAway
}

// tick looks at the clock again when the next record is due, if time passes or something is read.
func (r *replayScreen) tick() tea.Cmd {
	if r.ticks || r.player == nil {
		return nil
	}
	behind := r.m.state.Log.Len() < r.player.Position()
	if !r.player.Playing() && r.player.Checked() == 1 && !behind {
		return nil
	}
	wait := playPause
	if r.player.Playing() && !r.far() {
		due, _ := r.player.Tick()
		wait = max(playFrame, min(due, playPause))
	}
	r.ticks = true
	return tea.Tick(wait, func(time.Time) tea.Msg { return playMsg{} })
}
