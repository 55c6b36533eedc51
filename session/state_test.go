package session

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		`{"messageId":"m0","role":"ROLE_USER","parts":[{"text":"hi"}]},{"messageId":"m2","role":"ROLE_AGENT","parts":[{"text":"two"}]},{"messageId":"m9","role":"ROLE_AGENT","parts":[{"text":"lost"}]}]}}`)
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

// TestApplyCostsTheChunkAlone counts allocations and copied bytes of a chunk in an
// artifact that already has many: they must not grow with what is there.
func TestApplyCostsTheChunkAlone(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	measure := func(before int) float64 {
		p := newTape()
		x := p.ask(call, "hi")
		for range before {
			p.event(x, call, chunkOf("a", "a few words of text", true))
		}
		return testing.AllocsPerRun(200, func() { p.event(x, call, chunkOf("a", "a few words of text", true)) })
	}
	few, many := measure(100), measure(20_000)
	if many > few+3 {
		t.Errorf("a chunk costs %.0f allocations after 100 chunks and %.0f after 20,000", few, many)
	}
}

// TestTextIsNeverCopied checks that the artifact's text moves only when its room
// doubles: amortised, a byte is copied once.
func TestTextIsNeverCopied(t *testing.T) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, chunkOf("a", "start ", false))
	a := p.state.Task(1, "t").Artifacts[0]
	moves, first := 0, &a.Text[0]
	for range 10_000 {
		p.event(x, call, chunkOf("a", "a few words of text", true))
		if &a.Text[0] != first {
			moves, first = moves+1, &a.Text[0]
		}
	}
	if moves > 40 {
		t.Errorf("the text of 10,000 chunks was moved %d times", moves)
	}
}

// vectors returns the bodies and frames of all vectors.
func vectors(tb testing.TB) [][]byte {
	tb.Helper()
	var all [][]byte
	err := filepath.WalkDir("../a2a/testdata/vectors", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.HasSuffix(path, ".sse") {
			for frame := range bytes.SplitSeq(b, []byte("\n\n")) {
				all = append(all, bytes.TrimPrefix(frame, []byte("data: ")))
			}
			return err
		}
		all = append(all, b)
		return err
	})
	if err != nil || len(all) == 0 {
		tb.Fatal("no vectors: ", err)
	}
	return all
}

// random applies items made of vectors and numbers out of a source, with no
// regard to whether they make sense.
func random(s *State, bodies [][]byte, number func(n int) int, items int) {
	kinds := []a2a.RecordKind{a2a.KindRequest, a2a.KindHead, a2a.KindBody, a2a.KindEvent, a2a.KindEvent, a2a.KindEvent, a2a.KindEnd, a2a.KindNote, "new"}
	ops := []a2a.Op{a2a.OpSend, a2a.OpStream, a2a.OpGet, a2a.OpSubscribe, a2a.OpCancel, a2a.OpCard, "other"}
	reasons := []a2a.EndReason{a2a.Ended, a2a.Cut, a2a.Refused, a2a.Cancelled, a2a.TimedOut, "x"}
	notes := []string{NoteOpening, NoteOpened, NoteUnsent, NoteMissing}
	calls := map[a2a.ExchangeID]*a2a.Call{}
	for i := 1; i <= items; i++ {
		if number(10) == 0 {
			s.Apply(Item{Signal: &Signal{Kind: SignalKind(number(10)), Agent: a2a.AgentID(number(3)), Turn: a2a.TurnID(number(5)), TaskID: "task-1"}})
		}
		r := a2a.Record{ID: a2a.RecordID(s.Log.Len() + 1), Kind: kinds[number(len(kinds))], Time: epoch.Add(time.Duration(i) * time.Millisecond)}
		r.Exchange = a2a.ExchangeID(number(s.Log.Len() + 2))
		body := bodies[number(len(bodies))]
		var u a2a.Update
		switch r.Kind {
		case a2a.KindRequest:
			r.Exchange, r.Raw = r.ID, body
			calls[r.ID] = &a2a.Call{
				Agent: a2a.AgentID(number(3)), Conversation: a2a.ConversationID(number(4)), Turn: a2a.TurnID(number(6)),
				Op: ops[number(len(ops))], TaskID: []string{"", "task-1", "t"}[number(3)], Dialect: a2a.V10,
			}
		case a2a.KindHead:
			r.Head = &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}
		case a2a.KindEnd:
			if number(5) > 0 {
				r.End = &a2a.End{Reason: reasons[number(len(reasons))], Class: []string{"", "refused", "status"}[number(3)]}
			}
		case a2a.KindNote:
			n := func(most int) string { return fmt.Sprint(number(most)) }
			r.Note = &a2a.Note{Type: notes[number(len(notes))], Attrs: map[string]string{
				attrAgent: n(3), attrRecord: n(s.Log.Len() + 2), attrIndex: n(2), attrTurn: n(6), attrConversation: n(4), attrAttempts: string(body)}}
		default:
			r.Raw = body
			u = a2a.Decode(calls[r.Exchange], a2a.Input{Body: body, Stream: r.Kind == a2a.KindEvent})
		}
		r.Call = calls[r.Exchange]
		it := Item{Record: r, Update: u}
		s.Apply(it)
		Describe(&it)
	}
}

// check looks for places that lead nowhere.
func check(t *testing.T, s *State) {
	t.Helper()
	for id := a2a.RecordID(1); id <= a2a.RecordID(s.Log.Len()); id++ {
		at, ok := s.Anchor(id)
		if !ok {
			continue
		}
		turn := s.Turn(at.Turn)
		if turn == nil || at.Block >= len(turn.Blocks) || (at.Block < 0) != (at.Entry < 0) {
			t.Fatalf("record %d is anchored at %+v", id, at)
		}
		if at.Block >= 0 && at.Entry >= len(turn.Blocks[at.Block].Entries) {
			t.Fatalf("record %d is anchored at %+v of %d entries", id, at, len(turn.Blocks[at.Block].Entries))
		}
	}
	for _, task := range s.Waiting() {
		if !task.State.Interrupted() {
			t.Errorf("task %s waits and is %v", task.ID, task.State)
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

func FuzzApply(f *testing.F) {
	bodies := vectors(f)
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), bodies[0])
	f.Fuzz(func(t *testing.T, numbers, body []byte) {
		i := 0
		number := func(n int) int {
			if i++; i > len(numbers) || n <= 0 {
				return 0
			}
			return int(numbers[i-1]) % n
		}
		s := NewState()
		random(s, append(bodies[:len(bodies):len(bodies)], body, body, body), number, min(len(numbers), 200))
		check(t, s)
	})
}

// applyChunks applies n chunks of one artifact that were decoded before.
func applyChunks(b *testing.B, item Item, x a2a.ExchangeID, s *State) {
	b.Helper()
	id := a2a.RecordID(s.Log.Len())
	b.ReportAllocs()
	for b.Loop() {
		id++
		item.Record.ID, item.Record.Exchange = id, x
		s.Apply(item)
	}
}

func BenchmarkApplyChunk(b *testing.B) {
	call := callOf(a2a.OpStream, 1)
	p := newTape()
	x := p.ask(call, "hi")
	p.event(x, call, chunkOf("a", "", false))
	r := chunkRecord()
	r.Call, r.Data = call, bytes.TrimSpace(bytes.TrimPrefix(r.Raw, []byte("data: ")))
	u := a2a.Decode(call, a2a.Input{Body: r.Data, Stream: true})
	u.Events[0].TaskID, u.Events[0].Artifact.Key = "t", "a"
	applyChunks(b, Item{Record: r, Update: u}, x, p.state)
}

// BenchmarkApplyChunkFloor keeps the items and appends their text.
func BenchmarkApplyChunkFloor(b *testing.B) {
	r := chunkRecord()
	u := a2a.Decode(nil, a2a.Input{Body: bytes.TrimPrefix(r.Raw, []byte("data: ")), Stream: true})
	var items []Item
	var text []byte
	b.ReportAllocs()
	for b.Loop() {
		items = append(items, Item{Record: r, Update: u})
		text = append(text, u.Events[0].Artifact.Parts[0].Text...)
	}
	if len(items) == 0 || len(text) == 0 {
		b.Fatal("nothing was kept")
	}
}

func BenchmarkPut(b *testing.B) {
	f := NewFeed()
	r := NewRecorder(f, nil)
	rec := chunkRecord()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r.Put(rec, a2a.Update{})
		if n++; n%1000 == 0 {
			f.take(0)
		}
	}
}

func BenchmarkReplay100k(b *testing.B) {
	path := benchFile(b)
	b.ReportAllocs()
	for b.Loop() {
		feed := NewFeed()
		if err := Replay(path, feed); err != nil || feed.Len() != benchRecords {
			b.Fatal(feed.Len(), err)
		}
	}
}
