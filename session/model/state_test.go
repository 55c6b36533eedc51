package model_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

func TestEveryChangeGrowsTheVersionOfWhatContainsIt(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	var p *sessiontest.Tape
	var x a2a.ExchangeID
	tests := []struct {
		name  string
		event func()
		block bool // the first block's version must grow
		art   bool // the first artifact's version must grow
	}{
		{"state", func() { p.Event(x, call, sessiontest.StatusWord("INPUT_REQUIRED")) }, true, false},
		{"message", func() { p.Event(x, call, sessiontest.StatusSays("WORKING", "n", "hello")) }, true, false},
		{"message that grows", func() { p.Event(x, call, sessiontest.StatusSays("WORKING", "m", "hello, world")) }, true, false},
		{"chunk", func() { p.Event(x, call, sessiontest.ChunkOf("a", "more", true)) }, true, true},
		{"replacement", func() { p.Event(x, call, sessiontest.ChunkOf("a", "other", false)) }, true, true},
		{"new artifact", func() { p.Event(x, call, sessiontest.ChunkOf("b", "new", false)) }, true, false},
		{"metadata", func() {
			p.Event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","name":"N","parts":[]}}}`)
		}, true, true},
		{"seal", func() {
			p.Event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"lastChunk":true,"artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}`)
		}, true, true},
		{"bad frame", func() { p.Event(x, call, `{`) }, true, false},
		{"end", func() { p.End(x, call, a2a.End{Reason: a2a.Cut}) }, true, true},
		{"unknown", func() { p.Event(x, call, `{"taskId":"t","what":1}`) }, true, false},
		{"another request", func() { p.Ask(sessiontest.CallOf(a2a.OpSend, 1), "again") }, false, false},
		{"poll", func() {
			p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalPoll, Agent: 1, Turn: 1, Conversation: 1, TaskID: "t"}})
		}, false, false},
		{"turn over", func() { p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalTurnOver, Turn: 1}}) }, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p = sessiontest.NewTape()
			x = p.Ask(call, "hi")
			p.Event(x, call, sessiontest.StatusWord("WORKING"))
			p.Event(x, call, sessiontest.ChunkOf("a", "text", false))
			p.Event(x, call, sessiontest.StatusSays("WORKING", "m", "hello"))
			turn := p.State.Turn(1)
			block, art := turn.Blocks[0], turn.Blocks[0].Task.Artifacts[0]
			c, tv, bv, av := turn.Conversation.Version, turn.Version, block.Version, art.Version
			tt.event()
			if turn.Conversation.Version <= c || turn.Version <= tv {
				t.Errorf("got versions of conversation %d → %d and turn %d → %d, want both to grow", c, turn.Conversation.Version, tv, turn.Version)
			}
			if (block.Version > bv) != tt.block || (art.Version > av) != tt.art {
				t.Errorf("got versions of block %d → %d and artifact %d → %d, want growth %v and %v", bv, block.Version, av, art.Version, tt.block, tt.art)
			}
		})
	}
}

func TestMessagesAreShownOnce(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m1", "one"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m1", "one"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m2", "tw"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m2", "two"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m3", "three"))
	p.Event(x, call, sessiontest.StatusSays("WORKING", "m1", "one, changed"))
	p.Event(x, call, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"history":[`+
		`{"messageId":"m0","role":"ROLE_USER","parts":[{"text":"hi"}]},{"messageId":"renamed","role":"ROLE_USER","parts":[{"text":"hi"}]},{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"two"}]},{"messageId":"m9","role":"ROLE_AGENT","parts":[{"text":"lost"}]}]}}`)
	var got []string
	for _, e := range p.State.Turn(1).Blocks[0].Entries {
		if e.Kind == model.EntryMessage {
			mark := ""
			if e.Replaced {
				mark = " (replaced)"
			}
			got = append(got, e.Message.Text()+mark)
		}
	}
	want := []string{"one (replaced)", "two", "three", "one, changed", "lost"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got messages %q, want %q", got, want)
	}
}

func TestAReplacedArtifactKeepsItsRevision(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.ChunkOf("a", "the first text", false))
	second := p.Event(x, call, sessiontest.ChunkOf("a", "something else", false))
	third := p.Event(x, call, sessiontest.ChunkOf("a", ", and more", true))
	a := p.State.Task(1, "t").Artifacts[0]
	if string(a.Text) != "something else, and more" || a.Reset != 1 || len(a.Revisions) != 1 ||
		string(a.Revisions[0].Text) != "the first text" || a.Revisions[0].Record != second {
		t.Errorf("got artifact %+v, want the replaced text and one revision", a)
	}
	if a.RecordAt(0) != second || a.RecordAt(len(a.Text)-1) != third || a.RecordAt(len(a.Text)) != 0 || a.RecordAt(-1) != 0 {
		t.Errorf("got spans %v, want the second record and the third", a.Spans)
	}
	if a.Bytes != int64(len(a.Text)) {
		t.Errorf("got %d bytes for text %q", a.Bytes, a.Text)
	}
}

func TestAllMetadataIsKeptWhereItBelongs(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	first := p.Event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":1},"status":{"state":"TASK_STATE_WORKING"}}}`)
	p.Event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":1},"status":{"state":"TASK_STATE_WORKING"}}}`)
	silent := p.Event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":2},"status":{"state":"TASK_STATE_WORKING"}}}`)
	update := `{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"metadata":{"of":"update"},"artifact":{"artifactId":"a","extensions":["urn:x"],"metadata":{"of":"artifact"},"parts":[{"text":"x","metadata":{"of":"text"}},{"data":{},"metadata":{"of":"data"}}]}}}`
	chunk := p.Event(x, call, fmt.Sprintf(update, false))
	for range 10 {
		p.Event(x, call, fmt.Sprintf(update, true))
	}
	p.Event(x, call, `{"task":{"id":"t","contextId":"c","metadata":{"of":"task"},"status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","metadata":{"of":"message"},"parts":[{"text":"y"}]}}}}`)
	turn := p.State.Turn(1)
	b := turn.Blocks[0]
	a := b.Task.Artifacts[0]
	show := func(list []model.Extra) (s string) {
		for _, e := range list {
			s += fmt.Sprintf("%s %d %s; ", e.Of, e.Record, e.Data)
		}
		return s
	}
	if got, want := show(b.Extras), fmt.Sprintf(`status %d {"step":1}; status %d {"step":2}; `, first, silent); got != want {
		t.Errorf("got extras of the block %s, want %s", got, want)
	}
	if got, want := show(a.Extras), fmt.Sprintf(`text %d {"of":"text"}; update %[1]d {"of":"update"}; `, chunk); got != want {
		t.Errorf("got extras of the artifact %s, want %s", got, want)
	}
	if string(a.Metadata) != `{"of":"artifact"}` || string(b.Task.Metadata) != `{"of":"task"}` || len(a.Extensions) != 1 ||
		string(a.Parts[0].Part.Metadata) != `{"of":"data"}` || string(b.Entries[len(b.Entries)-1].Message.Metadata) != `{"of":"message"}` {
		t.Errorf("got artifact %s %q, task %s, block %+v; want the metadata of each", a.Metadata, a.Extensions, b.Task.Metadata, b.Entries)
	}
}

func TestAChunkOfPartsAloneIsAnchoredAtItsPart(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	put := func(parts string) model.Anchor {
		id := p.Event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","parts":[`+parts+`]}}}`)
		at, _ := p.State.Anchor(id)
		return at
	}
	for i, tt := range []struct {
		parts        string
		offset, part int
	}{
		{`{"text":"one"}`, 0, 0}, {`{"data":{}}`, 3, 1}, {`{"data":{}},{"text":"two"}`, 3, 0}, {`{"data":{}},{"data":1}`, 6, 3},
	} {
		if at := put(tt.parts); at.Offset != tt.offset || at.Part != tt.part {
			t.Errorf("chunk %d: got anchor %+v, want offset %d, part %d", i, at, tt.offset, tt.part)
		}
	}
}

func TestArtifactsLiveWhileAStreamMayAppend(t *testing.T) {
	one, two := sessiontest.CallOf(a2a.OpStream, 1), sessiontest.CallOf(a2a.OpSubscribe, 1)
	p := sessiontest.NewTape()
	x := p.Ask(one, "hi")
	p.Event(x, one, sessiontest.ChunkOf("a", "x", false))
	a := p.State.Task(1, "t").Artifacts[0]
	y := p.Put(a2a.Record{Kind: a2a.KindRequest, Call: two})
	p.Event(y, two, sessiontest.ChunkOf("a", "y", true))
	p.End(x, one, a2a.End{Reason: a2a.Ended})
	if !a.Live {
		t.Error("artifact is not live, want live while one of two streams is open")
	}
	p.End(y, two, a2a.End{Reason: a2a.Ended})
	if a.Live {
		t.Error("artifact is live, want not live without an open stream")
	}
}

func TestApplyTakesAnyItems(t *testing.T) {
	bodies := vectors(t)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := model.NewState()
		applyRandomItems(s, bodies, rng.IntN, 400)
		sessiontest.CheckPlaces(t, s)
		_ = sessiontest.Dump(s)
	}
}

// The engine ends a turn also if it sent nothing, and a later look at its task begins no new one.
func TestATurnEndsWithoutARecord(t *testing.T) {
	p := sessiontest.NewTape()
	over := func(turn a2a.TurnID) {
		p.State.Apply(log.Item{Signal: &log.Signal{Kind: log.SignalTurnOver, Agent: 1, Turn: turn}})
	}
	over(2)
	x := p.Ask(sessiontest.CallOf(a2a.OpStream, 1), "hi")
	p.End(x, sessiontest.CallOf(a2a.OpStream, 1), a2a.End{Reason: a2a.Ended})
	over(1)
	p.Ask(sessiontest.CallOf(a2a.OpGet, 1), "")
	for turn, want := range map[a2a.TurnID]bool{1: true, 2: true, 3: false} {
		if got := p.State.TurnEnded(turn); got != want {
			t.Errorf("TurnEnded(%d) = %v, want %v", turn, got, want)
		}
	}
}
