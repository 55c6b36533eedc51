package a2a_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/a2a"
)

// compress returns text in a content coding.
func compress(t testing.TB, coding, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := compressor(t, coding, &b)
	_, _ = io.WriteString(w, text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A flushing writer compresses and can flush what it has.
type flushing interface {
	io.WriteCloser
	Flush() error
}

func compressor(t testing.TB, coding string, w io.Writer) flushing {
	t.Helper()
	switch coding {
	case "gzip":
		return gzip.NewWriter(w)
	case "zlib":
		return zlib.NewWriter(w)
	}
	f, err := flate.NewWriter(w, flate.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const codedTask = `{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`

func coded(coding, media string, status int, body []byte, seen *http.Header) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if seen != nil {
			*seen = r.Header
		}
		w.Header().Set("Content-Type", media)
		w.Header()["Content-Encoding"] = []string{coding}
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

func TestAnswersInContentCodingsAreReadAndKeptAsTheyCame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ label, coding string }{
		{"gzip", "gzip"}, {"GZIP", "gzip"}, {"x-gzip", "gzip"}, {"deflate", "zlib"}, {"deflate", "raw"}, {"identity, gzip", "gzip"},
	} {
		received := compress(t, c.coding, codedTask)
		var seen http.Header
		tp := newTape()
		out, _ := do(t, tp, serve(t, coded(c.label, "application/json", 200, received, &seen)).URL, a2a.OpGet)
		if out.Err != nil || out.TaskID != "t" || tp.body() != codedTask {
			t.Errorf("%s: got answer %+v and body %s, want task t and body %s", c.label, out, tp.body(), codedTask)
		}
		if got := seen.Values("Accept-Encoding"); len(got) != 1 || got[0] != "identity" {
			t.Errorf("agent got Accept-Encoding %q, want identity", got)
		}
		b := tp.of(a2a.KindBody)[0].Coding
		if b == nil || !bytes.Equal(b.Bytes, received) || b.Size != int64(len(received)) || b.LossReason != "" || !strings.HasSuffix(strings.ToLower(c.label), b.Names) {
			t.Errorf("%s: got coded body %+v, want all %d bytes as received", c.label, b, len(received))
		}
		if tp.of(a2a.KindEnd)[0].Coding != nil {
			t.Error("got coded bytes in the end record, want them in the body record alone")
		}
	}
}

func TestCodingsOneUponTheOther(t *testing.T) {
	t.Parallel()
	twice := compress(t, "zlib", string(compress(t, "gzip", codedTask)))
	tp := newTape()
	out, _ := do(t, tp, serve(t, coded("gzip, deflate", "application/json", 200, twice, nil)).URL, a2a.OpGet)
	if out.Err != nil || out.TaskID != "t" {
		t.Errorf("got answer %+v, want task t", out)
	}
}

// Every event of a compressed stream is read when it is sent, not when the stream ends.
func TestACompressedStreamIsReadAsItComes(t *testing.T) {
	t.Parallel()
	for _, coding := range []string{"gzip", "zlib", "raw"} {
		tp := newTape()
		var sent bytes.Buffer
		h := func(w http.ResponseWriter, _ *http.Request) {
			label := "deflate"
			if coding == "gzip" {
				label = coding
			}
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Encoding", label)
			z := compressor(t, coding, io.MultiWriter(w, &sent))
			for i, state := range []string{"SUBMITTED", "WORKING", "COMPLETED"} {
				_, _ = io.WriteString(z, status(state))
				_ = z.Flush()
				w.(http.Flusher).Flush()
				if err := tp.wait(a2a.KindEvent, i+1); err != nil {
					t.Error(err)
					return
				}
			}
			_ = z.Close()
		}
		out, _ := do(t, tp, serve(t, h).URL, a2a.OpStream)
		if out.Err != nil || out.State != a2a.StateCompleted || !strings.HasPrefix(tp.body(), "data: ") {
			t.Errorf("%s: got answer %+v and body %q, want a completed stream", coding, out, tp.body())
		}
		end := tp.of(a2a.KindEnd)[0]
		if end.Coding == nil || !bytes.Equal(end.Coding.Bytes, sent.Bytes()) {
			t.Errorf("%s: end record has coded body %+v, want %d bytes", coding, end.Coding, sent.Len())
		}
	}
}

func TestABrokenCodingIsOneSentence(t *testing.T) {
	t.Parallel()
	whole := compress(t, "gzip", codedTask)
	wrong := bytes.Clone(whole)
	wrong[len(wrong)-6] ^= 0xff // of the checksum
	for _, c := range []struct {
		name, label string
		body        []byte
		says        string
	}{
		{"torn", "gzip", whole[:len(whole)/2], "ends too early"},
		{"a wrong checksum", "gzip", wrong, "compresses wrongly"},
		{"no gzip at all", "gzip", []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "compresses wrongly"},
		{"nobody's coding", "x-snappy", []byte("abc"), "“x-snappy”, which Parley neither asked for nor supports"},
		{"too many", "gzip, gzip, gzip, gzip, gzip", whole, "neither asked for nor supports"},
	} {
		tp := newTape()
		out, _ := do(t, tp, serve(t, coded(c.label, "application/json", 200, c.body, nil)).URL, a2a.OpGet)
		sentence(t, out.End.Sentence, "127.0.0.1:", c.says)
		if out.End.Reason != a2a.Cut || out.End.Class != a2a.ClassBody {
			t.Errorf("%s: got end %+v, want %q of class %q", c.name, out.End, a2a.Cut, a2a.ClassBody)
		}
		if b := tp.of(a2a.KindBody)[0].Coding; b == nil || !bytes.HasPrefix(c.body, b.Bytes) || len(c.body) > 0 && len(b.Bytes) == 0 {
			t.Errorf("%s: got coded body %+v, want the bytes that arrived", c.name, b)
		}
	}
}

func TestWhatIsLabelledAsGzipAndIsNotIsReadAsItIs(t *testing.T) {
	t.Parallel()
	tp := newTape()
	out, _ := do(t, tp, serve(t, coded("gzip", "application/json", 200, []byte(codedTask), nil)).URL, a2a.OpGet)
	if b := tp.of(a2a.KindBody)[0].Coding; out.Err != nil || out.TaskID != "t" || b == nil || !b.Plain {
		t.Errorf("got answer %+v and coded body %+v, want task t and Plain", out, b)
	}
}

func TestCompressedErrorsCardsAndEmptyAnswers(t *testing.T) {
	t.Parallel()
	tp := newTape()
	refusal := compress(t, "gzip", `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"no such task"}}`)
	out, _ := do(t, tp, serve(t, coded("gzip", "application/json", 404, refusal, nil)).URL, a2a.OpGet)
	if out.Err == nil || !strings.Contains(out.Err.Error(), "no such task") {
		t.Errorf("got answer %+v, want error %q", out, "no such task")
	}
	out, _ = do(t, newTape(), serve(t, coded("gzip", "application/json", 200, nil, nil)).URL, a2a.OpGet)
	sentence(t, out.End.Sentence, "an empty body")

	card := compress(t, "gzip", `{"name":"Zip","description":"d","version":"1","url":"http://127.0.0.1:1/","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`)
	srv := serve(t, coded("gzip", "application/json", 200, card, nil))
	if d := a2a.Discover(t.Context(), srv.URL, nil, options(newTape(), srv.URL), a2a.Hooks{}); d.Card == nil || d.Card.Name != "Zip" {
		t.Errorf("got discovery %+v, want the card of Zip", d)
	}
}

// Compressed bytes cannot be masked, so a record does not have them if the text has a secret.
func TestCompressedSecretsAreNotKept(t *testing.T) {
	t.Parallel()
	const secret = "s3cret-token-of-mine"
	echo := strings.Replace(codedTask, `"status"`, `"metadata":{"echo":"`+secret+`"},"status"`, 1)
	for _, media := range []string{"application/json", "text/event-stream"} {
		body := echo
		if media != "application/json" {
			body = "data: " + echo + "\n\n"
		}
		tp := newTape()
		srv := serve(t, coded("gzip", media, 200, compress(t, "gzip", body), nil))
		o := options(tp, srv.URL)
		o.Bearer = secret
		c := a2a.NewClient(profile(a2a.V10, srv.URL), nil, o)
		c.Do(t.Context(), request(a2a.OpGet), a2a.Hooks{})
		c.Close()
		found := false
		for _, r := range tp.records {
			if r.Coding != nil {
				found = true
				if r.Coding.Bytes != nil || r.Coding.LossReason == "" {
					t.Errorf("%s: %s has %d coded bytes, want none and the reason", media, r.Kind, len(r.Coding.Bytes))
				}
			}
			if bytes.Contains(r.Raw, []byte(secret)) {
				t.Errorf("%s: got record %s with the secret, want it masked", media, r.Kind)
			}
		}
		if !found {
			t.Errorf("%s: got no record with a coded body, want one", media)
		}
	}
}

// The limit applies to the decompressed size.
func TestADecompressionBombStopsAtTheBudget(t *testing.T) {
	t.Parallel()
	const most = 8 << 20
	bomb := compress(t, "gzip", strings.Repeat(" ", 4*most))
	d := a2a.Delivery{Call: &a2a.Call{Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{}}, Body: bomb,
		Head: a2a.Head{Method: "POST", Header: http.Header{"Content-Encoding": {"gzip"}}}}
	r, u := d.Record()
	if len(r.Raw) > most || !r.Torn || u.Err == nil || !strings.Contains(u.Err.Sentence, "8 MB") || !bytes.Equal(r.Coding.Bytes, bomb) {
		t.Errorf("got %d bytes, torn %v, error %+v; want at most %d, torn, and the limit of 8 MB", len(r.Raw), r.Torn, u.Err, most)
	}
}

func TestDeliveriesInContentCodings(t *testing.T) {
	t.Parallel()
	const body = `{"kind":"task","id":"t","contextId":"c","status":{"state":"completed"}}`
	for _, c := range []struct {
		coding string
		body   []byte
		says   string
	}{
		{"gzip", compress(t, "gzip", body), ""},
		{"deflate", compress(t, "raw", body), ""},
		{"gzip", compress(t, "gzip", body)[:20], "is incomplete"},
		{"x-snappy", []byte("abc"), "which Parley does not support"},
	} {
		d := a2a.Delivery{Call: &a2a.Call{Op: a2a.OpDelivery, Delivery: &a2a.DeliveryFacts{}}, Body: c.body,
			Head: a2a.Head{Method: "POST", Header: http.Header{"Content-Encoding": {c.coding}}}}
		r, u := d.Record()
		if c.says == "" && (string(r.Raw) != body || len(u.Events) != 1 || r.Torn) || c.says != "" && (u.Err == nil || !strings.Contains(u.Err.Sentence, c.says)) {
			t.Errorf("%s: got body %s and update %+v, want %q", c.coding, r.Raw, u, c.says)
		}
		if r.Coding == nil || !bytes.Equal(r.Coding.Bytes, c.body) {
			t.Errorf("%s: got coded body %+v, want %d bytes", c.coding, r.Coding, len(c.body))
		}
		if again := a2a.DecodeDelivery(&r); (again.Err == nil) != (u.Err == nil) || len(again.Events) != len(u.Events) {
			t.Errorf("%s: got update %+v in a replay, want %+v", c.coding, again, u)
		}
	}
}

func FuzzContentCodings(f *testing.F) {
	for _, coding := range []string{"gzip", "zlib", "raw"} {
		whole := compress(f, coding, codedTask)
		f.Add("gzip", whole, 200)
		f.Add("deflate", whole[:len(whole)/2], 200)
		f.Add("deflate, gzip", whole, 404)
	}
	f.Add("br,identity", []byte("{}"), 200)
	f.Fuzz(func(t *testing.T, label string, body []byte, status int) {
		if strings.ContainsAny(label, "\r\n\x00") || status < 200 || status > 599 {
			t.Skip()
		}
		srv := httptest.NewServer(coded(label, "application/json", status, body, nil))
		defer srv.Close()
		tp := newTape()
		out, _ := do(t, tp, srv.URL, a2a.OpGet)
		tp.check(t)
		if out.End.Sentence != "" {
			sentence(t, out.End.Sentence)
		}
		for _, r := range tp.records {
			if r.Coding != nil && !bytes.HasPrefix(body, r.Coding.Bytes) {
				t.Errorf("record has coded bytes %q, want a prefix of %q", r.Coding.Bytes, body)
			}
		}
	})
}
