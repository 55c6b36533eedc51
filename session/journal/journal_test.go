package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

// clock returns a time that advances by a millisecond with every call.
func clock() func() time.Time {
	var mu sync.Mutex
	at := sessiontest.Epoch
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Millisecond)
		return at
	}
}

// A sink is a file that can be slow or broken.
type sink struct {
	mu     sync.Mutex
	buf    bytes.Buffer
	writes int
	gate   chan struct{} // if set, every write waits for a token
	err    error
	room   int // bytes that fit before err; 0 is no limit
}

func (s *sink) Write(p []byte) (int, error) {
	if s.gate != nil {
		<-s.gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes++
	if s.err != nil && s.buf.Len()+len(p) > s.room {
		n := max(s.room-s.buf.Len(), 0)
		s.buf.Write(p[:n])
		return n, s.err
	}
	return s.buf.Write(p)
}

func (s *sink) Close() error { return nil }

func startJournal(s *sink, o Options) *Journal {
	o.Now = clock()
	j := newJournal("session.jsonl", s, o)
	go j.run()
	return j
}

// signals returns the signals that are queued in a feed.
func signals(t *testing.T, f *log.Feed) []log.Signal {
	t.Helper()
	var got []log.Signal
	for f.Len() > 0 {
		items, err := f.Next(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if it.Signal != nil {
				got = append(got, *it.Signal)
			}
		}
	}
	return got
}

func TestNumbersFeedAndJournalAreOneOrderUnderManyProducers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "s.jsonl")
	j, err := Create(path, Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	feed := log.NewFeed()
	r := NewRecorder(feed, j)
	const producers, each = 16, 200
	var wg sync.WaitGroup
	for p := range producers {
		wg.Go(func() {
			for i := range each {
				r.Put(sessiontest.Event(fmt.Sprintf("data: %d/%d\n\n", p, i)), a2a.Update{})
			}
		})
	}
	wg.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	items := sessiontest.Drain(t, feed, producers*each, 0)
	i := 0
	read(t, path, func(rec a2a.Record) {
		if rec.ID != a2a.RecordID(i+1) || items[i].Record.ID != rec.ID {
			t.Fatalf("position %d: got record %d in the feed, %d in the journal", i, items[i].Record.ID, rec.ID)
		}
		if !bytes.Equal(rec.Raw, items[i].Record.Raw) {
			t.Fatalf("record %d: got bytes %q in the feed, %q in the journal", rec.ID, items[i].Record.Raw, rec.Raw)
		}
		i++
	})
	if i != producers*each {
		t.Errorf("got %d records in the journal, want %d", i, producers*each)
	}
}

func read(t *testing.T, path string, each func(a2a.Record)) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Read(f, func(r a2a.Record) error { each(r); return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestJournalFilesAreTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	path := filepath.Join(dir, "s.jsonl")
	j, err := Create(path, Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for name, want := range map[string]os.FileMode{path: 0o600, dir: 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s: got mode %o, want %o", name, got, want)
		}
	}
	if _, err := Create(path, Options{Now: clock()}); !errors.Is(err, os.ErrExist) || !strings.HasPrefix(err.Error(), "the file "+path+" already exists") {
		t.Errorf("creating the same file again: got error %v, want os.ErrExist with the name", err)
	}
}

// every is a record with every member set.
func every() []a2a.Record {
	call := &a2a.Call{Agent: 1, Conversation: 2, Turn: 3, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "http://x/<&>", TaskID: "t", ContextID: "c"}
	return []a2a.Record{
		{
			ID: 1, Exchange: 1, Kind: a2a.KindRequest, Dir: a2a.Out, Time: sessiontest.Epoch, Call: call,
			Head: &a2a.Head{Method: "POST", URL: "http://x/?a=1&b=<2>", Header: map[string][]string{"A": {"1", "2"}, "Authorization": {"•••"}}, Order: []string{"A", "Authorization", "A"}},
			Raw:  []byte(`{"text":"<b>&\u2028 ü \\ \" ` + "\u2028\x7f\t\r\n\x00\x1b[31m" + `"}`),
			Redactions: []a2a.Redaction{
				{Offset: 3, Length: 9, Name: "token", Size: 12, SHA256: "ab"}, {Name: "header Authorization", Size: 3, SHA256: "cd"},
			},
		},
		{ID: 2, Exchange: 1, Kind: a2a.KindHead, Dir: a2a.In, Time: sessiontest.Epoch.Add(1), Call: call, Head: &a2a.Head{Status: 200, Proto: "HTTP/1.1", Timing: &a2a.Timing{
			DNS: 1, Connect: 2, TLS: 3, Sent: 4, FirstByte: 5, Reused: true, Remote: "127.0.0.1:80"}}},
		{ID: 3, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Call: call, Raw: []byte("id: 4\ndata: x\n\n"), SSE: &a2a.SSEFields{ID: "{,4", Event: "e\"", Retry: "9"}},
		{ID: 4, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Call: call, Raw: []byte("data: \xff\xfe\n\n"), SSE: &a2a.SSEFields{}},
		{ID: 5, Exchange: 1, Kind: a2a.KindEnd, Dir: a2a.In, Time: sessiontest.Epoch, Call: call, Torn: true, Omitted: 7, PauseTime: 8, Raw: []byte(`,"raw":"`), End: &a2a.End{Reason: a2a.Cut, Sentence: "s", Detail: "d", Class: "c"}},
		{ID: 6, Kind: a2a.KindNote, Time: sessiontest.Epoch, Note: &a2a.Note{Type: "opened", Attrs: map[string]string{"raw": "x", "ref": "http://x"}}},
		{ID: 7, Exchange: 7, Kind: a2a.KindRequest, Dir: a2a.Out, Time: sessiontest.Epoch, Call: &a2a.Call{Op: a2a.OpCard}},
		{ID: 8, Exchange: 7, Kind: a2a.KindBody, Dir: a2a.In, Time: sessiontest.Epoch, Call: &a2a.Call{Op: a2a.OpCard}, Raw: []byte(`{"a":1}`)},
		{ID: 9, Exchange: 7, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Call: &a2a.Call{Op: a2a.OpCard}, Raw: []byte("data: x\r\n\r\n"), SSE: &a2a.SSEFields{LateLF: true}},
		{ID: 10, Exchange: 7, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Call: &a2a.Call{Op: a2a.OpCard}, Raw: []byte("data: x\n\n"), SSE: &a2a.SSEFields{ID: "4", LateLF: true}},
	}
}

// appendRecord appends the line of a record.
func appendRecord(dst []byte, r *a2a.Record) []byte { return new(lineWriter).append(dst, r) }

func TestRecordsComeBackAsTheyWere(t *testing.T) {
	text := appendHeader(nil, sessiontest.Epoch)
	for _, r := range every() {
		text = appendRecord(text, &r)
	}
	var got []a2a.Record
	err := Read(bytes.NewReader(text), func(r a2a.Record) error { got = append(got, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	want := every()
	if len(got) != len(want) {
		t.Fatalf("got %d records from the journal, want %d", len(got), len(want))
	}
	for i := range want {
		if !reflect.DeepEqual(got[i], want[i]) {
			t.Errorf("record %d:\n got %+v\nwant %+v", i+1, got[i], want[i])
		}
	}
	if bytes.Contains(text, []byte(`\u003c`)) {
		t.Error("the journal has HTML escapes, so that it cannot be searched for what was on the wire")
	}
}

func TestJournalWritesABatchAtOnce(t *testing.T) {
	s := &sink{gate: make(chan struct{})}
	j := startJournal(s, Options{})
	r := NewRecorder(log.NewFeed(), j)
	for range 100 {
		r.Put(sessiontest.Event("data: x\n\n"), a2a.Update{})
	}
	done := make(chan error)
	go func() { done <- j.Close() }()
	close(s.gate)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s.writes > 2 {
		t.Errorf("got %d writes for 100 queued records, want at most 2", s.writes)
	}
	if n := bytes.Count(s.buf.Bytes(), []byte("\n")); n != 100 {
		t.Errorf("got %d lines, want 100", n)
	}
}

func TestAFullQueueMakesProducersWaitAndSaysSo(t *testing.T) {
	s := &sink{gate: make(chan struct{})}
	j := newJournal("session.jsonl", s, Options{Now: clock()})
	j.limit = 4 * (recordOverhead + 10)
	feed := log.NewFeed()
	r := NewRecorder(feed, j)
	go j.run()
	const n = 50
	var put sync.WaitGroup
	put.Go(func() {
		for range n {
			r.Put(sessiontest.Event("data: x\n\n"), a2a.Update{})
		}
	})
	// The signal comes although every producer waits, and only few records are queued.
	var seen []log.Item
	for len(seen) == 0 || seen[len(seen)-1].Signal == nil {
		items, err := feed.Next(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, items...)
	}
	if got := seen[len(seen)-1].Signal; got.Kind != log.SignalJournal || got.Class != JournalBehind {
		t.Errorf("got signal %+v, want class journal-behind", got)
	}
	if len(seen) > 7 {
		t.Errorf("got %d queued records, want about 4", len(seen)-1)
	}
	close(s.gate)
	put.Wait()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	after := signals(t, feed)
	if len(after) == 0 || after[len(after)-1].Class != JournalCaughtUp {
		t.Errorf("got signals %+v after the disk caught up, want class journal-caught-up last", after)
	}
	if got := bytes.Count(s.buf.Bytes(), []byte("\n")); got != n {
		t.Errorf("got %d written records, want %d", got, n)
	}
}

func TestARecordLargerThanTheQueueIsTaken(t *testing.T) {
	s := &sink{}
	j := newJournal("session.jsonl", s, Options{Now: clock()})
	j.limit = 10
	go j.run()
	r := NewRecorder(log.NewFeed(), j)
	for range 3 {
		r.Put(sessiontest.Event(strings.Repeat("x", 1000)), a2a.Update{})
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(s.buf.Bytes(), []byte("\n")); got != 3 {
		t.Errorf("got %d written records, want 3", got)
	}
}

func TestJournalStopsWithASentenceAndTheSessionGoesOn(t *testing.T) {
	tests := []struct {
		name   string
		sink   *sink
		max    int64
		says   string
		failed bool
	}{
		{"at its cap", &sink{}, 1000, "has reached its limit of 1 kB", false},
		{"when the disk is full", &sink{err: syscall.ENOSPC, room: 700}, 0, "the disk is full", true},
		{"when the file breaks", &sink{err: io.ErrClosedPipe}, 0, "could not be written", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			j := startJournal(tt.sink, Options{MaxBytes: tt.max})
			feed := log.NewFeed()
			r := NewRecorder(feed, j)
			const n = 200
			for range n {
				r.Put(sessiontest.Event("data: x\n\n"), a2a.Update{})
			}
			if err := j.Close(); (err != nil) != tt.failed {
				t.Errorf("Close: got error %v, want one: %v", err, tt.failed)
			}
			var records int
			var stopped []log.Signal
			for _, it := range sessiontest.Drain(t, feed, feed.Len(), 0) {
				if it.Signal == nil {
					records++
				} else if it.Signal.Class == JournalStopped {
					stopped = append(stopped, *it.Signal)
				}
			}
			if records != n {
				t.Errorf("got %d records in the feed, want %d", records, n)
			}
			if len(stopped) != 1 || !strings.Contains(stopped[0].Sentence, tt.says) {
				t.Fatalf("got signals %+v, want one that says %q", stopped, tt.says)
			}
			// A narrow terminal has room for the reason, however long the path is.
			const narrow = 76
			if strings.Index(stopped[0].Sentence, tt.says)+len(tt.says) > narrow {
				t.Errorf("sentence %q does not say %q in the first %d columns", stopped[0].Sentence, tt.says, narrow)
			}
			if at := strings.Index(stopped[0].Sentence, j.path); at >= 0 && at < strings.Index(stopped[0].Sentence, tt.says) {
				t.Errorf("sentence %q names the file before the reason", stopped[0].Sentence)
			}
			if tt.max > 0 && int64(tt.sink.buf.Len()) > tt.max {
				t.Errorf("got %d written bytes, want at most %d", tt.sink.buf.Len(), tt.max)
			}
			// Everything that was written can be read, except for an incomplete last line.
			text := append(appendHeader(nil, sessiontest.Epoch), tt.sink.buf.Bytes()...)
			read := 0
			if err := Read(bytes.NewReader(text), func(a2a.Record) error { read++; return nil }); err != nil {
				t.Errorf("the written journal cannot be read: %v", err)
			}
			if got := j.Records(); got > read || !tt.failed && got != read {
				t.Errorf("got %d records by the journal, want the %d of the file", got, read)
			}
		})
	}
}

func TestAKilledProcessLeavesAtMostItsLastLineTorn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for i := range 5 {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PARLEY_TEST_RECORD="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		line := make([]byte, 10)
		if _, err := io.ReadFull(out, line); err != nil {
			t.Fatalf("the recording process wrote %q: %v", line, err)
		}
		waitForSize(t, path, int64(i+1)<<18)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed: the error says so
		n := 0
		read(t, path, func(a2a.Record) { n++ }) // fails on any damage except an incomplete last line
		if n < 10 {
			t.Errorf("got %d records after the kill, want at least 10", n)
		}
	}
}

func TestAJournalThatCannotBeMadeSaysWhere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(file, "s.jsonl"), dir} {
		_, err := Create(path, Options{Now: clock()})
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "choose another file") {
			t.Errorf("%s: got error %v, want one that names the folder and what to do", path, err)
		}
	}
}

// A session in which nothing happened leaves no file, unless one was asked for.
func TestCloseRemovesAFileWithoutRecords(t *testing.T) {
	for _, c := range []struct {
		name         string
		clean, write bool
		want         bool // the file is there afterwards
	}{
		{"empty", true, false, false},
		{"with a record", true, true, true},
		{"empty, asked for", false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "session.jsonl")
			j, err := Create(path, Options{RemoveEmpty: c.clean, Now: clock()})
			if err != nil {
				t.Fatal(err)
			}
			if c.write {
				j.append(&a2a.Record{ID: 1, Kind: a2a.KindNote, Note: &a2a.Note{}})
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			if got := j.Records(); (got == 1) != c.write || got > 1 {
				t.Errorf("got %d records, want one: %v", got, c.write)
			}
			info, err := os.Stat(path)
			if err == nil && info.Size() != j.Size() {
				t.Errorf("got %d bytes by the journal, want the %d of the file", j.Size(), info.Size())
			}
			if (err == nil) != c.want {
				t.Errorf("got %v of the file after Close, want it there: %v", err, c.want)
			}
		})
	}
}
