package a2a

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// randomPart returns a part of a chunk, nearly always text, as agents send.
func randomPart(rng *rand.Rand) string {
	switch rng.IntN(60) {
	case 0:
		return `{"data":{"n":` + fmt.Sprint(rng.IntN(9)) + `}}`
	case 1:
		return `{"raw":"aGk=","filename":"f.bin"}`
	case 2:
		return `{"text":"x","mediaType":"text/plain"}`
	case 3:
		return `{"text":"y","metadata":{"k":` + fmt.Sprint(rng.IntN(2)) + `}}`
	case 4:
		return `{"text":""}`
	default:
		return fmt.Sprintf(`{"text":"w%d \n"}`, rng.IntN(1000))
	}
}

// withoutRaw clears the fields that text parts may drop.
func withoutRaw(t *Task) *Task {
	for i := range t.Artifacts {
		a := &t.Artifacts[i]
		parts := make([]Part, len(a.Parts))
		copy(parts, a.Parts)
		for k := range parts {
			if parts[k].Kind == PartText {
				parts[k].Raw = nil
			}
		}
		a.Parts = parts
	}
	return t
}

// TestPackedArtifactsAreWhatTheyWere applies the same random events to two folds, one of which
// never packs.
func TestPackedArtifactsAreWhatTheyWere(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 7))
		packed, loose := NewFold(), NewFold()
		var sent []testFrame
		packs := 0
		var k deltaKeeper
		apply := func(fr testFrame) {
			u := Decode(nil, Input{Stream: true, Body: rpc(fr.body)})
			v := Decode(nil, Input{Stream: true, Body: rpc(fr.body)})
			got := describeDeltas(k.add(packed.ApplyFrame(&u.Events[0], fr.id)))
			want := describeDeltas(loose.ApplyFrame(&v.Events[0], fr.id))
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("seed %d, %s: got changes %v of the packed fold, want %v", seed, fr.body, got, want)
			}
			if loose.tasks["t1"] == nil {
				return
			}
			for _, a := range loose.tasks["t1"].artifacts {
				a.loose = true
			}
			for _, a := range packed.tasks["t1"].artifacts {
				packs += len(a.runs)
			}
		}
		for n := range 3000 {
			if rng.IntN(500) == 0 { // the task is over, and some agents send more
				apply(testFrame{id: fmt.Sprint("s", n), body: `{"statusUpdate":{"taskId":"t1","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`})
			}
			key := fmt.Sprint("a", rng.IntN(2))
			flags := `"append":true`
			if rng.IntN(1500) == 0 {
				flags = `"append":false`
			}
			fr := testFrame{id: fmt.Sprint(n), body: fmt.Sprintf(`{"artifactUpdate":{"taskId":"t1","contextId":"c",%s,"artifact":{"artifactId":%q,"parts":[%s]}}}`, flags, key, randomPart(rng))}
			apply(fr)
			sent = append(sent, fr)
			if rng.IntN(1000) == 0 { // cuts the stream; the next one repeats its end
				packed.Resume("t1")
				loose.Resume("t1")
				for _, again := range sent[max(0, len(sent)-rng.IntN(200)):] {
					apply(again)
				}
			}
		}
		got, want := withoutRaw(packed.Task("t1")), withoutRaw(loose.Task("t1"))
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got packed task\n%+v\nwant what the unpacked fold has\n%+v", seed, got, want)
		}
		if packs == 0 {
			t.Errorf("seed %d: got no packed artifact, want at least one", seed)
		}
		k.check(t)
	}
}

// TestALongArtifactKeepsItsTextAndNotItsEvents measures the memory of a fold.
func TestALongArtifactKeepsItsTextAndNotItsEvents(t *testing.T) {
	const chunks = 20_000
	f := NewFold()
	before := heapInUse()
	for range chunks {
		u := Decode(nil, Input{Stream: true, Body: rpc(artifactUpdate("a", "some words of text ", add))})
		f.ApplyFrame(&u.Events[0], "")
	}
	if each := (heapInUse() - before) / chunks; each > 80 {
		t.Errorf("a chunk of 19 bytes takes %d bytes of memory, want at most 80", each)
	}
	if got := len(f.Task("t").Artifacts[0].Parts); got != chunks {
		t.Errorf("got %d parts, want %d", got, chunks)
	}
}

// TestATaskThatIsOverKeepsItsTextAndNotItsEvents measures the memory of a fold of many tasks, each
// with fewer chunks than are packed while it runs.
func TestATaskThatIsOverKeepsItsTextAndNotItsEvents(t *testing.T) {
	const tasks, chunks = 200, 100
	f := NewFold()
	before := heapInUse()
	for i := range tasks {
		id := fmt.Sprint("task-", i)
		for _, body := range append(slices.Repeat([]string{artifactUpdate("a", "some words of text ", add)}, chunks), statusUpdate("completed", "")) {
			u := Decode(nil, Input{Stream: true, Body: rpc(body)})
			u.Events[0].TaskID = id
			f.ApplyFrame(&u.Events[0], "")
		}
	}
	if each := (heapInUse() - before) / (tasks * chunks); each > 80 {
		t.Errorf("a chunk of 19 bytes of a task that is over takes %d bytes of memory, want at most 80", each)
	}
	if got := len(f.Task("task-7").Artifacts[0].Parts); got != chunks {
		t.Errorf("got %d parts, want %d", got, chunks)
	}
}

// Of the messages of an agent the fold keeps no text, only what tells whether one comes again.
func TestAFoldKeepsNoMessages(t *testing.T) {
	const messages, size = 2000, 2000
	f := NewFold()
	before := heapInUse()
	say := func(i int, text string) int {
		u := Decode(nil, Input{Body: rpc(fmt.Sprintf(`{"message":{"messageId":"m%d","role":"ROLE_AGENT","parts":[{"text":%q}]}}`, i, text))})
		return len(f.Apply(&u.Events[0]))
	}
	for i := range messages {
		say(i, strings.Repeat("x", size))
	}
	if each := (heapInUse() - before) / messages; each > 200 {
		t.Errorf("a message of %d bytes takes %d bytes of memory, want at most 200", size, each)
	}
	if same, other := say(7, strings.Repeat("x", size)), say(7, "y"); same != 0 || other != 1 {
		t.Errorf("got %d changes by the same message and %d by another one, want 0 and 1", same, other)
	}
}

// Messages show the same if their text is the same, in however many parts, and so are their other parts.
func TestAMessageWithTheSamePartsIsTheSame(t *testing.T) {
	first := `[{"text":"ab"},{"data":{"n":1}},{"text":"c"}]`
	for parts, same := range map[string]bool{
		first: true, `[{"text":"a"},{"text":"b"},{"text":""},{"data":{"n":1}},{"text":"c"}]`: true,
		`[{"text":"a"},{"data":{"n":1}},{"text":"bc"}]`: false, `[{"text":"ab"},{"data":{"n":2}},{"text":"c"}]`: false,
		`[{"text":"ab"},{"text":"c"}]`: false, `[{"text":"ab"},{"url":"http://x/"},{"text":"c"}]`: false, `[]`: false,
		`[{"text":"ab"},{"data":{"n":1}},{"data":{"n":1}},{"text":"c"}]`: false,
	} {
		f := NewFold()
		say := func(parts string) int {
			u := Decode(nil, Input{Body: rpc(`{"message":{"messageId":"m","role":"ROLE_AGENT","parts":` + parts + `}}`)})
			return len(f.Apply(&u.Events[0]))
		}
		say(first)
		if got := say(parts) == 0; got != same {
			t.Errorf("%s after %s: got %t, want %t", parts, first, got, same)
		}
	}
}

// heapInUse returns how many bytes the heap has after a collection.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
