package a2a

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
	"time"
)

// FuzzRead reads any bytes as the body of an answer. The records must have all of them, in
// order, and there must be an end.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/vectors/*/*")
	for i, name := range files {
		if b, err := os.ReadFile(name); err == nil && len(b) < 8<<10 {
			f.Add(b, "application/json", i%2 == 0, i%3 == 0)
			f.Add(b, "text/event-stream", i%3 == 0, i%2 == 0)
		}
	}
	f.Add([]byte("{}\n\n{}\n{"), "", true, false)
	target, err := url.Parse("http://agent.example/")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte, kind string, streams, breaks bool) {
		var kept bytes.Buffer
		trace := Trace{Now: time.Now, Put: func(r Record, _ Update) RecordID {
			kept.Write(restoreSecrets(r.Raw, r.Redactions))
			return 1
		}}
		call := Call{Op: OpGet, Dialect: V10}
		if streams {
			call.Op = OpStream
		}
		var r io.Reader = bytes.NewReader(body)
		if breaks {
			r = io.MultiReader(r, iotest.ErrReader(errors.New("broken")))
		}
		resp := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(r), ContentLength: -1}
		x := newWire(&Options{Trace: trace}, nil).exchange(call, Hooks{})
		x.target = target
		x.tally.addHead(resp.StatusCode, resp.Header, "", time.Time{}, 0)
		end, tail := x.read(t.Context(), resp)
		kept.Write(tail)
		if !bytes.Equal(kept.Bytes(), body) {
			t.Errorf("records have %q, want %q", kept.Bytes(), body)
		}
		if breaks != (end.Reason == Cut) && breaks || end.Reason == "" {
			t.Errorf("got end %+v, want %q only if the body breaks", end, Cut)
		}
		if end.Class != "" && end.Sentence == "" {
			t.Errorf("class %s: got no sentence, want one", end.Class)
		}
	})
}

func TestBodiesHaveALimit(t *testing.T) {
	t.Parallel()
	limit := &limitError{LimitAnswer, 8}
	for _, tt := range []struct {
		before, rest, want string
		err                error
	}{
		{"", "12345678", "12345678", nil},
		{"123", "45678", "12345678", nil},
		{"", "123456789", "12345678", limit},
		{"123", "456789", "12345678", limit},
		{"123456789", "", "12345678", limit},
	} {
		got, err := readAtMost([]byte(tt.before), bytes.NewReader([]byte(tt.rest)), limit)
		if string(got) != tt.want || err != tt.err {
			t.Errorf("readAtMost(%q, %q) = %q, %v, want %q, %v", tt.before, tt.rest, got, err, tt.want, tt.err)
		}
	}
}
