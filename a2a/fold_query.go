package a2a

// Knows reports whether any event was about a task.
func (f *Fold) Knows(taskID string) bool { return f.tasks[taskID] != nil }

// Holds reports whether a task has an artifact with a key.
func (f *Fold) Holds(taskID, key string) bool {
	t := f.tasks[taskID]
	return t != nil && t.byKey[key] != nil
}

// Artifacts returns how many artifacts a task has.
func (f *Fold) Artifacts(taskID string) int {
	if t := f.tasks[taskID]; t != nil {
		return len(t.artifacts)
	}
	return 0
}

// Status returns the newest status of a task, nil if the task is unknown. It must not be
// changed.
func (f *Fold) Status(taskID string) *Status {
	if t := f.tasks[taskID]; t != nil {
		return &t.task.Status
	}
	return nil
}
