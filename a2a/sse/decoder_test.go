package sse

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// read returns all frames of a stream, its tail and the error at its end.
func read(r io.Reader, options ...Option) (frames []Frame, tail []byte, err error) {
	d := NewDecoder(r, options...)
	for {
		f, err := d.Next()
		if err != nil {
			return frames, d.Tail(), err
		}
		frames = append(frames, f)
	}
}

// body joins frames and tail.
func body(frames []Frame, tail []byte) string {
	var b strings.Builder
	for _, f := range frames {
		b.Write(f.Bytes())
	}
	b.Write(tail)
	return b.String()
}

func TestFramesOfAStream(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		data         []string
		tail         string
	}{
		{"LF", "data: a\n\ndata: b\n\n", []string{"a", "b"}, ""},
		{"CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}, ""},
		{"CR", "data: a\r\rdata: b\r\r", []string{"a", "b"}, ""},
		{"mixed line ends", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", []string{"a", "b", "c"}, ""},
		{"joined lines", "data: a\ndata\ndata:\ndata:  b\n\n", []string{"a\n\n\n b"}, ""},
		{"no space after the colon", "data:a\n\ndata:{\"x\": 1}\n\n", []string{"a", `{"x": 1}`}, ""},
		{"empty data", "data\n\ndata:\n\n", []string{"", ""}, ""},
		{"blocks without data", ": hello\n\nevent: x\n\nid: 1\n\ndata: a\n\n: bye\n\n", []string{"a"}, ": bye\n\n"},
		{"byte order mark", "\xEF\xBB\xBFdata: a\n\n\xEF\xBB\xBFdata: b\n\ndata: c\n\n", []string{"a", "c"}, ""},
		{"byte order mark before a blank line", "\xEF\xBB\xBF\n\ndata: a\n\n", []string{"a"}, ""},
		{"names with blanks or capitals", " data: x\nDATA: y\ndata : z\ndata: a\nData: b\n\n", []string{"a"}, ""},
		{"nothing", "", nil, ""},
		{"blank lines only", "\n\r\n\r", nil, "\n\r\n\r"},
		{"no event stream", "<html>\n\n<p>x</p>\n", nil, "<html>\n\n<p>x</p>\n"},
		{"NUL and invalid UTF-8", "data: \x00\xff\n\n", []string{"\x00\xff"}, ""},
		{"two documents in a frame", "data: {}\ndata: {}\n\n", []string{"{}\n{}"}, ""},
	} {
		frames, tail, err := read(strings.NewReader(c.stream))
		if err != io.EOF {
			t.Errorf("%s: got error %v, want EOF", c.name, err)
		}
		var data []string
		for _, f := range frames {
			if f.HasData {
				data = append(data, string(f.Data))
			}
			if f.Torn || f.Unprefixed || f.Omitted > 0 {
				t.Errorf("%s: got frame %+v, want it neither torn, unprefixed nor cut", c.name, f)
			}
		}
		if strings.Join(data, "|") != strings.Join(c.data, "|") || len(data) != len(c.data) {
			t.Errorf("%s: got data %q, want %q", c.name, data, c.data)
		}
		if string(tail) != c.tail {
			t.Errorf("%s: got tail %q, want %q", c.name, tail, c.tail)
		}
		if got := body(frames, tail); got != c.stream {
			t.Errorf("%s: got raw bytes %q, want %q", c.name, got, c.stream)
		}
	}
}

func TestFieldsBelongToTheFrameThatFollows(t *testing.T) {
	const stream = "id: 1\nretry: 3000\n\nevent: lost\n\nevent: status_update\ndata: a\n\n" +
		"event: status_update\nid: 2\ndata: b\n\ndata: c\n\nid: no\x00t\nid\nevent: x\nevent: y\ndata: d\n\nid: 7\nid: no\x00t\ndata: e\n\n"
	frames, _, _ := read(strings.NewReader(stream))
	want := []Frame{
		{Event: "status_update", ID: "1", Retry: "3000"}, {Event: "status_update", ID: "2"}, {}, {Event: "y"}, {ID: "7"},
	}
	if len(frames) != len(want) {
		t.Fatalf("got %d frames, want %d", len(frames), len(want))
	}
	for i, f := range frames {
		if f.Event != want[i].Event || f.ID != want[i].ID || f.Retry != want[i].Retry {
			t.Errorf("frame %d: got event %q id %q retry %q, want %+v", i, f.Event, f.ID, f.Retry, want[i])
		}
	}
}

func TestCutStreamGivesATornFrame(t *testing.T) {
	reset := errors.New("connection reset")
	for _, c := range []struct{ stream, data, tail string }{
		{"data: {}\n\ndata: {\"a\":1}\n", `{"a":1}`, ""},
		{"data: {}\n\ndata: {\"a\":1}", `{"a":1}`, ""},
		{"data: {}\n\ndata: {\"a\":1}\r", `{"a":1}`, ""},
		{"data: {}\n\n: note\nid: 4\ndata: {\"a", `{"a`, ""},
		{"data: {}\n\nid: 4\nda", "", "id: 4\nda"},
	} {
		for _, cause := range []error{io.EOF, reset} {
			frames, tail, err := read(io.MultiReader(strings.NewReader(c.stream), iotest.ErrReader(cause)))
			if err != cause {
				t.Errorf("%q: got error %v, want %v", c.stream, err, cause)
			}
			last := frames[len(frames)-1]
			if torn := c.data != ""; last.Torn != torn || torn && string(last.Data) != c.data {
				t.Errorf("%q: got last frame %+v, want data %q", c.stream, last, c.data)
			}
			if string(tail) != c.tail || body(frames, tail) != c.stream {
				t.Errorf("%q: got tail %q, want %q", c.stream, tail, c.tail)
			}
		}
	}
}

func TestLinesWithoutPrefixCompleteJSON(t *testing.T) {
	for _, c := range []struct {
		stream, data                string
		hasData, unprefixed, isTorn bool
	}{
		{"data: {\n  \"a\": [\n    1\n  ]\n}\n\n", "{\n  \"a\": [\n    1\n  ]\n}", true, true, false},
		{"data: {\n\"a\":\ndata: 1\n}", "{\n\"a\":\n1\n}", true, true, true},
		{"{\n  \"a\": 1\n}\n\n", "{\n  \"a\": 1\n}", false, true, false},
		{"data: {}\n{\"b\": 1}\n\n", "{}", true, false, false},
		{"data: {\nnot: json\n\n", "{", true, false, false},
	} {
		frames, tail, _ := read(strings.NewReader(c.stream))
		if len(frames) != 1 || len(tail) != 0 {
			t.Fatalf("%q: got %d frames and tail %q, want one frame", c.stream, len(frames), tail)
		}
		f := frames[0]
		if string(f.Data) != c.data || f.HasData != c.hasData || f.Unprefixed != c.unprefixed || f.Torn != c.isTorn {
			t.Errorf("%q: got %+v with data %q, want data %q", c.stream, f, f.Data, c.data)
		}
	}
}

func TestFrameIsDeliveredWhileTheConnectionStaysOpen(t *testing.T) {
	for _, pipe := range []func() (io.ReadCloser, io.WriteCloser){
		func() (io.ReadCloser, io.WriteCloser) { return io.Pipe() },
		func() (io.ReadCloser, io.WriteCloser) { return net.Pipe() },
	} {
		r, w := pipe()
		d := NewDecoder(r)
		for _, end := range []string{"\n\n", "\r\n\r\n", "\r\r", "\n\r"} {
			sent := make(chan error, 1)
			go func() {
				_, err := io.WriteString(w, "data: a"+end)
				sent <- err
			}()
			// Nothing more is written before Next returns.
			f, err := d.Next()
			if err != nil || string(f.Data) != "a" {
				t.Fatalf("after %q: got data %q, %v, want %q", end, f.Data, err, "a")
			}
			if err := <-sent; err != nil {
				t.Fatal(err)
			}
		}
		w.Close()
		if _, err := d.Next(); err != io.EOF {
			t.Errorf("after Close: got error %v, want EOF", err)
		}
	}
}

func TestFrameBeyondTheLimitSaysWhatIsMissing(t *testing.T) {
	long := "id: 7\ndata: " + strings.Repeat("x", 5000) + "\ndata: more\n\n"
	stream := "data: a\n\n" + long + "data: b\n\n"
	for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream))} {
		frames, tail, err := read(r, MaxFrame(100))
		if err != io.EOF || len(frames) != 3 || len(tail) != 0 {
			t.Fatalf("got %d frames, tail %q, error %v; want 3, none, EOF", len(frames), tail, err)
		}
		f := frames[1]
		if string(f.Raw) != long[:100] || f.Omitted != len(long)-100 || f.Data != nil || f.ID != "7" || f.Torn {
			t.Errorf("long frame: got %d bytes raw, %d omitted, data %q; want 100, %d, none", len(f.Raw), f.Omitted, f.Data, len(long)-100)
		}
		if string(frames[0].Data) != "a" || string(frames[2].Data) != "b" {
			t.Errorf("got data %q before and %q after the long frame, want a and b", frames[0].Data, frames[2].Data)
		}
	}
	exact := "data: " + strings.Repeat("x", 92) + "\n\n"
	frames, _, _ := read(strings.NewReader(exact), MaxFrame(100))
	if len(frames) != 1 || frames[0].Omitted != 0 || len(frames[0].Data) != 92 {
		t.Errorf("frame at the limit: got %+v, want nothing omitted", frames)
	}
	frames, _, _ = read(strings.NewReader(exact+exact[:99]+"xxx"), MaxFrame(100))
	if len(frames) != 2 || frames[1].Omitted != 2 || !frames[1].Torn {
		t.Errorf("torn frame beyond the limit: got %+v, want 2 bytes omitted", frames)
	}
}

// endless is a reader of one line without an end.
type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	e.left -= n
	for i := range p[:n] {
		p[i] = 'x'
	}
	return n, nil
}

func TestEndlessLineTakesBoundedMemory(t *testing.T) {
	const size, limit = 32 << 20, 1 << 16
	d := NewDecoder(&endless{size}, MaxFrame(limit))
	f, err := d.Next()
	if err != nil || len(f.Raw) != limit || f.Omitted != size-limit || !f.Torn {
		t.Errorf("got %d bytes raw, %d omitted, error %v; want %d, %d, none", len(f.Raw), f.Omitted, err, limit, size-limit)
	}
	if cap(d.buf) > 4*limit {
		t.Errorf("got a buffer of %d bytes, want at most %d", cap(d.buf), 4*limit)
	}
}

func TestEndlessCommentsAreHandedOut(t *testing.T) {
	stream := strings.Repeat(": ping\n\n", 3*maxIdle/8)
	frames, tail, _ := read(strings.NewReader(stream))
	if len(frames) != 3 || len(tail) != 0 || body(frames, tail) != stream {
		t.Fatalf("got %d frames and a tail of %d bytes, want 3 and none", len(frames), len(tail))
	}
	if frames[0].HasData || frames[0].Data != nil || frames[0].Torn {
		t.Errorf("got frame %+v, want comments alone", frames[0])
	}
}

func TestReaderThatReturnsNothing(t *testing.T) {
	_, _, err := read(stalled{})
	if err != io.ErrNoProgress {
		t.Errorf("got error %v, want %v", err, io.ErrNoProgress)
	}
}

type stalled struct{}

func (stalled) Read([]byte) (int, error) { return 0, nil }

func TestEndIsRepeated(t *testing.T) {
	d := NewDecoder(strings.NewReader("data: a"))
	if f, err := d.Next(); err != nil || !f.Torn || len(d.Tail()) != 0 {
		t.Fatalf("got frame %+v, error %v; want a torn frame", f, err)
	}
	for range 3 {
		if f, err := d.Next(); err != io.EOF || f.Raw != nil {
			t.Errorf("after the end: got frame %+v, error %v; want EOF", f, err)
		}
	}
}

func TestVectors(t *testing.T) {
	complete := map[string]int{ // frames whose data is JSON, if not all are
		"bad/078-truncated-event.sse": 1, "bad/082-done-sentinel.sse": 1, "bad/089-glued-events.sse": 0,
	}
	for path, stream := range vectors(t) {
		frames, tail, err := read(iotest.HalfReader(bytes.NewReader(stream)))
		if err != io.EOF || body(frames, tail) != string(stream) {
			t.Errorf("%s: got error %v, or other bytes than the stream's", path, err)
		}
		want, listed := complete[path]
		if !listed {
			want = len(frames)
		}
		valid := 0
		for _, f := range frames {
			if json.Valid(f.Data) {
				valid++
			}
		}
		if valid != want || len(frames) == 0 && len(stream) > 0 {
			t.Errorf("%s: got %d JSON frames of %d, want %d", path, valid, len(frames), want)
		}
	}
}

// vectors returns the streams among the test vectors.
func vectors(t testing.TB) map[string][]byte {
	t.Helper()
	const root = "../testdata/vectors/"
	paths, err := filepath.Glob(root + "*/*.sse")
	if err != nil || len(paths) < 20 {
		t.Fatalf("got %d streams, %v, want at least 20", len(paths), err)
	}
	streams := make(map[string][]byte, len(paths))
	for _, path := range paths {
		stream, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		streams[filepath.ToSlash(path[len(root):])] = stream
	}
	return streams
}

// TestTheLFOfACRLFOpensNoFrame reads the stream in one piece, and with a pause between
// the CR and the LF of every blank line.
func TestTheLFOfACRLFOpensNoFrame(t *testing.T) {
	const stream = "data: a\r\n\r\n: ping\r\n\r\ndata: b\r\n\r\n\r\ndata: c\r\n\r\n"
	whole, tail, _ := read(strings.NewReader(stream))
	for i, want := range []string{"data: a\r\n\r\n", ": ping\r\n\r\ndata: b\r\n\r\n", "\r\ndata: c\r\n\r\n"} {
		if string(whole[i].Raw) != want || whole[i].LateLF {
			t.Errorf("in one piece: got frame %d %q, LateLF %v; want %q, false", i, whole[i].Raw, whole[i].LateLF, want)
		}
	}
	if len(tail) != 0 {
		t.Errorf("in one piece: got tail %q, want none", tail)
	}

	late, tail, _ := read(iotest.OneByteReader(strings.NewReader(stream)))
	for i, want := range []string{"data: a\r\n\r", ": ping\r\n\r\ndata: b\r\n\r", "\r\ndata: c\r\n\r"} {
		if string(late[i].Raw) != want || late[i].LateLF != (i > 0) {
			t.Errorf("byte by byte: got frame %d %q, LateLF %v; want %q, %v", i, late[i].Raw, late[i].LateLF, want, i > 0)
		}
	}
	if string(tail) != "\n" || body(late, tail) != stream {
		t.Errorf("byte by byte: got tail %q, want a LF", tail)
	}
}

// TestTheLFOfACRLFDoesNotCountForTheLimit reads frames that reach the limit with the CR, and
// frames one byte longer.
func TestTheLFOfACRLFDoesNotCountForTheLimit(t *testing.T) {
	for size, omitted := range map[int]int{91: 0, 92: 2} {
		stream := "data: " + strings.Repeat("x", size) + "\r\n\r\ndata: b\n\n"
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(stream), "bytes": iotest.OneByteReader(strings.NewReader(stream))} {
			frames, _, _ := read(r, MaxFrame(100))
			want := omitted
			if name == "bytes" && omitted > 0 {
				want-- // the next frame reports the LF
			}
			if len(frames) != 2 || frames[0].Omitted != want || (frames[0].Data != nil) != (omitted == 0) || frames[0].Size()+frames[1].Size() != len(stream) {
				t.Errorf("%d bytes, %s: got frames %+v, want %d bytes omitted", size, name, frames, want)
			}
		}
	}
}
