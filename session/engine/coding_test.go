package engine

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"os"
	"reflect"
	"testing"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/model"
	"parley/session/sessiontest"
)

// A recording of compressed answers has the decoded content and the coded bytes.
func TestCompressedAnswersSurviveARecording(t *testing.T) {
	t.Parallel()
	l := newLoner(t, card03, map[string]string{"message/send": reply03})
	zipped := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		l.ServeHTTP(into{w, z}, r)
	})
	l.Config.Handler = zipped
	d := newHarness(t, nil)
	id := d.openAgent(l.URL)
	turn, sig := d.sendText(model.Target{Agent: id}, "hello", model.SendOptions{})
	if sig.Sentence != "" || len(sessiontest.Problems(turn)) != 0 {
		t.Fatalf("got turn end %+v, want no failure and no problems\n%s", sig, d.log())
	}
	var live []a2a.Record
	for _, it := range d.items {
		if it.Record.Coding != nil {
			live = append(live, it.Record)
			z, err := gzip.NewReader(bytes.NewReader(it.Record.Coding.Bytes))
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, it.Record.Raw) {
				t.Errorf("coded bytes decompress to %q, want the record's %q", plain, it.Record.Raw)
			}
		}
	}
	if len(live) != 2 {
		t.Fatalf("got %d records with coded bytes, want 2: the card and the answer", len(live))
	}
	d.finish()
	file, err := os.Open(d.journal.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var read []a2a.Record
	err = journal.Read(file, func(r a2a.Record) error {
		if r.Coding != nil {
			read = append(read, r)
		}
		return nil
	})
	if err != nil || len(read) != len(live) {
		t.Fatalf("got %d records with coded bytes from the journal, want %d (%v)", len(read), len(live), err)
	}
	for i, r := range live {
		if got := read[i]; !reflect.DeepEqual(got.Coding, r.Coding) || !bytes.Equal(got.Raw, r.Raw) {
			t.Errorf("got %+v from the journal, want %+v", got.Coding, r.Coding)
		}
	}
}

// into writes a response whose body goes to another writer than its head.
type into struct {
	http.ResponseWriter
	body io.Writer
}

func (i into) Write(b []byte) (int, error) { return i.body.Write(b) }
