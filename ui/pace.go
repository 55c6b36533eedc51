package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/heap"
)

// answerTime is how long a stream waits for the answer to a key at most: the renderer
// writes a frame twice in it, if there is anything new in one.
const answerTime = 2 * time.Second / fps

const (
	// typingTime is how long after a key another one is expected.
	typingTime = 250 * time.Millisecond
	// typingShare is how many times as long as a batch took the next one is waited for
	// meanwhile, so that a key that comes finds the processor free.
	typingShare = 3
	// typingFrame is the least time between two batches meanwhile. Each leads to a frame
	// that the renderer, the terminal and the garbage collector have work with.
	typingFrame = time.Second / 20
	// typingBatch is how many items a batch brings at most meanwhile. The engine reads as
	// many at once in their place, for which it needs the processor as long again.
	typingBatch = 1024
	// manyItems are so many that they are pieces of a fast stream, each of them small: while
	// they come the garbage collector is in the way of keys.
	manyItems = 32
)

// A display is the terminal as far as the pace depends on it: a [terminal.Output].
type display interface {
	Behind() bool // so much is unwritten that new frames make no sense
	Drawn() bool  // the renderer has switched to its own screen
	Shown() <-chan struct{}
	Writes() int64
	Wrote() <-chan struct{}
}

// A pace says how fast a stream goes on, so that a key is answered first and a slow
// terminal gets the newest frame only.
type pace struct {
	now       func() time.Time
	out       display         // nil in tests
	collector *heap.Collector // nil in tests, and where the environment says how often it runs
	answer    answer
}

// An answer is the frame in which a user sees what a key did. Until it is written the
// stream waits: with the engine, which is never far ahead, it leaves the processor to
// whatever has to run until then.
type answer struct {
	out   display
	after int64     // writes before it
	asked time.Time // when the key was pressed
	more  bool      // another key may follow at once
}

// asked notes that a key was pressed.
func (p *pace) asked(key tea.KeyPressMsg) {
	if p.out != nil {
		p.answer = answer{p.out, p.out.Writes(), p.now(), key.Code != tea.KeyEnter}
	}
}

// unanswered returns for how much longer the answer to a key is to be waited for.
func (p *pace) unanswered() time.Duration {
	a := &p.answer
	if a.out == nil || a.out.Writes() != a.after {
		return 0
	}
	return answerTime - p.now().Sub(a.asked)
}

// keyExpected reports whether somebody types: another key may come at any moment.
func (p *pace) keyExpected() bool {
	return p.answer.more && p.now().Sub(p.answer.asked) < typingTime
}

// leisure returns how long to wait for a batch after one that took so long, if there is
// to be one in every frame, and how many items it may bring.
func (p *pace) leisure(frame, took time.Duration) (wait time.Duration, most int) {
	if p.keyExpected() {
		return max(frame-took, typingFrame-took, typingShare*took), typingBatch
	}
	return frame - took, maxBatch
}

// received counts items that came.
func (p *pace) received(n int) {
	p.collector.Received(n)
	if n >= manyItems && p.keyExpected() {
		p.collector.PutOff(typingTime)
	}
}

// behind reports whether the terminal takes its bytes more slowly than they come.
func (p *pace) behind() bool { return p.out != nil && p.out.Behind() }

// drawn reports whether the terminal shows the renderer's own screen.
func (p *pace) drawn() bool { return p.out == nil || p.out.Drawn() }

// afterStart runs cmd when the first frame is on the terminal, so that nothing which is
// not in it has the processor before.
func (p *pace) afterStart(ctx context.Context, cmd tea.Cmd) tea.Cmd {
	if p.out == nil || p.out.Shown() == nil {
		return cmd
	}
	return after(ctx, p.out.Shown(), cmd)
}

// after runs cmd when something is done, or will never be because ctx has ended.
func after(ctx context.Context, done <-chan struct{}, cmd tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-done:
		case <-ctx.Done():
		}
		return cmd()
	}
}

// then returns a message when the answer may be written, or after a while.
func (a answer) then(msg tea.Msg, rest time.Duration) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		select {
		case <-a.out.Wrote():
		case <-timer.C:
		}
		return msg
	}
}
