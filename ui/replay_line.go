package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/session/replay"
	"parley/ui/player"
)

// View returns the frame: that of the model, with the line above its footer.
func (r *replayScreen) View() tea.View {
	if r.rows() == 0 {
		return r.m.View()
	}
	line := r.line
	if r.moves || !r.far() { // on a long way the line moves when the clock says so, not with each block of records
		if r.m.panes.player.Show(r.status()) {
			r.m.touch() // the footer names other keys
		}
		line, r.moves = r.m.panes.player.Line(), false
	}
	v, foot := r.m.View(), footRows{r.m, r.rows()}
	content := v.Content
	if r.back != nil && r.held != "" {
		content = r.held
	}
	if content != r.content || line != r.line {
		r.content, r.line = content, line
		r.joined = foot.join(content, line)
	}
	v.Content = r.joined
	v.Cursor = foot.cursor(v.Cursor)
	if c := r.m.panes.player.Cursor(); c != nil {
		c.Y = foot.at()
		v.Cursor = c
	}
	return v
}

// status returns what the line shows.
func (r *replayScreen) status() player.Status {
	at, last := r.player.Since()
	n, complete := r.player.Len()
	return player.Status{
		Calm:   r.m.present.On(),
		Record: r.player.Position(), Len: n, Complete: complete, Indexed: r.player.Indexed(), Checked: r.player.Checked(), At: at, Last: last,
		Speed: r.player.Speed(), Playing: r.player.Playing(), Reached: r.reached(), Played: r.player.Played(),
		Ticks: func(w int) []player.Tick { return r.timeTicks(w, r.allMarks()) },
	}
}

// reached returns the last record on the screen. What comes with the next frame is there already.
func (r *replayScreen) reached() int {
	if shown := r.m.state.Log.Len(); r.far() {
		return shown
	}
	return r.player.Position()
}

// timeTicks returns what stands out in w parts of the time line.
func (r *replayScreen) timeTicks(w int, marks []int) []player.Tick {
	ticks, from := make([]player.Tick, w), 1
	for i, to := range r.player.Cells(w) {
		switch next := replay.Nearest(marks, from-1, 1); {
		case next != 0 && next < to:
			ticks[i] = player.MarkTick
		case r.player.Has(replay.Finding, from, to):
			ticks[i] = player.FindingTick
		case r.player.Has(replay.Turn, from, to):
			ticks[i] = player.TurnTick
		}
		from = max(from, to)
	}
	return ticks
}

// recorded returns the time of the newest record in the zone of the user, whose time it is before
// the first one.
func recorded(s *model.State, now time.Time) time.Time {
	if at := s.Log.TimeOf(a2a.RecordID(s.Log.Len())); !at.IsZero() {
		return at.In(now.Location())
	}
	return now
}
