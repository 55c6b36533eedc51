package lint

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/a2a/jsonrpc"
	"parley/a2a/jsontok"
)

// A step is one record of a scripted exchange.
type step func(s *script)

// A script plays records through the decoder, a linter and a fold, as a session does.
type script struct {
	linter  *Linter
	fold    *a2a.Fold
	call    a2a.Call
	next    a2a.RecordID
	id      a2a.ExchangeID
	rpcID   string
	status  int
	media   string
	now     time.Time
	record  a2a.Record // the newest
	update  a2a.Update
	masked  []a2a.Redaction   // in the next request
	edit    func(*a2a.Record) // changes every record, nil for none
	mark    func(*a2a.Call)   // changes the call of every record, nil for none
	decoder []a2a.Finding
	rules   []a2a.Finding
}

// play runs steps with a fresh linter.
func play(call a2a.Call, steps ...step) *script {
	s := &script{linter: New(), fold: a2a.NewFold(), call: call, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	for _, do := range steps {
		do(s)
	}
	return s
}

func (s *script) put(r a2a.Record, u a2a.Update) {
	s.next++
	r.ID, r.Exchange, r.Time = s.next, s.id, s.now
	r.Call = s.marked()
	if r.Kind == a2a.KindRequest {
		r.Redactions, s.masked = s.masked, nil
	}
	if s.edit != nil {
		s.edit(&r)
	}
	s.record, s.update = r, u
	found := s.linter.Check(&r, &u, s.fold)
	for _, f := range found {
		same := func(o a2a.Finding) bool { return o.Rule == f.Rule && o.Pointer == f.Pointer && o.Message == f.Message }
		if slices.ContainsFunc(u.Findings, same) {
			s.decoder = append(s.decoder, f)
		} else {
			s.rules = append(s.rules, f)
		}
	}
	for i := range u.Events {
		s.fold.Apply(&u.Events[i])
	}
}

// marked returns the call of the next record.
func (s *script) marked() *a2a.Call {
	call := s.call
	if s.mark != nil {
		s.mark(&call)
	}
	return &call
}

// asked is a request: an optional start line and headers, an empty line, and the body. A body
// alone is sent with POST.
func asked(text string) step {
	return func(s *script) {
		head, body := split(text, "POST https://agent.example/a2a")
		method, url, _ := strings.Cut(head.first, " ")
		if head.header.Get("Content-Type") == "" && body != "" {
			head.header.Set("Content-Type", "application/json")
		}
		s.id = s.next + 1
		var doc jsontok.Doc
		_ = doc.Parse([]byte(body))
		s.rpcID = jsonrpc.ParseEnvelope(&doc).ID.String()
		s.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(body),
			Head: &a2a.Head{Method: method, URL: url, Header: head.header}}, a2a.Update{})
	}
}

// headed is the head of an answer: a status line and headers.
func headed(status int, lines ...string) step {
	return func(s *script) {
		head, _ := split(strings.Join(append([]string{"HTTP/1.1"}, lines...), "\n"), "")
		s.status, s.media = status, head.header.Get("Content-Type")
		s.put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In,
			Head: &a2a.Head{Status: status, Proto: "HTTP/1.1", Header: head.header}}, a2a.Update{})
	}
}

// answered is a whole body.
func answered(body string) step {
	return func(s *script) {
		u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(body), Status: s.status, ContentType: s.media, RPCID: s.rpcID})
		s.put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(body)}, u)
	}
}

// framed is the data of one frame.
func framed(data string) step {
	return func(s *script) {
		u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(data), Status: 200, ContentType: "text/event-stream", Stream: true, RPCID: s.rpcID})
		s.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)}, u)
	}
}

// ended is the end of an exchange.
func ended(reason a2a.EndReason) step {
	return func(s *script) {
		s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: reason}}, a2a.Update{})
	}
}

// under changes the call of the following steps.
func under(change func(c *a2a.Call)) step { return func(s *script) { change(&s.call) } }

// later advances the time.
func later(d time.Duration) step { return func(s *script) { s.now = s.now.Add(d) } }

type headText struct {
	first  string
	header http.Header
}

// split divides a text into start line, headers and body; a body alone gets the default start
// line.
func split(text, first string) (headText, string) {
	h := headText{first: first, header: http.Header{}}
	if strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(text, "[") || text == "" {
		return h, text
	}
	top, body, _ := strings.Cut(text, "\n\n")
	for i, line := range strings.Split(top, "\n") {
		if i == 0 {
			h.first = line
			continue
		}
		name, value, _ := strings.Cut(line, ":")
		h.header.Add(name, strings.TrimSpace(value))
	}
	return h, body
}

// of returns the findings of a rule, including those of the decoder.
func (s *script) of(rule string) (found []a2a.Finding) {
	for _, f := range slices.Concat(s.decoder, s.rules) {
		if f.Rule == rule {
			found = append(found, f)
		}
	}
	return found
}

// A ruleCase has steps for which a rule fires and steps for which it stays silent. At is the
// pointer of the first finding, "-" for any.
type ruleCase struct {
	rule   string
	call   a2a.Call
	at     string
	fires  []step
	silent []step
}

// on returns a call of a dialect over JSON-RPC, or over HTTP+JSON if the dialect requires it.
func on(d a2a.DialectName, op a2a.Op) a2a.Call {
	binding := a2a.BindingJSONRPC
	if strings.HasSuffix(string(d), "-rest") {
		binding = a2a.BindingREST
	}
	return a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: op, Dialect: d, Binding: binding, Endpoint: "https://agent.example/a2a"}
}

// cases returns the cases of all groups.
func cases() []ruleCase {
	return slices.Concat(envelopeCases, methodCases, httpCases, cardCases, errorCases, textCases, nameCases, v01Cases,
		messageCases, partCases, taskCases, statusCases, artifactCases, sseCases, streamCases, contextCases, pushCases, typeCases,
		clientCases(), credentialCases)
}

func TestEveryRuleFiresAndStaysSilent(t *testing.T) {
	covered := map[string]bool{}
	for _, c := range cases() {
		covered[c.rule] = true
		r, ok := Lookup(c.rule)
		if !ok {
			t.Errorf("got a case for %s, which is no rule", c.rule)
			continue
		}
		t.Run(c.rule, func(t *testing.T) {
			fired := play(c.call, c.fires...)
			found := fired.of(c.rule)
			if len(found) == 0 {
				t.Fatalf("got no finding; decoder %v, rules %v", fired.decoder, fired.rules)
			}
			if f := found[0]; c.at != "-" && f.Pointer != c.at || f.Message == "" || f.Fix == "" || f.Severity > r.Severity {
				t.Errorf("got %+v, want it at %q with a fix, no graver than its rule", f, c.at)
			}
			if found := play(c.call, c.silent...).of(c.rule); len(found) > 0 {
				t.Errorf("got findings %+v, want none", found)
			}
		})
	}
	for _, r := range manualRules() {
		if !covered[r.ID] && !strings.HasPrefix(r.ID, "HOP-") { // session/chain has them
			t.Errorf("got no case for rule %s", r.ID)
		}
	}
}
