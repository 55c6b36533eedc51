package a2a

import (
	"net/http"
	"strings"
)

// DialectName names a wire version of A2A, one name for each shape that was ever released.
type DialectName string

// The dialects.
const (
	V01     DialectName = "v0.1"
	V02     DialectName = "v0.2"
	V03     DialectName = "v0.3"
	V10     DialectName = "v1.0"
	Unknown DialectName = ""

	// The same versions over HTTP+JSON. A [Profile] may name them, or the plain
	// version and that binding; both mean the same.
	V03REST DialectName = "v0.3-rest"
	V10REST DialectName = "v1.0-rest"

	// The same versions over gRPC.
	V03GRPC DialectName = "v0.3-grpc"
	V10GRPC DialectName = "v1.0-grpc"

	// Drafts between 0.3 and 1.0 that were never released: read, not written.
	V10Draft DialectName = "v1.0-draft"

	// Three variants of Solace Agent Mesh: the wire that its documentation describes, that of
	// its agents on a broker, and its HTTP gateway.
	SAMDoc    DialectName = "sam-doc"
	SAMBroker DialectName = "sam-broker"
	SAMHTTP   DialectName = "sam-http"
)

// Number returns the version as users write it: "0.3".
func (d DialectName) Number() string {
	if len(d) > 1 && d[0] == 'v' {
		number, _, _ := strings.Cut(string(d[1:]), "-")
		return number
	}
	return string(d)
}

// version returns the released version whose objects a dialect has, and the
// binding that its name implies, empty if it implies none.
func (d DialectName) version() (DialectName, Binding) {
	switch d {
	case V03REST:
		return V03, BindingREST
	case V10REST:
		return V10, BindingREST
	case V03GRPC:
		return V03, BindingGRPC
	case V10GRPC:
		return V10, BindingGRPC
	case V10Draft:
		return V10, ""
	case SAMHTTP:
		return V03, BindingOther // bodies of JSON-RPC, and some without
	case SAMBroker:
		return V03, BindingMQTT
	default:
		return d, ""
	}
}

// Confidence grades a conclusion.
type Confidence uint8

// The confidences.
const (
	Guess Confidence = iota
	Likely
	Certain
	Pinned // the user said so; nothing overrides it
)

// An Evidence is one reason for one conclusion about an agent.
type Evidence struct {
	Field      string // dialect, binding, endpoint, tenant, streaming, interface, card
	Value      string
	Reason     string // for a user: `card says protocolVersion "0.3.0"`
	Confidence Confidence
	Record     RecordID // where it was seen, 0 if in no record
}

// A Way is one way to talk to an agent.
type Way struct {
	Dialect  DialectName
	Binding  Binding
	Endpoint string
	Tenant   string
}

// A Profile is what is known about how an agent speaks. Each fact has the
// evidence that set it; Warnings are sentences for the user (repaired URLs,
// a card that lies, an unknown version).
type Profile struct {
	Dialect DialectName
	// Claim is the version that the card names for the interface that is used, such as "1.0"; a
	// version that Parley does not know is unchanged. It is empty without a version or a card.
	Claim    string `json:",omitempty"`
	Binding  Binding
	Endpoint string
	Tenant   string
	// Agent is the agent meant behind a gateway that serves many, empty elsewhere.
	Agent string
	// ArtifactGateway is set if the files of an agent on a broker can be downloaded: from the
	// gateway in [Options.ArtifactGateway].
	ArtifactGateway bool `json:",omitempty"`
	Streaming       bool
	// Alternatives are other ways to the same agent, the best one first.
	Alternatives []Way
	Evidence     []Evidence
	Warnings     []string
	// Cautions are clauses that a user should read before the first message: it goes to another
	// origin than the card's, or a credential that is set is not sent.
	Cautions []string `json:",omitempty"`
	// Problem says in one sentence why the agent cannot be talked to, empty if
	// it can.
	Problem string
}

// A Lookup is one address that was tried for a card, or one probe of an endpoint.
type Lookup struct {
	URL    string
	Record RecordID // its request; a file has one too, which never crossed the wire
	Status int
	// Probe is what a probe asked, such as "GetTask of 1.0"; empty for a location.
	Probe string `json:",omitempty"`
	// Sentence says why it was not a card, empty for the card. For a probe it says what the
	// answer means.
	Sentence string
	Class    string
}

// IsFault reports whether an address of a card answered something else than that nothing is there.
func (l Lookup) IsFault() bool {
	return l.Status != http.StatusNotFound && l.Status != http.StatusMethodNotAllowed && l.Status != http.StatusGone
}
