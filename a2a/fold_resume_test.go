package a2a

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// A frame is one frame of a stream: the body of an event and its SSE id.
type testFrame struct{ body, id string }

func applyFrames(t testing.TB, f *Fold, frames []testFrame) (words []string) {
	t.Helper()
	for _, fr := range frames {
		u := Decode(nil, Input{Stream: true, Body: rpc(fr.body)})
		if u.Err != nil {
			t.Fatalf("got error %v, want none", u.Err)
		}
		for i := range u.Events {
			words = append(words, describeDeltas(f.ApplyFrame(&u.Events[i], fr.id))...)
		}
	}
	return words
}

// A conversation is the frames of a task that writes one artifact, chunk by chunk.
type conversation struct {
	chunks []string
	append bool // the first chunk has append, too
}

func (c conversation) frames() []testFrame {
	frames := []testFrame{{body: taskBody("submitted", "")}, {body: statusUpdate("working", "")}}
	for i, text := range c.chunks {
		flags := ""
		if i > 0 || c.append {
			flags = add
		}
		frames = append(frames, testFrame{body: artifactUpdate("a", text, flags)})
	}
	frames = append(frames, testFrame{body: statusUpdate("completed", "")})
	for i := range frames {
		frames[i].id = fmt.Sprint(i + 1)
	}
	return frames
}

// snapshot returns the task after n chunks, with one part.
func (c conversation) snapshot(n int) testFrame {
	return testFrame{body: taskBody("working", fmt.Sprintf(`,"artifacts":[{"artifactId":"a","parts":[{"kind":"text","text":%q}]}]`, strings.Join(c.chunks[:n], "")))}
}

func bare(frames []testFrame) []testFrame {
	frames = slices.Clone(frames)
	for i := range frames {
		frames[i].id = ""
	}
	return frames
}

// again maps names to the ways in which agents continue a stream that was cut after the first n
// frames, and so after n-2 chunks.
var again = map[string]func(c conversation, n int) []testFrame{
	"replay from the start":           func(c conversation, n int) []testFrame { return bare(c.frames()) },
	"replay from the start, with ids": func(c conversation, n int) []testFrame { return c.frames() },
	"replay of chunks without states": func(c conversation, n int) []testFrame { return bare(c.frames())[2:] },
	"from the last id on":             func(c conversation, n int) []testFrame { return c.frames()[n:] },
	"from two before the last id on":  func(c conversation, n int) []testFrame { return c.frames()[max(n-2, 0):] },
	"snapshot first": func(c conversation, n int) []testFrame {
		return append([]testFrame{c.snapshot(max(n-2, 0))}, bare(c.frames())[n:]...)
	},
	"snapshot that is ahead": func(c conversation, n int) []testFrame {
		ahead := min(n+1, len(c.chunks)+2)
		return append([]testFrame{c.snapshot(max(ahead-2, 0))}, bare(c.frames())[ahead:]...)
	},
	"snapshot that is behind, and the rest": func(c conversation, n int) []testFrame {
		behind := max(n-3, 2)
		return append([]testFrame{c.snapshot(behind - 2)}, bare(c.frames())[behind:]...)
	},
	"stale snapshot, then news only": func(c conversation, n int) []testFrame {
		return append([]testFrame{c.snapshot(max(n-4, 0))}, bare(c.frames())[n:]...)
	},
	"no snapshot":         func(c conversation, n int) []testFrame { return bare(c.frames())[n:] },
	"the last one again":  func(c conversation, n int) []testFrame { return bare(c.frames())[max(n-1, 0):] },
	"ids that start anew": func(c conversation, n int) []testFrame { return renumber(c.frames()[n:]) },
	"snapshot without artifacts": func(c conversation, n int) []testFrame {
		return append([]testFrame{{body: taskBody("working", "")}}, bare(c.frames())[n:]...)
	},
}

func renumber(frames []testFrame) []testFrame {
	frames = slices.Clone(frames)
	for i := range frames {
		frames[i].id = fmt.Sprint(i + 1)
	}
	return frames
}

func TestAfterACutEveryChunkStandsOnce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 6))
	for name, style := range again {
		t.Run(name, func(t *testing.T) {
			for round := range 300 {
				c := conversation{append: round%2 == 0}
				for i := range 1 + r.IntN(12) {
					c.chunks = append(c.chunks, fmt.Sprintf("%c%d", 'a'+rune(r.IntN(3)), i))
				}
				if strings.HasPrefix(name, "replay of chunks") {
					c.append = false // such a replay cannot be told from new chunks
				}
				frames := c.frames()
				f := NewFold()
				n := 3 + r.IntN(len(frames)-3)
				if !strings.Contains(name, "id") {
					applyFrames(t, f, bare(frames[:n]))
				} else {
					applyFrames(t, f, frames[:n])
				}
				for cuts := r.IntN(3); cuts > 0; cuts-- { // repeated cuts
					rest := style(c, n)
					if strings.Contains(name, "ahead") || len(rest) == 0 {
						break
					}
					f.Resume("t")
					seen := r.IntN(len(rest))
					applyFrames(t, f, rest[:seen])
					n = max(n, len(frames)-(len(rest)-seen))
				}
				f.Resume("t")
				applyFrames(t, f, style(c, n))
				task := f.Task("t")
				if got, want := textOf(task.Artifacts[0].Parts), strings.Join(c.chunks, ""); got != want || len(task.Artifacts) != 1 {
					t.Fatalf("round %d, cut after %d of %d frames, %q\n got %s\nwant %s", round, n, len(frames), c.chunks, got, want)
				}
				if task.Status.State != StateCompleted {
					t.Fatalf("got state %v, want %v", task.Status.State, StateCompleted)
				}
			}
		})
	}
}

func TestResumedStreamsSayWhereTheyGoOn(t *testing.T) {
	t.Parallel()
	c := conversation{chunks: []string{"one ", "two ", "three ", "four "}}
	all := c.frames()
	for _, tt := range []struct {
		name   string
		first  []testFrame
		second []testFrame
		want   string
	}{
		{"replay", bare(all[:4]), bare(all), "append a three |append a four |completed"},
		{"numbered", all[:4], all[4:], "append a three |append a four |completed"},
		{"numbered, with a hole", all[:4], all[5:], "gap|append a four |completed"},
		{"nothing said", bare(all[:4]), bare(all[4:]), "gap|append a three |append a four |completed"},
		{"snapshot", bare(all[:4]), append([]testFrame{c.snapshot(3)}, bare(all[5:])...), "task|append a three |working|append a four |completed"},
		{"last again", bare(all[:4]), bare(all[3:]), "append a three |append a four |completed"},
		{"other text", bare(all[:4]), []testFrame{{body: artifactUpdate("a", "uno ", "")}}, "gap|replace a uno  (was one two )"},
		{"begins as before, then differs", bare(all[:5]), bare([]testFrame{all[0], all[1], all[2], {body: artifactUpdate("a", "zwei ", add)}}),
			"replace a one zwei  (was one two three )"},
		{"begins as before, then ends", bare(all[:5]), bare([]testFrame{all[2], {body: artifactUpdate("a", "two ", add+last)}}),
			"replace a one two  (was one two three )|seal a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := NewFold()
			applyFrames(t, f, tt.first)
			f.Resume("t")
			if got := strings.Join(applyFrames(t, f, tt.second), "|"); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestAccumulatedArtifactsAreNotRepeatedByAResumedStream(t *testing.T) {
	t.Parallel()
	update := func(text string) testFrame {
		return testFrame{body: fmt.Sprintf(`{"id":"t","artifact":{"index":0,"parts":[{"type":"text","text":%q}]}}`, text)}
	}
	all := []testFrame{update("one "), update("one two "), update("one two three ")}
	f := NewFold()
	applyFrames(t, f, all[:2])
	f.Resume("t")
	if got := strings.Join(applyFrames(t, f, all), "|"); got != "append #0 three " {
		t.Errorf("got changes %s, want only the third chunk", got)
	}
}

func TestScatteredChunksAreMergedWhenSomebodySaysSo(t *testing.T) {
	t.Parallel()
	f := NewFold()
	var frames []testFrame
	for i, w := range []string{"The ", "tide ", "comes ", "in"} {
		flags := add
		if i == 0 {
			flags = ""
		}
		frames = append(frames, testFrame{body: artifactUpdate(fmt.Sprint("k", i), w, flags)})
	}
	applyFrames(t, f, frames[:3])
	if n := f.Scattered("t"); n != 0 {
		t.Errorf("got %d scattered artifacts after two strays, want 0", n)
	}
	applyFrames(t, f, frames[3:])
	if n := f.Scattered("t"); n != 4 {
		t.Fatalf("got %d scattered artifacts, want 4", n)
	}
	if d := f.Merge("t"); len(d) != 3 || d[0].Key != "k0" || d[0].From != "k1" {
		t.Errorf("got merges %v, want k1 to k3 into k0", d)
	}
	words := applyFrames(t, f, []testFrame{{body: artifactUpdate("k9", " again", add)}, {body: artifactUpdate("k2", "!", add)}})
	if got := strings.Join(words, "|"); got != "append k0  again|append k0 !" {
		t.Errorf("got changes %s after the merge, want appends to k0", got)
	}
	applyFrames(t, f, []testFrame{{body: taskBody("completed", `,"artifacts":[{"artifactId":"k0","parts":[{"kind":"text","text":"The "}]},
		{"artifactId":"k1","parts":[{"kind":"text","text":"tide "}]},{"artifactId":"k2","parts":[{"kind":"text","text":"comes "}]},
		{"artifactId":"k3","parts":[{"kind":"text","text":"in"}]},{"artifactId":"k9","parts":[{"kind":"text","text":" again!"}]}]`)}})
	if task := f.Task("t"); len(task.Artifacts) != 1 || textOf(task.Artifacts[0].Parts) != "The tide comes in again!" {
		t.Errorf("got artifacts %+v, want one with the whole text", task.Artifacts)
	}
	if f.Merge("t"); f.Scattered("t") != 0 || len(f.Merge("no such task")) != 0 {
		t.Errorf("got %d scattered artifacts after a second merge, want 0, and no change of an unknown task", f.Scattered("t"))
	}
}

func TestOrdinaryArtifactsAreNotScattered(t *testing.T) {
	t.Parallel()
	f := NewFold()
	for i := range 5 {
		k := fmt.Sprint("k", i)
		applyFrames(t, f, []testFrame{{body: artifactUpdate(k, "x", add)}, {body: artifactUpdate(k, "y", add)}, {body: artifactUpdate(k+"b", "z", "")}})
	}
	if n := f.Scattered("t"); n != 0 {
		t.Errorf("got %d scattered artifacts, want 0", n)
	}
}

// FuzzResume checks that no two streams make Fold panic, and that Resume alone does not change
// the task.
func FuzzResume(f *testing.F) {
	f.Add("one two three", 2, "two three four", true)
	f.Add("ha ha ha ha", 3, "ha ha", false)
	f.Fuzz(func(t *testing.T, first string, _ int, second string, ids bool) {
		fold := NewFold()
		frames := func(text string) (out []testFrame) {
			printed := strings.Map(func(r rune) rune { return ' ' + max(r, 0)%90 }, text)
			for i, w := range strings.SplitAfter(printed, " ") {
				flags := add
				if len(w)%3 == 0 {
					flags = ""
				}
				fr := testFrame{body: artifactUpdate(fmt.Sprint("k", len(w)%2), w, flags)}
				if ids {
					fr.id = fmt.Sprint(i)
				}
				out = append(out, fr)
			}
			return out
		}
		applyFrames(t, fold, frames(first))
		before := fmt.Sprint(fold.Task("t"))
		fold.Resume("t")
		if fmt.Sprint(fold.Task("t")) != before {
			t.Errorf("got task %+v after Resume, want it unchanged: %s", fold.Task("t"), before)
		}
		applyFrames(t, fold, frames(second))
		fold.Merge("t")
	})
}

// A stream that was cut repeats the beginning of an artifact while an answer to a get makes the artifact shorter:
// what it repeats then is compared with the new content.
func TestAnArtifactIsReplacedWhileAStreamRepeatsIt(t *testing.T) {
	f := NewFold()
	frame := func(id, text string, add bool) {
		raw := []byte(id + text)
		f.ApplyFrame(&Event{Kind: EventArtifact, TaskID: "t", Append: add, Raw: raw, Artifact: &Artifact{Key: "a", ID: "a", Parts: []Part{TextPart(text)}}}, id)
	}
	frame("1", "one, ", false)
	frame("2", "two", true)
	frame("3", "!", true)
	f.Resume("t")
	frame("1", "one, ", false)
	f.ApplyAnswer(&Event{Kind: EventTask, TaskID: "t", Task: &Task{ID: "t", Artifacts: []Artifact{{Key: "a", ID: "a", Parts: []Part{TextPart("1")}}}}})
	frame("2", "two", true)
	frame("3", "!", true)
	frame("4", ", three", true)
	if got := textOf(f.Task("t").Artifacts[0].Parts); got != "1, three" {
		t.Errorf("got text %q, want that of the answer and what is new since", got)
	}
}
