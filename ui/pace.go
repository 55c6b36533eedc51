package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/heap"
)

// answerTime is how long a stream waits for the answer to a key at most: the renderer writes
// two frames in this time, if there is anything new.
const answerTime = 2 * time.Second / fps

const (
	// typingTime is how long after a key another one is expected.
	typingTime = 250 * time.Millisecond
	// typingShare is the ratio of the pause before the next batch to the time of the last one
	// while the user types, so that a key finds the processor free.
	typingShare = 3
	// typingFrame is the least time between two batches while the user types. Each leads to
	// work of the renderer, the terminal and the garbage collector.
	typingFrame = time.Second / 20
	// typingBatch is how many items a batch has at most while the user types. The engine then
	// reads as many at once, which takes as long again.
	typingBatch = 1024
	// manyItems is the size of a batch from a fast stream of small items: while such batches
	// come, the garbage collector delays keys.
	manyItems = 32
)

// A display is what the pace needs of the terminal: a [terminal.Output].
type display interface {
	Behind() bool // so much is unwritten that new frames are of no use
	Drawn() bool  // the renderer has switched to its own screen
	FirstFrame() <-chan struct{}
	Writes() int64
	Progress() <-chan struct{}
}

// A pace slows a stream down so that keys are answered first and a slow terminal gets only the
// newest frame.
type pace struct {
	now       func() time.Time
	out       display         // nil in tests
	collector *heap.Collector // nil in tests, and if the environment sets GOGC
	answer    answer
}

// An answer is the frame that shows what a key did. The stream waits until it is written: with
// the engine, which is never far ahead, it leaves the processor to the frame.
type answer struct {
	out   display
	after int64     // writes before it
	asked time.Time // the time of the key press
	more  bool      // another key may follow at once
}

// onKey notes a key press.
func (p *pace) onKey(key tea.KeyPressMsg) {
	if p.out != nil {
		p.answer = answer{p.out, p.out.Writes(), p.now(), key.Code != tea.KeyEnter}
	}
}

// answerWait returns how much longer to wait for the answer to a key.
func (p *pace) answerWait() time.Duration {
	a := &p.answer
	if a.out == nil || a.out.Writes() != a.after {
		return 0
	}
	return answerTime - p.now().Sub(a.asked)
}

// keyExpected reports whether the user is typing, so that another key may come at any moment.
func (p *pace) keyExpected() bool {
	return p.answer.more && p.now().Sub(p.answer.asked) < typingTime
}

// nextBatch returns how long to wait before the next batch, given the frame time and how long the
// last batch took, and how many items it may have.
func (p *pace) nextBatch(frame, took time.Duration) (wait time.Duration, most int) {
	if p.keyExpected() {
		return max(frame-took, typingFrame-took, typingShare*took), typingBatch
	}
	return frame - took, maxBatch
}

// countItems counts received items.
func (p *pace) countItems(n int) {
	p.collector.CountRecords(n)
	if n >= manyItems && p.keyExpected() {
		p.collector.PutOff(typingTime)
	}
}

// behind reports whether the terminal is slower than the output.
func (p *pace) behind() bool { return p.out != nil && p.out.Behind() }

// drawn reports whether the terminal shows the renderer's own screen.
func (p *pace) drawn() bool { return p.out == nil || p.out.Drawn() }

// afterStart runs cmd after the first frame is on the terminal, so that nothing else delays it.
func (p *pace) afterStart(ctx context.Context, cmd tea.Cmd) tea.Cmd {
	if cmd == nil || p.out == nil || p.out.FirstFrame() == nil {
		return cmd
	}
	return after(ctx, p.out.FirstFrame(), cmd)
}

// after runs cmd when done is closed or ctx ends.
func after(ctx context.Context, done <-chan struct{}, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-done:
		case <-ctx.Done():
		}
		return cmd()
	}
}

// then returns a message when the answer was written, or after rest.
func (a answer) then(msg tea.Msg, rest time.Duration) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		select {
		case <-a.out.Progress():
		case <-timer.C:
		}
		return msg
	}
}
