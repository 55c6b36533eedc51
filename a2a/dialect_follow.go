package a2a

// A Reception says how an agent takes a further message to a task.
type Reception uint8

// The receptions.
const (
	Expected    Reception = iota // the task waits for it
	Unspecified                  // the specification does not require agents to accept it, and they differ
	Forbidden                    // the dialect forbids it
)

// Receives says how a message to a task in a state is received. Since 0.3 a task that is over
// accepts none: the client begins a new task in its context (specification 0.3.0 §7.1, 1.0
// §3.4.2); earlier texts allow the client to continue it, and half of the agents do. An agent
// may want credentials out of band instead of in an answer (1.0 §7.6.1), and a working task may
// ignore messages.
func (d *Dialect) Receives(s State) Reception {
	switch {
	case s == StateInputRequired:
		return Expected
	case s.Terminal() && d.name != V01 && d.name != V02:
		return Forbidden
	default:
		return Unspecified
	}
}
