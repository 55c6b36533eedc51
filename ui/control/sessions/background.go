package sessions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"parley/ui/control"
)

// A work is what runs in the background; a new one replaces the one before.
type work struct {
	number int
	cancel context.CancelFunc
}

// begin ends the work before, and returns the context and the number of the next.
func (w *work) begin() (context.Context, int) {
	w.end()
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	return ctx, w.number
}

// end ends the work.
func (w *work) end() {
	w.number++
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// stream returns a command that passes on what a channel brings, inside Update, while it is
// wanted; end is called after the last.
func stream[T any](from <-chan T, wanted func() bool, put func(T), end func() tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		next, ok := <-from
		return control.DoneMsg(func() tea.Cmd {
			switch {
			case !wanted():
				return nil
			case !ok:
				return end()
			}
			put(next)
			return stream(from, wanted, put, end)
		})
	}
}
