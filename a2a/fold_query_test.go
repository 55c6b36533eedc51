package a2a

import "testing"

func TestAFoldTellsWhatItHolds(t *testing.T) {
	t.Parallel()
	f := NewFold()
	if f.Knows("t") || f.Holds("t", "a") || f.Artifacts("t") != 0 {
		t.Error("got a task or an artifact in an empty fold, want none")
	}
	ev := Event{Kind: EventArtifact, TaskID: "t", Artifact: &Artifact{Key: "a", ID: "a", Parts: []Part{TextPart("x")}}}
	f.Apply(&ev)
	if !f.Knows("t") || !f.Holds("t", "a") || f.Holds("t", "b") || f.Holds("u", "a") || f.Artifacts("t") != 1 {
		t.Errorf("got Knows %t, Holds a %t, b %t, in task u %t, %d artifacts; want task t with artifact a alone", f.Knows("t"), f.Holds("t", "a"), f.Holds("t", "b"), f.Holds("u", "a"), f.Artifacts("t"))
	}
}
