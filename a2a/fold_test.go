package a2a

import (
	"fmt"
	"strings"
	"testing"
)

// foldBodies applies bodies and returns the fold and a description of each delta.
func foldBodies(t testing.TB, call *Call, bodies ...string) (*Fold, []string) {
	t.Helper()
	f := NewFold()
	var words []string
	for _, body := range bodies {
		u := Decode(call, Input{Stream: true, Body: rpc(body)})
		if u.Err != nil {
			t.Fatalf("got error %v, want none", u.Err)
		}
		for i := range u.Events {
			words = append(words, describeDeltas(f.Apply(&u.Events[i]))...)
		}
	}
	return f, words
}

func describeDeltas(deltas []Delta) (words []string) {
	for _, d := range deltas {
		switch d.Kind {
		case DeltaTask:
			words = append(words, "task")
		case DeltaStatus:
			words = append(words, d.Status.State.String())
		case DeltaMessage:
			w := "message " + d.Message.Text()
			if d.ReplacedMessage {
				w = "replaced " + w
			}
			if d.History {
				w = "past " + w
			}
			words = append(words, w)
		case DeltaArtifactNew:
			words = append(words, "new "+d.Key+" "+textOf(d.Parts))
		case DeltaArtifactAppend:
			words = append(words, "append "+d.Key+" "+textOf(d.Parts))
		case DeltaArtifactReplace:
			words = append(words, fmt.Sprintf("replace %s %s (was %s)", d.Key, textOf(d.Parts), textOf(d.Previous.Parts)))
		case DeltaArtifactMeta:
			words = append(words, "meta "+d.Key)
		case DeltaArtifactSeal:
			words = append(words, "seal "+d.Key)
		case DeltaGap:
			words = append(words, "gap")
		}
	}
	return words
}

// artifactUpdate returns the body of an artifact event; flags are members of the event.
func artifactUpdate(key, text, flags string) string {
	return fmt.Sprintf(`{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":%q,"parts":[{"kind":"text","text":%q}]}%s}`, key, text, flags)
}

const add, last = `,"append":true`, `,"lastChunk":true`

func statusUpdate(state, message string) string {
	if message != "" {
		message = `,"message":` + message
	}
	return fmt.Sprintf(`{"kind":"status-update","taskId":"t","contextId":"c","final":false,"status":{"state":%q%s}}`, state, message)
}

func agentMessage(id, text string) string {
	return fmt.Sprintf(`{"kind":"message","role":"agent","messageId":%q,"parts":[{"kind":"text","text":%q}]}`, id, text)
}

func taskBody(state, more string) string {
	return fmt.Sprintf(`{"kind":"task","id":"t","contextId":"c","status":{"state":%q}%s}`, state, more)
}

func TestChunksMakeArtifacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		bodies []string
		want   string
	}{
		{"append", []string{artifactUpdate("a", "one ", ""), artifactUpdate("a", "two", add), artifactUpdate("a", "!", add+last)},
			"new a one |append a two|append a !|seal a"},
		{"two artifacts interleaved", []string{artifactUpdate("a", "1", ""), artifactUpdate("b", "x", ""), artifactUpdate("a", "2", add), artifactUpdate("b", "y", add)},
			"new a 1|new b x|append a 2|append b y"},
		{"append before create", []string{artifactUpdate("a", "one", add)}, "new a one"},
		{"replace", []string{artifactUpdate("a", "draft", ""), artifactUpdate("a", "final", last)}, "new a draft|replace a final (was draft)|seal a"},
		{"replace that only continues", []string{artifactUpdate("a", "He", ""), artifactUpdate("a", "Hello", ""), artifactUpdate("a", "Hello", last)},
			"new a He|append a llo|seal a"},
		{"replace that shortens", []string{artifactUpdate("a", "Hello", ""), artifactUpdate("a", "Hel", "")}, "new a Hello|replace a Hel (was Hello)"},
		{"closing chunk without parts", []string{artifactUpdate("a", "text", ""),
			`{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"a","parts":[]},"lastChunk":true}`}, "new a text|seal a"},
		{"chunk after the last one", []string{artifactUpdate("a", "x", last), artifactUpdate("a", "y", add)}, "new a x|seal a|append a y"},
		{"chunk after the task's end", []string{statusUpdate("completed", ""), artifactUpdate("a", "late", add+last)}, "completed|new a late|seal a"},
		{"chunk that repeats the one before", []string{artifactUpdate("a", "ha", ""), artifactUpdate("a", "ha", add), artifactUpdate("a", "hah", add)},
			"new a ha|append a ha|append a hah"},
		{"append with everything so far", []string{artifactUpdate("a", "Once upon", ""), artifactUpdate("a", "Once upon a time", add),
			artifactUpdate("a", "Once upon a time there was", add), artifactUpdate("a", "Once upon a time there was a fox", add)},
			"new a Once upon|append a Once upon a time|replace a Once upon a time there was (was Once uponOnce upon a time)|append a  a fox"},
		{"one index, two names", []string{`{"id":"t","artifact":{"index":0,"name":"a","parts":[{"type":"text","text":"1"}]}}`,
			`{"id":"t","artifact":{"index":0,"name":"b","parts":[{"type":"text","text":"2"}]}}`,
			`{"id":"t","artifact":{"index":0,"name":"b","append":true,"parts":[{"type":"text","text":"3"}]}}`},
			"new #0 1|new #0~b 2|append #0~b 3"},
		{"described later", []string{artifactUpdate("a", "x", ""),
			`{"kind":"artifact-update","taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","name":"x.md","parts":[{"kind":"text","text":"y"}]}}`},
			"new a x|append a y|meta a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, words := foldBodies(t, nil, c.bodies...)
			if got := strings.Join(words, "|"); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestMessagesAreToldOnce(t *testing.T) {
	t.Parallel()
	noID := `{"role":"agent","parts":[{"type":"text","text":"same"}]}`
	for _, c := range []struct {
		name   string
		bodies []string
		want   string
	}{
		{"growing message", []string{statusUpdate("working", agentMessage("m", "Hel")), statusUpdate("working", agentMessage("m", "Hello"))},
			"working|message Hel|working|replaced message Hello"},
		{"different messages", []string{statusUpdate("working", agentMessage("1", "a")), statusUpdate("working", agentMessage("2", "b"))},
			"working|message a|working|message b"},
		{"status message repeated in history", []string{statusUpdate("working", agentMessage("m", "a")),
			taskBody("completed", `,"history":[`+agentMessage("m", "a")+`,`+agentMessage("n", "b")+`]`)},
			"working|message a|task|past message b|completed"},
		{"history twice", []string{taskBody("working", `,"history":[`+agentMessage("m", "a")+`]`), taskBody("working", `,"history":[`+agentMessage("m", "a")+`]`)},
			"task|past message a|working|task|working"},
		{"without ids, said twice", []string{statusUpdate("working", noID), statusUpdate("input-required", noID)},
			"working|message same|input-required|message same"},
		{"without ids, in history what was said", []string{statusUpdate("working", noID), taskBody("completed", `,"history":[`+noID+`]`)},
			"working|message same|task|completed"},
		{"without ids, in history once more", []string{statusUpdate("working", noID), taskBody("completed", `,"history":[`+noID+`,`+noID+`]`)},
			"working|message same|task|past message same|completed"},
		{"without ids, the same status again", []string{statusUpdate("working", noID), statusUpdate("working", noID)},
			"working|message same|working"},
		{"answer without a task", []string{agentMessage("m", "hi"), agentMessage("m", "hi")}, "message hi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, words := foldBodies(t, nil, c.bodies...)
			if got := strings.Join(words, "|"); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestSnapshotReconcilesWhatWasStreamed(t *testing.T) {
	t.Parallel()
	artifact := func(id string, texts ...string) string {
		parts := make([]string, len(texts))
		for i, text := range texts {
			parts[i] = fmt.Sprintf(`{"kind":"text","text":%q}`, text)
		}
		return fmt.Sprintf(`{"artifactId":%q,"parts":[%s]}`, id, strings.Join(parts, ","))
	}
	streamed := []string{artifactUpdate("a", "one ", ""), artifactUpdate("a", "two", add)}
	for _, c := range []struct{ name, artifacts, want string }{
		{"the same, whole", artifact("a", "one two"), ""},
		{"the same, in other chunks", artifact("a", "on", "e ", "two"), ""},
		{"the same, an artifact for each chunk", artifact("a", "one ") + "," + artifact("a", "two"), ""},
		{"more", artifact("a", "one two three"), "append a  three|"},
		{"other text", artifact("a", "one too"), "replace a one too (was one two)|"},
		{"another artifact", artifact("a", "one two") + "," + artifact("b", "x"), "new b x|"},
		{"without artifacts", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, words := foldBodies(t, nil, append(streamed, taskBody("completed", `,"artifacts":[`+c.artifacts+`]`))...)
			if got := strings.Join(words, "|"); got != "new a one |append a two|task|"+c.want+"completed" {
				t.Errorf("got changes %s, want %s", got, "new a one |append a two|task|"+c.want+"completed")
			}
			if got := f.Task("t").Artifacts[0].Parts; len(got) == 0 {
				t.Error("got no parts of the artifact after the snapshot, want those of before")
			}
		})
	}
}

func TestPartialArtifactShowsTextUntilItStandsInAnother(t *testing.T) {
	t.Parallel()
	partial := func(part string) string {
		return `{"kind":"artifact-update","taskId":"t","contextId":"c","artifact":{"artifactId":"p","metadata":{"adk_partial":true},"parts":[` + part + `]}}`
	}
	f, words := foldBodies(t, nil,
		partial(`{"kind":"text","text":"Hel"}`),
		partial(`{"kind":"text","text":"lo"}`),
		artifactUpdate("main", "Hello", ""),
		partial(`{"kind":"data","data":{}}`),
		taskBody("completed", `,"artifacts":[{"artifactId":"main","parts":[{"kind":"text","text":"Hello"}]},{"artifactId":"p","metadata":{"adk_partial":true},"parts":[{"kind":"data","data":{}}]}]`))
	want := "new p Hel|append p lo|new main Hello|replace p  (was Hello)|task|completed"
	if got := strings.Join(words, "|"); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if a := f.Task("t").Artifacts[0]; len(a.Parts) != 0 || !a.Sealed {
		t.Errorf("got artifact %+v, want no parts, sealed", a)
	}
}

// An artifact that is sent anew is complete only when its last chunk has come again.
func TestAnArtifactThatBeginsAgainIsOpenUntilItsLastChunk(t *testing.T) {
	f := NewFold()
	for _, c := range []struct {
		body, want string
		sealed     bool
	}{
		{artifactUpdate("a", "first", last), "new a first|seal a", true},
		{artifactUpdate("a", "second", ""), "replace a second (was first)", false},
		{artifactUpdate("a", " and more", add+last), "append a  and more|seal a", true},
	} {
		var words []string
		for _, ev := range Decode(nil, Input{Stream: true, Body: rpc(c.body)}).Events {
			words = append(words, describeDeltas(f.Apply(&ev))...)
		}
		if got := strings.Join(words, "|"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if a := f.Task("t").Artifacts[0]; a.Sealed != c.sealed {
			t.Errorf("%s: got sealed %v, want %v", c.want, a.Sealed, c.sealed)
		}
	}
}

func TestEventsGoToTheirOwnTask(t *testing.T) {
	t.Parallel()
	f, _ := foldBodies(t, nil, statusUpdate("working", ""),
		`{"kind":"status-update","taskId":"other","contextId":"c","final":true,"status":{"state":"completed"}}`)
	if a, b := f.Task("t"), f.Task("other"); a.Status.State != StateWorking || b.Status.State != StateCompleted {
		t.Errorf("got states %s and %s, want %s and %s", a.Status.State, b.Status.State, StateWorking, StateCompleted)
	}
	if f.Task("nobody") != nil {
		t.Errorf("got task %+v, want none: no event named it", f.Task("nobody"))
	}
}

func TestOldArtifactsAreKnownByIndexAndName(t *testing.T) {
	t.Parallel()
	f, words := foldBodies(t, &Call{Op: OpStream, Dialect: V01},
		`{"id":"t","sessionId":"s","status":{"state":"completed"},"artifacts":[
			{"name":"a","index":0,"parts":[{"type":"text","text":"1"}]},
			{"name":"b","index":0,"parts":[{"type":"text","text":"2"}]},
			{"name":"a","index":0,"parts":[{"type":"text","text":"3"}]}]}`)
	if got := strings.Join(words, "|"); got != "task|new #0 13|new #0~b 2|completed" {
		t.Errorf("got changes %s, want artifacts #0 and #0~b", got)
	}
	if n := len(f.Task("t").Artifacts); n != 2 {
		t.Errorf("got %d artifacts, want 2", n)
	}
}

// TestSameConversationFoldsToTheSameTask compares one conversation in five dialects.
func TestSameConversationFoldsToTheSameTask(t *testing.T) {
	t.Parallel()
	all := map[string]vector{}
	for _, v := range loadVectors(t) {
		all[v.File] = v
	}
	tell := func(name string) (task *Task, deltas string) {
		v, ok := all[name]
		if !ok {
			t.Fatalf("got no vector %s, want one", name)
		}
		f := NewFold()
		var words []string
		for _, u := range v.decode(t) {
			for i := range u.Events {
				words = append(words, describeDeltas(f.Apply(&u.Events[i]))...)
				task = f.Task(u.Events[i].TaskID)
			}
		}
		return task, strings.Join(words, "|")
	}
	const sections = "|new 9b6934dd-37e3-4eb1-8766-962efaab63a1 <section 1...>|append 9b6934dd-37e3-4eb1-8766-962efaab63a1 <section 2...>"
	const third = "|append 9b6934dd-37e3-4eb1-8766-962efaab63a1 <section 3...>|seal 9b6934dd-37e3-4eb1-8766-962efaab63a1|completed"
	asked := "task|past message write a long paper describing the attached pictures|submitted"
	for name, want := range map[string]string{
		"v0.2/10-stream.sse":      asked + sections + third,
		"v0.3/09-stream.sse":      asked + sections + third,
		"v0.3-rest/05-stream.sse": "task|submitted" + sections + "|seal 9b6934dd-37e3-4eb1-8766-962efaab63a1|completed",
		"v1.0/10-stream.sse":      "task|submitted|working" + sections + third,
		"v0.1/10-stream.sse": "working|message Okay, I'm starting to write that story for you..." +
			"|new #0 Unit 734, a small rover with oversized optical sensors, trundled across the ochre plains. " +
			"|append #0 Its mission: to find the source of a peculiar signal. " +
			"|append #0 Olympus Mons loomed, a silent giant, as Unit 734 beeped excitedly.|seal #0" +
			"|completed|message The story is complete!",
	} {
		task, got := tell(name)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
		if task.Status.State != StateCompleted || len(task.Artifacts) != 1 || !task.Artifacts[0].Sealed {
			t.Errorf("%s: got task %+v, want one sealed artifact, completed", name, task)
		}
	}
}

func TestFoldCostsNoMoreThanTheChunk(t *testing.T) {
	f := NewFold()
	event := func(text string) *Event {
		return &Event{Kind: EventArtifact, TaskID: "t", Append: true, Artifact: &Artifact{Key: "a", Parts: []Part{TextPart(text)}}}
	}
	for range 10_000 {
		f.Apply(event("some words "))
	}
	ev := event("x")
	// One allocation at most, when the list of parts grows.
	if n := testing.AllocsPerRun(1000, func() { f.Apply(ev) }); n > 0.1 {
		t.Errorf("got %v allocations a chunk, want at most 0.1", n)
	}
}
