package model

import (
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/problem"
)

// Push is what is known of a task's webhooks from the agent's answers.
type Push struct {
	Hooks      []Webhook
	Listed     a2a.RecordID     // the newest whole list, 0 if it was never requested
	Pending    a2a.Op           // the operation in progress, empty if there is none
	Problem    *problem.Problem // why the newest one failed, nil if it did not
	Deliveries int              // deliveries about the task so far
	URL        string           // in the newest request for a webhook
}

// A Webhook is a push configuration as an agent reported it.
type Webhook struct {
	a2a.PushConfig
	Record a2a.RecordID // that reported it last
}

// ask notes that an operation on webhooks is in progress.
func (p *Push) ask(op a2a.Op) {
	if aboutWebhooks(op) {
		p.Pending, p.Problem = op, nil
	}
}

func aboutWebhooks(op a2a.Op) bool {
	switch op {
	case a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete:
		return true
	}
	return false
}

// applyWebhooks takes the agent's report about the webhooks of a task.
func (s *State) applyWebhooks(x *exchange, r *a2a.Record, ev *a2a.Event) {
	task := s.Task(x.agent.ID, x.call.TaskID)
	if task == nil || !aboutWebhooks(x.call.Op) {
		return
	}
	p := &task.Push
	if x.call.Op == a2a.OpPushList {
		p.Listed, p.Hooks = r.ID, nil
	}
	p.put(ev.PushConfigs, r.ID)
	task.touch()
}

// put adds webhooks, each in place of the one with its id. A hostile list may have any length.
func (p *Push) put(told []a2a.PushConfig, by a2a.RecordID) {
	at := make(map[string]int, len(p.Hooks)+len(told))
	for i, h := range p.Hooks {
		at[h.ID] = i
	}
	for _, c := range told {
		i, known := at[c.ID]
		if !known {
			i, p.Hooks = len(p.Hooks), append(p.Hooks, Webhook{})
			at[c.ID] = i
		}
		p.Hooks[i] = Webhook{c, by}
	}
}

// endWebhooks notes that an operation on webhooks is over. Many agents confirm a deletion
// with an empty answer.
func (s *State) endWebhooks(x *exchange, end *a2a.End) {
	task := s.Task(x.agent.ID, x.call.TaskID)
	if task == nil || !aboutWebhooks(x.call.Op) {
		return
	}
	p := &task.Push
	p.Pending = ""
	switch {
	case x.err != nil:
		p.Problem = problem.FromRPC(x.err, x.id, x.pause, webhookAdvice(x, x.err))
	case end.Reason != a2a.Ended || end.Class != "":
		if p.Problem = problemOf(x, nil, end, false, false); p.Problem != nil {
			p.Problem.Sentence = strings.TrimSpace(p.Problem.Sentence + " " + hookRefusedBy(x))
		}
	case x.call.Op == a2a.OpPushDelete && x.status < http.StatusMultipleChoices:
		p.Hooks = slices.DeleteFunc(p.Hooks, func(h Webhook) bool { return h.ID == x.call.PushID })
	case x.call.Op == a2a.OpPushSet && x.call.PushID == "" && x.empty:
		p.Hooks = nil // 0.1 has one, which was set to null
	}
	task.touch()
}

func (t *Task) touch() {
	t.Version++
	t.Conversation.Version++
}
