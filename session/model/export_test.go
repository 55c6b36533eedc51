package model

// KnownTasks counts what the state remembers of tasks.
func (s *State) KnownTasks() (tasks, trails int) { return len(s.tasks), len(s.trails) }
