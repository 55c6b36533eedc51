package a2a

import (
	"cmp"
	"net/http"
	"strings"
	"time"
)

// RecordID numbers the records of a session from 1 without gaps.
type RecordID uint64

// ExchangeID names one HTTP request and all that answers it: the number of its
// request record.
type ExchangeID = RecordID

// Local identifiers. They belong to this session and never cross the wire.
type (
	AgentID        uint32
	ConversationID uint32
	TurnID         uint32
)

// Op is an operation of the protocol, whatever a dialect calls it.
type Op string

// The operations.
const (
	OpCard         Op = "card"
	OpSend         Op = "send"
	OpStream       Op = "stream"
	OpGet          Op = "get"
	OpList         Op = "list"
	OpCancel       Op = "cancel"
	OpSubscribe    Op = "subscribe"
	OpPushSet      Op = "push-set"
	OpPushGet      Op = "push-get"
	OpPushList     Op = "push-list"
	OpPushDelete   Op = "push-delete"
	OpExtendedCard Op = "extended-card"
	OpProbe        Op = "probe"
	OpArtifact     Op = "artifact" // download of a stored file, from a gateway of Solace Agent Mesh or the address that a part names
	OpDelivery     Op = "delivery" // what an agent posts to a webhook
	OpCatalog      Op = "catalog"  // an AI catalog or another list of agents
)

// A Call describes one exchange in local terms. It is stored with the request record, because a
// frame cannot be decoded again without it.
type Call struct {
	Agent        AgentID        `json:"agent,omitempty"`
	Conversation ConversationID `json:"conversation,omitempty"`
	Turn         TurnID         `json:"turn,omitempty"`
	Op           Op             `json:"op"`
	Dialect      DialectName    `json:"dialect,omitempty"`
	Binding      Binding        `json:"binding,omitempty"`
	Endpoint     string         `json:"endpoint,omitempty"`
	TaskID       string         `json:"taskId,omitempty"` // remote id that the call is about, if known
	// MadeID is set if Parley made TaskID, as clients do in 0.1 and gateways on a mesh: nobody saw
	// the task before.
	MadeID    bool   `json:"madeId,omitempty"`
	ContextID string `json:"contextId,omitempty"` // remote context that the call continues, if known
	URI       string `json:"uri,omitempty"`       // artifact:// URI that is downloaded
	// Attempt numbers the requests by which Parley tried to do what the call is for, from 1, and Why is
	// the reason of this one. Because completes the reason: what was answered before, or the address of a
	// redirect. Calls of other clients, and calls in sessions that older versions recorded, have none.
	Attempt int    `json:"attempt,omitempty"`
	Why     Why    `json:"why,omitempty"`
	Because string `json:"because,omitempty"`
	// Guess is set if neither the card nor the user names the way of the call: Parley tries whether the
	// agent speaks it.
	Guess bool `json:"guess,omitempty"`
	// Check is set when a task is requested only to compare it with its stream: the answer
	// changes nothing.
	Check bool `json:"check,omitempty"`
	// AuthPoll is set on an auth poll: a task that waits for credentials is requested to see
	// whether it continues, and nobody waits for the answer.
	AuthPoll bool `json:"vigil,omitempty"`
	// Rest is set when a task is requested because the event that ended it had no content, or its
	// stream brought nothing. A failure is not reported.
	Rest bool `json:"rest,omitempty"`
	// Raw is set when a user wrote the request by hand.
	Raw bool `json:"raw,omitempty"`
	// EditedFrom is the record of the request that the user changed and sent again, 0 if
	// there is none.
	EditedFrom RecordID `json:"editedFrom,omitempty"`
	// PushID names the push configuration that the call is about.
	PushID string `json:"pushId,omitempty"`
	// Delivery is set on what an agent posted to a webhook.
	Delivery *DeliveryFacts `json:"delivery,omitempty"`
	// Tapped is set if another client sent the request, and Parley only passed it on.
	Tapped *Tapped `json:"tapped,omitempty"`
}

// Tapped says how a request of another client came to Parley, which passed it on to the agent.
type Tapped struct {
	Tap        string `json:"tap"`                  // name of the tap
	Client     string `json:"client,omitempty"`     // who sent it, as far as it says so: its User-Agent or its address
	Connection uint64 `json:"connection,omitempty"` // numbers the client's connections to the tap from 1
	// From is the agent that sends through this tap, if the user said so: the name of its own tap.
	From string `json:"from,omitempty"`
	// Changed lists what the tap itself changed in the request, in words: "the URL of the webhook".
	Changed []string `json:"changed,omitempty"`
}

// Enveloped reports whether requests and answers of the call are JSON-RPC objects. Cards,
// deliveries and files are not, nor is an operation that a dialect of JSON-RPC defines as
// a plain HTTP request (specification 0.2.6 §7.10).
func (c *Call) Enveloped() bool {
	if c.Binding == BindingMQTT {
		return c.Op != OpCard && c.Op != OpDelivery
	}
	if c.Binding != BindingJSONRPC || c.Op == OpCard || c.Op == OpDelivery || c.Op == OpArtifact || c.Op == OpCatalog {
		return false
	}
	d, ok := LookupDialect(c.Dialect)
	return !ok || !strings.Contains(d.Method(c.Op), " ")
}

// BeginsTask reports whether the call sends a message that begins a task, as far as the call
// says: it names no task, or one whose id Parley made.
func (c *Call) BeginsTask() bool {
	return c.sendsMessage() && (c.TaskID == "" || c.MadeID)
}

// clears reports whether an answer without content is complete: it means that a push
// configuration is gone. In 0.1, which sets the configuration to null for that, a task may have
// none. A cancel on a broker has no answer of its own.
func (c *Call) clears() bool {
	version, _ := c.Dialect.version()
	if c.Binding == BindingMQTT && c.Op == OpCancel {
		return true // the task itself answers
	}
	return c.Op == OpPushDelete || version == V01 && (c.Op == OpPushSet || c.Op == OpPushGet)
}

// RecordKind says which unit of the wire a [Record] is.
type RecordKind string

// The kinds of record.
const (
	KindRequest RecordKind = "request"  // head and body of a request
	KindHead    RecordKind = "response" // status line and headers of a response
	KindBody    RecordKind = "body"     // a whole response body without stream
	KindEvent   RecordKind = "event"    // one frame of a stream
	KindEnd     RecordKind = "end"      // the end of an exchange, with its reason
	// KindDelivery is what an agent posted to a webhook, head and body. It begins an
	// exchange, which ends with the head of the answer.
	KindDelivery RecordKind = "delivery"
	// KindSurplus is what came on the connection after a complete answer. It belongs to the exchange
	// of that answer and follows its end, at once or later.
	KindSurplus RecordKind = "surplus"
	KindNote    RecordKind = "note" // something the user decided: a pin, a fork, an opened reference
)

// Direction is the way that the bytes went.
type Direction string

// The directions.
const (
	Out   Direction = "out" // from here to the agent
	In    Direction = "in"  // from the agent
	Local Direction = ""    // never on the wire
)

// EndReason says how an exchange ended. Ended and cut are never confused.
type EndReason string

// The reasons.
const (
	Ended     EndReason = "ended"     // the answer was complete, and the agent closed after it, see [End.Break]
	Cut       EndReason = "cut"       // the connection broke, or the body stopped in the middle
	Refused   EndReason = "refused"   // nothing was sent or accepted: dial, DNS, TLS, origin rule
	Cancelled EndReason = "cancelled" // Parley closed it
	TimedOut  EndReason = "timeout"
)

// StallAfter is how long an open stream may bring nothing before that is reported: from here on the
// conversation says it, and a rule reports it.
const StallAfter = 8 * time.Second

// Head is a request or status line with its headers. Header is as net/http saw them: names in
// its spelling, without order, and without fields such as Transfer-Encoding. Wire and Sent hold
// what crossed the wire.
type Head struct {
	Method string      `json:"method,omitempty"`
	URL    string      `json:"url,omitempty"`
	Status int         `json:"status,omitempty"`
	Proto  string      `json:"proto,omitempty"`
	Header http.Header `json:"header,omitempty"`
	// Order has the names of a broker's user properties in their order on the wire, one for each
	// value; nil if they are sorted.
	Order []string `json:"order,omitempty"`
	// Wire is the head as it was received, from its first line to its blank line, after any
	// informational heads (1xx); only secrets are masked.
	Wire HeadBytes `json:"wire,omitempty"`
	// Sent is the head of the request as it was written, in the head of its response.
	Sent HeadBytes `json:"sent,omitempty"`
	// Earlier is the head of the request as it was written before, on a connection of an
	// earlier exchange that turned out to be closed: net/http then repeats a request that
	// changes nothing.
	Earlier HeadBytes `json:"earlier,omitempty"`
	// Rebuilt says why Wire is missing, in words: "HTTP/2, decoded". It is empty if there is no
	// reason to give.
	Rebuilt string `json:"rebuilt,omitempty"`
	// Omitted is how many bytes after Wire were read but not recorded, because of a limit.
	Omitted int `json:"omitted,omitempty"`
	// Timing is set in the head of a response that came over HTTP.
	Timing *Timing `json:"timing,omitempty"`
}

// Size returns how many bytes of the connection the record represents, including those that
// were not recorded.
func (r *Record) Size() int {
	n := len(r.Raw) + r.Omitted
	if r.Binary != nil {
		n = len(r.Binary.Bytes) + r.Omitted
	}
	if r.SSE != nil && r.SSE.LateLF {
		n++
	}
	return n
}

// SSEFields are the fields of a stream frame other than its data.
type SSEFields struct {
	ID    string `json:"id,omitempty"`
	Event string `json:"event,omitempty"`
	Retry string `json:"retry,omitempty"`
	// LateLF reports that the LF that ends the previous event came after that event had been
	// put: it precedes this one's bytes and is in neither.
	LateLF bool `json:"lateLF,omitempty"`
}

// End closes an exchange.
type End struct {
	Reason EndReason `json:"reason"`
	// Sentence tells a user what happened, to what, and what to do next.
	// It is empty for an ordinary end.
	Sentence string `json:"sentence,omitempty"`
	// Detail is the underlying error text, shown on demand only.
	Detail string `json:"detail,omitempty"`
	// Class groups the cause for programs, by the Class constants. Empty for an
	// ordinary end.
	Class string `json:"class,omitempty"`
	// Sent is the head of the request as it was written, if no response head has it.
	Sent HeadBytes `json:"sent,omitempty"`
	// Earlier is the head that was written before Sent, as in [Head].
	Earlier HeadBytes `json:"earlier,omitempty"`
	// Break says in a clause how the connection broke after an answer that was complete; empty if it
	// ended regularly. The reason is then Ended, because nothing is lost.
	Break string `json:"break,omitempty"`
	// Trailer has the fields that came after the body, nil if none did.
	Trailer *Head `json:"trailer,omitempty"`

	cause string // the first part of Sentence, see End.Cause; no record has it
	page  bool   // see End.IsPage; no record has it
}

// Note is a decision that a replay needs.
type Note struct {
	Type  string            `json:"type"` // opened, pin, rename, fork
	Attrs map[string]string `json:"attrs,omitempty"`
}

// Redaction describes what was masked in a record before it was saved. Offset and Length are
// those of the mask in Raw; for a masked header they are zero and Name is "header
// Authorization". Size is the original's.
type Redaction struct {
	Offset int    `json:"offset,omitempty"`
	Length int    `json:"length,omitempty"`
	Name   string `json:"name"`
	Size   int    `json:"size"`
	// Hash is equal for equal originals within one run of the program: an HMAC-SHA256,
	// shortened, with a random key that is never saved. Empty for secret answers.
	Hash string `json:"hash,omitempty"`
	// SHA256 is the original's in recordings of earlier versions, and empty in others.
	SHA256 string `json:"sha256,omitempty"`
	// Credential is what may be known of a credential of another program without it, nil if
	// nothing is.
	Credential *Credential `json:"credential,omitempty"`
	// Number is that of the stand-in, 0 where the mask alone is in the place of the original.
	Number int `json:"number,omitempty"`
	// Original stays in memory until the program ends and is never written.
	Original string `json:"-"`
}

// SameCredential is [Redaction.Same] for the secret alone: equal for "Bearer x" in one header and "x"
// in another.
func (r *Redaction) SameCredential() string {
	if r.Credential != nil && r.Credential.Hash != "" {
		return r.Credential.Hash
	}
	return r.Same()
}

// Same returns a value that is equal for two redactions of one recording exactly if their
// originals are equal. It is empty if that cannot be known.
func (r *Redaction) Same() string { return cmp.Or(r.Hash, r.SHA256) }

// A Record is one unit on the wire: numbered, timed, byte-exact except for redactions. Raw must
// not be changed after the record was put.
type Record struct {
	ID       RecordID
	Exchange ExchangeID
	Kind     RecordKind
	Dir      Direction
	Time     time.Time
	// Call is shared by all records of an exchange and never changed; the
	// journal stores it with the request only. Nil on notes.
	Call *Call
	// Raw is the entity body after TLS and HTTP framing. The event records of a response,
	// concatenated, equal its body; a tail without an event belongs to the end record.
	Raw []byte
	// Data is the payload inside Raw that was decoded: the joined data lines of
	// a stream frame. Nil means Raw itself.
	Data []byte
	// Torn is set when the connection ended inside Raw. Omitted is how many bytes after Raw
	// were read but not recorded, because of a limit.
	Torn    bool
	Omitted int
	// PauseTime is how long reading was paused before an event although its bytes, or those of an
	// earlier one, had arrived: see [Control.Pause].
	PauseTime time.Duration
	// Coding is set if bytes came in a content coding. Raw is the decoded text.
	Coding *ContentCoding
	// Binary is set if the bytes are a message that is not JSON, as over gRPC. Raw is then its
	// rendering as JSON.
	Binary     *Binary
	Head       *Head
	SSE        *SSEFields
	End        *End
	Note       *Note
	Redactions []Redaction
}

// Payload returns the bytes that were decoded: Data if set, else Raw.
func (r *Record) Payload() []byte {
	if r.Data != nil {
		return r.Data
	}
	return r.Raw
}

// A Trace receives everything that a client sees, as it sees it.
type Trace struct {
	// Put takes a record without ID and what it meant, and returns the ID it
	// was given. It is called from the goroutine that reads the connection and
	// may block to slow that connection down. Required.
	Put func(Record, Update) RecordID
	// Now returns the time of a record. Required.
	Now func() time.Time
}

// Severity grades a finding.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Warning
	Error
)

// String returns "info", "warning" or "error".
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	default:
		return "info"
	}
}

// NotCheckedPrefix begins the message of a finding about something that was not compared with a
// stream.
const NotCheckedPrefix = "Not checked against the stream: "

// ComparisonRule is the rule that a task, as its agent returns it, equals what its stream brought.
const ComparisonRule = "TASK-010"

// A Finding is something a decoder or a rule noticed about one record.
type Finding struct {
	Rule     string // "STAT-004"
	Severity Severity
	Pointer  string // JSON pointer into the payload, "" for the whole
	Offset   int    // byte offset in the payload, -1 if unknown
	Message  string // one line, says what is wrong
	Fix      string // one line, says what to do
	// Unchecked is set when no fault is known: the message, which begins with [NotCheckedPrefix],
	// says what could not be compared, and why.
	Unchecked bool
}
