package a2a

import (
	"fmt"
	"testing"
)

// A deltaKeeper keeps deltas with what they said when they came.
type deltaKeeper struct {
	kept []Delta
	said []string
}

func (k *deltaKeeper) add(deltas []Delta) []Delta {
	for _, d := range deltas {
		k.kept, k.said = append(k.kept, d), append(k.said, spell(&d))
	}
	return deltas
}

// check compares what the deltas say now with what they said: a consumer on another goroutine reads them late.
func (k *deltaKeeper) check(t *testing.T) {
	t.Helper()
	for i := range k.kept {
		if now := spell(&k.kept[i]); now != k.said[i] {
			t.Fatalf("delta %d changed after it came: got %.300s, want %.300s", i, now, k.said[i])
		}
	}
}

// spell writes down all that a delta points to.
func spell(d *Delta) string {
	text := fmt.Sprintf("%d %s %s %s %+v", d.Kind, d.TaskID, d.Key, d.From, d.Parts)
	if d.Artifact != nil {
		text += fmt.Sprintf(" artifact %+v", *d.Artifact)
	}
	if d.Previous != nil {
		text += fmt.Sprintf(" previous %+v", *d.Previous)
	}
	if d.Message != nil {
		text += fmt.Sprintf(" message %+v", *d.Message)
	}
	if d.Status != nil {
		text += fmt.Sprintf(" status %+v", *d.Status)
	}
	return text
}

// TestADeltaHasTheArtifactOfItsTime describes an artifact anew, opens it again and goes on: no delta has a name or
// an end that came later.
func TestADeltaHasTheArtifactOfItsTime(t *testing.T) {
	f := NewFold()
	var k deltaKeeper
	chunk := func(name string, add, last bool, text string) *Artifact {
		deltas := k.add(f.Apply(&Event{Kind: EventArtifact, TaskID: "t", Append: add, LastChunk: last,
			Artifact: &Artifact{Key: "a", ID: "a", Name: name, Parts: []Part{TextPart(text)}}}))
		return deltas[len(deltas)-1].Artifact
	}
	for _, c := range []struct {
		got    *Artifact
		name   string
		sealed bool
	}{
		{chunk("", false, false, "one "), "", false},
		{chunk("", true, false, "two "), "", false},
		{chunk("Notes", true, false, "three "), "Notes", false},
		{chunk("", true, true, "four"), "Notes", true},
		{chunk("", false, false, "another text"), "Notes", false},
		{chunk("", true, true, ", continued"), "Notes", true},
	} {
		if c.got.Name != c.name || c.got.Sealed != c.sealed || c.got.Parts != nil {
			t.Errorf("got artifact %+v, want name %q, sealed %v and no parts", c.got, c.name, c.sealed)
		}
	}
	k.check(t)
}
