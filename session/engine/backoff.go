package engine

import (
	"time"

	"parley/a2a"
	"parley/session/problem"
)

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

// after returns the next wait. It is at least the pause for which an answer asks.
func (b *backoff) after(out *a2a.Answer) time.Duration { return max(b.next(), pauseIn(out)) }

// pauseIn returns how long an answer asks to wait before the agent is asked again, 0 if it does not say.
func pauseIn(out *a2a.Answer) time.Duration {
	if rpc := rpcError(out.Err); rpc != nil {
		return problem.RetryPause(rpc, out.RetryAfter)
	}
	return out.RetryAfter
}
