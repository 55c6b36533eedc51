package session

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"reflect"
	"testing"

	"parley/a2a"
)

// A recording of compressed answers says what they say and keeps the bytes as they came.
func TestCompressedAnswersSurviveARecording(t *testing.T) {
	l := newLoner(t, card03, map[string]string{"message/send": reply03})
	zipped := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		l.ServeHTTP(into{w, z}, r)
	})
	l.Config.Handler = zipped
	d := newDesk(t, nil)
	id := d.opened(l.URL)
	turn, sig := d.say(Target{Agent: id}, "hello", SendOptions{})
	if sig.Sentence != "" || len(problems(turn)) != 0 {
		t.Fatalf("turn over %+v\n%s", sig, d.log())
	}
	var live []a2a.Record
	for _, it := range d.items {
		if it.Record.Coded != nil {
			live = append(live, it.Record)
			z, err := gzip.NewReader(bytes.NewReader(it.Record.Coded.Bytes))
			if err != nil {
				t.Fatal(err)
			}
			if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, it.Record.Raw) {
				t.Errorf("the bytes kept say %q, the record %q", plain, it.Record.Raw)
			}
		}
	}
	if len(live) != 2 {
		t.Fatalf("%d records say how they were coded, want the card and the answer", len(live))
	}
	for _, r := range live {
		line := new(lineWriter).append(nil, &r)
		if size := new(lineWriter).size(&r); size != int64(len(line)) {
			t.Errorf("size %d, line of %d bytes", size, len(line))
		}
		got, err := new(lineParser).record(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil || !reflect.DeepEqual(got.Coded, r.Coded) || !bytes.Equal(got.Raw, r.Raw) {
			t.Errorf("read back %+v, %v", got.Coded, err)
		}
	}
	d.finish()
}

// into writes a body elsewhere than its head.
type into struct {
	http.ResponseWriter
	body io.Writer
}

func (i into) Write(b []byte) (int, error) { return i.body.Write(b) }
