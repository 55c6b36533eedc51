package a2a_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
)

const (
	samSubmitted = `{"jsonrpc":"2.0","id":"id-1","result":{"id":"gdk-1","contextId":"c1","kind":"task","status":{"state":"submitted"}}}`
	samStream    = ": connected\n\nevent: status_update\n" +
		`data: {"jsonrpc":"2.0","id":"gdk-1","result":{"contextId":"c1","final":false,"kind":"status-update","status":{"state":"working"},"taskId":"gdk-1"}}` +
		"\n\nevent: final_response\n" +
		`data: {"jsonrpc":"2.0","id":"gdk-1","result":{"contextId":"c1","id":"gdk-1","kind":"task","status":{"state":"completed"}}}` + "\n\n"
)

func TestTheGatewayOfAMeshStreamsInTwoRequests(t *testing.T) {
	t.Parallel()
	visitors, s := book(t, map[string]http.HandlerFunc{
		"POST /api/v1/message:stream":         answer(200, "application/json", samSubmitted),
		"GET /api/v1/sse/subscribe/gdk-1":     answer(200, "text/event-stream", samStream),
		"POST /api/v1/tasks/gdk-1:cancel":     answer(202, "application/json", `{"message":"Cancellation request sent"}`),
		"POST /api/v1/message:send":           answer(200, "application/json", samSubmitted),
		"GET /api/v1/sse/subscribe/forgotten": answer(404, "application/json", `{"detail":"Not Found"}`),
	})
	p := a2a.Profile{Dialect: a2a.SAMHTTP, Endpoint: s.URL + "/api/v1/agentCards", Agent: "Orders"}
	o, kinds, tp := operate(t, p, request(a2a.OpStream))
	for _, u := range tp.updates {
		for _, f := range u.Findings {
			t.Errorf("got finding %+v, want none", f)
		}
	}
	if got := strings.Join(kinds, " "); got != "task status task" || o.Err != nil || o.State != a2a.StateCompleted || !o.Streamed {
		t.Errorf("got events %q and answer %+v, want task, status, task and completed", got, o)
	}
	if got := visitors.places(); !slices.Equal(got, []string{"POST /api/v1/message:stream", "GET /api/v1/sse/subscribe/gdk-1"}) {
		t.Errorf("gateway got requests %q, want a post and a subscription", got)
	}
	if body := visitors.visits[0].Body; !strings.Contains(body, `"agent_name":"Orders"`) || !strings.Contains(body, `"method":"message/stream"`) {
		t.Errorf("gateway got body %s, want the agent's name and message/stream", body)
	}
	req := request(a2a.OpCancel)
	req.TaskID = "gdk-1"
	if o, kinds, _ = operate(t, p, req); strings.Join(kinds, " ") != "empty" {
		t.Errorf("cancel: got events %q and error %v, want one empty event", kinds, o.Err)
	}
	if o, kinds, _ = operate(t, p, request(a2a.OpSend)); strings.Join(kinds, " ") != "task" || o.Err != nil {
		t.Errorf("send: got events %q and error %v, want a task", kinds, o.Err)
	}
	req.Call, req.TaskID = &a2a.Call{Op: a2a.OpSubscribe}, "gdk-1"
	if o, kinds, _ = operate(t, p, req); strings.Join(kinds, " ") != "status task" || o.Err != nil {
		t.Errorf("subscribe: got events %q and error %v, want status and task", kinds, o.Err)
	}
	p.Agent = ""
	if o, _, _ = operate(t, p, request(a2a.OpSend)); o.Exchange != 0 {
		t.Errorf("got exchange %d for a message without an agent's name, want none", o.Exchange)
	}
	sentence(t, o.End.Sentence, "agent_name")
}

func TestTheStreamOfAMeshThatFailsKeepsItsTask(t *testing.T) {
	t.Parallel()
	_, s := book(t, map[string]http.HandlerFunc{"POST /api/v1/message:stream": answer(200, "application/json", samSubmitted)})
	o, _, _ := operate(t, a2a.Profile{Dialect: a2a.SAMHTTP, Endpoint: s.URL, Agent: "Orders"}, request(a2a.OpStream))
	if o.Err == nil || o.TaskID != "gdk-1" || o.ContextID != "c1" || !o.Unfinished() {
		t.Errorf("got answer %+v, want an error with task gdk-1, unfinished", o)
	}
}
