package lint

import (
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// behind returns a call of another client that passes a tap.
func behind(c a2a.Call) a2a.Call {
	c.Tapped = &a2a.Tapped{Tap: "b", Client: "bot/1.0", Connection: 1}
	return c
}

// from makes another client send the following requests.
func from(client string, connection uint64) step {
	return under(func(c *a2a.Call) { c.Tapped = &a2a.Tapped{Tap: "b", Client: client, Connection: connection} })
}

// leaves is the end of an exchange whose client left.
func leaves(s *script) {
	s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassClient}}, a2a.Update{})
}

// does changes the operation of the following steps.
func does(op a2a.Op) step { return under(func(c *a2a.Call) { c.Op = op }) }

// about the task t is a request without a message, in the form of the dialect.
func aboutTask(d a2a.DialectName, op a2a.Op) step {
	return func(s *script) {
		method := map[a2a.Op]string{a2a.OpGet: "tasks/get", a2a.OpCancel: "tasks/cancel", a2a.OpSubscribe: "tasks/resubscribe"}[op]
		if d == a2a.V10 {
			method = map[a2a.Op]string{a2a.OpGet: "GetTask", a2a.OpCancel: "CancelTask", a2a.OpSubscribe: "SubscribeToTask"}[op]
		}
		before := s.call
		s.call.Op, s.call.TaskID = op, "t"
		switch d {
		case a2a.V10REST, a2a.V03REST:
			asked("GET https://agent.example/a2a/tasks/t\nA2A-Version: 1.0\n\n")(s)
		default:
			asked("POST https://agent.example/a2a\nA2A-Version: 1.0\n\n" + `{"jsonrpc":"2.0","id":"9","method":"` + method + `","params":{"id":"t"}}`)(s)
		}
		headed(200, isJSON)(s)
		ended(a2a.Ended)(s)
		s.call = before
	}
}

// joined joins lists of steps.
func joined(lists ...[]step) (all []step) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// breaks is a stream of a working task that ends in some way.
func breaks(d a2a.DialectName, reason a2a.EndReason) []step {
	return []step{sends(d), frames(task(d, "working")), ended(reason)}
}

// inDialects are the dialects of the specification in which streams are scripted.
var inDialects = [...]a2a.DialectName{a2a.V01, a2a.V02, a2a.V03, a2a.V10, a2a.V03REST, a2a.V10REST}

func clientCases() (all []ruleCase) {
	all = append(all, clientRequestCases...)
	for _, d := range [...]a2a.DialectName{a2a.V03, a2a.V10} { // over gRPC, whose messages are rendered as JSON
		call := behind(on(d, a2a.OpStream))
		call.Binding = a2a.BindingGRPC
		as := a2a.V10REST
		all = append(all,
			ruleCase{rule: "CLNT-005", call: call, at: "-",
				fires:  joined(streams(as, update(as, "completed")), []step{sends(as, `"taskId":"t"`)}),
				silent: joined(streams(as, update(as, "input-required")), []step{sends(as, `"taskId":"t"`)})},
			ruleCase{rule: "CLNT-006", call: call, at: "-",
				fires:  append(breaks(as, a2a.Cut), sends(as)),
				silent: append(breaks(as, a2a.Cut), aboutTask(as, a2a.OpGet), sends(as))})
	}
	for _, d := range inDialects {
		call := behind(on(d, a2a.OpStream))
		over := []step{sends(d), frames(task(d, "working"), update(d, "completed")), later(20 * time.Second), leaves}
		all = append(all,
			ruleCase{rule: "CLNT-006", call: call, at: "-",
				fires:  append(breaks(d, a2a.Cut), sends(d)),
				silent: joined(breaks(d, a2a.Cut), []step{aboutTask(d, a2a.OpSubscribe), sends(d)}, streams(d, task(d, "completed")), []step{sends(d)})},
			ruleCase{rule: "CLNT-006", call: call, at: "-", // the client left by itself
				fires:  append(breaks(d, a2a.Cut), sends(d)),
				silent: []step{sends(d), frames(task(d, "working")), leaves, sends(d)}},
			ruleCase{rule: "CLNT-007", call: call, at: "",
				fires:  []step{sends(d), frames(task(d, "working")), leaves},
				silent: joined(breaks(d, a2a.Cut), breaks(d, a2a.Cancelled), []step{sends(d), frames(task(d, "working")), aboutTask(d, a2a.OpCancel), leaves}, streams(d, update(d, "completed")))},
			ruleCase{rule: "CLNT-008", call: call, at: "", fires: over, silent: streams(d, task(d, "working"), update(d, "completed"))},
			ruleCase{rule: "CLNT-010", call: call, at: "",
				fires:  polls(d, 100*time.Millisecond),
				silent: joined(polls(d, time.Second), []step{from("other/1.0", 2)}, polls(d, 2*time.Second))},
			ruleCase{rule: "CLNT-003", call: call, at: "",
				fires:  []step{asked("POST https://agent.example/a2a\nAccept: application/json, text/event-stream;q=0\n\n{}")},
				silent: []step{asked("POST https://agent.example/a2a\nAccept: application/json, text/event-stream\n\n{}"), asked("POST https://agent.example/a2a\nAccept: */*\n\n{}"), sends(d)}},
		)
		if d != a2a.V01 {
			all = append(all,
				ruleCase{rule: "CLNT-004", call: call, at: "-",
					fires:  joined(streams(d, update(d, "input-required")), []step{sends(d, `"contextId":"c"`)}),
					silent: joined(streams(d, update(d, "input-required")), []step{sends(d, `"contextId":"c"`, `"taskId":"t"`), sends(d)}, streams(d, update(d, "completed")), []step{sends(d, `"contextId":"c"`)})},
				ruleCase{rule: "CLNT-005", call: call, at: "-",
					fires:  joined(streams(d, update(d, "completed")), []step{sends(d, `"taskId":"t"`)}),
					silent: joined(streams(d, update(d, "input-required")), []step{sends(d, `"taskId":"t"`), sends(d, `"taskId":"other"`)})})
		}
	}
	return all
}

// polls gets a task several times.
func polls(d a2a.DialectName, pause time.Duration) (all []step) {
	for range quickPolls {
		all = append(all, aboutTask(d, a2a.OpGet), later(pause))
	}
	return all
}

// declares is a card of 1.0 with some members, which a client gets.
func declares(members string) []step {
	return []step{
		does(a2a.OpCard), asked("GET https://agent.example/.well-known/agent-card.json\n\n"), headed(200, isJSON),
		answered(`{"name":"B","description":"b","version":"1","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],` +
			members + `,"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`),
		ended(a2a.Ended), does(a2a.OpStream),
	}
}

var clientRequestCases = []ruleCase{
	{
		rule: "CLNT-001", call: behind(on(a2a.V03, a2a.OpGet)), at: "/id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":true,"method":"tasks/get","params":{"id":"t"}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"t"}}`), asked(`{"jsonrpc":"2.0","id":null,"method":"tasks/get"}`), asked(`[]`)},
	},
	{
		rule: "CLNT-001", call: behind(on(a2a.V10, a2a.OpGet)), at: "/id",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":{"a":1},"method":"GetTask","params":{"id":"t"}}`)},
		silent: []step{under(func(c *a2a.Call) { c.Tapped = nil }), asked(`{"jsonrpc":"2.0","id":{},"method":"GetTask"}`)},
	},
	{
		rule: "CLNT-002", call: behind(on(a2a.V10, a2a.OpStream)), at: "/id",
		fires:  []step{sends(a2a.V10), sends(a2a.V10)},
		silent: joined(streams(a2a.V10, update(a2a.V10, "completed")), []step{sends(a2a.V10), from("bot/1.0", 2), sends(a2a.V10)}),
	},
	{
		rule: "CLNT-009", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires:  []step{sends(a2a.V10), headed(503, "Retry-After: 3"), ended(a2a.Ended), later(time.Second), sends(a2a.V10)},
		silent: []step{sends(a2a.V10), headed(503, "Retry-After: 3"), ended(a2a.Ended), later(time.Second), from("other/1.0", 2), sends(a2a.V10), later(2 * time.Second), from("bot/1.0", 1), sends(a2a.V10)},
	},
	{
		rule: "CLNT-009", call: behind(on(a2a.V03, a2a.OpStream)), at: "",
		fires: []step{sends(a2a.V03), headed(429, "Date: Sun, 01 Mar 2026 10:00:00 GMT", "Retry-After: Sun, 01 Mar 2026 10:01:00 GMT"), ended(a2a.Ended), later(50 * time.Second), sends(a2a.V03)},
		silent: []step{sends(a2a.V03), headed(429, "Retry-After: soon"), ended(a2a.Ended), sends(a2a.V03), ended(a2a.Ended),
			sends(a2a.V03), headed(429, "Date: Sun, 01 Mar 2026 10:00:00 GMT", "Retry-After: Sun, 01 Mar 2026 10:01:00 GMT"), ended(a2a.Ended), later(time.Minute), sends(a2a.V03)},
	},
	{
		rule: "CLNT-011", call: behind(on(a2a.V10, a2a.OpStream)), at: "",
		fires:  append(declares(`"capabilities":{"extensions":[{"uri":"urn:a"}]}`), asked("POST https://agent.example/a2a\nA2A-Version: 1.0\nA2A-Extensions: urn:a, urn:b\n\n{}")),
		silent: append(declares(`"capabilities":{"extensions":[{"uri":"urn:a"}]}`), asked("POST https://agent.example/a2a\nA2A-Version: 1.0\nA2A-Extensions: urn:a\n\n{}")),
	},
	{
		rule: "CLNT-012", call: behind(about(on(a2a.V10, a2a.OpPushSet))), at: "/params",
		fires:  []step{asked(hook10)},
		silent: []step{asked(strings.Replace(hook10, `"url"`, `"token":"•••","url"`, 1)), asked(strings.Replace(hook10, `"url"`, `"authentication":{"scheme":"Bearer"},"url"`, 1))},
	},
	{
		rule: "CLNT-012", call: behind(about(on(a2a.V03, a2a.OpPushSet))), at: "/params/pushNotificationConfig",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/pushNotificationConfig/set","params":{"taskId":"t","pushNotificationConfig":{"url":"https://h.example/"}}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/pushNotificationConfig/set","params":{"taskId":"t","pushNotificationConfig":{"url":"https://h.example/","authentication":{"schemes":["Bearer"]}}}}`)},
	},
}

// The rules of this group, and the ids that Parley keeps unique for itself, are not for the
// requests of the other kind.
func TestRulesAreForTheirOwnRequests(t *testing.T) {
	for _, c := range clientCases() {
		if got := play(on(c.call.Dialect, c.call.Op), append([]step{under(func(c *a2a.Call) { c.Tapped = nil })}, c.fires...)...).of(c.rule); len(got) > 0 {
			t.Errorf("%s in %s: got %+v for Parley's own requests, want none", c.rule, c.call.Dialect, got)
		}
	}
	again := joined(streams(a2a.V03, update(a2a.V03, "completed")), streams(a2a.V03, update(a2a.V03, "completed")))
	if got := play(behind(on(a2a.V03, a2a.OpStream)), again...).of("ENV-011"); len(got) > 0 {
		t.Errorf("got %+v for other clients, which may begin at 1 again, want none", got)
	}
}

// A stream that its client, a tap or a limit broke says nothing about the agent.
func TestAgentsAreNotBlamedForTheirClients(t *testing.T) {
	for _, class := range []string{a2a.ClassClient, a2a.ClassTap, a2a.ClassLimit} {
		s := play(behind(on(a2a.V10, a2a.OpStream)), sends(a2a.V10), frames(task(a2a.V10, "working")))
		s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Cut, Class: class}}, a2a.Update{})
		if got := s.of("STRM-006"); len(got) != 0 {
			t.Errorf("%s: got %+v, want none", class, got)
		}
	}
}

// What is remembered of clients is bounded.
func TestClientsAreForgotten(t *testing.T) {
	s := play(behind(on(a2a.V10, a2a.OpStream)))
	for i := range 3 * maxBroken {
		id := string(rune('a'+i%26)) + strings.Repeat("x", i)
		sends(a2a.V10, `"messageId":"`+id+`"`)(s)
		frames(wrapped(a2a.V10, "task", aTask(a2a.V10, "working", `"id":"`+id+`"`)))(s)
		ended(a2a.Cut)(s)
	}
	c := s.linter.agents[1].clients
	if len(c.broken) != maxBroken || len(c.open.entries) != 0 {
		t.Errorf("got %d broken streams and %d open requests, want %d and 0", len(c.broken), len(c.open.entries), maxBroken)
	}
}
