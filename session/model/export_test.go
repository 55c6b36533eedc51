package model

import "parley/a2a"

// KnownTasks counts the tasks of the state.
func (s *State) KnownTasks() int { return len(s.tasks) }

// NewestTurn returns the newest turn that the task belongs to.
func (t *Task) NewestTurn() *Turn { return t.turn }

// OwnEvents returns how many events of an open exchange are about its subject so far.
func (s *State) OwnEvents(id a2a.ExchangeID) int {
	if x := s.exchanges[id]; x != nil {
		return x.events
	}
	return 0
}
