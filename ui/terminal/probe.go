package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Probe asks how wide the terminal draws characters of ambiguous width. The answer comes as
// input, so the terminal is not given away while one is pending: see [Probe.HandOver].
type Probe struct {
	open bool    // the answer is pending
	then tea.Cmd // runs after the answer; nil for nothing
	away bool    // another program has the terminal, or will have it
}

// widthProbe asks the terminal to draw a character of ambiguous width at the left edge of the
// second row and to report the cursor: it is in the second column, or in the third if such
// characters are wide. The first row is avoided, because its report looks like a key. The
// screen is redrawn afterwards.
const widthProbe = "\x1b7\x1b[2;1H\u25cf\x1b[6n\x1b8"

const (
	// FirstFrame is how long the renderer may take to begin: many of its frames.
	FirstFrame = 100 * time.Millisecond
	// ProbePatience is how long to wait for a pending answer before the terminal is handed
	// over: the next program would read the answer as typed.
	ProbePatience = 500 * time.Millisecond
)

// AwaitFirstFrame sends a [FirstFrameMsg] when the first frame should be on the terminal.
// Before that, the probe would be drawn on the screen that the user finds after the program
// ends.
func AwaitFirstFrame() tea.Cmd {
	return tea.Tick(FirstFrame, func(time.Time) tea.Msg { return FirstFrameMsg{} })
}

// Ask sends the probe, once the renderer has drawn and while no other program has the terminal.
func (p *Probe) Ask(drawn bool) tea.Cmd {
	if p.away || !drawn {
		return AwaitFirstFrame() // the character would stay on the other screen
	}
	p.open = true
	return tea.Sequence(tea.Raw(widthProbe), tea.ClearScreen)
}

// Wide reports whether an answer says that such a character takes two cells.
func Wide(answer tea.CursorPositionMsg) bool { return answer.Y == 1 && answer.X == 2 }

// Done returns the command that waited for the answer.
func (p *Probe) Done() tea.Cmd {
	then := p.then
	p.open, p.then = false, nil
	return then
}

// HandOver returns a command that gives the terminal away, after a pending answer.
func (p *Probe) HandOver(cmd tea.Cmd) tea.Cmd {
	p.away = true
	if !p.open {
		return cmd
	}
	p.then = cmd
	return tea.Tick(ProbePatience, func(time.Time) tea.Msg { return ProbeOverMsg{} })
}

// Regain notes that the terminal belongs to the program again.
func (p *Probe) Regain() { p.away = false }
