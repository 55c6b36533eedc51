package engine

import "time"

// A backoff computes how long to wait before a task is requested, or subscribed to, again: each
// wait is twice the last one, up to a limit.
type backoff struct{ wait, most time.Duration }

// backoff begins with the shortest wait of the engine's options.
func (e *Engine) backoff() backoff { return backoff{wait: e.o.PollMin, most: e.o.PollMax} }

// next returns the next wait.
func (b *backoff) next() time.Duration {
	d := b.wait
	b.wait = min(2*d, b.most)
	return d
}
