package journal

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/session/check"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
)

// TestPlainFramesAreReadAsTheDecoderDoes makes frames of random lines.
func TestPlainFramesAreReadAsTheDecoderDoes(t *testing.T) {
	lines := []string{"data: {}", "data:x", "data", "data:  y:z", "id: 7", "id", "event: e", "retry: 3", ": beat", ":", "other: 1", "\ufeffdata: 1", "bare", "", "data: a\r"}
	rng := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 20_000 {
		var raw []byte
		for range 1 + rng.IntN(4) {
			raw = append(raw, lines[rng.IntN(len(lines))]+"\n"...)
		}
		raw = append(raw, '\n')
		data, ok := log.PlainFrame(raw)
		if !ok {
			continue
		}
		plain++
		f, err := sse.NewDecoder(bytes.NewReader(raw)).Next()
		if err != nil || !bytes.Equal(f.Data, data) || f.Unprefixed || f.Torn || len(f.Raw) != len(raw) {
			t.Fatalf("%q: got data %q, want %q (%v)", raw, f.Data, data, err)
		}
	}
	if plain < 1000 {
		t.Errorf("got %d plain frames, want at least 1000", plain)
	}
}

// TestAReplayedFrameKeepsNoMoreThanItself measures the memory of frames that have more than one
// plain data line.
func TestAReplayedFrameKeepsNoMoreThanItself(t *testing.T) {
	const frames = 1000
	for _, raw := range []string{"id: 7\ndata: {}\n\n", ": beat\r\ndata: {}\r\n\r\n"} {
		x := &playedExchange{contentType: "text/event-stream"}
		kept := make([]a2a.Record, frames)
		before := sessiontest.HeapInUse()
		for i := range kept {
			kept[i].Raw = []byte(raw)
			x.unframe(&kept[i], &a2a.Input{})
		}
		if grown := sessiontest.HeapInUse() - before; grown > frames*256 {
			t.Errorf("%d frames %q: got %d bytes in memory, want at most %d", frames, raw, grown, frames*256)
		}
		if string(kept[0].Data) != "{}" {
			t.Errorf("%q: got data %q, want {}", raw, kept[0].Data)
		}
	}
}

func TestAKilledSessionReplaysWithoutAnythingUnderWay(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	text := appendHeader(nil, sessiontest.Epoch)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Event(x, call, sessiontest.StatusWord("WORKING"))
	p.Event(x, call, sessiontest.ChunkOf("a", "text", true))
	for id := a2a.RecordID(1); id <= 3; id++ {
		text = appendRecord(text, &p.State.Log.At(id).Record)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, append(text, `{"id":4,"excha`...), 0o600); err != nil {
		t.Fatal(err)
	}
	signals := openRecording(t, path).Items(t.Context(), func([]log.Item) {})
	if len(signals) != 1 || signals[0].Signal.Class != JournalDropped || signals[0].Signal.Sentence != "3 records read, 1 line dropped" {
		t.Errorf("got signals %+v, want one that counts the torn line", signals)
	}
	s := sessiontest.ReplayState(t, openRecording(t, path), nil, "3 records read, 1 line dropped")
	turn := s.Turn(1)
	if turn.Pending || turn.Conversation.Streams != 0 || turn.Blocks[0].Task.Artifacts[0].Live {
		t.Errorf("got turn %+v, want it over without open streams", turn)
	}
	if got := sessiontest.Problems(turn); len(got) != 1 || !strings.Contains(got[0].Sentence, "recording ends during") {
		t.Errorf("got problems %+v, want one about the end of the recording", got)
	}
}

// A surplus comes after the end of its exchange, perhaps long after, and changes nothing in it.
func TestASurplusIsReadBackWithItsCall(t *testing.T) {
	call := sessiontest.CallOf(a2a.OpStream, 1)
	p := sessiontest.NewTape()
	x := p.Ask(call, "hi")
	p.Head(x, call)
	p.Event(x, call, sessiontest.StatusWord("COMPLETED"))
	p.End(x, call, a2a.End{Reason: a2a.Ended})
	p.Put(a2a.Record{Kind: a2a.KindSurplus, Dir: a2a.In, Exchange: x, Call: call, Raw: []byte("HTTP/1.1 200 OK\r\n\r\n" + sessiontest.StatusWord("FAILED")), Omitted: 7})
	text := appendHeader(nil, sessiontest.Epoch)
	for id := a2a.RecordID(1); id <= 5; id++ {
		text = appendRecord(text, &p.State.Log.At(id).Record)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s := sessiontest.ReplayState(t, openRecording(t, path), nil, "5 records read")
	it := s.Log.At(5)
	if r := &it.Record; r.Kind != a2a.KindSurplus || r.Exchange != x || r.Call == nil || r.Call.Turn != 1 || r.Omitted != 7 || len(it.Update.Events) > 0 || it.Update.Err != nil {
		t.Errorf("got item %+v, want a surplus of exchange %d without a meaning", it, x)
	}
	if turn := s.Turn(1); turn.Pending || turn.Blocks[0].Task.State != a2a.StateCompleted || len(sessiontest.Problems(turn)) > 0 {
		t.Errorf("got turn %+v, want it completed", turn)
	}
	if s.Log.Len() != 5 {
		t.Errorf("got %d records, want 5", s.Log.Len())
	}
}

func TestReplayTellsWhatIsDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(firstLine+"junk\n"+journalLine(2)), 0o600); err != nil {
		t.Fatal(err)
	}
	feed := log.NewFeed()
	openRecording(t, path).Replay(t.Context(), feed, Unpaced)
	got := signals(t, feed)
	if len(got) != 2 || got[0].Class != JournalDamaged || !strings.Contains(got[0].Sentence, "Line 2") {
		t.Fatalf("got signals %+v, want one of class journal-damaged about line 2 and a count", got)
	}
	if got[1].Class != JournalDropped || got[1].Sentence != "1 record read, 1 line dropped" {
		t.Errorf("got last signal %+v, want the counts of the whole file", got[1])
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got error %v, want one that names the file", path, err)
		}
	}
}

func TestOnlySessionsAreOpened(t *testing.T) {
	for name, text := range map[string]string{
		"a session":              firstLine + journalLine(1),
		"only its first line":    firstLine,
		"a torn first line":      strings.TrimSuffix(firstLine, "\n"),
		"a damaged first line":   "junk\n" + journalLine(1),
		"its first line is lost": journalLine(2),
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		recorded, err := Open(path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		recorded.file.Close()
	}
	for name, text := range map[string]string{
		"empty": "", "text": "hello\nthere\n", "a card": `{"name":"A","url":"http://a"}`, "JSON lines": "{\"id\":1}\n{\"id\":2}\n",
		"binary": "\x7fELF\x00\x01\n\x00", "one long line": strings.Repeat("x", 3<<20), "a number": "7\n",
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), " session") {
			t.Errorf("%s: got error %v, want one that names the file and the reason", name, err)
		}
	}
}

// TestARecordingThatStopsWhileACardIsLookedForSaysSo replays a recording of a program that was
// killed during discovery.
func TestARecordingThatStopsWhileACardIsLookedForSaysSo(t *testing.T) {
	text := appendHeader(nil, sessiontest.Epoch)
	for i, n := range []*a2a.Note{
		{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "1", log.AttrRef: "http://a"}},
		{Type: log.NoteOpening, Attrs: map[string]string{log.AttrAgent: "2", log.AttrRef: "http://b"}},
		{Type: log.NoteOpened, Attrs: map[string]string{log.AttrAgent: "2", log.AttrClass: a2a.ClassRefused, log.AttrSentence: "Nobody is there."}},
	} {
		text = appendRecord(text, &a2a.Record{ID: a2a.RecordID(i + 1), Kind: a2a.KindNote, Time: sessiontest.Epoch, Note: n})
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	state := sessiontest.ReplayState(t, openRecording(t, path), nil)
	if a := state.Agent(1); a.Phase != model.Failed || !strings.Contains(a.Problem, "recording ends") {
		t.Errorf("got phase %d, problem %q; want failed because the recording ends", a.Phase, a.Problem)
	}
	if a := state.Agent(2); a.Phase != model.Unreachable || a.Problem != "Nobody is there." {
		t.Errorf("got phase %d, problem %q; want unreachable, \"Nobody is there.\"", a.Phase, a.Problem)
	}
}

// TestAPacedReplayWaitsForItsReader takes items only when the replay must wait, in the
// beginning for every block.
func TestAPacedReplayWaitsForItsReader(t *testing.T) {
	const records, ahead = 5000, 2000
	text := appendHeader(nil, sessiontest.Epoch)
	for i := 1; i <= records; i++ {
		text = append(text, journalLine(i)...)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	open := func() *Recording {
		recorded, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		return recorded
	}
	feed, done := log.NewFeed(), make(chan struct{})
	go func() {
		open().Replay(t.Context(), feed, ahead)
		close(done)
	}()
	for got := 0; got < records; {
		items, err := feed.Next(t.Context(), 50)
		if err != nil {
			t.Fatal(err)
		}
		got += len(items)
		if n := feed.Len(); n > min(ahead, got)+ReplayBlock {
			t.Fatalf("got %d waiting items after %d were taken, want at most %d", n, got, min(ahead, got)+ReplayBlock)
		}
	}
	<-done

	ctx, stop := context.WithCancel(t.Context())
	stop()
	feed = log.NewFeed()
	open().Replay(ctx, feed, ahead) // nobody takes items
	if n := feed.Len(); n > ReplayBlock {
		t.Errorf("got %d waiting items, want at most %d", n, ReplayBlock)
	}
}

// TestRecordsAreReadWhileThoseBeforeAreChecked compares the position in the file with the
// record that is being checked: reading is ahead, but not far.
func TestRecordsAreReadWhileThoseBeforeAreChecked(t *testing.T) {
	const records, size = 12 * ReplayBlock, 4 << 10
	text := appendHeader(nil, sessiontest.Epoch)
	r := sessiontest.ChunkRecord()
	r.Raw = fmt.Appendf(nil, "data: %q\n\n", bytes.Repeat([]byte("x"), size))
	for i := range records {
		r.ID, r.Exchange, r.Time = a2a.RecordID(i+1), 1, sessiontest.Epoch
		text = appendRecord(text, &r)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	recorded, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var places []int64
	recorded.Prepare(check.New(checkedBy(func(r *a2a.Record) {
		const beyond = 3 * ReplayBlock * size // what is read at a time is less
		for {
			at, err := recorded.file.Seek(0, io.SeekCurrent)
			if err != nil {
				t.Error(err)
			}
			if places = append(places, at); r.ID > 1 || at > beyond || err != nil {
				return
			}
			runtime.Gosched()
		}
	})))
	feed := log.NewFeed()
	recorded.Replay(t.Context(), feed, Unpaced)
	if feed.Len() != records {
		t.Fatalf("got %d items, want %d", feed.Len(), records)
	}
	line := int64(len(text)) / records
	first := len(places) - records // the check of the first record waited more than once
	for i, at := range places {
		block := int64(max(i-first, 0)/ReplayBlock + 1)
		if most := (block+readAhead+2)*ReplayBlock*line + 2<<20; at > most {
			t.Fatalf("block %d: got %d bytes read during its check, want at most %d", block, at, most)
		}
	}
}

// checkedBy calls itself with each record and finds nothing.
type checkedBy func(*a2a.Record)

func (c checkedBy) Check(r *a2a.Record, _ *a2a.Update, _ *a2a.Fold) []a2a.Finding {
	c(r)
	return nil
}

// TestReplayingAChunkAllocatesItsBodyItsTextAndItsUpdate counts the allocations per replayed
// record: chunks that are alike share the rest.
func TestReplayingAChunkAllocatesItsBodyItsTextAndItsUpdate(t *testing.T) {
	call := &a2a.Call{Agent: 1, Conversation: 1, Turn: 1, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC}
	records := []a2a.Record{
		{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(`{"jsonrpc":"2.0","id":"c41f-1","method":"SendStreamingMessage","params":{}}`)},
		{Kind: a2a.KindHead, Dir: a2a.In, Head: &a2a.Head{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}}},
	}
	const chunks = 4096
	for i := range chunks {
		r := sessiontest.ChunkRecord()
		r.Raw = bytes.Replace(r.Raw, []byte("10 to 17"), fmt.Appendf(nil, "%d to 17", i), 1)
		records = append(records, r)
	}
	text := appendHeader(nil, sessiontest.Epoch)
	for i := range records {
		records[i].ID, records[i].Exchange, records[i].Time = a2a.RecordID(i+1), 1, sessiontest.Epoch
		text = appendRecord(text, &records[i])
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	n := testing.AllocsPerRun(3, func() {
		recording, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		feed := log.NewFeed()
		recording.Replay(t.Context(), feed, Unpaced)
		if feed.Len() != len(records)+1 { // and the missing end
			t.Fatalf("got %d items, want %d", feed.Len(), len(records)+1)
		}
	})
	if each := n / chunks; each > 3.2 {
		t.Errorf("got %.2f allocations per chunk, want at most 3.2", each)
	}
}

func TestWhatWasReadOfARecordingIsThereBeforeTheRest(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	feed := log.NewFeed()
	over := make(chan struct{})
	go func() {
		defer close(over)
		(&Recording{file: r}).Replay(t.Context(), feed, Unpaced)
		feed.Close()
	}()
	fmt.Fprintln(w, `{"parley":"session","version":1,"created":"2026-11-20T10:00:00Z"}`)
	next := a2a.RecordID(1)
	for _, last := range []a2a.RecordID{1, 12, 12 + 2*ReplayBlock, 1000} {
		for id := next; id <= last; id++ {
			fmt.Fprintf(w, `{"id":%d,"kind":"note","time":"2026-11-20T10:00:00Z","note":{"type":"remark"}}`+"\n", id)
		}
		for next <= last { // and nothing more is written before
			items, err := feed.Next(t.Context(), 0)
			if err != nil {
				t.Fatal(err)
			}
			for i := range items {
				if items[i].Record.ID != next {
					t.Fatalf("got record %d, want %d", items[i].Record.ID, next)
				}
				next++
			}
		}
	}
	w.Close()
	if items, err := feed.Next(t.Context(), 0); err != io.EOF {
		t.Errorf("got items %v, error %v after the end; want io.EOF", items, err)
	}
	<-over
}

// openRecording opens a session file that a test has written.
func openRecording(tb testing.TB, path string) *Recording {
	tb.Helper()
	r, err := Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}
