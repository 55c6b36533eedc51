package matrix

import (
	"testing"

	"parley/a2a"
	"parley/a2a/a2atest"
)

// scripts are agents for the JSON-RPC versions, including those that no SDK serves here.
var scripts = []struct {
	version string
	dialect a2a.DialectName
	done    string // the plain answer
	frame   string
}{
	{"0.1", a2a.V01, `{"id":"{{task}}","sessionId":"{{context}}","status":{"state":"completed"}}`,
		`{"id":"{{task}}","status":{"state":"completed"},"final":true}`},
	{"0.2", a2a.V02, `{"kind":"task","id":"{{task}}","contextId":"{{context}}","status":{"state":"completed"}}`,
		`{"kind":"status-update","taskId":"{{task}}","contextId":"{{context}}","status":{"state":"completed"},"final":true}`},
	{"0.3", a2a.V03, `{"kind":"task","id":"{{task}}","contextId":"{{context}}","status":{"state":"completed"}}`,
		`{"kind":"status-update","taskId":"{{task}}","contextId":"{{context}}","status":{"state":"completed"},"final":true}`},
	{"1.0", a2a.V10, `{"task":{"id":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_COMPLETED"}}}`,
		`{"statusUpdate":{"taskId":"{{task}}","contextId":"{{context}}","status":{"state":"TASK_STATE_COMPLETED"}}}`},
}

func TestMatrixOfScriptedAgents(t *testing.T) {
	for i, s := range scripts {
		for _, c := range Cells(i, true) {
			t.Run(s.version+" "+c.String(), func(t *testing.T) {
				archive := "-- agent --\nname Behind\ndialect " + s.version + "\nendpoint /a2a\nanswer done\n" +
					"-- done --\n{\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":" + s.done + "}\n" +
					"-- frame --\ndata: {\"jsonrpc\":\"2.0\",\"id\":{{id}},\"result\":" + s.frame + "}\n\n" +
					"-- scene any --\ngoto over\nsend frame\n"
				script, err := a2atest.Parse("behind", []byte(archive))
				if err != nil {
					t.Fatal(err)
				}
				agent, err := a2atest.Start(t.Context(), script, a2atest.Options{Pace: 1})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { agent.Close() })
				Try(t, Agent{Name: s.version, Endpoint: agent.URL + "/a2a", Dialect: s.dialect, Binding: a2a.BindingJSONRPC}, c)
			})
		}
	}
}

// The cells that run with real agents contain every pair of values.
func TestFewCellsOfTheMatrixHoldEveryPair(t *testing.T) {
	const agents = 10
	seen := map[string]bool{}
	yes := func(b bool) string { return map[bool]string{true: "+", false: "-"}[b] }
	for i := range agents {
		agent := "agent " + string(rune('a'+i))
		for _, c := range Cells(i, false) {
			f := []string{agent, string(c.Card), "push" + yes(c.Push), "stream" + yes(c.Stream)}
			for k := range f {
				for l := range k {
					seen[f[l]+"&"+f[k]] = true
				}
			}
		}
	}
	if want := agents*len(cards) + 2*agents*2 + 2*len(cards)*2 + 4; len(seen) != want {
		t.Errorf("got %d pairs, want %d", len(seen), want)
	}
	if n := len(Cells(0, true)); n != len(cards)*4 {
		t.Errorf("got %d cells, want %d", n, len(cards)*4)
	}
}
