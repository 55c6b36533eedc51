package lint

import (
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
)

// A hostile is an exchange with a record that contains two lists of n elements each.
type hostile struct {
	name string
	call a2a.Call
	body func(n int) (request, answer string)
	want string // a rule that must still find something in it
}

// list returns n elements with commas between them.
func list(n int, thing func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = thing(i)
	}
	return strings.Join(all, ",")
}

var hostiles = [...]hostile{
	{"files in a message of many members", on(a2a.V03, a2a.OpSend), func(n int) (string, string) {
		return get03, wrapped(a2a.V03, "message", `{"kind":"message","messageId":"m",`+list(n, func(int) string { return `"a":1` })+`,"role":"agent","parts":[`+
			list(n/10, func(int) string { return `{"kind":"file","file":{"bytes":"AAAA"}}` })+`]}`)
	}, "PART-009"},
	{"files in a history of many members", on(a2a.V03, a2a.OpGet), func(n int) (string, string) {
		return get03, wrapped(a2a.V03, "task", `{"kind":"task","id":"t","status":{"state":"working"},"history":[{"kind":"message","messageId":"m",`+
			list(n, func(int) string { return `"a":1` })+`,"role":"agent","parts":[`+list(n/10, func(int) string { return `{"kind":"file","file":{"bytes":"AAAA"}}` })+`]}]}`)
	}, "TASK-003"},
	{"parts of many modes", on(a2a.V03, a2a.OpSend), func(n int) (string, string) {
		return `{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"configuration":{"acceptedOutputModes":[` +
				list(n, func(i int) string { return fmt.Sprintf(`"m/%d"`, i) }) + `]},"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"text","text":"x"}]}}}`,
			wrapped(a2a.V03, "message", `{"kind":"message","messageId":"m","role":"agent","parts":[`+
				list(n/10, func(int) string { return `{"kind":"file","file":{"bytes":"AAAA","mimeType":"a/b"}}` })+`]}`)
	}, "PART-011"},
	{"extensions that many others were asked for", on(a2a.V10, a2a.OpSend), func(n int) (string, string) {
		return "POST https://agent.example/a2a\nA2A-Extensions: " + list(n, func(i int) string { return fmt.Sprintf("urn:%d", i) }) + "\n\n" +
				`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{}}`,
			wrapped(a2a.V10, "message", `{"messageId":"m","role":"ROLE_AGENT","parts":[{"text":"x"}],"extensions":[`+
				list(n, func(i int) string { return fmt.Sprintf(`"urn:%d"`, n-i) })+`]}`)
	}, "MSG-009"},
	{"a path of many segments", on(a2a.V10REST, a2a.OpGet), func(n int) (string, string) {
		return "GET https://agent.example/a2a" + strings.Repeat("/a", 10*n) + "\n\n", `{"id":"t","status":{"state":"TASK_STATE_WORKING"}}`
	}, "METH-001"},
}

// TestHostileRecordsAreJudged checks that rules finish in time on records that combine two
// large lists.
func TestHostileRecordsAreJudged(t *testing.T) {
	for _, h := range hostiles {
		request, answer := h.body(100_000)
		s := play(h.call, asked(request), headed(200, isJSON), answered(answer))
		if len(s.of(h.want)) == 0 {
			t.Errorf("%s: got no finding of %s, only %v", h.name, h.want, s.rules)
		}
	}
}

// BenchmarkLargeTimesLarge must take ten times as long for lists that are ten times as large.
func BenchmarkLargeTimesLarge(b *testing.B) {
	for _, h := range hostiles {
		for _, n := range []int{10_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(h.name, " ", "-"), n), func(b *testing.B) {
				request, answer := h.body(n)
				for b.Loop() {
					play(h.call, asked(request), headed(200, isJSON), answered(answer))
				}
			})
		}
	}
}

// A stream that ends its task repeatedly is compared with its artifacts only a few times.
func TestALastMessageIsLookedForAFewTimes(t *testing.T) {
	steps := []step{asked(get03), headed(200, "Content-Type: text/event-stream"),
		framed(`{"jsonrpc":"2.0","id":"1","result":{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"as long as the other text"}]}}}`)}
	for range 100 {
		steps = append(steps, framed(`{"jsonrpc":"2.0","id":"1","result":{"kind":"status-update","taskId":"t","contextId":"c","final":false,`+
			`"status":{"state":"completed","message":{"kind":"message","messageId":"m","role":"agent","parts":[{"kind":"text","text":"as long as the next text."}]}}}}`))
	}
	s := play(on(a2a.V03, a2a.OpStream), steps...)
	x, _ := s.linter.exchanges.get(s.id)
	if got := x.stream.lastTries; got != maxLastTries {
		t.Errorf("got %d searches for the last message, want %d", got, maxLastTries)
	}
}
