package a2a

// MinStrays is how many consecutive chunks must be appended to unknown artifacts before they
// probably are one artifact.
const MinStrays = 3

// strays detects agents that give every chunk its own artifactId, so that each becomes an
// artifact.
type strays struct {
	run []*artifactFold // a created artifact and those that should have continued it
	n   int             // of the run that came as chunks to be appended
	// into is the artifact into which the user merged the run; further strays continue it.
	into *artifactFold
}

// seen notes a chunk of a known artifact, which ends a run unless a snapshot
// repeats it.
func (s *strays) seen(whole bool) {
	if !whole && s.n < MinStrays {
		s.run, s.n = nil, 0
	}
}

// add notes a new artifact and returns the number of strays in a row.
func (s *strays) add(a *artifactFold, c *chunk) int {
	switch {
	case c.preview || c.whole:
		return 0
	case c.add:
		s.run, s.n = append(s.run, a), s.n+1
		return s.n
	case s.n < MinStrays:
		s.run, s.n, s.into = []*artifactFold{a}, 0, nil
	}
	return 0
}

// Scattered returns how many artifacts of a task seem to be one artifact whose chunks each have
// their own id; 0 if that is unlikely.
func (f *Fold) Scattered(taskID string) int {
	t := f.tasks[taskID]
	if t == nil || t.strays.n < MinStrays {
		return 0
	}
	return len(t.strays.run)
}

// Merge merges scattered artifacts into one, in order of arrival, and returns the deltas. From
// then on chunks for unknown ids continue it.
func (f *Fold) Merge(taskID string) []Delta {
	clear(f.deltas)
	f.deltas = f.deltas[:0]
	if f.Scattered(taskID) == 0 {
		return f.deltas
	}
	t := f.tasks[taskID]
	into := t.strays.run[0]
	into.unpack()
	gone := map[*artifactFold]bool{}
	for _, a := range t.strays.run[1:] {
		into.Parts = append(into.Parts, a.whole()...)
		into.text, into.other = into.text+a.text, into.other+a.other
		into.Sealed = a.Sealed
		gone[a] = true
		t.byKey[a.Key] = into
		f.emit(Delta{Kind: DeltaArtifactMerged, TaskID: taskID, Key: into.Key, From: a.Key, Artifact: into.told()})
	}
	kept := t.artifacts[:0:0]
	for _, a := range t.artifacts {
		if !gone[a] {
			kept = append(kept, a)
		}
	}
	t.artifacts = kept
	t.task.Raw, t.task.v1 = nil, false
	t.strays = strays{into: into}
	return f.deltas
}
