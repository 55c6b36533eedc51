package controltest

import (
	"encoding/json"
	"fmt"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/control"
)

// AgentItems returns the records, numbered from first, of an agent whose card is found at ref
// and has a name; given is the name under which the user saved the agent, empty for none.
func AgentItems(first a2a.RecordID, id a2a.AgentID, ref, name, given string) []log.Item {
	call := &a2a.Call{Agent: id, Op: a2a.OpCard, Endpoint: ref}
	card := []byte(`{"name":"` + name + `","protocolVersion":"0.3.0","url":"` + ref + `","version":"1","capabilities":{},"skills":[],"defaultInputModes":[],"defaultOutputModes":[],"description":"x"}`)
	note := func(n a2a.RecordID, kind, key, value string) log.Item {
		attrs := map[string]string{"agent": fmt.Sprint(id), "ref": ref, key: value}
		return log.Item{Record: a2a.Record{ID: first + n, Kind: a2a.KindNote, Note: &a2a.Note{Type: kind, Attrs: attrs}}}
	}
	body := log.Item{Record: a2a.Record{ID: first + 2, Exchange: first + 1, Kind: a2a.KindBody, Dir: a2a.In, Call: call, Raw: card}}
	body.Update = a2a.Decode(call, a2a.Input{Body: card, Status: 200})
	return []log.Item{
		note(0, log.NoteOpening, "name", given),
		{Record: a2a.Record{ID: first + 1, Exchange: first + 1, Kind: a2a.KindRequest, Dir: a2a.Out, Call: call}},
		body,
		note(3, log.NoteOpened, "record", fmt.Sprint(first+2)),
	}
}

// TaskItems returns the records, numbered from first, of a message and its answer: a task in a
// state such as INPUT_REQUIRED, with a text of the agent.
func TaskItems(first a2a.RecordID, now time.Time, at control.Place, task, state, text string) []log.Item {
	call := &a2a.Call{Agent: at.Agent, Conversation: at.Conversation, Turn: a2a.TurnID(100 + first), Op: a2a.OpSend, Dialect: a2a.V10}
	ask := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","method":"SendMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":"help me"}]}}}`, first)
	words, err := json.Marshal(text)
	if err != nil { // no string fails
		panic(err)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"1","result":{"task":{"id":%q,"contextId":"c-%d","status":{"state":"TASK_STATE_%s","message":{"messageId":"p%d","role":"ROLE_AGENT","parts":[{"text":%s}]}}}}}`, task, at.Conversation, state, first, words)
	item := func(n a2a.RecordID, r a2a.Record) log.Item {
		r.ID, r.Exchange, r.Time, r.Call = first+n, first, now, call
		it := log.Item{Record: r}
		if r.Kind == a2a.KindBody {
			it.Update = a2a.Decode(call, a2a.Input{Body: r.Raw, Status: 200})
		}
		return it
	}
	return []log.Item{
		item(0, a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Raw: []byte(ask)}),
		item(1, a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Raw: []byte(body)}),
		item(2, a2a.Record{Kind: a2a.KindEnd, Dir: a2a.In, End: &a2a.End{Reason: a2a.Ended}}),
	}
}

// AddAgent adds an agent with a card to the session.
func (h *Host) AddAgent(id a2a.AgentID, ref, name, given string) *model.Agent {
	h.apply(AgentItems(h.next(), id, ref, name, given))
	return h.Session.Agent(id)
}

// AddTask adds a task to the session, as [TaskItems] describes it.
func (h *Host) AddTask(at control.Place, task, state, text string) *model.Task {
	h.apply(TaskItems(h.next(), Noon, at, task, state, text))
	return h.Session.Task(at.Agent, task)
}

// Noon is the time of the session's records.
var Noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// next returns the number of the next record.
func (h *Host) next() a2a.RecordID { return a2a.RecordID(h.Session.Log.Len() + 1) }

func (h *Host) apply(items []log.Item) {
	for _, it := range items {
		h.Session.Apply(it)
	}
}
