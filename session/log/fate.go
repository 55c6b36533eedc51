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

var fateWords = [...]string{
	FateNone: "", FateTaken: "", FateRefused: "turned away", FateValidated: "validation", FateUnread: "not A2A",
	FateForeign: "another task", FateStray: "unknown task", FateTwice: "duplicate", FateLate: "late", FateStale: "out of order",
	FateKnown: "known", FateStreamed: "streamed", FatePiece: "a piece",
}

// String says in one or two words why a delivery changed nothing; empty if it did.
func (f Fate) String() string { return fateWords[min(f, FatePiece)] }

// Sentence tells the user what became of a delivery.
func (f Fate) Sentence() string {
	switch f {
	case FateTaken:
		return "It was applied to the task."
	case FateRefused:
		return "It was turned away and changed nothing."
	case FateValidated:
		return "A server made sure that the webhook is there; its validationToken was repeated."
	case FateUnread:
		return "It is nothing that A2A knows, and changed nothing."
	case FateForeign:
		return "It is about another task than the webhook was registered for, and changed nothing."
	case FateStray:
		return "This session knows no task that it could be about; the agent is asked for it."
	case FateTwice:
		return "It came before, byte for byte, and changed nothing."
	case FateLate:
		return "The task was over when it came; it changed nothing."
	case FateStale:
		return "Its timestamp is older than what is known of the task; it changed nothing."
	case FateKnown:
		return "It says what was known; it changed nothing."
	case FateStreamed:
		return "A stream that is open tells of the task; this changed nothing, or it would count twice."
	case FatePiece:
		return "It is a piece to be appended, which may come twice or out of order; the agent is asked for the whole task instead."
	default:
		return ""
	}
}
