package ui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/replay"
	"parley/ui/player"
	"parley/ui/sheet"
)

// key handles a key press: the line has it before the panes, unless they take text.
func (r *replayScreen) key(msg tea.KeyPressMsg) tea.Cmd {
	m := r.m
	if p := m.panes.player; m.screen.over == noOverlay && !m.typing() && !m.presses.prefix {
		in, done := p.Press(msg)
		switch {
		case r.player == nil && in == (player.Play{}):
			return r.begin(r.cursor())
		case r.player == nil:
			if p.Typing() { // nothing is played yet
				p.Press(tea.KeyPressMsg{Code: tea.KeyEscape})
			}
		case done:
			m.quit = false
			m.touch() // the footer may name other keys
			m.notices.press()
			return tea.Batch(r.onIntent(in), r.stamp(m.notices.turn()))
		case r.back != nil:
			if !key.Matches(msg, m.keys.Key(clearOrQuit), m.keys.Key(suspend), m.keys.Key(leave)) {
				return nil // nothing of the model is on the screen
			}
		}
	}
	return r.pass(msg)
}

// cursor returns the record under the cursor of the wire.
func (r *replayScreen) cursor() int { return max(1, int(r.m.panes.wire.Selected())) }

// onIntent carries out an intent of the line.
func (r *replayScreen) onIntent(in player.Intent) tea.Cmd {
	p, restarted := r.player, false
	switch in := in.(type) {
	case player.Play:
		if p.Playing() {
			p.Pause()
		} else {
			restarted = p.Play()
		}
	case player.Step:
		restarted = p.Step(in.N)
	case player.Speed:
		if in.Dir < 0 {
			p.Slower()
		} else {
			p.Faster()
		}
	case player.Skip:
		at, _ := p.Since()
		restarted = p.SeekTime(at + in.By)
	case player.GoToPart:
		restarted = p.SeekPart(in.Part)
	case player.Stop:
		p.Stop()
	case player.Mark:
		r.m.panes.wire.Mark(a2a.RecordID(r.m.state.Log.Len()))
		r.m.touch()
	case player.GoTo:
		goal, err := replay.Parse(in.Text)
		if err == nil {
			restarted, err = p.Go(goal, r.allMarks(), r.o.Now().Location())
		}
		if err != nil {
			return r.stamp(r.m.say(sheet.Sentence(err.Error()), true))
		}
	}
	if restarted {
		return r.renew()
	}
	return nil
}
