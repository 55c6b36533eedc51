package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parley/a2a"
	"parley/session/log"
)

// An agent that is back may have forgotten its tasks. Each that is not over is requested once:
// by its follower, at once instead of after a wait, otherwise by a get.

// returnCount counts how often an agent was away and came back.
func (e *Engine) returnCount(agent a2a.AgentID) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.agents[agent].returns
}

// openTasks returns the tasks of an agent that are not known to be over and that nobody
// follows, the newest first: an agent that is back may have forgotten them. The followers of
// other tasks learn that the agent is back.
func (e *Engine) openTasks(a *remote) []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	a.returns++
	var open []string
	for id, k := range a.tasks {
		switch {
		case k.Over():
		case k.followers > 0 || k.stream != nil:
			k.hasten()
		default:
			open = append(open, id)
		}
	}
	slices.SortFunc(open, func(x, y string) int {
		return cmp.Or(cmp.Compare(a.tasks[y].turn, a.tasks[x].turn), strings.Compare(x, y))
	})
	return open[:min(len(open), maxAsked)]
}

// hasten ends the wait of the task's follower, or the next one.
func (k *knownTask) hasten() {
	k.soon = true
	if k.waiter != nil {
		log.Wake(k.waiter.hurry)
	}
}

// takeHaste reports whether a follower must not wait any longer, because its agent is back or
// has forgotten its task; it reports once that the agent is back.
func (fw *follower) takeHaste() (haste bool) {
	fw.withTask(func(k *knownTask) {
		if k.soon && fw.agent.client != nil {
			fw.agent.client.Close() // its idle connections lead to the earlier process
		}
		haste, k.soon = k.soon || k.Forgotten, false
	})
	return haste
}

// addFollower notes that a task is followed, until the function that it returns is called. A task
// whose agent came back just when its follower gave up is requested again.
func (e *Engine) addFollower(ctx context.Context, fw *follower) (over func()) {
	task := fw.task()
	e.mu.Lock()
	defer e.mu.Unlock()
	k := fw.agent.tasks[task]
	if k == nil {
		return func() {}
	}
	k.followers++
	return func() {
		e.mu.Lock()
		k.followers--
		again := k.soon && k.followers == 0 && k.Works() && ctx.Err() == nil
		k.soon = false
		e.mu.Unlock()
		if again {
			e.Await(fw.agent.id, task, 0, nil)
		}
	}
}
