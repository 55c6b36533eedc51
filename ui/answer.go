package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"
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
)

// An answer is the frame in which a user sees what a key did. Until it is written the
// stream waits: with the engine, which is never far ahead, it leaves the processor to
// whatever has to run until then.
type answer struct {
	out   *output
	after int64     // writes before it
	asked time.Time // when the key was pressed
	more  bool      // another key may follow at once
}

// asked notes that a key was pressed.
func (m *Model) asked(key tea.KeyPressMsg) {
	if m.out != nil {
		m.screen.answer = answer{m.out, m.out.writes.Load(), m.opts.Now(), key.Code != tea.KeyEnter}
	}
}

// unanswered returns for how much longer the answer to a key is to be waited for.
func (m *Model) unanswered() time.Duration {
	a := &m.screen.answer
	if a.out == nil || a.out.writes.Load() != a.after {
		return 0
	}
	return answerTime - m.opts.Now().Sub(a.asked)
}

// keyExpected reports whether somebody types: another key may come at any moment.
func (m *Model) keyExpected() bool {
	a := &m.screen.answer
	return a.more && m.opts.Now().Sub(a.asked) < typingTime
}

// leisure returns how long to wait for a batch after one that took so long, if there is
// to be one in every frame, and how many items it may bring.
func (m *Model) leisure(frame, took time.Duration) (wait time.Duration, most int) {
	if m.keyExpected() {
		return max(frame-took, typingFrame-took, typingShare*took), typingBatch
	}
	return frame - took, maxBatch
}

// then returns a message when the answer may be written, or after a while.
func (a answer) then(msg tea.Msg, rest time.Duration) tea.Cmd {
	return func() tea.Msg {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		select {
		case <-a.out.wrote:
		case <-timer.C:
		}
		return msg
	}
}
