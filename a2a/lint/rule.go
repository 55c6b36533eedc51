package lint

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// A Rule is something that must hold, as the manual and the screens show it.
type Rule struct {
	ID       string // "STAT-004"
	Severity a2a.Severity
	// Dialects says where it applies: "*" in every dialect, "any" also in an unknown one.
	Dialects string
	// Section is the section of the specification, empty for advice of Parley's own.
	Section string
	Checks  string // what must hold, in one line
	Fix     string // what to do, in one line
	// Obligations are the sentences that make it an error, none for a rule that finds no
	// errors.
	Obligations []Obligation
}

// A rule is a Rule and how it is checked.
type rule struct {
	id       string
	severity a2a.Severity
	in       scope
	section  string
	checks   string
	fix      string
	// at are the places it checks, and run checks: n is the node there. Rules without places
	// are checked by the decoder or, the group HOP, by session/chain.
	at  place
	run func(p *pass, n jsontok.Node)
	// envelope is set if the rule is about a JSON-RPC envelope or the error inside it, see
	// [pass.enveloped]. address is set if it is about where a request goes, which the card or a redirect
	// says also of a request that Parley made by itself.
	envelope, address bool
}

// table returns all rules by group.
func table() [][]rule {
	return [][]rule{
		envelopeRules[:], methodRules[:], httpRules[:], cardRules[:],
		errorRules[:], textRules[:], nameRules[:], v01Rules[:],
		messageRules[:], partRules[:], taskRules[:], statusRules[:], artifactRules[:],
		sseRules[:], streamRules[:], contextRules[:], pushRules[:], typeRules[:], clientRules[:], hopRules[:],
	}
}

// Lookup returns the rule of an id.
func Lookup(id string) (r Rule, ok bool) {
	for _, group := range table() {
		if i := slices.IndexFunc(group, func(r rule) bool { return r.id == id }); i >= 0 {
			return group[i].public(), true
		}
	}
	return Rule{}, false
}

func (r *rule) public() Rule {
	all := obligationsOf(r.id)
	public := make([]Obligation, len(all))
	for i := range all {
		public[i] = all[i].public()
	}
	return Rule{
		ID: r.id, Severity: r.severity, Dialects: r.in.String(), Section: r.section, Checks: r.checks, Fix: r.fix,
		Obligations: public,
	}
}

// A scope is a set of dialects, each with its binding.
type scope uint16

const (
	onV01 scope = 1 << iota
	onV02
	onV03
	onV10
	onV03REST
	onV10REST
	onV03GRPC
	onV10GRPC
	onSAMDoc
	onSAMHTTP
	onSAMBroker
	onUnknown // unknown, or being determined

	jsonRPC       = onV01 | onV02 | onV03 | onV10
	rest          = onV03REST | onV10REST
	grpc          = onV03GRPC | onV10GRPC
	v0            = onV01 | onV02 | onV03 | proto03
	v02v03        = onV02 | onV03
	v01v03        = onV01 | onV02 | onV03
	since02       = onV02 | v03 | v10
	since03       = v03 | v10
	proto03       = onV03REST | onV03GRPC // the protocol buffer of 0.3
	v03           = onV03 | proto03
	v10           = onV10 | onV10REST | onV10GRPC
	sam           = onSAMDoc | onSAMHTTP | onSAMBroker
	fromSpec      = jsonRPC | rest | grpc // without the dialects of products
	knownDialects = fromSpec | sam
	anywhere      = knownDialects | onUnknown
	overHTTP      = anywhere &^ grpc &^ onSAMBroker // with HTTP's own heads and event streams
	// envelopes is where a JSON-RPC envelope may be: in an unknown dialect that is known only
	// after reading, see [pass.rpc].
	envelopes = jsonRPC | onUnknown
)

// scopeNames are the sets of dialects with a name of their own.
var scopeNames = [...]struct {
	scope scope
	name  string
}{
	{anywhere, "any"},
	{anywhere &^ onSAMDoc, "any but sam-doc"},
	{anywhere &^ onSAMDoc &^ onSAMBroker, "any but sam-doc, sam-broker"},
	{knownDialects, "*"},
	{knownDialects &^ onSAMDoc, "* but sam-doc"},
	{fromSpec, "v0.1+"},
	{envelopes, "any JSON-RPC"},
	{jsonRPC, "JSON-RPC"},
	{rest, "HTTP+JSON"},
	{overHTTP, "any over HTTP"},
	{knownDialects &^ grpc, "* but gRPC"},
	{v0, "v0.x"},
	{v01v03, "v0.1–v0.3"},
	{v02v03, "v0.2, v0.3"},
	{since02, "v0.2+"},
	{since03, "v0.3+"},
	{v03, "v0.3, v0.3-rest, v0.3-grpc"},
	{v10, "v1.0, v1.0-rest, v1.0-grpc"},
	{sam, "SAM"},
}

// String names the dialects, by the name of the set if it has one.
func (s scope) String() string {
	var names []string
	for _, n := range scopeNames {
		if n.scope == s {
			return n.name
		}
	}
	for i, name := range dialects {
		if s&(1<<i) != 0 {
			names = append(names, cmp.Or(string(name), "unknown"))
		}
	}
	return strings.Join(names, ", ")
}

// scopeOf returns the dialect of a call. The answer to a probe proves nothing: probes use
// dialects that the agent may not have.
func scopeOf(c *a2a.Call) scope {
	if c == nil || c.Op == a2a.OpProbe {
		return onUnknown
	}
	overREST := c.Binding == a2a.BindingREST
	if c.Binding == a2a.BindingGRPC {
		return overGRPC(c.Dialect)
	}
	if c.Binding == a2a.BindingMQTT {
		return onSAMBroker
	}
	switch c.Dialect {
	case a2a.V01:
		return onV01
	case a2a.V02, a2a.V03:
		switch {
		case overREST:
			return onV03REST
		case c.Dialect == a2a.V02:
			return onV02
		}
		return onV03
	case a2a.V03REST:
		return onV03REST
	case a2a.V10:
		if overREST {
			return onV10REST
		}
		return onV10
	case a2a.V10REST:
		return onV10REST
	case a2a.SAMDoc:
		return onSAMDoc
	case a2a.SAMHTTP:
		return onSAMHTTP
	default:
		return onUnknown
	}
}

// overGRPC returns the gRPC dialect of a version.
func overGRPC(d a2a.DialectName) scope {
	switch d {
	case a2a.V02, a2a.V03, a2a.V03GRPC:
		return onV03GRPC
	case a2a.V10, a2a.V10GRPC:
		return onV10GRPC
	default:
		return onUnknown
	}
}

// dialects are the names of the single dialects, in the order of their bits.
var dialects = [...]a2a.DialectName{
	a2a.V01, a2a.V02, a2a.V03, a2a.V10, a2a.V03REST, a2a.V10REST, a2a.V03GRPC, a2a.V10GRPC, a2a.SAMDoc, a2a.SAMHTTP, a2a.SAMBroker, a2a.Unknown,
}

// dialect returns the name of the one dialect that chooses the rules.
func (p *pass) dialect() a2a.DialectName { return dialects[bits.TrailingZeros16(uint16(p.in))] }

// A place is what a rule checks: a kind of record, or a kind of object in a payload.
type place uint32

const (
	atRequest  place = 1 << iota // a request; the node is its body
	atHead                       // status line and headers of an answer; no node
	atAnswer                     // a body or a frame; the node is its root
	atEnd                        // the end of an exchange; no node
	atDelivery                   // a delivery to a webhook; the node is its root
	atSurplus                    // what came after a complete answer; no node

	atCall          // the parameters of a request, or its body over HTTP+JSON
	atCard          // an agent card; its own dialect counts
	atTask          // a task, as an answer, in a stream or in a list
	atTaskList      // a list of tasks
	atStatusEvent   // a status update of a stream
	atArtifactEvent // an artifact update of a stream
	atMessage       // a message, in requests and answers, in statuses and histories
	atStatus        // a status object, of a task or an update
	atArtifact      // an artifact, of a task or an update
	atPart          // a part of a message or an artifact
	atFile          // a part again, if it has a member for files
	atError         // an error object: the error member, or a body over HTTP+JSON
	atEvent         // any answer; the node is its object without wrapper

	places = iota
)

// Limits for one hostile record: the findings about it, the attempts to add one, and the
// objects in it that are checked.
const (
	maxPerRecord = 50
	maxNotes     = 4 * maxPerRecord
	maxObjects   = 20_000
)
