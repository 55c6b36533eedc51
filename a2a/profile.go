package a2a

// DialectName names a wire version of A2A, one name for each shape that was ever released.
type DialectName string

// The dialects.
const (
	V01     DialectName = "v0.1"
	V02     DialectName = "v0.2"
	V03     DialectName = "v0.3"
	V10     DialectName = "v1.0"
	Unknown DialectName = ""
)

// Number returns the version as people write it: "0.3".
func (d DialectName) Number() string {
	if len(d) > 1 && d[0] == 'v' {
		return string(d[1:])
	}
	return string(d)
}

// Confidence grades a conclusion.
type Confidence uint8

// The confidences.
const (
	Guess Confidence = iota
	Likely
	Certain
	Pinned // the person said so; nothing overrides it
)

// An Evidence is one reason for one conclusion about an agent.
type Evidence struct {
	Field      string // dialect, binding, endpoint, tenant, streaming
	Value      string
	Reason     string // for a person: `card says protocolVersion "0.3.0"`
	Confidence Confidence
	Record     RecordID // where it was seen, 0 if in no record
}

// A Profile is what is known about how an agent speaks. Each fact has the
// evidence that set it; Warnings are sentences for the person (repaired URLs,
// a card that lies, an unknown version).
type Profile struct {
	Dialect   DialectName
	Binding   Binding
	Endpoint  string
	Tenant    string
	Streaming bool
	Evidence  []Evidence
	Warnings  []string
	// Problem says in one sentence why the agent cannot be talked to, empty if
	// it can.
	Problem string
}

// An Attempt is one location that was tried for a card.
type Attempt struct {
	URL    string
	Record RecordID // its request; a file has one too, which was never on the wire
	Status int
	// Sentence says why it was no card, empty for the one that was.
	Sentence string
	Class    string
}
