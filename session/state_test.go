package session

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/a2a"
)

// A tape makes items as a client would, without one.
type tape struct {
	state *State
	last  a2a.RecordID
	at    time.Time
	ch    Change
}

func newTape() *tape { return &tape{state: NewState(), at: epoch} }

func (p *tape) put(r a2a.Record) a2a.RecordID {
	p.last++
	p.at = p.at.Add(10 * time.Millisecond)
	r.ID, r.Time = p.last, p.at
	if r.Kind == a2a.KindRequest {
		r.Exchange = r.ID
	}
	var u a2a.Update
	if r.Kind == a2a.KindEvent || r.Kind == a2a.KindBody {
		u = a2a.Decode(r.Call, a2a.Input{Body: r.Payload(), Stream: r.Kind == a2a.KindEvent, Status: 200})
	}
	p.ch = p.state.Apply(Item{Record: r, Update: u})
	return r.ID
}

func callOf(op a2a.Op, turn a2a.TurnID) *a2a.Call {
	return &a2a.Call{Agent: 1, Conversation: 1, Turn: turn, Op: op, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
}

// ask begins an exchange with a message.
func (p *tape) ask(call *a2a.Call, text string) a2a.ExchangeID {
	return p.put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(fmt.Sprintf(
		`{"jsonrpc":"2.0","id":"r","method":"SendStreamingMessage","params":{"message":{"messageId":"m%d","role":"ROLE_USER","parts":[{"text":%q}]}}}`, p.last, text))})
}

// event puts a frame with a result.
func (p *tape) event(x a2a.ExchangeID, call *a2a.Call, result string) a2a.RecordID {
	data := `{"jsonrpc":"2.0","id":"r","result":` + result + `}`
	return p.put(a2a.Record{Kind: a2a.KindEvent, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte("data: " + data + "\n\n"), Data: []byte(data)})
}

func (p *tape) end(x a2a.ExchangeID, call *a2a.Call, end a2a.End) {
	p.put(a2a.Record{Kind: a2a.KindEnd, Exchange: x, Call: call, End: &end})
}

func chunkOf(artifact, text string, add bool) string {
	return fmt.Sprintf(`{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"artifact":{"artifactId":%q,"parts":[{"text":%q}]}}}`, add, artifact, text)
}

func statusWord(word string) string {
	return fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}}`, word)
}

func statusSays(word, id, text string) string {
	return fmt.Sprintf(`{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s","message":{"messageId":%q,"role":"ROLE_AGENT","parts":[{"text":%q}]}}}}`, word, id, text)
}

func TestEveryChangeGrowsTheVersionOfWhatContainsIt(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	var p *tape
	var x a2a.ExchangeID
	tests := []struct {
		name  string
		event func()
		block bool // the first block's version must grow
		art   bool // the first artifact's version must grow
	}{
		{"state", func() { p.event(x, call, statusWord("INPUT_REQUIRED")) }, true, false},
		{"message", func() { p.event(x, call, statusSays("WORKING", "n", "hello")) }, true, false},
		{"message that grows", func() { p.event(x, call, statusSays("WORKING", "m", "hello, world")) }, true, false},
		{"chunk", func() { p.event(x, call, chunkOf("a", "more", true)) }, true, true},
		{"replacement", func() { p.event(x, call, chunkOf("a", "other", false)) }, true, true},
		{"new artifact", func() { p.event(x, call, chunkOf("b", "new", false)) }, true, false},
		{"metadata", func() {
			p.event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","name":"N","parts":[]}}}`)
		}, true, true},
		{"seal", func() {
			p.event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"lastChunk":true,"artifact":{"artifactId":"a","parts":[{"text":"x"}]}}}`)
		}, true, true},
		{"bad frame", func() { p.event(x, call, `{`) }, true, false},
		{"end", func() { p.end(x, call, a2a.End{Reason: a2a.Cut}) }, true, true},
		{"unknown", func() { p.event(x, call, `{"taskId":"t","what":1}`) }, true, false},
		{"another request", func() { p.ask(callOf(a2a.OpSend, 1), "again") }, false, false},
		{"poll", func() {
			p.state.Apply(Item{Signal: &Signal{Kind: SignalPolling, Agent: 1, Turn: 1, Conversation: 1, TaskID: "t"}})
		}, false, false},
		{"turn over", func() { p.state.Apply(Item{Signal: &Signal{Kind: SignalTurnOver, Turn: 1}}) }, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p = newTape()
			x = p.ask(call, "hi")
			p.event(x, call, statusWord("WORKING"))
			p.event(x, call, chunkOf("a", "text", false))
			p.event(x, call, statusSays("WORKING", "m", "hello"))
			turn := p.state.Turn(1)
			block, art := turn.Blocks[0], turn.Blocks[0].Task.Artifacts[0]
			c, tv, bv, av := turn.Conversation.Version, turn.Version, block.Version, art.Version
			tt.event()
			if turn.Conversation.Version <= c || turn.Version <= tv {
				t.Errorf("versions of conversation %d → %d and turn %d → %d", c, turn.Conversation.Version, tv, turn.Version)
			}
			if (block.Version > bv) != tt.block || (art.Version > av) != tt.art {
				t.Errorf("versions of block %d → %d and artifact %d → %d", bv, block.Version, av, art.Version)
			}
		})
	}
}

func TestMessagesAreShownOnce(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, statusSays("WORKING", "m1", "one"))
	p.event(x, call, statusSays("WORKING", "m1", "one"))
	p.event(x, call, statusSays("WORKING", "m2", "tw"))
	p.event(x, call, statusSays("WORKING", "m2", "two"))
	p.event(x, call, statusSays("WORKING", "m3", "three"))
	p.event(x, call, statusSays("WORKING", "m1", "one, changed"))
	p.event(x, call, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"},"history":[`+
		`{"messageId":"m0","role":"ROLE_USER","parts":[{"text":"hi"}]},{"messageId":"renamed","role":"ROLE_USER","parts":[{"text":"hi"}]},{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"two"}]},{"messageId":"m9","role":"ROLE_AGENT","parts":[{"text":"lost"}]}]}}`)
	var got []string
	for _, e := range p.state.Turn(1).Blocks[0].Entries {
		if e.Kind == EntryMessage {
			mark := ""
			if e.Replaced {
				mark = " (replaced)"
			}
			got = append(got, e.Message.Text()+mark)
		}
	}
	want := []string{"one (replaced)", "two", "three", "one, changed", "lost"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("messages %q, want %q", got, want)
	}
}

func TestAReplacedArtifactKeepsItsRevision(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, chunkOf("a", "the first text", false))
	second := p.event(x, call, chunkOf("a", "something else", false))
	third := p.event(x, call, chunkOf("a", ", and more", true))
	a := p.state.Task(1, "t").Artifacts[0]
	if string(a.Text) != "something else, and more" || a.Reset != 1 || len(a.Revisions) != 1 ||
		string(a.Revisions[0].Text) != "the first text" || a.Revisions[0].Record != second {
		t.Errorf("artifact %+v", a)
	}
	if a.RecordAt(0) != second || a.RecordAt(len(a.Text)-1) != third || a.RecordAt(len(a.Text)) != 0 || a.RecordAt(-1) != 0 {
		t.Errorf("spans %v", a.Spans)
	}
	if a.Bytes != int64(len(a.Text)) {
		t.Errorf("%d bytes of %q", a.Bytes, a.Text)
	}
}

func TestAllMetadataIsKeptWhereItBelongs(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	first := p.event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":1},"status":{"state":"TASK_STATE_WORKING"}}}`)
	p.event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":1},"status":{"state":"TASK_STATE_WORKING"}}}`)
	silent := p.event(x, call, `{"statusUpdate":{"taskId":"t","contextId":"c","metadata":{"step":2},"status":{"state":"TASK_STATE_WORKING"}}}`)
	update := `{"artifactUpdate":{"taskId":"t","contextId":"c","append":%v,"metadata":{"of":"update"},"artifact":{"artifactId":"a","extensions":["urn:x"],"metadata":{"of":"artifact"},"parts":[{"text":"x","metadata":{"of":"text"}},{"data":{},"metadata":{"of":"data"}}]}}}`
	chunk := p.event(x, call, fmt.Sprintf(update, false))
	for range 10 {
		p.event(x, call, fmt.Sprintf(update, true))
	}
	p.event(x, call, `{"task":{"id":"t","contextId":"c","metadata":{"of":"task"},"status":{"state":"TASK_STATE_WORKING","message":{"messageId":"m","role":"ROLE_AGENT","metadata":{"of":"message"},"parts":[{"text":"y"}]}}}}`)
	turn := p.state.Turn(1)
	b := turn.Blocks[0]
	a := b.Task.Artifacts[0]
	show := func(list []Extra) (s string) {
		for _, e := range list {
			s += fmt.Sprintf("%s %d %s; ", e.Of, e.Record, e.Data)
		}
		return s
	}
	if got, want := show(b.Extras), fmt.Sprintf(`status %d {"step":1}; status %d {"step":2}; `, first, silent); got != want {
		t.Errorf("block has %s, want %s", got, want)
	}
	if got, want := show(a.Extras), fmt.Sprintf(`text %d {"of":"text"}; update %[1]d {"of":"update"}; `, chunk); got != want {
		t.Errorf("artifact has %s, want %s", got, want)
	}
	if string(a.Metadata) != `{"of":"artifact"}` || string(b.Task.Metadata) != `{"of":"task"}` || len(a.Extensions) != 1 ||
		string(a.Parts[0].Part.Metadata) != `{"of":"data"}` || string(b.Entries[len(b.Entries)-1].Message.Metadata) != `{"of":"message"}` {
		t.Errorf("artifact %s %q, task %s, block %+v", a.Metadata, a.Extensions, b.Task.Metadata, b.Entries)
	}
}

func TestAChunkOfPartsAloneIsAnchoredAtItsPart(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	put := func(parts string) Anchor {
		id := p.event(x, call, `{"artifactUpdate":{"taskId":"t","append":true,"artifact":{"artifactId":"a","parts":[`+parts+`]}}}`)
		at, _ := p.state.Anchor(id)
		return at
	}
	for i, tt := range []struct {
		parts        string
		offset, part int
	}{
		{`{"text":"one"}`, 0, 0}, {`{"data":{}}`, 3, 1}, {`{"data":{}},{"text":"two"}`, 3, 0}, {`{"data":{}},{"data":1}`, 6, 3},
	} {
		if at := put(tt.parts); at.Offset != tt.offset || at.Part != tt.part {
			t.Errorf("chunk %d is seen at %+v, want offset %d, part %d", i, at, tt.offset, tt.part)
		}
	}
}

func TestArtifactsLiveWhileAStreamMayAppend(t *testing.T) {
	one, two := callOf(a2a.OpStream, 1), callOf(a2a.OpSubscribe, 1)
	p := newTape()
	x := p.ask(one, "hi")
	p.event(x, one, chunkOf("a", "x", false))
	a := p.state.Task(1, "t").Artifacts[0]
	y := p.put(a2a.Record{Kind: a2a.KindRequest, Call: two})
	p.event(y, two, chunkOf("a", "y", true))
	p.end(x, one, a2a.End{Reason: a2a.Ended})
	if !a.Live {
		t.Error("one of two streams ended and the artifact is no longer live")
	}
	p.end(y, two, a2a.End{Reason: a2a.Ended})
	if a.Live {
		t.Error("no stream is open and the artifact is live")
	}
}

func TestRecentCountsEventsOfTheLatestSeconds(t *testing.T) {
	st := StreamStats{Start: epoch}
	at := func(ms int) { st.add(epoch.Add(time.Duration(ms)*time.Millisecond), 10) }
	for _, ms := range []int{0, 500, 999, 1000, 3500, 2000} { // the last one came from a clock that went back
		at(ms)
	}
	if want := []int{3, 1, 0, 2}; !reflect.DeepEqual(st.Recent, want) || st.Events != 6 || st.Bytes != 60 {
		t.Errorf("recent %v of %d events, want %v", st.Recent, st.Events, want)
	}
	for s := 4; s < 40; s++ {
		at(s * 1000)
	}
	if len(st.Recent) != RecentSeconds {
		t.Errorf("recent has %d seconds", len(st.Recent))
	}
	at(100_000_000)
	if want := []int{1}; !reflect.DeepEqual(st.Recent, want) {
		t.Errorf("after a long pause: %v, want %v", st.Recent, want)
	}
}

func TestTitlesAreTheFirstWords(t *testing.T) {
	for text, want := range map[string]string{
		"  Book me\n\ta flight ": "Book me a flight",
		strings.Repeat("ü", 70):  strings.Repeat("ü", 60) + "…",
		" \n ":                   "1",
	} {
		m := &a2a.Message{Parts: []a2a.Part{a2a.DataPart([]byte("1")), a2a.TextPart(text)}}
		if got := title(m, m.Text()); got != want {
			t.Errorf("title of %q: %q, want %q", text, got, want)
		}
	}
}

func TestApplyTakesAnyItems(t *testing.T) {
	bodies := vectors(t)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 1))
		s := NewState()
		random(s, bodies, rng.IntN, 400)
		check(t, s)
		_ = dump(s)
	}
}
