package journal

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

func request(id a2a.RecordID) a2a.Record {
	return a2a.Record{ID: id, Exchange: id, Kind: a2a.KindRequest, Dir: a2a.Out, Time: sessiontest.Epoch, Call: &a2a.Call{Agent: 1, Op: a2a.OpStream}, Raw: []byte(`{"jsonrpc":"2.0"}`)}
}

// writeLines writes a session file with a header and lines of records, and returns its path.
func writeLines(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "before.jsonl")
	if err := os.WriteFile(path, append(appendHeader(nil, sessiontest.Epoch), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func recordLines(records ...a2a.Record) string {
	var w lineWriter
	var text []byte
	for i := range records {
		text = w.append(text, &records[i])
	}
	return string(text)
}

// replayAll replays a file to its end and returns the records.
func replayAll(t *testing.T, r *Recording) (records []a2a.Record) {
	t.Helper()
	feed := log.NewFeed()
	r.Replay(context.Background(), feed, Unpaced)
	feed.Close()
	for {
		items, err := feed.Next(context.Background(), 0)
		if err != nil {
			return records
		}
		for _, it := range items {
			if it.Signal == nil {
				records = append(records, it.Record)
			}
		}
	}
}

// The new file alone has every record of its predecessor under its number, the ends that the
// predecessor lacks, and what came after them.
func TestAContinuedFileCanBeOpenedAlone(t *testing.T) {
	for name, text := range map[string]string{
		"whole":          recordLines(request(1), a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Raw: []byte("data: {}\n\n")}),
		"torn last line": recordLines(request(1), request(2)) + `{"id":3,"exchange":1,"ki`,
		"damaged lines":  recordLines(request(1)) + "nonsense\n\n" + recordLines(request(4)) + "more\n",
		"no records":     "",
		"giant last":     recordLines(request(1), a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindBody, Dir: a2a.In, Time: sessiontest.Epoch, Raw: bytes.Repeat([]byte("x"), 2*journalGiant)}),
	} {
		before := writeLines(t, text)
		original, _ := os.ReadFile(before)
		old, err := OpenToContinue(before)
		if err != nil {
			t.Fatalf("%s: got error %v, want none", name, err)
		}
		want := replayAll(t, old)
		path := filepath.Join(filepath.Dir(before), "after.jsonl")
		j, err := CreateAfter(path, Options{Now: func() time.Time { return sessiontest.Epoch }}, old.Predecessor())
		if err != nil {
			t.Fatalf("%s: got error %v, want none", name, err)
		}
		recorder := NewRecorder(log.NewFeed(), j)
		recorder.GoOn(old.Predecessor().Last)
		id := recorder.Put(a2a.Record{Kind: a2a.KindNote, Time: sessiontest.Epoch, Note: &a2a.Note{Type: log.NoteResumed}}, a2a.Update{})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if int(id) != len(want)+1 {
			t.Errorf("%s: got record number %d after %d records, want the next one", name, id, len(want))
		}
		text, _ := os.ReadFile(path)
		if counts, _ := readCounting(bytes.NewReader(text), func(a2a.Record) error { return nil }); j.Records() != counts.records {
			t.Errorf("%s: got %d records by the journal, want the %d of the file", name, j.Records(), counts.records)
		}
		if j.Size() != int64(len(text)) {
			t.Errorf("%s: got %d bytes by the journal, want the %d of the file", name, j.Size(), len(text))
		}
		again, err := Open(path)
		if err != nil {
			t.Fatalf("%s: got error %v for the new file, want none", name, err)
		}
		got := replayAll(t, again)
		if len(got) != len(want)+1 || !slices.EqualFunc(got[:len(want)], want, func(a, b a2a.Record) bool {
			return a.ID == b.ID && a.Kind == b.Kind && a.Exchange == b.Exchange && bytes.Equal(a.Raw, b.Raw)
		}) {
			t.Errorf("%s: got %d records, want the %d of the predecessor and one more\n%v\n%v", name, len(got), len(want), got, want)
		}
		if now, _ := os.ReadFile(before); !bytes.Equal(now, original) {
			t.Errorf("%s: got a changed predecessor, want it as it was", name)
		}
		if got := Continues(path); got != "before.jsonl" {
			t.Errorf("%s: got that it continues %q, want before.jsonl", name, got)
		}
	}
}

func TestAFileThatCannotBeContinuedSaysWhy(t *testing.T) {
	later := filepath.Join(t.TempDir(), "later.jsonl")
	os.WriteFile(later, []byte(`{"parley":"session","version":2}`+"\n"+recordLines(request(1))), 0o600)
	foreign := filepath.Join(t.TempDir(), "foreign.jsonl")
	os.WriteFile(foreign, []byte("{}\n"), 0o600)
	empty := filepath.Join(t.TempDir(), "empty.jsonl")
	os.WriteFile(empty, nil, 0o600)
	held := filepath.Join(t.TempDir(), "held.jsonl")
	j, err := Create(held, Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for path, want := range map[string]string{
		later: "format version 2", foreign: "not a recorded session", empty: "it is empty", held: "another Parley that runs records it or goes on with it",
		os.DevNull: "no regular file", t.TempDir(): "it is a directory", "/nowhere": "no such file",
	} {
		if _, err := OpenToContinue(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got error %v, want %q", path, err, want)
		}
	}
	if _, err := CreateAfter(filepath.Join(t.TempDir(), "x"), Options{Now: time.Now, MaxBytes: 10}, Predecessor{Path: "big", Size: 11}); err == nil || !strings.Contains(err.Error(), "--record-max") {
		t.Errorf("got error %v for a predecessor above the limit, want one that names --record-max", err)
	}
}

func TestOnlyANameBesideTheFileIsAPredecessor(t *testing.T) {
	for name, want := range map[string]string{"a.jsonl": "a.jsonl", "../a.jsonl": "", "/etc/passwd": "", ".": "", `a\b`: ""} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		os.WriteFile(path, appendHeaderAfter(nil, sessiontest.Epoch, name), 0o600)
		if got := Continues(path); got != want {
			t.Errorf("%s: got predecessor %q, want %q", name, got, want)
		}
	}
}

func TestTheEndingOfAFileTellsWhetherItWasCut(t *testing.T) {
	end := a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindEnd, Time: sessiontest.Epoch, End: &a2a.End{Reason: a2a.Ended}}
	big := request(1)
	big.Raw = bytes.Repeat([]byte("y"), 1<<20)
	for name, c := range map[string]struct {
		text string
		want Ending
	}{
		"over":    {recordLines(request(1), end), Ending{Records: 2}},
		"open":    {recordLines(request(1)), Ending{Records: 1, Open: 1}},
		"big":     {recordLines(big), Ending{Records: 1, Open: 1}},
		"torn":    {recordLines(request(1)) + `{"id":2,"exchange":1,"kind":"end"`, Ending{Records: 1, Open: 1}},
		"foreign": {"{}\nnonsense\n", Ending{}},
		"note":    {recordLines(a2a.Record{ID: 1, Kind: a2a.KindNote, Note: &a2a.Note{Type: "opening"}}), Ending{Records: 1}},
	} {
		got, err := ReadEnding(writeLines(t, c.text))
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v and error %v, want %+v", name, got, err, c.want)
		}
	}
	if _, err := ReadEnding("/nowhere"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got error %v, want that there is no such file", err)
	}
}

// One Parley at a time goes on with a session.
func TestASessionIsClaimedOnce(t *testing.T) {
	p := Predecessor{Path: writeLines(t, recordLines(request(1)))}
	release, err := p.Claim()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Claim(); !errors.Is(err, errHeld) {
		t.Errorf("got error %v for a second claim, want %v", err, errHeld)
	}
	if _, err := OpenToContinue(p.Path); err == nil || !strings.Contains(err.Error(), "another Parley") {
		t.Errorf("got error %v for a claimed session, want that another Parley goes on with it", err)
	}
	release()
	if release, err = p.Claim(); err != nil {
		t.Fatalf("got error %v after the release, want none", err)
	}
	release()
	p.Path += ".gone"
	if _, err := p.Claim(); err == nil {
		t.Error("got a claim on no file, want an error")
	}
}

// A session that goes on twice is one story: the third file has every record once, and each file names
// the one before it.
func TestAChainOfFilesIsOneStory(t *testing.T) {
	path := writeLines(t, recordLines(request(1), a2a.Record{ID: 2, Exchange: 1, Kind: a2a.KindEvent, Dir: a2a.In, Time: sessiontest.Epoch, Raw: []byte("data: {}\n\n")}))
	dir := filepath.Dir(path)
	for _, next := range []string{"second.jsonl", "third.jsonl"} {
		old, err := OpenToContinue(path)
		if err != nil {
			t.Fatal(err)
		}
		replayAll(t, old)
		before := old.Predecessor()
		j, err := CreateAfter(filepath.Join(dir, next), Options{Now: func() time.Time { return sessiontest.Epoch }}, before)
		if err != nil {
			t.Fatal(err)
		}
		recorder := NewRecorder(log.NewFeed(), j)
		recorder.GoOn(before.Last)
		recorder.Put(a2a.Record{Kind: a2a.KindNote, Time: sessiontest.Epoch, Note: &a2a.Note{Type: log.NoteResumed, Attrs: map[string]string{log.AttrName: before.Name()}}}, a2a.Update{})
		id := recorder.Put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Time: sessiontest.Epoch, Call: &a2a.Call{Agent: 1, Op: a2a.OpStream}, Raw: []byte(`{}`)}, a2a.Update{})
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		if got := Continues(j.Path()); got != filepath.Base(path) || id != before.Last+2 {
			t.Errorf("%s: got that it continues %q and record %d, want %q and %d", next, got, id, filepath.Base(path), before.Last+2)
		}
		path = j.Path()
	}
	third, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i, r := range replayAll(t, third) {
		if r.ID != a2a.RecordID(i+1) {
			t.Errorf("got record %d in place %d, want every number once", r.ID, i+1)
		}
		if r.Kind == a2a.KindNote && r.Note.Type == log.NoteResumed {
			names = append(names, r.Note.Attrs[log.AttrName])
		}
	}
	if !slices.Equal(names, []string{"before.jsonl", "second.jsonl"}) {
		t.Errorf("got predecessors %q in the third file, want both", names)
	}
}
