package model

import (
	"cmp"
	"slices"
)

// Waiting returns the tasks that wait for the user, the one that has waited longest first. The
// caller must not keep the slice.
func (s *State) Waiting() []*Task { return s.waiting }

// WaitingSince returns the tasks that wait for the user and began to after others did: those of
// which an earlier call returned last, 0 for none. The caller must not keep the slice. Its cost
// is proportional to the result.
func (s *State) WaitingSince(last uint64) (tasks []*Task, newest uint64) {
	i, _ := slices.BinarySearchFunc(s.waiting, last+1, func(t *Task, n uint64) int { return cmp.Compare(t.waits, n) })
	return s.waiting[i:], s.waitings
}

// waits counts a task as it stands, and adds it to the list of those that wait for the user, or removes it.
func (s *State) waits(t *Task, ch *Change) {
	s.Tally.take(t)
	a := t.Conversation.Agent
	waits := t.Waits() && !a.Closed && a.Tap == "" // a task behind a tap waits for its client
	if (t.waits != 0) == waits {
		return
	}
	ch.Agents = true
	if waits {
		s.waitings++
		t.waits = s.waitings
		s.waiting = append(s.waiting, t)
		return
	}
	i, _ := slices.BinarySearchFunc(s.waiting, t.waits, func(other *Task, n uint64) int { return cmp.Compare(other.waits, n) })
	s.waiting = slices.Delete(s.waiting, i, i+1)
	t.waits = 0
}

// unlist removes all tasks of an agent from the list.
func (s *State) unlist(a *Agent, ch *Change) {
	s.waiting = slices.DeleteFunc(s.waiting, func(t *Task) bool {
		if t.Conversation.Agent != a {
			return false
		}
		t.waits = 0
		ch.Agents = true
		return true
	})
}
