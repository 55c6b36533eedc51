package model

// KnownTasks counts the tasks in the state's two indexes.
func (s *State) KnownTasks() (tasks, trails int) { return len(s.tasks), len(s.memory) }

// NewestTurn returns the newest turn that the task belongs to.
func (t *Task) NewestTurn() *Turn { return t.turn }
