package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/sessiontest"
)

const firstLine = `{"parley":"session","version":1,"created":"2026-11-20T14:02:07Z"}` + "\n"

func journalLine(id int) string {
	return fmt.Sprintf(`{"id":%d,"kind":"note","time":"2026-11-20T14:02:07Z","note":{"type":"pin"}}`, id) + "\n"
}

func TestReaderKeepsWhatADamagedJournalHolds(t *testing.T) {
	tests := []struct {
		name string
		text string
		ids  []a2a.RecordID
		says []string // one sentence each
	}{
		{"an empty session", firstLine, nil, nil},
		{"an empty file", "", nil, []string{"The file is empty"}},
		{"a torn last line", firstLine + journalLine(1) + `{"id":2,"ki`, ids(1), nil},
		{"a torn first line", `{"parley":"sess`, nil, []string{"The file is empty"}},
		{"another version", `{"parley":"session","version":2}` + "\n" + journalLine(1), ids(1), []string{"format version 2"}},
		{"no first line", journalLine(1) + journalLine(2), ids(1, 2), []string{"Line 1 does not identify"}},
		{"garbage between", firstLine + journalLine(1) + "%PDF\x00\xff\n" + journalLine(3), ids(1, 2, 3), []string{"Line 3 is not a record"}},
		{"garbage that replaced nothing", firstLine + journalLine(1) + "junk\n" + journalLine(2), ids(1, 2), []string{"Line 3 is not a record"}},
		{"a blank line", firstLine + "\n" + journalLine(1), ids(1), []string{"Line 2 is blank"}},
		{"a wrong type", firstLine + `{"id":"x","kind":"note"}` + "\n" + journalLine(1), ids(1), []string{`"id" has the wrong type`}},
		{"JSON of something else", firstLine + `{"hello":1}` + "\n" + journalLine(1), ids(1), []string{"JSON but not a record"}},
		{"a number twice", firstLine + journalLine(1) + journalLine(1) + journalLine(2), ids(1, 2), []string{"which was read before"}},
		{"a number missing", firstLine + journalLine(1) + journalLine(4), ids(1, 2, 3, 4), []string{"the records between them are missing"}},
		{"an absurd number", firstLine + journalLine(1) + `{"id":18446744073709551615,"kind":"note"}` + "\n" + journalLine(2), ids(1, 2), []string{"was skipped"}},
		{"bad base64", firstLine + `{"id":1,"kind":"end","b64":"%%%"}` + "\n" + journalLine(2), ids(1, 2), []string{"Line 2 is not a record"}},
		{"Windows line ends", strings.ReplaceAll(firstLine+journalLine(1), "\n", "\r\n"), ids(1), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []a2a.RecordID
			err := Read(strings.NewReader(tt.text), func(r a2a.Record) error {
				got = append(got, r.ID)
				return nil
			})
			if fmt.Sprint(got) != fmt.Sprint(tt.ids) {
				t.Errorf("got records %v, want %v", got, tt.ids)
			}
			var d *DamageError
			if errors.As(err, &d) != (len(tt.says) > 0) {
				t.Fatalf("got error %v, want %d sentences", err, len(tt.says))
			}
			if d == nil {
				return
			}
			if len(d.Damages) != len(tt.says) {
				t.Fatalf("got sentences %+v, want %d", d.Damages, len(tt.says))
			}
			for i, want := range tt.says {
				if !strings.Contains(d.Damages[i].Sentence, want) {
					t.Errorf("got sentence %q, want one with %q", d.Damages[i].Sentence, want)
				}
			}
		})
	}
}

func ids(list ...a2a.RecordID) []a2a.RecordID { return list }

func TestReaderStandsInForWhatIsMissing(t *testing.T) {
	var missing *a2a.Note
	_ = Read(strings.NewReader(firstLine+journalLine(1)+"junk\n"+journalLine(3)), func(r a2a.Record) error {
		if r.ID == 2 {
			missing = r.Note
		}
		return nil
	})
	if missing == nil || missing.Type != log.NoteMissing || !strings.Contains(missing.Attrs[log.AttrSentence], "Line 3") {
		t.Errorf("got note %+v in place of record 2, want type missing and line 3", missing)
	}
}

func TestReaderNeverInventsManyRecords(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(firstLine)
	for i := 1; i < 100; i++ {
		text.WriteString(journalLine(i * 5000))
	}
	n := 0
	_ = Read(&text, func(a2a.Record) error { n++; return nil })
	if n > maxMissing+100 {
		t.Errorf("got %d records of 99 lines, want at most %d", n, maxMissing+100)
	}
}

func TestReaderBoundsItsSentences(t *testing.T) {
	text := firstLine + strings.Repeat("junk\n", 100_000)
	err := Read(strings.NewReader(text), func(a2a.Record) error { return nil })
	var d *DamageError
	if !errors.As(err, &d) || len(d.Damages) > 101 {
		t.Errorf("got %d sentences about a file of junk, want at most 101", len(d.Damages))
	}
}

func TestReaderReadsLinesLongerThanItsBuffer(t *testing.T) {
	r := a2a.Record{ID: 1, Kind: a2a.KindBody, Time: sessiontest.Epoch, Raw: bytes.Repeat([]byte(`"<\`), 1<<20)}
	text := appendRecord(appendHeader(nil, sessiontest.Epoch), &r)
	text = append(text, journalLine(2)...)
	n := 0
	err := Read(bytes.NewReader(text), func(got a2a.Record) error {
		if n++; n == 1 && !bytes.Equal(got.Raw, r.Raw) {
			t.Error("got other bytes in the long line than were written, want the same")
		}
		return nil
	})
	if err != nil || n != 2 {
		t.Errorf("got %d records (%v), want 2", n, err)
	}
}

func TestReaderReturnsWhatPutSays(t *testing.T) {
	stop := errors.New("enough")
	if err := Read(strings.NewReader(firstLine+journalLine(1)), func(a2a.Record) error { return stop }); err != stop {
		t.Errorf("got error %v, want put's", err)
	}
}

func FuzzReadJournal(f *testing.F) {
	text := appendHeader(nil, sessiontest.Epoch)
	for _, r := range every() {
		text = appendRecord(text, &r)
	}
	f.Add(text)
	f.Add([]byte(firstLine + journalLine(1) + journalLine(4) + "junk\n" + `{"id":5,"kind":"body","raw":"\ud800\/"}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		next := a2a.RecordID(1)
		err := Read(bytes.NewReader(text), func(r a2a.Record) error {
			if r.ID != next {
				t.Fatalf("got record %d after record %d, want contiguous numbers", r.ID, next-1)
			}
			next++
			again, err := new(lineParser).record(bytes.TrimSuffix(appendRecord(nil, &r), []byte("\n")))
			if err == nil && !bytes.Equal(again.Raw, r.Raw) {
				t.Fatalf("wrote bytes %q, got %q", r.Raw, again.Raw)
			}
			return nil
		})
		var d *DamageError
		if err != nil && !errors.As(err, &d) {
			t.Fatalf("got error %v from a reader in memory, want a DamageError", err)
		}
	})
}

const benchRecords = 100_000

func benchFile(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "s.jsonl")
	text := appendHeader(nil, sessiontest.Epoch)
	r := sessiontest.ChunkRecord()
	for i := 1; i <= benchRecords; i++ {
		r.ID = a2a.RecordID(i)
		text = appendRecord(text, &r)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkReadJournal100k(b *testing.B) {
	path := benchFile(b)
	b.ReportAllocs()
	for b.Loop() {
		f, err := os.Open(path)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		if err := Read(f, func(a2a.Record) error { n++; return nil }); err != nil || n != benchRecords {
			b.Fatal(n, err)
		}
		f.Close()
	}
}

// BenchmarkReadJournal100kFloor only reads the same file.
func BenchmarkReadJournal100kFloor(b *testing.B) {
	path := benchFile(b)
	for b.Loop() {
		if _, err := os.ReadFile(path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecord100k(b *testing.B) {
	dir := b.TempDir()
	rec := sessiontest.ChunkRecord()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		j, err := Create(path, Options{Now: clock()})
		if err != nil {
			b.Fatal(err)
		}
		feed := log.NewFeed()
		r := NewRecorder(feed, j)
		for i := range benchRecords {
			r.Put(rec, a2a.Update{})
			if i%2000 == 0 {
				taken(feed)
			}
		}
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
		os.Remove(path)
	}
}

// BenchmarkRecord100kFloor writes the same bytes in the same batches.
func BenchmarkRecord100kFloor(b *testing.B) {
	dir := b.TempDir()
	rec := sessiontest.ChunkRecord()
	var batch []byte
	n := 0
	for len(batch) < journalBatch {
		batch = appendRecord(batch, &rec)
		n++
	}
	for b.Loop() {
		f, err := os.OpenFile(filepath.Join(dir, "floor"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC|os.O_APPEND, 0o600)
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; i < benchRecords; i += n {
			if _, err := f.Write(batch); err != nil {
				b.Fatal(err)
			}
		}
		f.Close()
	}
}

// zeros are bytes without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A line that cannot be a record is skipped without being kept, however long it is.
func TestALongLineThatIsNoRecordIsNotKept(t *testing.T) {
	const length = 200 << 20
	for name, ends := range map[string]string{"in the middle": "\n", "at the end": ""} {
		before, after := recordLines(request(1)), ""
		if ends != "" {
			after = ends + recordLines(request(2))
		}
		var start, end runtime.MemStats
		runtime.ReadMemStats(&start)
		records := 0
		err := Read(io.MultiReader(bytes.NewReader(appendHeader(nil, sessiontest.Epoch)), strings.NewReader(before), io.LimitReader(zeros{}, length), strings.NewReader(after)), func(a2a.Record) error {
			records++
			return nil
		})
		runtime.ReadMemStats(&end)
		if damage, ok := errors.AsType[*DamageError](err); ends != "" && (records != 2 || !ok || len(damage.Damages) != 1 || !strings.Contains(err.Error(), "Line 3 is not a record: it does not begin with {.")) || ends == "" && (records != 1 || err != nil) {
			t.Errorf("%s: got %d records and error %v, want the others and one sentence", name, records, err)
		}
		if used := end.TotalAlloc - start.TotalAlloc; used > length/8 {
			t.Errorf("%s: got %d bytes allocated for a line of %d, want it not kept", name, used, length)
		}
	}
}
