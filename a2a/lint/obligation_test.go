package lint

import (
	"strings"
	"testing"

	"parley/a2a"
)

// TestErrorsCiteARequirement compares the rules with the obligations: every error needs an
// obligation, and every obligation needs an error rule in its dialects.
func TestErrorsCiteARequirement(t *testing.T) {
	rules := map[string]*rule{}
	for _, group := range table() {
		for i := range group {
			rules[group[i].id] = &group[i]
			if group[i].severity == a2a.Error && len(obligationsOf(group[i].id)) == 0 {
				t.Errorf("error rule %s: got no obligation, want one", group[i].id)
			}
		}
	}
	for _, group := range obligations() {
		for _, o := range group {
			r := rules[o.rule]
			switch {
			case r == nil:
				t.Errorf("obligation of %s: got no such rule", o.rule)
			case r.severity != a2a.Error:
				t.Errorf("rule %s has an obligation in %s, want severity error", o.rule, o.section)
			case o.in&^r.in != 0:
				t.Errorf("rule %s: got an obligation in %s for %s, want only dialects to which it applies", o.rule, o.section, (o.in &^ r.in).String())
			case !requires(o):
				t.Errorf("rule %s: got sentence “%s”, want one with a requirement", o.rule, o.sentence)
			}
		}
	}
}

// requires reports whether a sentence, or the remark to it, states a requirement.
func requires(o obligation) bool {
	s := strings.ToLower(o.sentence)
	for _, word := range []string{"must", "required", "listed types", "authoritative normative"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return o.tck != ""
}

// TestAnErrorIsAWarningWhereNoTextRequiresIt plays the same faults in dialects with and without
// an obligation.
func TestAnErrorIsAWarningWhereNoTextRequiresIt(t *testing.T) {
	task := `{"jsonrpc":"2.0","id":1,"result":{"id":"t","context_id":"c","status":{"state":"working"},"kind":"task"}}`
	for _, c := range []struct {
		rule string
		call a2a.Call
		ask  string
		body string
		want a2a.Severity
	}{
		{"CASE-001", on(a2a.V03, a2a.OpGet), `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`, task, a2a.Error},
		{"CASE-001", on(a2a.V02, a2a.OpGet), `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`, task, a2a.Warning},
		{"CASE-001", on(a2a.V03REST, a2a.OpGet), `GET https://agent.example/v1/tasks/t`, `{"id":"t","context_id":"c","status":{"state":"TASK_STATE_WORKING"}}`, a2a.Warning},
		{"CASE-001", on(a2a.V10REST, a2a.OpGet), `GET https://agent.example/tasks/t`, `{"id":"t","context_id":"c","status":{"state":"TASK_STATE_WORKING"}}`, a2a.Error},
		{"TYPE-001", on(a2a.V03, a2a.OpGet), `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`, `{"jsonrpc":"2.0","id":1,"result":{"id":"t","contextId":7,"status":{"state":"working"},"kind":"task"}}`, a2a.Error},
	} {
		found := false
		s := play(c.call, asked(c.ask), headed(200, isJSON), answered(c.body))
		for _, f := range append(s.decoder, s.rules...) {
			if f.Rule != c.rule {
				continue
			}
			if found = true; f.Severity != c.want {
				t.Errorf("%s in %s: got severity %s, want %s", c.rule, c.call.Dialect, f.Severity, c.want)
			}
		}
		if !found {
			t.Errorf("%s in %s: got no finding, only %v and %v", c.rule, c.call.Dialect, s.decoder, s.rules)
		}
	}
}

// TestConformingAnswersHaveNoFindingsOfTheseRules plays what one dialect allows and another one
// forbids.
func TestConformingAnswersHaveNoFindingsOfTheseRules(t *testing.T) {
	ask01 := `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`
	answer01 := func(part string) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"id":"t","status":{"state":"working"},"artifacts":[{"index":0,"parts":[` + part + `]}]}}`
	}
	for _, c := range []struct {
		name, rule string
		call       a2a.Call
		ask, body  string
	}{
		{"the extended card of 0.2 is no JSON-RPC", "ENV-001", on(a2a.V02, a2a.OpExtendedCard), "GET https://agent.example/agent/authenticatedExtendedCard",
			`{"name":"n","description":"d","version":"1","url":"https://agent.example/","capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`},
		{"nor is the error it is refused with", "ENV-001", on(a2a.V02, a2a.OpExtendedCard), "GET https://agent.example/agent/authenticatedExtendedCard", `{"detail":"Not authenticated"}`},
		{"a reference to a file in 0.1", "PART-013", on(a2a.V01, a2a.OpGet), ask01, answer01(`{"type":"file","file":{"name":"a.pdf"}}`)},
		{"a list as data in 0.1", "PART-008", on(a2a.V01, a2a.OpGet), ask01, answer01(`{"type":"data","data":[1]}`)},
		{"artifacts as the mesh documents them", "SAM-003", on(a2a.SAMDoc, a2a.OpGet), ask01,
			`{"jsonrpc":"2.0","id":1,"result":{"id":"t","status":{"state":"working"},"artifacts":[{"id":"a","name":"a.csv","uri":"artifact://a","mime_type":"text/csv"}]}}`},
		{"a wrapper over HTTP+JSON in 0.3", "MIX-001", on(a2a.V03REST, a2a.OpSend), `{"message":{"messageId":"m","role":"ROLE_USER","content":[{"text":"hi"}]}}`,
			`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`},
		{"a card with custom bindings only", "CARD-012", cardCall, "GET https://agent.example/.well-known/agent-card.json",
			`{"name":"n","description":"d","version":"1","capabilities":{},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[{"id":"s","name":"s","description":"d","tags":["t"]}],` +
				`"supportedInterfaces":[{"url":"wss://agent.example/ws","protocolBinding":"https://example.com/bindings/websocket/v1","protocolVersion":"1.0"}]}`},
	} {
		s := play(c.call, asked(c.ask), headed(200, isJSON), answered(c.body))
		for _, f := range append(s.decoder, s.rules...) {
			if f.Rule == c.rule && f.Severity > a2a.Info {
				t.Errorf("%s: got finding %+v, want none above info", c.name, f)
			}
		}
	}
}
