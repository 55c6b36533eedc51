package a2a

// A Reception says how a further message to a task is taken.
type Reception uint8

// The receptions.
const (
	Wanted    Reception = iota // that is what the task waits for
	Unsettled                  // no text says that it must be taken, and agents differ
	Forbidden                  // the dialect says that it must not be sent
)

// Receives says how a message to a task in a state is taken. A task that is over takes none
// since 0.3: a new one is begun in its context (specification 0.3.0 §7.1, 1.0 §3.4.2);
// earlier texts allow to go on with it, and half of the agents do. Credentials may be
// wanted elsewhere and not in an answer (1.0 §7.6.1), and a task at work may have nobody
// who listens.
func (d *Dialect) Receives(s State) Reception {
	switch {
	case s == StateInputRequired:
		return Wanted
	case s.Terminal() && d.name != V01 && d.name != V02:
		return Forbidden
	default:
		return Unsettled
	}
}
