package lint

import (
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
)

// raw is a frame with its exact bytes; data is the decoded payload.
func raw(bytes, data string) step {
	return func(s *script) {
		u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(data), Status: 200, Stream: true, RPCID: s.rpcID})
		s.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte(bytes), Data: []byte(data)}, u)
	}
}

// severed is the end of a stream that Parley cut.
func severed(s *script) {
	s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassSevered}}, a2a.Update{})
}

var sseCases = []ruleCase{
	{
		rule: "SSE-001", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), headed(200, "Content-Type: application/x-ndjson"), framed(task(a2a.V10, "working"))},
		silent: []step{sends(a2a.V10), headed(200, "Content-Type: Text/Event-Stream; charset=utf-8"), framed(task(a2a.V10, "working"))},
	},
	{
		rule: "SSE-001", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), headed(200, "Content-Type: application/json"), framed(task(a2a.V10, "working")), framed(chunk(a2a.V10, ""))},
		silent: []step{sends(a2a.V10), headed(200, "Content-Type: application/json"), framed(task(a2a.V10, "working"))},
	},
	{
		rule: "SSE-001", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), headed(201, "Content-Type: text/event-stream"), framed(task(a2a.V10, "working"))},
		silent: []step{sends(a2a.V10), headed(400, "Content-Type: application/json"), answered(`{"jsonrpc":"2.0","id":"1","error":{"code":-32600,"message":"no"}}`)},
	},
	{
		rule: "SSE-002", call: on(a2a.V10REST, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10REST), frames(task(a2a.V10, "working"))},
		silent: []step{sends(a2a.V10REST), frames(task(a2a.V10REST, "working"))},
	},
	{
		rule: "SSE-002", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames(task(a2a.V10, "working") + chunk(a2a.V10, ""))},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "working"), chunk(a2a.V10, ""))},
	},
	{
		rule: "SSE-003", call: on(a2a.V10, a2a.OpStream), at: "",
		fires: []step{sends(a2a.V10), func(s *script) {
			u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(task(a2a.V10, "completed")), Stream: true, Torn: true, RPCID: s.rpcID})
			s.put(a2a.Record{Kind: a2a.KindEvent, Torn: true, Raw: []byte("data: "), Data: []byte(task(a2a.V10, "completed"))}, u)
		}},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "completed"))},
	},
	{
		rule: "SSE-004", call: on(a2a.V10, a2a.OpStream), at: "",
		fires: []step{sends(a2a.V10), func(s *script) {
			u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(task(a2a.V10, "completed")), Stream: true, Unprefixed: true, RPCID: s.rpcID})
			s.put(a2a.Record{Kind: a2a.KindEvent, Raw: []byte("data: "), Data: []byte(task(a2a.V10, "completed"))}, u)
		}},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "completed"))},
	},
	{
		rule: "SSE-005", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), raw("data: {}\r\n\r\n", "{}"), raw("data: {}\n\n", "{}")},
		silent: []step{sends(a2a.V10), raw("data: {}\r\n\r\n", "{}"), raw("data: {}\r\n\r\n", "{}")},
	},
	{
		rule: "SSE-005", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), raw("data: {}\x00\n\n", "{}")},
		silent: []step{sends(a2a.V10), raw("data: {}\n\n", "{}")},
	},
	{
		rule: "SSE-006", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), headed(200, "Content-Type: text/event-stream")},
		silent: []step{sends(a2a.V10), headed(200, "Content-Type: text/event-stream", "Cache-Control: max-age=0, No-Cache"), headed(200, "Content-Type: application/json")},
	},
	{
		rule: "SSE-007", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames("[DONE]")},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "completed"))},
	},
}

// answeredAnd is a message of the agent in a stream, followed by other steps.
func answeredAnd(more ...string) []step {
	return streams(a2a.V10, append([]string{wrapped(a2a.V10, "message", message(a2a.V10, "agent"))}, more...)...)
}

// saying is a status update with a message.
func saying(id, words string) string {
	d := a2a.V10
	return update(d, "working", `"status":`+aStatus(d, "working", `"message":`+message(d, "agent", `"messageId":"`+id+`"`, text(d, words))))
}

var streamCases = []ruleCase{
	{
		rule: "STRM-001", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate",
		fires:  streams(a2a.V10, update(a2a.V10, "working")),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "completed")),
	},
	{
		rule: "STRM-002", call: on(a2a.V03, a2a.OpStream), at: "/result/final",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "completed"), update(a2a.V03, "completed")),
		silent: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working"), update(a2a.V03, "completed")),
	},
	{
		rule: "STRM-002", call: on(a2a.V01, a2a.OpStream), at: "",
		fires:  streams(a2a.V01, update(a2a.V01, "completed", `"final":false`)),
		silent: streams(a2a.V01, update(a2a.V01, "completed")),
	},
	{ // a task that is over when it comes needs no status
		rule: "STRM-002", call: on(a2a.V03, a2a.OpStream), at: "",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "completed", `"final":false`)),
		silent: streams(a2a.V03, task(a2a.V03, "completed")),
	},
	{
		rule: "STRM-003", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/final",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "completed", `"final":true`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "completed")),
	},
	{
		rule: "STRM-004", call: on(a2a.V10, a2a.OpStream), at: "/result/artifactUpdate",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "completed"), chunk(a2a.V10, "")),
		silent: streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, ""), update(a2a.V10, "completed"), `{"type":"ping"}`),
	},
	{
		rule: "STRM-004", call: on(a2a.V03, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "input-required"), chunk(a2a.V03, "")),
		silent: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "completed", `"final":false`), update(a2a.V03, "completed")),
	},
	{
		rule: "STRM-005", call: on(a2a.V03, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working", `"final":`)),
		silent: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working")),
	},
	{
		rule: "STRM-006", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  streams(a2a.V10, task(a2a.V10, "submitted"), update(a2a.V10, "working")),
		silent: streams(a2a.V10, task(a2a.V10, "submitted"), update(a2a.V10, "auth-required")),
	},
	{
		rule: "STRM-006", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  streams(a2a.V10, task(a2a.V10, "working")),
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "working")), severed}, // from here
	},
	{
		rule: "STRM-006", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames(task(a2a.V10, "working")), ended(a2a.Cut)},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "working"), update(a2a.V10, "completed")), ended(a2a.Cut)},
	},
	{
		rule: "STRM-007", call: on(a2a.V10, a2a.OpStream), at: "/id",
		fires:  streams(a2a.V10, strings.Replace(task(a2a.V10, "working"), `"id":"1"`, `"id":"2"`, 1)),
		silent: streams(a2a.V10, task(a2a.V10, "working")),
	},
	{
		rule: "STRM-008", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  answers(a2a.V10, task(a2a.V10, "completed")),
		silent: streams(a2a.V10, task(a2a.V10, "completed")),
	},
	{
		rule: "STRM-008", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), headed(200, "Content-Type: application/json"), framed(task(a2a.V10, "completed")), ended(a2a.Ended)},
		silent: []step{sends(a2a.V10), headed(401, "Content-Type: application/json"), framed(`{"detail":"no"}`), ended(a2a.Ended)},
	},
	{
		rule: "STRM-009", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/taskId",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working", `"taskId":"other"`)),
		silent: streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working")),
	},
	{
		rule: "STRM-009", call: on(a2a.V03, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working", `"taskId":`)),
		silent: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working")),
	},
	{
		rule: "STRM-009", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), update(a2a.V10, "working", `"contextId":`)),
		silent: streams(a2a.V10, task(a2a.V10, "working")),
	},
	{
		rule: "STRM-010", call: on(a2a.V10, a2a.OpStream), at: "/result/statusUpdate/status/message",
		fires:  streams(a2a.V10, task(a2a.V10, "working"), saying("1", "Once"), saying("1", "Once upon"), saying("1", "Once upon a")),
		silent: streams(a2a.V10, task(a2a.V10, "working"), saying("1", "Once"), saying("2", "upon"), saying("3", "a time")),
	},
	{
		rule: "STRM-011", call: on(a2a.V10, a2a.OpStream), at: "/result/message",
		fires:  answeredAnd(wrapped(a2a.V10, "message", message(a2a.V10, "agent", `"messageId":"2"`))),
		silent: answeredAnd(),
	},
	{
		rule: "STRM-012", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames(task(a2a.V10, "working")), later(a2a.StallAfter), framed(update(a2a.V10, "completed"))},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "working")), later(a2a.StallAfter - 100*time.Millisecond), framed(update(a2a.V10, "completed"))},
	},
	{
		rule: "STRM-012", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames(), later(16 * time.Second), framed(task(a2a.V10, "working"))},
		silent: []step{sends(a2a.V10), frames(), later(16 * time.Second), raw(": still here\n\ndata: {}\n\n", task(a2a.V10, "working"))},
	},
	{
		// The bytes of the agent had arrived, but Parley had not read them.
		rule: "STRM-012", call: on(a2a.V10, a2a.OpStream), at: "",
		fires:  []step{sends(a2a.V10), frames(task(a2a.V10, "working")), later(20 * time.Second), heldBack(11*time.Second, update(a2a.V10, "completed"))},
		silent: []step{sends(a2a.V10), frames(task(a2a.V10, "working")), later(20 * time.Second), heldBack(19*time.Second, update(a2a.V10, "completed"))},
	},
	{
		rule: "STRM-013", call: on(a2a.V03, a2a.OpGet), at: "/result/kind",
		fires:  []step{asked(get03), headed(200), answered(`{"jsonrpc":"2.0","id":"1","result":{"kind":"message","id":"t","contextId":"c","status":{"state":"working"},"artifacts":[]}}`)},
		silent: []step{asked(get03), headed(200), answered(task0)},
	},
	{
		rule: "STRM-013", call: on(a2a.V03, a2a.OpStream), at: "/result/kind",
		fires:  streams(a2a.V03, `{"jsonrpc":"2.0","id":"1","result":{"kind":"status-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[{"kind":"text","text":"x"}]}}}`),
		silent: streams(a2a.V03, chunk(a2a.V03, `"lastChunk":true`)),
	},
	{
		rule: "STRM-013", call: on(a2a.V03, a2a.OpStream), at: "",
		fires:  streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working", `"kind":`)),
		silent: streams(a2a.V03, task(a2a.V03, "working"), update(a2a.V03, "working")),
	},
	{
		rule: "STRM-013", call: on(a2a.V10, a2a.OpStream), at: "/result",
		fires:  streams(a2a.V10, result(a2a.V10, aTask(a2a.V10, "working"))),
		silent: streams(a2a.V10, task(a2a.V10, "working")),
	},
	{
		rule: "STRM-013", call: on(a2a.V10, a2a.OpSend), at: "/result",
		fires:  answers(a2a.V10, result(a2a.V10, `{"task":`+aTask(a2a.V10, "working")+`,"message":`+message(a2a.V10, "agent")+`}`)),
		silent: got(a2a.V10, "", aTask(a2a.V10, "working")),
	},
}

var contextCases = []ruleCase{
	{
		rule: "CTX-001", call: on(a2a.V10, a2a.OpStream), at: "/params/message/contextId",
		fires:  append(streams(a2a.V10, task(a2a.V10, "input-required", `"contextId":`)), sends(a2a.V10, `"taskId":"t"`, `"contextId":"mine"`)),
		silent: append(streams(a2a.V10, task(a2a.V10, "input-required")), sends(a2a.V10, `"taskId":"t"`, `"contextId":"c"`)),
	},
	{
		rule: "CTX-002", call: on(a2a.V10, a2a.OpStream), at: "/result/task/contextId",
		fires:  []step{sends(a2a.V10, `"contextId":"mine"`), frames(task(a2a.V10, "working"), update(a2a.V10, "completed"))},
		silent: []step{sends(a2a.V10, `"contextId":"c"`), frames(task(a2a.V10, "working"), update(a2a.V10, "completed"))},
	},
}

func TestAnOrdinaryConversationHasNoFindings(t *testing.T) {
	for _, d := range []a2a.DialectName{a2a.V01, a2a.V02, a2a.V03, a2a.V10, a2a.V10REST, a2a.V03REST} {
		last := update(d, "completed")
		steps := streams(d, task(d, "submitted"), update(d, "working"), chunk(d, ""), chunk(d, `"append":true,"lastChunk":true`), last)
		if d == a2a.V01 { // its streams have no tasks
			steps = streams(d, update(d, "working"), chunk(d, ""), chunk(d, `"append":true,"lastChunk":true`), last)
		}
		if found := play(on(d, a2a.OpStream), steps...).rules; len(found) > 0 {
			t.Errorf("%s: got findings %+v, want none", d, found)
		}
	}
}

func TestWhatAnAgentCanMakeRememberedIsBounded(t *testing.T) {
	long := strings.Repeat("x", maxID+1)
	steps := streams(a2a.V10, task(a2a.V10, "working"), chunk(a2a.V10, "", `"artifactId":"`+long+`"`),
		update(a2a.V10, "working", `"taskId":"`+long+`"`, `"contextId":"`+long+`"`),
		wrapped(a2a.V10, "message", message(a2a.V10, "agent", `"messageId":"`+long+`"`)))
	for i := range maxArtifacts + 100 {
		steps = append(steps[:len(steps)-1], framed(chunk(a2a.V10, "", `"artifactId":"a`+strconv.Itoa(i)+`"`)), steps[len(steps)-1])
	}
	last := steps[len(steps)-1]
	s := play(on(a2a.V10, a2a.OpStream), steps[:len(steps)-1]...)
	x, _ := s.linter.exchanges.get(s.id)
	if n := len(x.stream.artifacts); n != maxArtifacts || x.stream.artifacts[long] != nil {
		t.Errorf("got %d artifacts in memory, want %d", n, maxArtifacts)
	}
	a := s.linter.agent(1)
	_, task := a.tasks.get(long)
	_, context := a.contexts.get(long)
	if _, message := a.messages.get(long); task || context || message {
		t.Error("got a long id in memory, want it left out")
	}
	if last(s); len(s.linter.exchanges.entries) != 0 {
		t.Error("got the ended exchange in memory, want it removed")
	}
}

// Equal line ends have no finding, however the stream is divided into reads.
func TestLineEndsThatAreAlikeAreNotMixed(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.Repeat(": here"+end+"data: {}"+end+end, 3)
		for name, r := range map[string]io.Reader{"at once": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text))} {
			steps := []step{sends(a2a.V10), headed(200, "Content-Type: text/event-stream")}
			d := sse.NewDecoder(r)
			for f, err := d.Next(); err == nil; f, err = d.Next() {
				steps = append(steps, raw(string(f.Raw), string(f.Data)))
			}
			if s := play(on(a2a.V10, a2a.OpStream), steps...); len(s.of("SSE-005")) > 0 || s.next != 5 {
				t.Errorf("line end %q read %s: got findings %v and %d records, want none and 5", end, name, s.of("SSE-005"), s.next)
			}
		}
	}
}

func TestAPreviewNeedsNoEnd(t *testing.T) {
	d := a2a.V10
	partial := `"artifactId":"p"`
	words := func(w string) string {
		return chunk(d, "", partial, text(d, w), `"metadata":{"adk_partial":true}`)
	}
	s := play(on(d, a2a.OpStream), streams(d, task(d, "working"), words("a long word"), words("short"), words("w"),
		chunk(d, `"lastChunk":true`, text(d, "a long word short w")), update(d, "completed"))...)
	for _, rule := range []string{"ART-004", "ART-007"} {
		if found := s.of(rule); len(found) > 0 {
			t.Errorf("got findings %v, want none", found)
		}
	}
}

// heldBack is framed for an event whose bytes waited before they were read.
func heldBack(held time.Duration, data string) step {
	return func(s *script) {
		u := a2a.Decode(s.marked(), a2a.Input{Body: []byte(data), Status: 200, ContentType: "text/event-stream", Stream: true, RPCID: s.rpcID})
		s.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data), PauseTime: held}, u)
	}
}

// A client has the task that its message names: what it lacks at the beginning of the stream hurts nobody.
func TestAStreamOfAKnownTaskMayBeginWithAnUpdate(t *testing.T) {
	for text, want := range map[string]a2a.Severity{
		`"parts":[{"text":"x"}]`:               a2a.Error,
		`"taskId":"t1","parts":[{"text":"x"}]`: a2a.Warning,
	} {
		request := asked(`{"jsonrpc":"2.0","id":"1","method":"SendStreamingMessage","params":{"message":{"messageId":"m","role":"ROLE_USER",` + text + `}}}`)
		steps := streams(a2a.V10, update(a2a.V10, "working"))
		found := play(on(a2a.V10, a2a.OpStream), append([]step{request}, steps[1:]...)...).of("STRM-001")
		if len(found) != 1 || found[0].Severity != want {
			t.Errorf("%s: got %+v, want one finding of severity %s", text, found, want)
		}
	}
}
