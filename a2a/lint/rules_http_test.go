package lint

import (
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

const isJSON = "Content-Type: application/json"

var httpCases = []ruleCase{
	{
		rule: "HTTP-001", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(200, "Content-Type: text/plain; charset=utf-8")},
		silent: []step{asked(get03), headed(200, "Content-Type: application/json; charset=utf-8"), headed(204), headed(502, "Content-Type: text/html")},
	},
	{
		rule: "HTTP-001", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked("POST https://agent.example/\nContent-Type: text/json\n\n" + get03)},
		silent: []step{asked(get03)},
	},
	{
		rule: "HTTP-002", call: on(a2a.V10REST, a2a.OpGet),
		fires:  []step{asked("GET https://agent.example/tasks/t\n\n"), headed(200, isJSON)},
		silent: []step{asked("GET https://agent.example/tasks/t\n\n"), headed(200, "Content-Type: application/a2a+json; charset=utf-8")},
	},
	{
		rule: "HTTP-003", call: on(a2a.V03, a2a.OpGet), at: "/error",
		fires:  []step{asked(get03), headed(404, isJSON), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"no"}}`)},
		silent: []step{asked(get03), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"no"}}`)},
	},
	{
		rule: "HTTP-015", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(206, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}}`)},
		silent: []step{asked(get03), headed(202, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}}`)},
	},
	{
		rule: "HTTP-015", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(999, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}}`)},
		silent: []step{asked(get03), headed(404, isJSON), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32001,"message":"no"}}`)},
	},
	{
		rule: "HTTP-015", call: on(a2a.V10REST, a2a.OpGet),
		fires:  []step{asked("GET https://agent.example/tasks/t\n\n"), headed(0, isJSON), answered(`{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}`)},
		silent: []step{asked("GET https://agent.example/tasks/t\n\n"), headed(206, isJSON), answered(`{"hello":1}`)},
	},
	{
		rule: "HTTP-004", call: on(a2a.V10, a2a.OpGet),
		fires:  []step{asked(get10)},
		silent: []step{asked("POST https://agent.example/\nA2A-Version: 1.0\n\n" + get10)},
	},
	{
		rule: "HTTP-004", call: on(a2a.V10REST, a2a.OpGet),
		fires:  []step{asked("GET https://agent.example/tasks/t\nA2A-Version: 1\n\n")},
		silent: []step{asked("GET https://agent.example/tasks/t?A2A-Version=1.0\n\n")},
	},
	{
		rule: "HTTP-005", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked("POST https://agent.example/\nA2A-Version: 1.0\n\n" + get03)},
		silent: []step{asked("POST https://agent.example/\nA2A-Version: 0.3\n\n" + get03), asked(get03)},
	},
	{
		rule: "HTTP-006", call: on(a2a.V10, a2a.OpGet),
		fires:  []step{asked("POST https://agent.example/\nX-A2A-Extensions: urn:x\n\n" + get10)},
		silent: []step{asked("POST https://agent.example/\nA2A-Extensions: urn:x\n\n" + get10)},
	},
	{
		rule: "HTTP-007", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked("POST http://agent.example/\n\n" + get03)},
		silent: []step{asked("POST http://localhost:4100/\n\n" + get03), asked("POST http://192.168.1.7/\n\n" + get03), asked(get03)},
	},
	{
		rule: "HTTP-008", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(401)},
		silent: []step{asked(get03), headed(401, "WWW-Authenticate: Bearer"), headed(200)},
	},
	{
		rule: "HTTP-009", call: on(a2a.V10REST, a2a.OpCancel), at: "/error",
		fires:  []step{asked(""), headed(409, isJSON), answered(status10("409", "TASK_NOT_CANCELABLE"))},
		silent: []step{asked(""), headed(400, isJSON), answered(status10("400", "TASK_NOT_CANCELABLE"))},
	},
	{
		rule: "HTTP-010", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(307, "Location: /elsewhere")},
		silent: []step{asked("GET https://agent.example/\n\n"), headed(307, "Location: /elsewhere")},
	},
	{
		rule: "HTTP-012", call: on(a2a.V03, a2a.OpGet), at: "",
		fires:  []step{asked(get03), headed(200, isJSON, "Content-Encoding: gzip"), coded(&a2a.ContentCoding{Names: "gzip", Plain: true})},
		silent: []step{asked(get03), headed(200, isJSON, "Content-Encoding: gzip"), coded(&a2a.ContentCoding{Names: "gzip"})},
	},
	{
		rule: "HTTP-014", call: on(a2a.V10GRPC, a2a.OpStream),
		fires: []step{asked(""), headed(200), func(s *script) {
			s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended, Break: "the connection broke after 9 bytes"}}, a2a.Update{})
		}},
		silent: []step{asked(""), headed(200), ended(a2a.Ended), asked(""), headed(200), ended(a2a.Cut)},
	},
	{
		rule: "HTTP-013", call: on(a2a.V03, a2a.OpGet),
		fires:  []step{asked(get03), headed(200, isJSON), answered(task0), ended(a2a.Ended), beyond("}", 0)},
		silent: []step{asked(get03), headed(200, isJSON), answered(task0), ended(a2a.Ended)},
	},
	{
		rule: "HTTP-011", call: cardCall, at: "",
		fires:  []step{fetched, headed(200, isJSON), answered(card10)},
		silent: []step{fetched, headed(200, isJSON, "ETag: \"1\"", "Cache-Control: max-age=60"), answered(card10)},
	},
}

// status10 is an error of 1.0 over HTTP+JSON.
func status10(code, reason string) string {
	return `{"error":{"code":` + code + `,"status":"FAILED_PRECONDITION","message":"no","details":[` +
		`{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"` + reason + `","domain":"a2a-protocol.org"}]}}`
}

func TestPlainHTTPIsSpokenOfOnce(t *testing.T) {
	again := slices.Repeat([]step{asked("POST http://agent.example/\n\n" + get03)}, 3)
	if found := play(on(a2a.V03, a2a.OpGet), again...).of("HTTP-007"); len(found) != 1 {
		t.Errorf("got findings %v, want 1", found)
	}
}

// coded is a whole body with a Content-Encoding.
func coded(c *a2a.ContentCoding) step {
	return func(s *script) {
		s.put(a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(task0), Coding: c}, a2a.Update{})
	}
}

// beyond is what came after the end of an exchange.
func beyond(raw string, omitted int, masks ...a2a.Redaction) step {
	return func(s *script) {
		s.put(a2a.Record{Kind: a2a.KindSurplus, Dir: a2a.In, Raw: []byte(raw), Omitted: omitted, Redactions: masks}, a2a.Update{})
	}
}

// The finding names how much came, and its beginning: masked as the record, and safe to print.
func TestASurplusIsNamedBySizeAndBeginning(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		surplus    step
	}{
		{"one byte", "1 byte came after the complete answer: “}”", beyond("}", 0)},
		{"a mask", "19 bytes came after the complete answer: “You are •••, ⟨U+001B⟩[2J”",
			beyond("You are •••, \x1b[2J", 0, a2a.Redaction{Offset: 8, Length: len(a2a.Mask), Size: 5})},
		{"beyond the limit", "1000003 bytes came after the complete answer: “abc”", beyond("abc", 1_000_000)},
		{"another answer", "38 bytes came after the complete answer: “HTTP/1.1 200 OK Content-Length: 0”", beyond("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0)},
		{"a long one", "90 bytes came after the complete answer: “" + strings.Repeat("x", 59) + "…”", beyond(strings.Repeat("x", 90), 0)},
	} {
		for _, call := range []a2a.Call{on(a2a.V03, a2a.OpGet), on(a2a.Unknown, a2a.OpProbe), cardCall} {
			found := play(call, asked(get03), headed(200, isJSON), answered(task0), ended(a2a.Ended), tt.surplus).of("HTTP-013")
			if len(found) != 1 || found[0].Message != tt.want || found[0].Severity != a2a.Error {
				t.Errorf("%s: got findings %+v, want one error %q", tt.name, found, tt.want)
			}
		}
	}
}

// The finding shows the end of a host, which identifies its owner, and no look-alike letters.
func TestAFindingNamesTheHostThatIsMeant(t *testing.T) {
	for host, want := range map[string]string{
		"\u0430pple.com": "goes to xn--pple-43d.com unencrypted",
		"login.bank.example." + strings.Repeat("a.", 200) + "evil.example": "a.a.evil.example unencrypted",
		"bank.example@evil.example":                                        "goes to evil.example unencrypted",
	} {
		s := play(on(a2a.V10, a2a.OpSend), asked("POST http://"+host+"/a2a\nA2A-Version: 1.0\nContent-Type: application/json\n\n"+`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}}`))
		said := ""
		for _, f := range s.rules {
			said += f.Message + "\n"
		}
		if !strings.Contains(said, want) {
			t.Errorf("host %.60q: got %q, want %q in it", host, said, want)
		}
	}
}
