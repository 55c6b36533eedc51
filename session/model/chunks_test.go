package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"parley/a2a"
	"parley/session/sessiontest"
)

// The text after chunk k is what the fold has after the record of chunk k, and what a chunk is
// said to bring is what it brought.
func TestAChunkIsTheArtifactAfterItsRecord(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		call := sessiontest.CallOf(a2a.OpStream, 1)
		p := sessiontest.NewTape()
		x := p.Ask(call, "hi")
		p.Event(x, call, sessiontest.StatusWord("WORKING"))
		type content struct {
			text  string
			parts int
		}
		after := map[a2a.RecordID]content{}
		for i := range 2 + rng.IntN(30) {
			part := fmt.Sprintf(`{"text":"word %d of many, "}`, i)
			switch rng.IntN(6) {
			case 0:
				part = fmt.Sprintf(`{"data":{"n":%d}}`, i)
			case 1:
				part = fmt.Sprintf(`{"text":"say %d"},{"data":{"n":%d}},{"text":" more"}`, i, i)
			}
			event := fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[%s]},"append":%v}}`, part, i > 0 && rng.IntN(5) > 0)
			id := p.Event(x, call, event)
			for _, a := range p.State.Assembled(1, "t").Artifacts {
				c := content{}
				for _, part := range a.Parts {
					if part.Kind == a2a.PartText {
						c.text += part.Text
					} else {
						c.parts++
					}
				}
				after[id] = c
			}
		}
		art := p.State.Task(1, "t").Artifacts[0]
		chunks := art.AllChunks()
		if len(chunks) != len(after) {
			t.Fatalf("seed %d: got %d chunks, want %d", seed, len(chunks), len(after))
		}
		before := ""
		for k, c := range chunks {
			want := after[c.Record]
			if string(c.Text) != want.text || len(c.Parts) != want.parts {
				t.Fatalf("seed %d: after chunk %d, record %d: got %q and %d parts, want %q and %d", seed, k+1, c.Record, c.Text, len(c.Parts), want.text, want.parts)
			}
			kept := string(c.Text[:c.From])
			if c.Old != nil {
				kept += before[len(before)-(len(c.Text)-c.To):]
				if before[:c.From]+string(c.Text[c.From:c.To])+before[len(before)-(len(c.Text)-c.To):] != string(c.Text) {
					t.Errorf("seed %d: chunk %d does not follow from %q by its change", seed, k+1, before)
				}
			} else if kept != before || c.To != len(c.Text) {
				t.Errorf("seed %d: chunk %d: got %q before the change, want %q", seed, k+1, kept, before)
			}
			before = string(c.Text)
		}
	}
}

// When a task is over, its text is in memory once, with what came after the end too.
func TestATaskThatIsOverHasItsTextOnce(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	want := ""
	for range 100 {
		want += "a word, "
		p.Event(x, call, sessiontest.ChunkOf("a", "a word, ", true))
	}
	art := p.State.Task(1, "t").Artifacts[0]
	texts := func() (of map[string][]byte) {
		p.State.Known(1, func(known *a2a.Fold) { of = known.Texts("t") })
		return of
	}
	if texts() != nil {
		t.Error("a task that is not over shares its text")
	}
	p.Event(x, call, sessiontest.StatusWord("COMPLETED"))
	if text := texts()[art.Key]; string(text) != want || &text[0] != &art.Text[0] {
		t.Errorf("got text %q of the fold, want that of the artifact", text)
	}
	for range 20 {
		want += "one more, "
		p.Event(x, call, sessiontest.ChunkOf("a", "one more, ", true))
		if got := p.State.Assembled(1, "t").Artifacts[0]; string(art.Text) != want || textOf(&got) != want {
			t.Fatalf("got %q and %q, want %q", art.Text, textOf(&got), want)
		}
	}
}

// textOf returns the text of all parts.
func textOf(a *a2a.Artifact) (text string) {
	for i := range a.Parts {
		text += a.Parts[i].Text
	}
	return text
}
