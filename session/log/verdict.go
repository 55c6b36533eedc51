package log

import "parley/a2a"

// An Effect is what an event of an agent does to the task that it names.
type Effect uint8

// The effects. Only EffectOwn changes what is known of a task.
const (
	EffectOwn         Effect = iota // it is about the task of its exchange
	EffectStray                     // it is about something else, or held until it is clear that it is not
	EffectOutdated                  // the answer to a get is older than another answer that came meanwhile
	EffectContradicts               // the task is over, and the event denies that
	EffectIgnored                   // a delivery that changes nothing, see [Verdict.Fate]
)

// A Ruling is the judgement of one event about tasks and messages.
type Ruling struct {
	// By is the index of the event of the judged record by which it was decided; the number of its events if
	// the record did so by itself, as the end of an exchange.
	By int
	// Record brought the event: an earlier record than the judged one if the event was held until now. In an item
	// that was judged ahead, both are nil for an event of the judged record.
	Record *a2a.Record
	Event  *a2a.Event
	Effect Effect
	// Turn is the turn that the event belongs to, 0 for none: that of its exchange, otherwise the newest one
	// of its task.
	Turn a2a.TurnID
	// Moves is the context in which the conversation goes on, empty if the event names none for it.
	Moves string
	// Deltas are the changes of the task. Resumes is set with the first event of a stream that goes on with
	// an earlier one.
	Deltas  []a2a.Delta
	Resumes bool
	// Continues is set if the message of the event is no message of its own: its text continues that of the
	// event before.
	Continues bool
	// Scattered is how many artifacts of the task seem to be one artifact whose chunks each have their own id; 0 if
	// the event says nothing new about that.
	Scattered int
	// Texts are those of the artifacts of a task that the event ended, by their keys, of artifacts that have nothing
	// else. They stay as they are.
	Texts map[string][]byte
}

// A Verdict is what a record says about tasks. It follows from the record and those before it.
type Verdict struct {
	// Rulings are in the order in which they take effect.
	Rulings []Ruling
	// Turn is the turn of a request, 0 for none: its own, otherwise the newest one of its task.
	Turn a2a.TurnID
	// Streams is set with the first record that shows that the answer in a turn is a stream.
	Streams bool
	// Subject is the task that the exchange is about, empty while it is not known.
	Subject string
	// Fate is what became of a delivery.
	Fate Fate
	// Merged are the changes of a task whose artifacts a note merges.
	Merged []a2a.Delta
}

// Says reports whether a verdict says anything.
func (v *Verdict) Says() bool {
	return v.Turn != 0 || v.Streams || v.Subject != "" || v.Fate != 0 || len(v.Rulings) > 0 || len(v.Merged) > 0
}

// TakeRulings removes the rulings that event i decided, which are the next ones, from a list and returns them.
func TakeRulings(rulings *[]Ruling, i int) []Ruling {
	n := 0
	for n < len(*rulings) && (*rulings)[n].By == i {
		n++
	}
	of := (*rulings)[:n]
	*rulings = (*rulings)[n:]
	return of
}
