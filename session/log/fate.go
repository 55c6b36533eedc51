package log

// A Fate says what became of a delivery to a webhook. Deliveries come beside a stream, twice,
// late, in any order, from anyone who knows the address.
type Fate uint8

// The fates. Only FateTaken changes anything.
const (
	FateNone      Fate = iota // the record is no delivery
	FateTaken                 // it changed the task, or repeated its state
	FateRefused               // the receiver rejected it
	FateValidated             // a validation request for the webhook
	FateUnread                // it is not A2A
	FateForeign               // it is about another task than that of its webhook
	FateStray                 // this session does not know its task
	FateTwice                 // it repeats an earlier one byte for byte
	FateLate                  // the task was over
	FateStale                 // it is older than the known state of the task
	FateKnown                 // it contains nothing new
	FateStreamed              // an open stream reports the task already
	FatePiece                 // a chunk of an artifact whose position is unknown
)

// fateTexts are the fates in one or two words and as sentences.
var fateTexts = [...]struct{ word, sentence string }{
	FateNone:      {"", ""},
	FateTaken:     {"", "It was applied to the task."},
	FateRefused:   {"rejected", "It was rejected and changed nothing."},
	FateValidated: {"validation", "A server checked that the webhook exists; Parley repeated its validationToken."},
	FateUnread:    {"not A2A", "It is not A2A and changed nothing."},
	FateForeign:   {"another task", "It is about another task than that of its webhook; it changed nothing."},
	FateStray:     {"unknown task", "This session does not know its task; Parley asks the agent for it."},
	FateTwice:     {"duplicate", "It repeats an earlier delivery byte for byte; it changed nothing."},
	FateLate:      {"late", "The task was already over; the delivery changed nothing."},
	FateStale:     {"out of order", "Its timestamp is older than the known state of the task; it changed nothing."},
	FateKnown:     {"known", "It contains nothing new; it changed nothing."},
	FateStreamed:  {"streamed", "An open stream already reports the task; the delivery changed nothing, because its content would count twice."},
	FatePiece:     {"partial", "It is a chunk to append, which may come twice or out of order; Parley asks the agent for the whole task instead."},
}

// String says in one or two words why a delivery changed nothing; empty if it did.
func (f Fate) String() string { return fateTexts[min(f, FatePiece)].word }

// Sentence tells the user what became of a delivery.
func (f Fate) Sentence() string { return fateTexts[min(f, FatePiece)].sentence }
