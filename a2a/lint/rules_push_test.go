package lint

import (
	"testing"

	"parley/a2a"
)

// delivered is a delivery: headers, an empty line, and the body; or the body alone.
func delivered(facts a2a.DeliveryFacts, text string) step {
	return func(s *script) {
		before := s.call
		s.call.Op, s.call.Delivery = a2a.OpDelivery, &facts
		head, body := split(text, "POST http://127.0.0.1/push/k")
		s.id = s.next + 1
		r := a2a.Record{Kind: a2a.KindDelivery, Dir: a2a.In, Raw: []byte(body), Call: &s.call, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1/push/k", Header: head.header}}
		s.put(r, a2a.DecodeDelivery(&r))
		s.put(a2a.Record{Kind: a2a.KindEnd, Dir: a2a.Out, Head: &a2a.Head{Status: 200}, End: &a2a.End{Reason: a2a.Ended}}, a2a.Update{})
		s.call = before
	}
}

// about is a call for the task t.
func about(c a2a.Call) a2a.Call {
	c.TaskID = "t"
	return c
}

const (
	tokened = "POST /\nX-A2A-Notification-Token: •••\nAuthorization: •••\n\n"
	hook10  = `{"jsonrpc":"2.0","id":"1","method":"CreateTaskPushNotificationConfig","params":{"taskId":"t","id":"h","url":"https://hooks.example/a"}}`
	set10   = `{"jsonrpc":"2.0","id":"1","result":{"taskId":"t","id":"h","url":"https://hooks.example/a"}}`
	moved10 = `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING","timestamp":"2026-03-01T11:00:00Z"}}}`
	over10  = `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-03-01T11:30:00Z"}}}`
	task03  = `{"kind":"task","id":"t","contextId":"c","status":{"state":"working"}}`
)

func pushCard(declared string) []step {
	return []step{
		under(func(c *a2a.Call) { c.Op = a2a.OpCard }),
		asked("GET https://agent.example/.well-known/agent-card.json\n\n"), headed(200, isJSON),
		answered(`{"name":"A","description":"a","version":"1","supportedInterfaces":[{"url":"https://agent.example/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{` + declared + `},"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"skills":[]}`),
		under(func(c *a2a.Call) { c.Op = a2a.OpPushSet }),
	}
}

// tappedWith is a request of another client in which a tap changed something.
func tappedWith(changed ...string) step {
	return under(func(c *a2a.Call) {
		c.Tapped = &a2a.Tapped{Tap: "b", Client: "bot/1.0", Connection: 1, Changed: changed}
	})
}

var pushCases = []ruleCase{
	{
		rule: "PUSH-001", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+task03)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+moved10), delivered(a2a.DeliveryFacts{RefusalReason: "token"}, "hello"), delivered(a2a.DeliveryFacts{Validation: true}, "")},
	},
	{
		rule: "PUSH-001", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+`{"jsonrpc":"2.0","id":"1","result":`+moved10+`}`)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+`{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)},
	},
	{
		rule: "PUSH-001", call: about(on(a2a.V03, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+moved10)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+task03)},
	},
	{
		rule: "PUSH-001", call: about(on(a2a.V01, a2a.OpGet)), at: "",
		fires: []step{delivered(a2a.DeliveryFacts{}, tokened+`{"summary":"done"}`)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+`{"eventType":"taskUpdate","taskId":"t","status":{"state":"completed"}}`),
			delivered(a2a.DeliveryFacts{}, tokened+`{"id":"t","status":{"state":"completed"}}`)},
	},
	{
		rule: "PUSH-001", call: about(on(a2a.V01, a2a.OpGet)), at: "-",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+`<html>`), delivered(a2a.DeliveryFacts{}, "")},
		silent: []step{delivered(a2a.DeliveryFacts{RefusalReason: "size"}, tokened+`{"summ`)},
	},
	{
		rule: "PUSH-002", call: about(on(a2a.V03, a2a.OpGet)), at: "",
		fires: []step{delivered(a2a.DeliveryFacts{RefusalReason: "token"}, task03)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+task03), delivered(a2a.DeliveryFacts{}, "POST /\nA2A-Notification-Token: •••\n\n"+task03),
			delivered(a2a.DeliveryFacts{Validation: true}, ""), delivered(a2a.DeliveryFacts{RefusalReason: "method"}, "")},
	},
	{
		rule: "PUSH-002", call: about(on(a2a.V03, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{RefusalReason: "token"}, tokened+task03)},
		silent: []step{delivered(a2a.DeliveryFacts{RefusalReason: "authorization"}, tokened+task03)},
	},
	{
		rule: "PUSH-003", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, "POST /\nA2A-Notification-Token: •••\n\n"+moved10)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+moved10), delivered(a2a.DeliveryFacts{RefusalReason: "token"}, tokened+moved10)},
	},
	{ // nobody knows with what another client registered its webhook
		rule: "PUSH-003", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, "POST /\nA2A-Notification-Token: •••\n\n"+moved10)},
		silent: []step{tappedWith(), delivered(a2a.DeliveryFacts{}, moved10)},
	},
	{
		rule: "PUSH-002", call: about(on(a2a.V03, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, task03)},
		silent: []step{tappedWith(), delivered(a2a.DeliveryFacts{}, task03)},
	},
	{
		rule: "PUSH-003", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{RefusalReason: "authorization"}, tokened+moved10)},
		silent: []step{delivered(a2a.DeliveryFacts{Validation: true}, "")},
	},
	{
		rule: "PUSH-004", call: about(on(a2a.V10, a2a.OpPushSet)), at: "/params/url",
		fires: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"CreateTaskPushNotificationConfig","params":{"taskId":"t","url":"http://127.0.0.1:8080/a"}}`)},
		silent: []step{asked(hook10), under(func(c *a2a.Call) { c.Endpoint = "http://127.0.0.1:9/" }),
			asked(`{"jsonrpc":"2.0","id":"2","method":"CreateTaskPushNotificationConfig","params":{"taskId":"t","url":"http://127.0.0.1:8080/a"}}`)},
	},
	{
		rule: "PUSH-004", call: on(a2a.V03, a2a.OpSend), at: "/params/configuration/pushNotificationConfig/url",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":{},"configuration":{"pushNotificationConfig":{"url":"http://hooks.example/a"}}}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"message/send","params":{"message":{},"configuration":{"blocking":true}}}`)},
	},
	{
		rule: "PUSH-004", call: about(on(a2a.V01, a2a.OpPushSet)), at: "/params/pushNotificationConfig/url",
		fires:  []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/pushNotification/set","params":{"id":"t","pushNotificationConfig":{"url":"http://10.0.0.1/"}}}`)},
		silent: []step{asked(`{"jsonrpc":"2.0","id":"1","method":"tasks/pushNotification/set","params":{"id":"t","pushNotificationConfig":null}}`)},
	},
	{
		rule: "PUSH-005", call: about(on(a2a.V10, a2a.OpPushSet)), at: "/result",
		fires:  []step{asked(hook10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"taskId":"t","id":"h","url":"https://other.example/a"}}`)},
		silent: []step{asked(hook10), headed(200, isJSON), answered(set10)},
	},
	{
		rule: "PUSH-005", call: about(on(a2a.V10, a2a.OpPushSet)), at: "/result",
		fires:  []step{asked(hook10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"id":"h","url":"https://hooks.example/a"}}`)},
		silent: []step{asked(hook10), headed(200, isJSON), failed(`{"code":-32003,"message":"no"}`)},
	},
	{ // the tap gave the agent a URL of its own
		rule: "PUSH-005", call: about(on(a2a.V10, a2a.OpPushSet)), at: "/result",
		fires:  []step{tappedWith(), asked(hook10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"taskId":"t","id":"h","url":"http://127.0.0.1:1/tap"}}`)},
		silent: []step{tappedWith("the URL of the webhook"), asked(hook10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"taskId":"t","id":"h","url":"http://127.0.0.1:1/tap"}}`)},
	},
	{
		rule: "PUSH-006", call: about(on(a2a.V10, a2a.OpCard)), at: "/error",
		fires:  append(pushCard(`"pushNotifications":true`), asked(hook10), headed(200, isJSON), failed(`{"code":-32003,"message":"no"}`)),
		silent: append(pushCard(`"pushNotifications":true`), asked(hook10), headed(200, isJSON), failed(`{"code":-32001,"message":"no"}`), answered(set10)),
	},
	{
		rule: "PUSH-006", call: about(on(a2a.V10, a2a.OpCard)), at: "/error",
		fires:  append(pushCard(`"pushNotifications":true`), asked(hook10), headed(200, isJSON), failed(`{"code":-32601,"message":"no"}`)),
		silent: append(pushCard(`"pushNotifications":true`), under(func(c *a2a.Call) { c.Op = a2a.OpPushList }), asked(`{"jsonrpc":"2.0","id":"1","method":"ListTaskPushNotificationConfigs","params":{"taskId":"t"}}`), headed(200, isJSON), failed(`{"code":-32601,"message":"no"}`)),
	},
	{
		rule: "PUSH-006", call: about(on(a2a.V10, a2a.OpCard)), at: "/result",
		fires:  append(pushCard(`"pushNotifications":false`), asked(hook10), headed(200, isJSON), answered(set10)),
		silent: append(pushCard(`"pushNotifications":false`), asked(hook10), headed(200, isJSON), failed(`{"code":-32003,"message":"no"}`)),
	},
	{
		rule: "PUSH-007", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+`{"statusUpdate":{"taskId":"u","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}`)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+moved10)},
	},
	{
		rule: "PUSH-008", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires:  []step{delivered(a2a.DeliveryFacts{}, tokened+over10), delivered(a2a.DeliveryFacts{}, tokened+moved10)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+moved10), delivered(a2a.DeliveryFacts{}, tokened+over10), delivered(a2a.DeliveryFacts{}, tokened+over10)},
	},
	{
		rule: "PUSH-008", call: about(on(a2a.V10, a2a.OpGet)), at: "",
		fires: []step{delivered(a2a.DeliveryFacts{Repeats: 1}, tokened+moved10)},
		silent: []step{delivered(a2a.DeliveryFacts{}, tokened+moved10),
			delivered(a2a.DeliveryFacts{}, tokened+`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_INPUT_REQUIRED","timestamp":"2026-03-01T11:00:00Z"}}}`)},
	},
}

// A delivery that does not count is not compared with later records.
func TestWhatDoesNotCountIsForgotten(t *testing.T) {
	late := `{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_FAILED"}}}`
	s := play(about(on(a2a.V10, a2a.OpGet)),
		delivered(a2a.DeliveryFacts{RefusalReason: "token"}, late), delivered(a2a.DeliveryFacts{}, tokened+moved10), delivered(a2a.DeliveryFacts{Repeats: 3}, tokened+late),
		asked(get10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`),
		delivered(a2a.DeliveryFacts{}, tokened+moved10),
		asked(get10), headed(200, isJSON), answered(`{"jsonrpc":"2.0","id":"1","result":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`))
	if found := s.of("TASK-006"); len(found) > 0 {
		t.Errorf("got findings %+v, want none of TASK-006", found)
	}
	if found := s.of("PUSH-008"); len(found) != 2 {
		t.Errorf("got findings %+v, want 2 of PUSH-008", found)
	}
}
