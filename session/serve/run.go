package serve

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"sync"
)

// A run is one client's way through the recorded exchanges: from a message that begins a
// conversation to the last request about it.
type run struct {
	own      map[string]string // the client's ids, by the recorded ones
	used     map[*exchange]int
	newest   *exchange // the newest message that was answered
	messages map[string]string
	answered []*answered // for the tasks as built so far
	// canceled has the statuses of the tasks that were canceled here, by the recorded ids.
	canceled map[string][]byte
}

// newestIs reports whether an exchange was answered last of those that tell of tasks.
func (r *run) newestIs(x *exchange) bool {
	return len(r.answered) > 0 && r.answered[len(r.answered)-1].x == x
}

// known is what an id of a client stands for.
type known struct {
	run      *run
	recorded string
}

// maxRuns is how many runs an agent remembers. Older ones are forgotten.
const maxRuns = 10_000

// newRun begins a run.
func (a *Agent) newRun() *run {
	r := &run{own: map[string]string{}, used: map[*exchange]int{}, messages: map[string]string{}, canceled: map[string][]byte{}}
	a.runs = append(a.runs, r)
	if len(a.runs) > maxRuns {
		for _, own := range a.runs[0].own {
			delete(a.known, own)
		}
		a.runs = append(a.runs[:0:0], a.runs[1:]...)
	}
	return r
}

// bind makes own the client's id for a recorded one, unless either has a partner already.
func (a *Agent) bind(r *run, recorded, own string) {
	if recorded == "" || own == "" || r.own[recorded] != "" {
		return
	}
	if k, taken := a.known[own]; taken && (k.run != r || k.recorded != recorded) {
		return
	}
	r.own[recorded], a.known[own] = own, known{r, recorded}
}

// give gives the client an id for every recorded one: the recorded id itself in the first run, so
// that the bytes stay as they were, and a new one in each later run.
func (a *Agent) give(r *run, recorded []string) {
	for _, id := range recorded {
		if r.own[id] != "" {
			continue
		}
		own := id
		if _, taken := a.known[id]; taken {
			own = newID(id, len(a.runs))
			for n := 2; a.known[own].run != nil; n++ {
				own = newID(id, len(a.runs)+n)
			}
		}
		a.bind(r, id, own)
	}
}

var uuid = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
})

// newID returns an id in place of a recorded one: a UUID for a UUID, else the same with a number.
func newID(recorded string, n int) string {
	if !uuid().MatchString(recorded) {
		return fmt.Sprintf("%s-%d", recorded, n)
	}
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// runOf returns the run to which a request belongs, nil if it begins one, and the recorded ids
// that it names.
func (a *Agent) runOf(f *facts) (r *run, task, context string) {
	if k, ok := a.known[f.TaskID]; ok {
		r, task = k.run, k.recorded
	}
	if k, ok := a.known[f.ContextID]; ok && (r == nil || r == k.run) {
		r, context = k.run, k.recorded
	}
	if r != nil {
		return r, task, context
	}
	// A client may know an id from the recording.
	if a.taskOwner[f.TaskID] && !f.isFirst() {
		task = f.TaskID
	}
	if a.contexts[f.ContextID] {
		context = f.ContextID
	}
	if task == "" && context == "" {
		return nil, "", ""
	}
	r = a.newRun()
	a.bind(r, task, task)
	a.bind(r, context, context)
	return r, task, context
}

// isFirst reports whether a request may be the first about its task: in 0.1 the client makes the
// id.
func (f *facts) isFirst() bool { return f.Method == "tasks/send" || f.Method == "tasks/sendSubscribe" }

// swapOf returns what is replaced in the bytes that answer a request.
func (r *run) swapOf(x *exchange, f *facts) *swap {
	s := &swap{ids: map[string]string{}, rpcFrom: x.facts.RPCID, rpcTo: f.RPCID}
	add := func(recorded, own string) {
		if recorded != "" && recorded != own {
			s.ids[recorded] = own
		}
	}
	if r != nil {
		for recorded, own := range r.own {
			add(recorded, own)
		}
		for recorded, own := range r.messages {
			add(recorded, own)
		}
	}
	if f.PushURL != "" && x.facts.PushURL != "" {
		s.urlFrom, s.urlTo = x.facts.PushURL, f.PushURL
	}
	if f.PushID != "" && x.facts.PushID != "" {
		add(x.facts.PushID, f.PushID)
	}
	return s
}
