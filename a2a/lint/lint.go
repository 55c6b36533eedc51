package lint

import (
	"math/bits"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// maxPayload is the size up to which payloads are checked. Records are checked where they are
// shown, and the rules must not delay that.
const maxPayload = 4 << 20

// A Linter checks the records of one session. It is a log.Checker: give it every
// record once and in order. It is not safe for concurrent use.
type Linter struct {
	index       [scopes][places][]*rule
	doc         jsontok.Doc
	none        jsontok.Doc // of a record without JSON
	pass        pass
	must        mandatory
	byID        map[string]*rule
	agents      map[a2a.AgentID]*agent
	exchanges   recent[a2a.ExchangeID, *exchange]
	tapped      []*agent               // the first agents that other clients called, in order
	credentials recent[string, sender] // of other clients, by their hash
	edited      bool                   // an export masked parts of the session, see [pass.edited]
}

// scopes is the number of single dialects.
const scopes = len(dialects)

// New returns a linter without any history.
func New() *Linter {
	l := &Linter{
		must:        newMandatory(),
		byID:        map[string]*rule{},
		agents:      map[a2a.AgentID]*agent{},
		exchanges:   recent[a2a.ExchangeID, *exchange]{max: maxExchanges},
		credentials: recent[string, sender]{max: maxCredentials},
	}
	_ = l.none.Parse(nothing)
	for _, group := range table() {
		for i := range group {
			l.add(&group[i])
		}
	}
	return l
}

// add puts a rule where dialect and place find it.
func (l *Linter) add(r *rule) {
	l.byID[r.id] = r
	if r.run == nil {
		return
	}
	for s := range scopes {
		if r.in&(1<<s) == 0 {
			continue
		}
		for at := range places {
			if r.at&(1<<at) != 0 {
				l.index[s][at] = append(l.index[s][at], r)
			}
		}
	}
}

// rules returns the rules for a place in a dialect.
func (l *Linter) rules(in scope, at place) []*rule {
	return l.index[bits.TrailingZeros16(uint16(in))][bits.TrailingZeros32(uint32(at))]
}

// Check returns the findings of a record: those of the decoder, in u, with their severity in
// the dialect, and those of the rules. It remembers what later records are compared with. known
// holds the agent's tasks before the record; nil means that nothing is known.
func (l *Linter) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	if r.Kind == a2a.KindNote {
		return u.Findings
	}
	if r.Call == nil { // the session lacks the request, so nobody knows what the record answers
		return nil
	}
	p := &l.pass
	*p = pass{l: l, r: r, u: u, fold: known, call: r.Call, in: scopeOf(r.Call)}
	p.agent = l.agent(r.Call.Agent)
	p.x = l.exchange(r)
	l.edited = l.edited || p.edited()
	p.record()
	found := p.decoded()
	if len(p.findings) > 0 {
		found = append(found[:len(found):len(found)], p.findings...)
	}
	if p.parsed {
		l.doc.Hold() // must not keep the bytes of the record in memory
	}
	*p = pass{}
	return found
}

// nothing is a document without faults.
var nothing = []byte("null")
