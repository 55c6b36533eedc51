package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Probe asks how wide the terminal draws characters of ambiguous width. It is the last question
// at the start, after those of Bubble Tea and the one for the background, and terminals answer in
// order: its answer says that no other is to come. Answers come as input. The next program on the
// terminal would read them as typed, and the shell would show them, so the terminal is not given
// away before: see [Probe.HandOver].
type Probe struct {
	open   bool    // answers are due
	asked  bool    // the probe was sent
	narrow bool    // the width is of no interest
	then   tea.Cmd // runs when no answer is due; nil for nothing
	away   bool    // another program has the terminal, or will have it
}

// The probe asks the terminal to draw a character of ambiguous width at the left edge of the
// second row and to report the cursor: it is in the second column, or in the third if such
// characters are wide. The first row is avoided, because its report looks like a key. The
// screen is redrawn afterwards.
const (
	beforeGlyph = "\x1b7\x1b[2;1H"
	glyph       = "\u25cf"
	afterGlyph  = "\x1b[6n\x1b8"
)

const (
	// FirstFrame is how long the renderer may take to begin: many of its frames.
	FirstFrame = 100 * time.Millisecond
	// ProbePatience is how long a terminal may take to answer. One that has said nothing for so
	// long is expected to stay silent.
	ProbePatience = 5 * time.Second
)

// Begin notes that the terminal is being asked, and sends a [FirstFrameMsg] when the probe can
// follow. Without glyphs of ambiguous width, narrow, only the end of the answers matters.
func (p *Probe) Begin(narrow bool) tea.Cmd {
	p.open, p.narrow = true, narrow
	return awaitFirstFrame()
}

// awaitFirstFrame sends a [FirstFrameMsg] when the first frame should be on the terminal.
// Before that, the probe would be drawn on the screen that the user finds after the program
// ends.
func awaitFirstFrame() tea.Cmd {
	return tea.Tick(FirstFrame, func(time.Time) tea.Msg { return FirstFrameMsg{} })
}

// Ask sends the probe once, when the renderer has drawn and while no other program has the
// terminal.
func (p *Probe) Ask(drawn bool) tea.Cmd {
	if p.asked {
		return nil
	}
	if p.away || !drawn {
		return awaitFirstFrame() // the character would stay on the other screen
	}
	p.open, p.asked = true, true
	ask := tea.Raw(beforeGlyph + afterGlyph)
	if !p.narrow {
		ask = tea.Sequence(tea.Raw(beforeGlyph+glyph+afterGlyph), tea.ClearScreen)
	}
	return tea.Batch(ask, tea.Tick(ProbePatience, func(time.Time) tea.Msg { return ProbeOverMsg{} }))
}

// Wide reports whether an answer says that such a character takes two cells.
func Wide(answer tea.CursorPositionMsg) bool { return answer.Y == 1 && answer.X == 2 }

// Done notes that no answer is due any more, and returns the command that waited for them.
func (p *Probe) Done() tea.Cmd {
	then := p.then
	p.open, p.then, p.away = false, nil, p.away || then != nil
	return then
}

// HandOver returns a command that gives the terminal away. While answers are due, it keeps cmd
// for [Probe.Done] and reports that it waits; asked again, it does not wait.
func (p *Probe) HandOver(cmd tea.Cmd) (now tea.Cmd, waits bool) {
	switch {
	case p.then != nil:
		return p.Done(), false
	case p.open:
		p.then = cmd
		return nil, true
	}
	p.away = true
	return cmd, false
}

// Waiting reports whether a command waits for answers.
func (p *Probe) Waiting() bool { return p.then != nil }

// Forget drops the command that waits for answers: the program ends instead.
func (p *Probe) Forget() { p.then = nil }

// Regain notes that the terminal belongs to the program again.
func (p *Probe) Regain() { p.away = false }
