package engine

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// patient is an agent of 0.1 or 0.3 whose task is completed at the third get.
func patient(version, begin, send string) string {
	return fmt.Sprintf(`
-- agent --
name Slow
dialect %s
endpoint /rpc
serve /.well-known/agent.json card application/json
-- card --
{"name":"Slow","version":"1","url":"{{origin}}/rpc",%s"capabilities":{"streaming":false,"pushNotifications":true},"skills":[{"id":"a","name":"A","description":"a","tags":[]}]}
-- scene work --
on %s
goto one
send working
-- scene one --
on tasks/get
state one
goto two
send working
-- scene two --
on tasks/get
state two
send done
-- scene cancel --
on tasks/cancel
send done
-- working --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","contextId":"c","kind":"task","status":{"state":"working"}}}
-- done --
{"jsonrpc":"2.0","id":{{id}},"result":{"id":"{{task}}","contextId":"c","kind":"task","status":{"state":"completed"},"artifacts":[{"artifactId":"a","index":0,"parts":[{"kind":"text","type":"text","text":"x"}]}]}}
`, version, begin, send)
}

// The history length of a message is sent with every get of its task, since the specifications
// have the member in both (0.1.0 §7.1, §7.3; 0.3.0 §7.3), and so is the metadata for requests
// about tasks. Nothing else is sent.
func TestWhatIsAskedOfATaskGoesWithEveryQuestion(t *testing.T) {
	t.Parallel()
	for version, c := range map[string]struct{ begin, send string }{
		"0.1": {`"authentication":{"schemes":[]},`, "tasks/send"},
		"0.3": {`"protocolVersion":"0.3.0","description":"d","defaultInputModes":["text"],"defaultOutputModes":["text"],`, "message/send"},
	} {
		for _, chosen := range []bool{true, false} {
			t.Run(fmt.Sprint(version, chosen), func(t *testing.T) {
				d := newHarness(t, nil)
				a := agent(t, patient(version, c.begin, c.send))
				id, o := d.openAgent(a.URL), model.SendOptions{}
				want := map[string]string{"metadata": "", "historyLength": ""}
				if chosen {
					length := 3
					o.Config.HistoryLength = &length
					d.SetTaskMetadata(id, json.RawMessage(`{"tenant":"x"}`))
					want = map[string]string{"metadata": `{"tenant":"x"}`, "historyLength": "3"}
				}
				turn, _ := d.sendText(model.Target{Agent: id}, "work", o)
				task := turn.Blocks[0].Task
				d.waitForTurnEnd(d.Cancel(id, task.ID, 0))
				d.finish()
				gets, cancels := 0, 0
				for _, r := range a.Requests() {
					var body struct{ Params map[string]json.RawMessage }
					if json.Unmarshal(r.Body, &body) != nil || !strings.HasPrefix(r.RPC, "tasks/") {
						continue
					}
					switch r.RPC {
					case "tasks/get":
						gets++
						for name, value := range want {
							if got := string(body.Params[name]); got != value {
								t.Errorf("get request: got %s %q, want %q", name, got, value)
							}
						}
					case "tasks/cancel":
						cancels++
						if got := string(body.Params["metadata"]); got != want["metadata"] {
							t.Errorf("cancel request: got metadata %q, want %q", got, want["metadata"])
						}
					case "tasks/send":
						if _, there := body.Params["metadata"]; there {
							t.Error("got the metadata of requests about tasks in a message, want none")
						}
					}
				}
				if gets < 2 || cancels != 1 || task.State != a2a.StateCompleted {
					t.Errorf("got %d gets, %d cancels, task %s; want at least 2, 1, completed\n%s", gets, cancels, task.State, d.log())
				}
			})
		}
	}
}
