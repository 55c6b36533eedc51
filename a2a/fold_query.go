package a2a

import "bytes"

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

// Texts returns the texts of the artifacts of a task that is over, by their keys, of those that have nothing else.
// They stay as they are, and an append to one copies it.
func (f *Fold) Texts(taskID string) map[string][]byte {
	t := f.tasks[taskID]
	if t == nil || !t.settled {
		return nil
	}
	texts := map[string][]byte{}
	for _, a := range t.artifacts {
		if len(a.runs) == 1 && len(a.Parts) == 0 && a.runs[0].ends != nil {
			text := a.runs[0].text
			texts[a.Key] = text[:len(text):len(text)]
		}
	}
	return texts
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

// Beyond compares an artifact of a task with parts that are said to be all of it. It returns how many more bytes
// of text the artifact has, -1 if it is unknown or has anything but text, and whether it begins with the text of
// the parts, which have nothing else. It costs no more than the parts.
func (f *Fold) Beyond(taskID, key string, parts []Part) (more int, begins bool) {
	t := f.tasks[taskID]
	if t == nil || t.byKey[key] == nil || t.byKey[key].other > 0 {
		return -1, false
	}
	a := t.byKey[key]
	text, other := measure(parts)
	rest, begins := a.beginning(text), other == 0 && text <= a.text
	for i := 0; i < len(parts) && begins; i++ {
		rest, begins = bytes.CutPrefix(rest, []byte(parts[i].Text))
	}
	return max(0, a.text-text), begins
}

// beginning returns the first n bytes of an artifact's text.
func (a *artifactFold) beginning(n int) (text []byte) {
	for i := 0; i < len(a.runs) && len(text) < n; i++ {
		r := &a.runs[i]
		text = append(text, r.like.Text[:min(n-len(text), len(r.like.Text))]...)
		text = append(text, r.text[:min(n-len(text), len(r.text))]...)
	}
	for i := 0; i < len(a.Parts) && len(text) < n; i++ {
		text = append(text, a.Parts[i].Text[:min(n-len(text), len(a.Parts[i].Text))]...)
	}
	return text
}
