package a2a

import "testing"

func TestAFoldTellsWhatItHolds(t *testing.T) {
	f := NewFold()
	if f.Knows("t") || f.Holds("t", "a") || f.Artifacts("t") != 0 {
		t.Error("an empty fold has a task or an artifact")
	}
	ev := Event{Kind: EventArtifact, TaskID: "t", Artifact: &Artifact{Key: "a", ID: "a", Parts: []Part{TextPart("x")}}}
	f.Apply(&ev)
	if !f.Knows("t") || !f.Holds("t", "a") || f.Holds("t", "b") || f.Holds("u", "a") || f.Artifacts("t") != 1 {
		t.Error("Knows, Holds or Artifacts is wrong about task t and artifact a")
	}
}
