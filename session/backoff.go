package session

import "time"

// A backoff says how long to wait before a task is asked for, or listened to, again: every
// time twice as long as the time before, up to a limit.
type backoff struct{ wait, most time.Duration }

// backoff begins with the shortest wait of the engine's options.
func (e *Engine) backoff() backoff { return backoff{wait: e.o.PollMin, most: e.o.PollMax} }

// next returns how long to wait now.
func (b *backoff) next() time.Duration {
	d := b.wait
	b.wait = min(2*d, b.most)
	return d
}
