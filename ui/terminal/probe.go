package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Probe is the question how wide the terminal draws characters of ambiguous width. Its
// answer comes as input, so the terminal is not given away while one is still to come: see
// [Probe.HandOver].
type Probe struct {
	open bool    // it was asked and not answered
	then tea.Cmd // what waits for the answer; nil for nothing
	away bool    // somebody else has the terminal, or is about to have it
}

// The terminal is asked to draw a character of ambiguous width at the left edge
// of the second row and to say where the cursor is then: in the second column,
// or in the third where it draws such characters wide. The first row is avoided,
// because its report looks like a key. The screen is drawn anew afterwards.
const widthProbe = "\x1b7\x1b[2;1H\u25cf\x1b[6n\x1b8"

const (
	// FirstFrame is how long the renderer may take to begin: many of its frames.
	FirstFrame = 100 * time.Millisecond
	// ProbePatience is how long the program waits for an answer that is still to come before
	// it hands the terminal over: whoever has it next would read the answer as typed.
	ProbePatience = 500 * time.Millisecond
)

// AwaitFirstFrame sends a [FirstFrameMsg] when the first frame should be on the terminal.
// What is drawn before that is drawn on the screen that the user finds again afterwards.
func AwaitFirstFrame() tea.Cmd {
	return tea.Tick(FirstFrame, func(time.Time) tea.Msg { return FirstFrameMsg{} })
}

// Ask asks the terminal, once the renderer has drawn there and nobody else has it.
func (p *Probe) Ask(drawn bool) tea.Cmd {
	if p.away || !drawn {
		return AwaitFirstFrame() // here it would stay for ever
	}
	p.open = true
	return tea.Sequence(tea.Raw(widthProbe), tea.ClearScreen)
}

// Wide reports whether an answer says that such a character takes two cells.
func Wide(answer tea.CursorPositionMsg) bool { return answer.Y == 1 && answer.X == 2 }

// Done goes on with what waited for the answer.
func (p *Probe) Done() tea.Cmd {
	then := p.then
	p.open, p.then = false, nil
	return then
}

// HandOver does what gives the terminal to somebody else, after the terminal has said
// all that it was asked for.
func (p *Probe) HandOver(cmd tea.Cmd) tea.Cmd {
	p.away = true
	if !p.open {
		return cmd
	}
	p.then = cmd
	return tea.Tick(ProbePatience, func(time.Time) tea.Msg { return ProbeOverMsg{} })
}

// Regain notes that the terminal is the program's own again.
func (p *Probe) Regain() { p.away = false }
