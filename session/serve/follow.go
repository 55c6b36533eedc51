package serve

import (
	"parley/a2a"
)

// matchFollowing finds the answer to a request about a task: the recorded one for that task, at
// that point of its story.
func (a *Agent) matchFollowing(f *facts, all []*exchange) answer {
	r, task, _ := a.runOf(f)
	if task == "" {
		return a.unknownTask(f, all)
	}
	there := filter(all, func(x *exchange) bool { return x.facts.TaskID == task && !x.left() })
	if x := inStory(r, there, a.nextMessage(r, task)); x != nil {
		return a.take(x, f, r, byTask)
	}
	if f.Op == a2a.OpGet {
		if t, ok := a.built(r, task); ok {
			return answer{made: t.json(), how: byFold, swap: r.swapOf(&exchange{}, f)}
		}
	}
	for _, x := range there {
		if r.used[x] == 0 {
			return a.take(x, f, r, byTask)
		}
	}
	if len(there) > 0 {
		return a.take(there[len(there)-1], f, r, byTask)
	}
	return a.madeAbout(f, r, task)
}

// inStory returns the first exchange that was not used, or else the last one, among those between
// the newest message of the run and the recorded message after it.
func inStory(r *run, there []*exchange, next *exchange) (found *exchange) {
	for _, x := range there {
		if r.newest != nil && x.id < r.newest.id || next != nil && x.id > next.id {
			continue
		}
		if found = x; r.used[x] == 0 {
			return x
		}
	}
	return found
}

// nextMessage returns the recorded message to a task after the newest one of the run, nil if there
// is none.
func (a *Agent) nextMessage(r *run, task string) *exchange {
	for _, x := range a.exchanges {
		if x.facts.Sends() && x.facts.TaskID == task && (r.newest == nil || x.id > r.newest.id) && !x.begins {
			if r.newest == nil {
				return nil
			}
			return x
		}
	}
	return nil
}

// unknownTask answers a request about a task that nobody knows: as the recorded agent answered a
// probe, if it was asked.
func (a *Agent) unknownTask(f *facts, all []*exchange) answer {
	for _, x := range all {
		if x.call.Op == a2a.OpProbe || len(x.taskIDs) == 0 && !a.taskOwner[x.facts.TaskID] {
			done := a.take(x, f, nil, byRequest)
			if x.facts.TaskID != "" {
				done.swap.ids[x.facts.TaskID] = f.TaskID
			}
			return done
		}
	}
	return answer{miss: &miss{codeNoTask, "The task is not one of this recording: " + clip(f.TaskID) + "."}}
}
