package agents

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/tape"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

// A recording is a session of several agents.
type recording struct{ *tape.Tape }

// request begins an exchange of an agent.
func (f *recording) request(ms int, agent a2a.AgentID, op a2a.Op, task string) a2a.ExchangeID {
	f.Call = &a2a.Call{Agent: agent, Conversation: a2a.ConversationID(agent), Turn: a2a.TurnID(agent), Op: op, Dialect: a2a.V10, TaskID: task}
	f.Put(ms, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Head: &a2a.Head{Method: "POST", URL: "http://127.0.0.1:1/a2a"},
		Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"1","method":"X","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"hi"}]}}}`, f.State.Log.Len())})
	return f.Exchange
}

func (f *recording) in(x a2a.ExchangeID) *recording {
	f.Exchange, f.Call = x, f.State.Log.Stream(x).Call
	return f
}

func (f *recording) status(ms int, task, word string) {
	f.Event(ms, fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","result":{"statusUpdate":{"taskId":%q,"contextId":"c","status":{"state":"TASK_STATE_%s"}}}}`, task, word))
}

func (f *recording) chunks(n, ms int, task string) {
	for range n {
		f.Event(ms, fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","result":{"artifactUpdate":{"taskId":%q,"contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"words "}]}}}}`, task))
	}
}

// busy returns a session in which agent 1 asks, the stream of agent 2 was cut and continued, and that of agent
// 3 is open.
func busy() *recording {
	f := &recording{tape.New()}
	f.request(0, 1, a2a.OpStream, "")
	f.status(300, "t1", "WORKING")
	f.status(300, "t1", "INPUT_REQUIRED")
	f.End(1, a2a.Ended)
	f.request(2000, 2, a2a.OpStream, "")
	f.status(10, "t2", "WORKING")
	f.chunks(20, 100, "t2")
	f.End(900, a2a.Cut)
	f.request(3000, 2, a2a.OpSubscribe, "t2")
	f.chunks(20, 100, "t2")
	f.status(10, "t2", "COMPLETED")
	f.End(1, a2a.Ended)
	f.request(500, 3, a2a.OpStream, "")
	f.status(10, "t3", "WORKING")
	f.chunks(60, 50, "t3")
	return f
}

// many returns agents with a conversation each.
func many(n int, name string) (all []*model.Agent) {
	for i := range n {
		a := &model.Agent{ID: a2a.AgentID(i + 1), Ref: "http://a", Phase: model.Ready, Card: &a2a.Card{Name: name}, Tag: fmt.Sprintf("a%d", i+1), Profile: a2a.Profile{Dialect: a2a.V10}, Pulse: model.Pulse{Health: model.Healthy}}
		a.Conversations = []*model.Conversation{{ID: a2a.ConversationID(i + 1), Agent: a, Title: "Talk " + fmt.Sprint(i+1)}}
		all = append(all, a)
	}
	return all
}

// column returns a pane of agents of a session at a time after its newest record.
func column(f *recording, list []*model.Agent, w, h int, after time.Duration) *Pane {
	p := New(styles.New(themes.Dark(), styles.Unicode()))
	p.SetSize(w, h)
	show(p, f, list, after)
	return p
}

// show shows the session at a time after its newest record.
func show(p *Pane, f *recording, list []*model.Agent, after time.Duration) {
	p.SetAbout(About{State: f.State, Now: f.Now.Add(after), File: Unrecorded})
	p.SetAgents(list)
}

// rowsWith returns the rows that contain a text, without styles.
func rowsWith(p *Pane, text string) (out []string) {
	for row := range strings.SplitSeq(panetest.Text(p.Lines()), "\n") {
		if strings.Contains(row, text) {
			out = append(out, row)
		}
	}
	return out
}

// at returns the row of the pane that contains a text.
func at(t testing.TB, p *Pane, text string) int {
	t.Helper()
	for y, row := range strings.Split(panetest.Text(p.Lines()), "\n") {
		if strings.Contains(row, text) {
			return y
		}
	}
	t.Fatalf("got no row with %q:\n%s", text, panetest.Text(p.Lines()))
	return -1
}
