package engine

import (
	"fmt"
	"hash/fnv"
	"slices"
	"sync"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/task"
)

// A duplicateCheck compares two simultaneous streams of one task: the duplicate-stream check.
type duplicateCheck struct {
	mu            sync.Mutex
	first, second []uint64    // sums of the events, in order
	mark          int         // how many of the first's came before the second had an event
	final         *finalRound // set when the comparison is about to end
}

// A finalRound is the last phase of a comparison whose streams are still open: of two streams with
// the same events, one is always a little behind.
type finalRound struct {
	first, second map[uint64]int // how often a stream lacks what the other one brought
	even          chan struct{}  // closed when neither lacks anything
}

// lacks returns what one list has and the other has not.
func lacks(one, other []uint64) map[uint64]int {
	lack := map[uint64]int{}
	for _, sum := range one {
		lack[sum]++
	}
	for _, sum := range other {
		if lack[sum]--; lack[sum] <= 0 {
			delete(lack, sum)
		}
	}
	return lack
}

// accept reports whether an event that came at the end was missing.
func (c *finalRound) accept(second bool, sum uint64) bool {
	list := c.first
	if second {
		list = c.second
	}
	if list[sum] == 0 {
		return false
	}
	if list[sum]--; list[sum] == 0 {
		delete(list, sum)
		c.settle()
	}
	return true
}

func (c *finalRound) settle() {
	if len(c.first)+len(c.second) == 0 {
		close(c.even)
	}
}

// finish counts from now on only what the other stream has brought already. It returns a channel
// that is closed when both have brought the same.
func (t *duplicateCheck) finish() (even <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	first, second := t.common()
	if len(first) == 0 {
		first, second = t.first, t.second
	}
	t.final = &finalRound{first: lacks(second, first), second: lacks(first, second), even: make(chan struct{})}
	t.final.settle()
	return t.final.even
}

// duplicateCheckGraces is how long two streams are compared, in graces of the engine.
const duplicateCheckGraces = 3

// maxDuplicateCheck limits how many events of a stream are compared.
const maxDuplicateCheck = 1 << 16

func (t *duplicateCheck) add(second bool, u *a2a.Update) {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := &t.first
	if second {
		list = &t.second
		if len(t.second) == 0 {
			t.mark = len(t.first)
		}
	}
	for i := range u.Events {
		switch u.Events[i].Kind {
		case a2a.EventTask, a2a.EventStatus, a2a.EventArtifact, a2a.EventMessage, a2a.EventUnknown:
			sum := sumOf(&u.Events[i])
			if len(*list) < maxDuplicateCheck && (t.final == nil || t.final.accept(second, sum)) {
				*list = append(*list, sum)
			}
		}
	}
}

// sumOf returns a checksum of an event. It ignores ids of messages and times, because some
// agents make them anew for every stream.
func sumOf(ev *a2a.Event) uint64 {
	sum := fnv.New64a()
	add := func(words ...string) {
		for _, w := range words {
			fmt.Fprintf(sum, "%d %s", len(w), w)
		}
	}
	parts := func(list []a2a.Part) {
		for i := range list {
			p := &list[i]
			add(p.Kind.String(), p.Text, p.Encoded, p.URL, string(p.Data), p.Filename, p.MediaType)
		}
	}
	add(ev.Kind.String(), ev.TaskID)
	if st := task.StatusOf(ev); st != nil {
		add(st.State.String(), st.Word)
		if st.Message != nil {
			parts(st.Message.Parts)
		}
	}
	if ev.Message != nil {
		parts(ev.Message.Parts)
	}
	if ev.Artifact != nil {
		add(ev.Artifact.Key)
		parts(ev.Artifact.Parts)
	}
	if ev.Kind == a2a.EventUnknown {
		sum.Write(ev.Raw)
	}
	return sum.Sum64()
}

// compare passes an event of the stream to its comparison, if there is one.
func (fw *follower) compare(u *a2a.Update) {
	fw.mu.Lock()
	t := fw.duplicateCheck
	fw.mu.Unlock()
	if t != nil {
		t.add(false, u)
	}
}

// startDuplicateCheck subscribes to a stream's task once more and compares the two streams. The
// second one changes nothing: every chunk would appear twice.
func (e *Engine) startDuplicateCheck(x a2a.ExchangeID, fw *follower, done <-chan struct{}) (refused string) {
	t := &duplicateCheck{}
	fw.mu.Lock()
	open := fw.duplicateCheck != nil
	if !open {
		fw.duplicateCheck = t
	}
	fw.mu.Unlock()
	if open {
		return "A second subscription is already being compared with this stream."
	}
	e.start(func() { e.runDuplicateCheck(x, fw, t, done) })
	return ""
}

// runDuplicateCheck opens the second stream and judges it when both are over.
func (e *Engine) runDuplicateCheck(x a2a.ExchangeID, fw *follower, t *duplicateCheck, done <-chan struct{}) {
	call := *fw.call
	call.Op, call.TaskID, call.Turn, call.Check = a2a.OpSubscribe, fw.task(), 0, true
	ctx, stop := e.until(done)
	defer stop()
	e.start(func() { // some streams never end
		if !e.sleep(ctx, duplicateCheckGraces*e.o.Grace) {
			return
		}
		select {
		case <-t.finish():
		case <-e.o.After(e.o.Grace):
		case <-ctx.Done():
		}
		stop()
	})
	req := fw.agent.request(&call)
	fw.agent.complete(&req)
	out := fw.agent.client.Do(ctx, req, a2a.Hooks{Decoded: func(u a2a.Update) { t.add(true, &u) }})
	if out.Err == nil || out.Events > 0 {
		select { // the first stream is read separately, and may be behind
		case <-done:
		case <-e.o.After(e.o.Grace):
		case <-ctx.Done():
		}
	}
	over := fw.state().Terminal()
	fw.mu.Lock()
	fw.duplicateCheck = nil
	end := fw.end
	if end != nil && (over || end.Reason == a2a.Cancelled) {
		end = nil
	}
	fw.mu.Unlock()
	e.verdict(fw, x, FaultDuplicate, t.verdict(out, end))
}

// verdict says how an agent serves two streams. First is the end of the first one, nil if
// it is still open or ended with its task.
func (t *duplicateCheck) verdict(second a2a.Answer, first *a2a.End) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	rpc := rpcError(second.Err)
	if len(t.second) == 0 && second.Err != nil && second.End.Reason != a2a.Cancelled {
		said := "The second subscription failed: " + answerFailure(second).sentence
		if rpc != nil {
			said = "The agent refused a second subscription: " + refusal(rpc) + "."
		}
		if first != nil && first.Reason == a2a.Cut {
			return said + " The first stream broke."
		}
		return said + " The first stream continued."
	}
	said, common := t.compare()
	if !common && first != nil && len(t.first) == t.mark && len(t.second) > 0 {
		return "When the second stream began, the agent ended the first one: " + units.Plural(len(t.second), "event") + " came only on the second."
	}
	if second.End.Reason == a2a.Cut {
		said += " Then the second stream broke."
	}
	return said
}

// compare says which events came on which stream, and whether any came on both.
func (t *duplicateCheck) compare() (said string, common bool) {
	first, second := t.common()
	if len(first) == 0 {
		return t.describeDisjoint(), false
	}
	missing, extra := 0, 0
	for _, n := range lacks(first, second) {
		missing += n
	}
	for _, n := range lacks(second, first) {
		extra += n
	}
	both, j := len(first)-missing, len(t.second)-len(second)
	begins := ""
	if j > 0 {
		begins = " The second stream began with " + units.Plural(j, "event") + " of its own."
	}
	switch {
	case missing == 0 && extra == 0:
		return "Both streams got the same " + units.Plural(both, "event") + "." + begins, true
	case extra == 0:
		return "The second stream lacks " + units.Count(missing) + " of the " + units.Plural(missing+both, "event") + " that the first one got." + begins, true
	case missing == 0:
		return "The first stream lacks " + units.Count(extra) + " of the " + units.Plural(extra+both, "event") + " that the second one got." + begins, true
	default:
		return "The agent divides its events: " + units.Count(both) + " came on both streams, " + units.Count(missing) +
			" only on the first and " + units.Count(extra) + " only on the second." + begins, true
	}
}

// common returns the two lists from the first event on that came on both, nothing if there is
// none.
func (t *duplicateCheck) common() (first, second []uint64) {
	from := func(list, other []uint64) []uint64 {
		set := make(map[uint64]bool, len(other))
		for _, sum := range other {
			set[sum] = true
		}
		i := slices.IndexFunc(list, func(sum uint64) bool { return set[sum] })
		if i < 0 {
			return nil
		}
		return list[i:]
	}
	return from(t.first, t.second), from(t.second, t.first)
}

// describeDisjoint is compared for streams without a common event.
func (t *duplicateCheck) describeDisjoint() string {
	one, two := units.Plural(len(t.first), "event"), units.Plural(len(t.second), "event")
	switch {
	case len(t.first)+len(t.second) == 0:
		return "Two streams were open, but neither received another event."
	case len(t.first) == 0:
		return "With two streams open, only the second received events: " + two + "."
	case len(t.second) == 0:
		return "The agent accepted the second subscription but sent nothing on it; the first stream received " + one + "."
	default:
		return "The agent divides its events: " + one + " came on the first stream and " + two + " on the second, none on both."
	}
}
