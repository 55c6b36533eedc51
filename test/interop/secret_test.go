package interop

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// confide answers a question with a secret. The agent repeats it and stores it in its history,
// and no record contains it.
func confide(t *testing.T, at target) {
	const secret = `sword"fish" q4711z` // the last piece occurs in no number
	d := open(t, at)
	task := d.task(d.wait(d.send(model.Target{}, "ask me", a2a.Absent)).ID)
	conv := task.Conversation
	to := model.Target{Agent: d.agent, Conversation: conv.ID, TaskID: task.ID, ContextID: task.ContextID}
	m := &a2a.Message{Role: a2a.RoleUser, Parts: []a2a.Part{a2a.TextPart(secret)}}
	turn := d.wait(d.engine.Send(to, m, model.SendOptions{Secret: true}))
	d.noProblem(turn.ID)
	if got := turn.Message.Text(); got != a2a.Mask {
		t.Errorf("got %q in the conversation, want the mask", got)
	}
	if task.State != a2a.StateCompleted || len(task.Artifacts) != 1 || !strings.HasPrefix(string(task.Artifacts[0].Text), "You said •••") {
		t.Fatalf("got state %s and artifacts %+v, want completed with the mask\n%s", task.State, task.Artifacts, d.wire())
	}
	many := 10
	d.wait(d.engine.Get(d.agent, task.ID, conv.ID, &many))
	for id := a2a.RecordID(1); int(id) <= d.state.Log.Len(); id++ {
		it := d.state.Log.At(id)
		rest, _ := json.Marshal([]any{it.Record.Head, it.Record.End, it.Record.SSE, it.Record.Note, it.Record.Redactions})
		for _, piece := range []string{"sword", "fish", "q4711z"} {
			if strings.Contains(string(it.Record.Raw)+string(it.Record.Data)+string(rest), piece) {
				t.Errorf("got %q in record %d: %s\n%s %s", piece, id, log.Describe(it), it.Record.Raw, rest)
			}
		}
	}
}
