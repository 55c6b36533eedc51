package engine

import (
	"encoding/json"
	"fmt"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// reporter is an agent of 0.1 that starts tasks; the tests post the deliveries.
const reporter = `
-- agent --
name Old
dialect 0.1
endpoint /rpc
serve /.well-known/agent.json card application/json
-- card --
{"name":"Old","version":"1","url":"{{origin}}/rpc","authentication":{"schemes":[]},"capabilities":{"streaming":false,"pushNotifications":true},"skills":[{"id":"a","name":"A"}]}
-- scene work --
on tasks/send
goto working
send old
-- scene get --
on tasks/get
send whole
-- old --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"working"}}}
-- whole --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"completed"},"artifacts":[{"index":0,"parts":[{"type":"text","text":"the report"}]}]}}
`

// summaries are the texts of a task's messages that came beside the status in a delivery.
func summaries(t *model.Task) (out []string) {
	for _, turn := range t.Conversation.Turns {
		for _, b := range turn.Blocks {
			for i := range b.Entries {
				if m := b.Entries[i].Message; m != nil && m.Summary {
					out = append(out, m.Text())
				}
			}
		}
	}
	return out
}

// The example of 0.1 (§9.4) has a summary beside the status, which no other event contains: it
// is shown whether the delivery ends the task or comes later.
func TestTheSummaryOfADeliveryIsShown(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"", "completed", "working"} {
		t.Run("after "+first, func(t *testing.T) {
			d := newHarness(t, nil)
			a := agent(t, reporter)
			turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{Async: true, Webhook: true})
			task := turn.Blocks[0].Task
			var sent struct {
				Params struct{ PushNotification hook }
			}
			requests := a.Requests()
			if err := json.Unmarshal(requests[len(requests)-1].Body, &sent); err != nil || sent.Params.PushNotification.URL == "" {
				t.Fatalf("request has no webhook: %s (%v)", requests[len(requests)-1].Body, err)
			}
			h := sent.Params.PushNotification
			if first != "" {
				h.deliver(t, fmt.Sprintf(`{"taskId":%q,"status":{"state":%q}}`, task.ID, first))
				d.waitForDelivery()
			}
			for _, event := range []string{"taskUpdate", "again"} { // two bodies, one summary
				h.deliver(t, fmt.Sprintf(`{"eventType":%q,"taskId":%q,"status":{"state":"completed"},"summary":"Q1 sales report generated."}`, event, task.ID))
				d.waitForDelivery()
			}
			h.deliver(t, fmt.Sprintf(`{"taskId":%q,"status":{"state":"failed"},"summary":"It went wrong."}`, task.ID))
			d.waitForDelivery()
			d.finish()
			if got := summaries(task); len(got) != 1 || got[0] != "Q1 sales report generated." || task.State != a2a.StateCompleted {
				t.Errorf("got task %s, summaries %q; want completed and one summary", task.State, got)
			}
		})
	}
}
