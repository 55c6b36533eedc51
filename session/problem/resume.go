package problem

// Interrupts reports whether a problem ended only a connection, so that the task can be
// subscribed to, or polled, again.
func (pr *Problem) Interrupts() bool { return interruption(pr.Class) }
