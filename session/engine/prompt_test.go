package engine

import (
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// A message of 0.1 has no id. If an answer to a get repeats the task's prompt, the shown entry
// stays the prompt.
func TestAQuestionWithoutAnIDStaysWhenItIsRepeated(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"auth-required", "input-required"} {
		d := newHarness(t, nil)
		a := agent(t, `
-- agent --
name Old
dialect 0.1
endpoint /rpc
serve /.well-known/agent.json card application/json
-- card --
{"name":"Old","version":"1","url":"{{origin}}/rpc","authentication":{"schemes":[]},"capabilities":{"streaming":false},"skills":[{"id":"a","name":"A"}]}
-- scene work --
on tasks/send
goto asked
send asks
-- scene get --
on tasks/get
state asked
send asks
-- asks --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","status":{"state":"`+state+`","message":{"role":"agent","parts":[{"type":"text","text":"Sign in."}]}}}}
`)
		turn, _ := d.sendText(model.Target{Agent: d.openAgent(a.URL)}, "work", model.SendOptions{})
		task := turn.Blocks[0].Task
		for range 2 {
			d.waitForTurnEnd(d.Get(turn.Conversation.Agent.ID, task.ID, 0, nil))
		}
		d.finish()
		var said []*a2a.Message
		for _, b := range turn.Blocks {
			for i := range b.Entries {
				if m := b.Entries[i].Message; m != nil && !b.Entries[i].Replaced {
					said = append(said, m)
				}
			}
		}
		if len(said) != 1 || task.Prompt != said[0] || !task.Waits() {
			t.Errorf("%s: got %d messages, prompt %+v; want one message that is the prompt of a waiting task", state, len(said), task.Prompt)
		}
	}
}
