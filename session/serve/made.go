package serve

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"parley/a2a"
	"parley/a2a/jsontok"
)

// madeFor answers an operation that the recording has not and that is about no task in particular.
func (a *Agent) madeFor(f *facts) answer {
	switch f.Op {
	case a2a.OpList:
		return a.madeList(f)
	case a2a.OpExtendedCard:
		_, c := a.recordedCard()
		switch {
		case c == nil || c.Capabilities.ExtendedAgentCard != a2a.True:
			return answer{miss: &miss{codeUnsupported, "The recorded card declares no extended card."}}
		case a.card == nil:
			return a.notRecorded(f)
		}
		return answer{made: a.card.json, how: byCard, extended: true}
	}
	return a.notRecorded(f)
}

// madeAbout answers an operation on a task that the recording has not, from what was sent of the task.
func (a *Agent) madeAbout(f *facts, r *run, task string) answer {
	switch f.Op {
	case a2a.OpPushSet, a2a.OpPushGet, a2a.OpPushList, a2a.OpPushDelete:
		return answer{miss: &miss{codeNoPush, fmt.Sprintf("The recording has no %s, and no push notification is sent from it.", clip(f.Label()))}}
	}
	t, ok := a.built(r, task)
	if !ok || f.Op != a2a.OpCancel && f.Op != a2a.OpSubscribe {
		return a.notRecorded(f)
	}
	state := t.state()
	switch {
	case state.Terminal() && f.Op == a2a.OpCancel:
		return answer{miss: &miss{codeNotCancelable, "The task is " + state.String() + " already."}}
	case state.Terminal():
		return answer{miss: &miss{codeUnsupported, "The task is " + state.String() + ": nothing more comes."}}
	case f.Op == a2a.OpCancel:
		return a.cancel(f, r, &t)
	}
	return a.subscribe(f, r, &t)
}

// cancel cancels a task here: what is being sent about it ends.
func (a *Agent) cancel(f *facts, r *run, t *taskPieces) answer {
	word := a2a.StateCanceled.String()
	for _, s := range r.answered {
		if !slices.Contains(s.x.taskIDs, t.id) {
			continue
		}
		if bytes.Contains(t.status, []byte(`"TASK_STATE_`)) { // as in protocol buffers
			word = a2a.Word(a2a.StateCanceled, a2a.V03GRPC)
			if s.x.call.Dialect.Number() == a2a.V10.Number() {
				word = a2a.Word(a2a.StateCanceled, a2a.V10)
			}
		}
		defer s.cancel(a.clock.now(), a.speed) // when the status is there
	}
	r.canceled[t.id] = append(append([]byte(`{"state":`), jsontok.Quote(word)...), '}')
	t.status = r.canceled[t.id]
	return answer{made: t.json(), how: byFold, swap: r.swapOf(&exchange{}, f)}
}

// farewell returns a function that tells a client of the answer to its request that the task was canceled.
func (a *Agent) farewell(r *run, x *exchange, f *facts) func(bool) (a2a.Record, bool) {
	return func(stream bool) (a2a.Record, bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		for _, id := range x.taskIDs {
			if r.canceled[id] != nil {
				t, _ := a.built(r, id)
				return x.farewell(&t, f, stream)
			}
		}
		return a2a.Record{}, false
	}
}

// subscribe answers with the task as it is, and what its newest stream brings from now on.
func (a *Agent) subscribe(f *facts, r *run, t *taskPieces) answer {
	from, x := t.from, t.from.x
	made := x.like(nil, streamMedia, "from the task")
	parts, ok := made.events(f, t.result(), x.sent, false)
	if !ok {
		return a.notRecorded(f)
	}
	next := len(x.parts)
	if x.streams() {
		next = min(t.sent, next)
	}
	for i := range x.parts[next:] {
		p := x.parts[next+i]
		if x.asLines() {
			p.Raw = frameOf(x.payload(&p, true))
		}
		parts = append(parts, p)
	}
	made.parts = parts
	return answer{
		x: made, how: byFold, swap: r.swapOf(made, f), began: from.start(), paused: x.pausedBefore(next),
		task: from, last: a.farewell(r, made, f),
	}
}

// maxListed is how many runs a list goes back.
const maxListed = 1000

// madeList answers with the tasks that were sent so far, the newest first.
func (a *Agent) madeList(f *facts) answer {
	var all [][]byte
	for _, r := range slices.Backward(a.runs[max(0, len(a.runs)-maxListed):]) {
		for i, s := range slices.Backward(r.answered) {
			for _, id := range s.x.taskIDs {
				newer := slices.ContainsFunc(r.answered[i+1:], func(s *answered) bool { return slices.Contains(s.x.taskIDs, id) })
				t, ok := a.built(r, id)
				if newer || !ok || s.x.facts.Binding != f.Binding || !f.lists(&t, r) {
					continue
				}
				if !f.Artifacts {
					t.artifacts = nil
				}
				task := t.json()
				all = append(all, jsontok.Apply(task, r.swapOf(&exchange{}, f).edits(task)))
			}
		}
	}
	const usual, most = 50, 100 // specification 1.0 §3.1.4
	size := min(max(cmp.Or(f.PageSize, usual), 1), most)
	from, _ := strconv.Atoi(f.Text) // the page; from the beginning for what is no number
	from = min(max(from, 0), len(all))
	to, next := min(from+size, len(all)), ""
	if to < len(all) {
		next = strconv.Itoa(to)
	}
	body := fmt.Appendf(nil, `{"tasks":%s,"nextPageToken":%q,"pageSize":%d,"totalSize":%d}`, list(all[from:to]), next, size, len(all))
	return answer{made: body, how: bySent}
}

// lists reports whether a task belongs into a list.
func (f *facts) lists(t *taskPieces, r *run) bool {
	own := cmp.Or(r.own[t.context], t.context)
	return (f.ContextID == "" || f.ContextID == own) && (f.State == "" || a2a.ParseState(f.State) == t.state())
}
