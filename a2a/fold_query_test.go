package a2a

import (
	"strings"
	"testing"
)

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

// TestWhatAnArtifactHasBeyondParts compares an artifact of many chunks, of which most are packed, with the text of
// shorter, equal, longer and other tasks.
func TestWhatAnArtifactHasBeyondParts(t *testing.T) {
	f := NewFold()
	whole := ""
	for i := range 3 * packAfter {
		text := strings.Repeat(string(rune('a'+i%26)), 1+i%5)
		whole += text
		f.Apply(&Event{Kind: EventArtifact, TaskID: "t", Append: true, Artifact: &Artifact{Key: "a", Parts: []Part{TextPart(text)}}})
	}
	for cut := range len(whole) + 1 {
		half := cut / 2
		more, begins := f.Beyond("t", "a", []Part{TextPart(whole[:half]), TextPart(whole[half:cut])})
		if more != len(whole)-cut || !begins {
			t.Fatalf("%d bytes: got %d more, begins %v; want %d, true", cut, more, begins, len(whole)-cut)
		}
		if _, begins := f.Beyond("t", "a", []Part{TextPart(whole[:cut] + "#")}); begins {
			t.Fatalf("%d bytes and another one: got a beginning of the artifact", cut)
		}
	}
	file := Part{Kind: PartURL, URL: "https://a.example/x"}
	if _, begins := f.Beyond("t", "a", []Part{TextPart(whole[:2]), file}); begins {
		t.Error("got a file as the beginning of a text")
	}
	f.Apply(&Event{Kind: EventArtifact, TaskID: "t", Append: true, Artifact: &Artifact{Key: "a", Parts: []Part{file}}})
	for _, key := range []string{"a", "unknown"} {
		if more, _ := f.Beyond("t", key, nil); more != -1 {
			t.Errorf("%s: got %d more bytes of text, want -1", key, more)
		}
	}
	if more, _ := f.Beyond("u", "a", nil); more != -1 {
		t.Errorf("an unknown task: got %d more bytes, want -1", more)
	}
}
