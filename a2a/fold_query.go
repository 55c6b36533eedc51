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

// Text returns the text of an artifact of a task that is over, nil if the artifact has anything
// else. It must not be changed, and an append to it must copy it.
func (f *Fold) Text(taskID, key string) []byte {
	t := f.tasks[taskID]
	if t == nil || !t.settled {
		return nil
	}
	a := t.byKey[key]
	if a == nil || len(a.runs) != 1 || len(a.Parts) > 0 || a.runs[0].ends == nil {
		return nil
	}
	text := a.runs[0].text
	return text[:len(text):len(text)]
}

// Artifact returns an artifact of a task as its events make it, nil if there is none of this
// key. What it shares with the fold must not be changed.
func (f *Fold) Artifact(taskID, key string) *Artifact {
	t := f.tasks[taskID]
	if t == nil || t.byKey[key] == nil {
		return nil
	}
	artifact := t.byKey[key].artifact()
	return &artifact
}
