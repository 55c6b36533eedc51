package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

// ownMarks mark calls that Parley made for itself, by their column in [mayBlame].
var ownMarks = map[string][]func(*a2a.Call){
	"guess": {func(c *a2a.Call) { c.Guess = true }},
	"own": {
		func(c *a2a.Call) { c.Attempt, c.Why, c.Because = 2, a2a.WhyOtherDialect, "404" },
		func(c *a2a.Call) { c.Attempt, c.Why = 2, a2a.WhyRedirected },
		func(c *a2a.Call) { c.Attempt, c.Why = 2, "a reason of a later version" },
	},
	"look":               {func(c *a2a.Call) { c.Rest = true }, func(c *a2a.Call) { c.AuthPoll = true }},
	"probe":              {func(c *a2a.Call) { c.Op = a2a.OpProbe }},
	"guessed repetition": {func(c *a2a.Call) { c.Guess, c.Attempt, c.Why = true, 2, a2a.WhyOtherDialect }},
}

// mayBlame has every rule once, below the columns in which its case still has a finding if Parley made
// all calls of the case for itself.
var mayBlame = []struct{ why, columns, rules string }{
	{
		"It judges an object that the agent sent, which shows that the agent understood the request.",
		"guess, guessed repetition, look, own",
		`ART-001 ART-002 ART-003 ART-004 ART-005 ART-006 ART-007 ART-008 ART-009
		CARD-001 CARD-002 CARD-003 CARD-004 CARD-005 CARD-006 CARD-007 CARD-008 CARD-009 CARD-010 CARD-011 CARD-012
		CARD-013 CARD-014 CARD-015 CARD-016 CARD-017 CARD-018 CARD-021 CARD-023 CARD-024 CARD-025 CARD-026 CASE-001 CASE-002 CLNT-007 CLNT-008 CTX-002
		ENV-004 ENV-013 HTTP-011 HTTP-015 MIX-001 MSG-001 MSG-002 MSG-003 MSG-004 MSG-006 MSG-007 MSG-008 MSG-009
		PART-001 PART-002 PART-003 PART-004 PART-005 PART-006 PART-007 PART-008 PART-009 PART-010 PART-011 PART-012 PART-013
		PUSH-005 PUSH-006 SAM-003 SEC-001 SEC-002 SSE-001 SSE-002 SSE-003 SSE-004
		STAT-001 STAT-002 STAT-003 STAT-004 STAT-005 STAT-006 STAT-007
		STRM-001 STRM-002 STRM-003 STRM-004 STRM-005 STRM-006 STRM-007 STRM-008 STRM-009 STRM-010 STRM-011 STRM-012 STRM-013
		TASK-001 TASK-002 TASK-003 TASK-005 TASK-006 TASK-007 TASK-008 TASK-009 TASK-010 TASK-011 TASK-012 TASK-013 TYPE-001`,
	},
	{
		"It judges what answers any request: an error, a head, what cannot be read. After a guess that shows nothing.",
		"look, own",
		`CARD-019 CARD-022 ENV-002 ENV-005 ENV-006 ENV-007 ENV-014 ERR-001 ERR-002 ERR-003 ERR-004 ERR-005 ERR-006 ERR-007
		HTTP-001 HTTP-002 HTTP-003 HTTP-008 HTTP-009 HTTP-010 HTTP-012 HTTP-014 MIX-002
		PUSH-001 PUSH-002 PUSH-003 PUSH-007 PUSH-008 SSE-005 SSE-006 SSE-007`,
	},
	{
		"It judges an address, which the card or a redirect names.",
		"look, own",
		"HTTP-007",
	},
	{
		"It judges a request in a way that an earlier answer showed to be right, so that it is no guess any more.",
		"guess",
		"CLNT-004 CLNT-005 CLNT-006 CLNT-011 CLNT-013 CTX-001 TASK-004 V01-001",
	},
	{
		"It judges a request, which is Parley's.",
		"",
		`CARD-020 CLNT-001 CLNT-002 CLNT-003 CLNT-009 CLNT-010 CLNT-012 CLNT-014 CLNT-015 CLNT-016 CLNT-017
		ENV-001 ENV-003 ENV-008 ENV-009 ENV-010 ENV-011 ENV-012 HTTP-004 HTTP-005 HTTP-006 METH-001 METH-002 MSG-005 PUSH-004 V01-002`,
	},
	{
		"What comes after an answer spoils the next one, whatever was asked.",
		"guess, guessed repetition, look, own, probe",
		"HTTP-013",
	},
}

func TestNobodyIsBlamedForWhatParleyDid(t *testing.T) {
	wants := map[string]string{}
	for _, group := range mayBlame {
		for rule := range strings.FieldsSeq(group.rules) {
			if _, twice := wants[rule]; twice {
				t.Errorf("got %s twice in the table, want it once", rule)
			}
			wants[rule] = group.columns
		}
	}
	gots := map[string][]string{}
	for _, c := range cases() {
		gots[c.rule] = slices.Concat(gots[c.rule], c.blamed())
	}
	for _, r := range manualRules() {
		if strings.HasPrefix(r.ID, "HOP-") { // session/chain has them
			continue
		}
		got := gots[r.ID]
		slices.Sort(got)
		want, known := wants[r.ID]
		if columns := strings.Join(slices.Compact(got), ", "); !known || columns != want {
			t.Errorf("%s: got findings for %q (in the table: %t), want %q", r.ID, columns, known, want)
		}
	}
}

// blamed returns the columns of [mayBlame] in which the case has a finding.
func (c *ruleCase) blamed() (columns []string) {
	for column, marks := range ownMarks {
		for _, mark := range marks {
			steps := append([]step{func(s *script) { s.mark = mark }}, c.fires...)
			if len(play(c.call, steps...).of(c.rule)) > 0 {
				columns = append(columns, column)
			}
		}
	}
	return columns
}

// pages are answers of servers, gateways and frameworks that know nothing of A2A.
var pages = []string{
	`{"detail":"Not Found"}`,
	`{"error":{"message":"Unauthenticated","type":"api_authentication_error"}}`,
	`{"error":{"code":404,"message":"no"}}`,
	`{"error":{"code":"invalid_api_key","message":"no"}}`,
	`{"error":"unauthorized","error_description":"who are you?"}`,
	`{"message":"no Route matched with those values"}`,
	`{"timestamp":"2026-03-01T12:00:00Z","status":404,"error":"Not Found","path":"/a2a"}`,
	`{"type":"about:blank","title":"Not Found","status":404}`,
	`{"code":5,"message":"no"}`,
	`"Not authenticated"`,
	`[{"error":"no"}]`,
	`<html><body>502 Bad Gateway</body></html>`,
	``,
}

func TestAServersOwnErrorIsNobodysFault(t *testing.T) {
	for _, d := range append(a2a.Dialects(), a2a.Unknown) {
		for _, op := range append([]a2a.Op{a2a.OpCard}, operations[:]...) {
			for _, status := range []int{401, 403, 404, 405, 413, 429, 502, 503, 504} {
				for _, page := range pages {
					s := play(on(d, op), asked("GET https://agent.example/a2a\nA2A-Version: 1.0\n\n"))
					s.decoder, s.rules = nil, nil
					for _, do := range []step{headed(status, isJSON, "WWW-Authenticate: Bearer"), answered(page), ended(a2a.Ended)} {
						do(s)
					}
					for _, f := range slices.Concat(s.decoder, s.rules) {
						t.Errorf("%s over %s, %d %s: got finding %+v, want none", op, d, status, page, f)
					}
				}
			}
		}
	}
}

// The errors that an agent does send are judged, with any status.
func TestAnAgentsErrorIsJudgedWithAnyStatus(t *testing.T) {
	for rule, s := range map[string]*script{
		"ENV-004":  play(on(a2a.V03, a2a.OpGet), asked(get03), headed(404, isJSON), answered(`{"jsonrpc":"2.0","error":{"code":-32001,"message":"no"}}`)),
		"ENV-007":  play(on(a2a.V03, a2a.OpGet), asked(get03), headed(401, isJSON), answered(`{"jsonrpc":"2.0","id":"1","error":{"message":"no"}}`)),
		"HTTP-003": play(on(a2a.V03, a2a.OpGet), asked(get03), headed(404, isJSON), failed(`{"code":-32001,"message":"no"}`)),
		"ENV-001":  play(on(a2a.V03, a2a.OpGet), asked(get03), headed(200, isJSON), answered(`{"detail":"no"}`)),
		"ERR-001":  play(on(a2a.V03, a2a.OpGet), asked(get03), headed(200, isJSON), answered(`{"error":{"code":7,"message":"no"}}`)),
		"ERR-006":  play(on(a2a.V10REST, a2a.OpGet), asked(""), headed(404, isJSON), answered(`{"code":-32001,"message":"no"}`)),
	} {
		if len(s.of(rule)) == 0 {
			t.Errorf("%s: got no finding; decoder %v, rules %v", rule, s.decoder, s.rules)
		}
	}
}

// A server that speaks JSON-RPC answers the get of a card, and the get of 0.2 for the extended card, as
// it answers everything: nobody sent it an envelope.
func TestTheGetOfACardHasNoEnvelope(t *testing.T) {
	for name, call := range map[string]a2a.Call{"card": cardCall, "extended": on(a2a.V02, a2a.OpExtendedCard), "0.3 over HTTP": on(a2a.V03REST, a2a.OpExtendedCard)} {
		for _, body := range []string{
			`{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}`, `{"jsonrpc":"2.0","id":null,"error":{"message":"no"}}`,
			`{"jsonrpc":"1.0","id":7,"error":"no"}`, `{"jsonrpc":"2.0","id":null,"result":null,"error":{"code":1,"message":"no"}}`,
		} {
			s := play(call, asked("GET https://agent.example/card\n\n"), headed(400, isJSON), answered(body), ended(a2a.Ended))
			for _, f := range slices.Concat(s.decoder, s.rules) {
				if strings.HasPrefix(f.Rule, "ENV-") || f.Rule == "HTTP-003" || f.Rule == "ERR-001" {
					t.Errorf("%s, %s: got finding %+v, want none about an envelope", name, body, f)
				}
			}
		}
	}
}

// sentIn returns the request of a message in a dialect, and a mark of its call.
func sentIn(d a2a.DialectName, mark func(*a2a.Call), parts string) []step {
	return []step{under(func(c *a2a.Call) {
		*c = on(d, a2a.OpStream)
		if mark != nil {
			mark(c)
		}
	}), sends(d, parts), headed(404, isJSON), answered(`{"detail":"Not Found"}`), ended(a2a.Ended)}
}

func TestTheSameMessageInAnotherDialectIsNoOtherMessage(t *testing.T) {
	parts := map[a2a.DialectName]string{
		a2a.V01:     `"parts":[{"type":"text","text":"h\u0069"},{"type":"file","file":{"name":"f","mimeType":"text/plain","bytes":"aGk="}},{"type":"data","data":{"n":1}}]`,
		a2a.V02:     `"parts":[{"kind":"text","text":"hi"},{"kind":"file","file":{"name":"f","mimeType":"text/plain","bytes":"aGk="}},{"kind":"data","data":{"n":1}}]`,
		a2a.V03:     `"parts":[{"text":"hi","kind":"text"},{"kind":"file","file":{"name":"f","mimeType":"text/plain","bytes":"aGk="}},{"kind":"data","data":{"n":1}}]`,
		a2a.V10:     `"parts":[{"text":"hi"},{"raw":"aGk=","filename":"f","mediaType":"text/plain"},{"data":{"n":1}}]`,
		a2a.V10REST: `"parts":[{"text":"hi"},{"raw":"aGk=","filename":"f","mediaType":"text/plain"},{"data":{"n":1}}]`,
	}
	for first, a := range parts {
		for second, b := range parts {
			if found := play(on(first, a2a.OpStream), slices.Concat(sentIn(first, nil, a), sentIn(second, nil, b))...).of("MSG-003"); len(found) > 0 {
				t.Errorf("%s, then %s: got findings %v, want none", first, second, found)
			}
			for _, change := range [][2]string{{"text/plain", "text/html"}, {"aGk=", "aGo="}, {`"n":1`, `"n":2`}, {`"f"`, `"g"`}} {
				other := strings.Replace(b, change[0], change[1], 1)
				if found := play(on(first, a2a.OpStream), slices.Concat(sentIn(first, nil, a), sentIn(second, nil, other))...).of("MSG-003"); len(found) != 1 {
					t.Errorf("%s, then %s with %s: got findings %v, want one", first, second, change[1], found)
				}
			}
		}
	}
	odd := [2]string{`"parts":[{"kind":"odd","x":1}]`, `"parts":[{"kind":"odd","x":2}]`}
	if found := play(on(a2a.V03, a2a.OpStream), slices.Concat(sentIn(a2a.V03, nil, odd[0]), sentIn(a2a.V03, nil, odd[1]))...).of("MSG-003"); len(found) != 1 {
		t.Errorf("got findings %v about parts that no dialect has, want one", found)
	}
	own := func(c *a2a.Call) { c.Why, c.Attempt = a2a.WhyOtherDialect, 2 }
	if found := play(on(a2a.V10, a2a.OpStream), slices.Concat(sentIn(a2a.V10, nil, parts[a2a.V10]), sentIn(a2a.V03, own, `"parts":[]`))...).of("MSG-003"); len(found) > 0 {
		t.Errorf("got findings %v about Parley's own repetition, want none", found)
	}
}

// The card is right about its version although a lenient agent answers an older one at a path that
// Parley guessed, and wrong if the agent itself refused that version.
func TestAGuessSaysNothingAboutTheVersionsOfTheCard(t *testing.T) {
	guess := func(c *a2a.Call) { c.Guess, c.Why, c.Attempt = true, a2a.WhyOtherDialect, 2 }
	refusals := map[string]int{
		`{"detail":"Not Found"}`: 0,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32009,"message":"A2A version '0.3' is not supported by this handler. Expected version '1.0'."}}`: 0,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32009,"message":"A2A version '1.0' is not supported by this handler. Expected version '0.3'."}}`: 1,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32601,"message":"Method not found"}}`:                                                            1,
	}
	for refusal, want := range refusals {
		steps := []step{fetched, headed(200, isJSON), answered(card10), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(a2a.V10, a2a.OpSend) }),
			sends(a2a.V10), headed(404, isJSON), answered(refusal), ended(a2a.Ended), under(func(c *a2a.Call) { *c = on(a2a.V03, a2a.OpSend); guess(c) })}
		found := play(cardCall, append(steps, answers(a2a.V03, task(a2a.V03, "completed"))...)...).of("CARD-022")
		if len(found) != want {
			t.Errorf("%s: got findings %v, want %d", refusal, found, want)
		}
	}
}

func TestARedirectIsNamedAsSuch(t *testing.T) {
	for why, want := range map[a2a.Why]string{
		a2a.WhyFirst: "The request goes to agent.example unencrypted", a2a.WhyRedirected: "The redirect leads to agent.example unencrypted",
	} {
		call := on(a2a.V03, a2a.OpGet)
		call.Why = why
		found := play(call, asked("POST http://agent.example/a2a\n\n"+get03)).of("HTTP-007")
		if len(found) != 1 || found[0].Message != want {
			t.Errorf("%q: got findings %v, want %q", why, found, want)
		}
	}
}

// A request that a user wrote by hand is the user's, also if it was written from one of Parley's.
func TestARequestByHandIsTheUsers(t *testing.T) {
	call := on(a2a.V03, a2a.OpGet)
	call.Guess, call.Why, call.Attempt, call.Raw, call.EditedFrom = true, a2a.WhyOtherDialect, 2, true, 1
	if s := play(call, asked(`{"jsonrpc":"1.0","id":"1","method":"tasks/get","params":{"id":"t"}}`)); len(s.of("ENV-001")) != 1 {
		t.Errorf("got findings %v, want ENV-001", s.rules)
	}
}

// A recording may claim anything of its calls.
func TestMarksOfAHostileRecordingAreBounded(t *testing.T) {
	call := on(a2a.V03, a2a.OpGet)
	call.Guess, call.Why, call.Attempt = true, a2a.Why(strings.Repeat("x", 1<<16)), -1
	s := play(call)
	for i := range 3 * maxExchanges {
		asked(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"nonsense"}`, i))(s)
		headed(200, isJSON)(s)
		answered(`{"nonsense":true}`)(s)
	}
	if len(s.decoder)+len(s.rules) > 0 || len(s.linter.exchanges.entries) > maxExchanges {
		t.Errorf("got findings %v and %d exchanges in memory, want none and at most %d", s.rules, len(s.linter.exchanges.entries), maxExchanges)
	}
}

// A stream that broke, or that a proxy may have closed, is told without blame; one that the agent closed is not.
func TestNobodyIsBlamedForWhatAProxyMayHaveDone(t *testing.T) {
	t.Parallel()
	open := func(lines ...string) []step {
		head := append([]string{"Content-Type: text/event-stream", "Cache-Control: no-cache"}, lines...)
		return []step{sends(a2a.V10), headed(200, head...), framed(task(a2a.V10, "working"))}
	}
	for name, c := range map[string]struct {
		steps []step
		want  a2a.Severity
	}{
		"broken":              {append(open(), ended(a2a.Cut)), a2a.Info},
		"closed":              {append(open(), ended(a2a.Ended)), a2a.Warning},
		"closed, via a proxy": {append(open("Via: 1.1 proxy.example"), ended(a2a.Ended)), a2a.Info},
		"broken, via a proxy": {append(open("Via: 1.1 proxy.example"), ended(a2a.Cut)), a2a.Info},
	} {
		if found := play(on(a2a.V10, a2a.OpStream), c.steps...).of("STRM-006"); len(found) != 1 || found[0].Severity != c.want {
			t.Errorf("%s: got findings %v, want one with severity %s", name, found, c.want)
		}
	}
}

// A client, or Parley in a recording that does not say so, may try a dialect that the agent does not speak. What the
// agent says to that is judged only in a dialect that its card names, or that it understood before.
func TestAnUnknownMethodOfATriedDialectSaysNothing(t *testing.T) {
	t.Parallel()
	tried := []step{asked("POST https://agent.example/a2a\nA2A-Version: 1.0\n\n" + `{"jsonrpc":"2.0","id":"1","method":"GetTask","params":{"id":"t"}}`), headed(200, isJSON),
		failed(`{"code":-32601,"message":"Method not found","data":"GetTask"}`), ended(a2a.Ended)}
	for _, call := range []a2a.Call{on(a2a.V10, a2a.OpGet), behind(on(a2a.V10, a2a.OpGet))} {
		carded := func(card string) []step {
			return []step{under(func(c *a2a.Call) { *c = cardCall; c.Tapped = call.Tapped }), fetched, headed(200, isJSON), answered(card), ended(a2a.Ended), under(func(c *a2a.Call) { *c = call })}
		}
		understood := []step{does(a2a.OpSend), sends(a2a.V10), headed(200, isJSON), answered(task(a2a.V10, "working")), ended(a2a.Ended), does(a2a.OpGet)}
		for name, c := range map[string]struct {
			before []step
			want   int
		}{"alone": {nil, 0}, "a card of 0.3": {carded(card03), 0}, "a card of 1.0": {carded(card10), 1}, "understood": {understood, 1}} {
			if s := play(call, slices.Concat(c.before, tried)...); len(s.of("ERR-003")) != c.want {
				t.Errorf("%s, tapped %v: got findings %v, want ERR-003 %d times", name, call.Tapped != nil, s.rules, c.want)
			}
		}
	}
}

// An export masks what matches a pattern of the user, names of members too. Nobody knows what the agent sent there.
func TestNobodyIsBlamedForWhatAnExportMasked(t *testing.T) {
	t.Parallel()
	masked := func(with a2a.Redaction, steps ...step) []step {
		return []step{func(s *script) {
			s.edit = func(r *a2a.Record) { r.Redactions = append(r.Redactions, with) }
			for _, do := range steps {
				do(s)
			}
		}}
	}
	steps := []step{sends(a2a.V03), frames(strings.Replace(task(a2a.V03, "working"), `"task"`, `"•••"`, 1)), ended(a2a.Ended)}
	pattern, secret := a2a.Redaction{Name: "in the body", Length: 9}, a2a.Redaction{Name: "token", Length: 9, Hash: "x"}
	if s := play(on(a2a.V03, a2a.OpStream), masked(pattern, steps...)...); len(s.of("TASK-005")) != 0 {
		t.Errorf("got findings %v, want none", s.rules)
	}
	if s := play(on(a2a.V03, a2a.OpStream), masked(secret, steps...)...); len(s.of("TASK-005")) != 1 {
		t.Errorf("got findings %v, want TASK-005 beside the mask of a secret", s.rules)
	}
}

// The recording may begin between a request and its answer.
func TestAnAnswerWithoutItsRequestIsNotJudged(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"\x1a\x02hi", `{"jsonrpc":"2.0","error":{"code":"x"}}`, `<html>`} {
		u := a2a.Decode(nil, a2a.Input{Body: []byte(body), Status: 200})
		r := a2a.Record{ID: 7, Exchange: 3, Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(body)}
		if found := New().Check(&r, &u, nil); len(found) > 0 {
			t.Errorf("%q: got findings %v, want none", body, found)
		}
	}
}
