package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"parley/a2a"
)

// A stream in a coding outside the standard library is read event by event, as it arrives; a
// whole body is read too.
func TestBrotliAndZstdAreReadAsTheyCome(t *testing.T) {
	t.Parallel()
	type flushing interface {
		io.WriteCloser
		Flush() error
	}
	const event = `{"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_WORKING"}}}}`
	for name, open := range map[string]func(io.Writer) flushing{
		"br": func(w io.Writer) flushing { return brotli.NewWriter(w) },
		"zstd": func(w io.Writer) flushing {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	} {
		for _, stream := range []bool{true, false} {
			var (
				mu      sync.Mutex
				records []a2a.Record
				sent    bytes.Buffer
			)
			came := make(chan struct{}, 8)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", name)
				z := open(io.MultiWriter(w, &sent))
				defer z.Close()
				if !stream {
					_, _ = io.WriteString(z, event)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				for range 3 {
					_, _ = io.WriteString(z, "data: "+event+"\n\n")
					_ = z.Flush()
					w.(http.Flusher).Flush()
					select {
					case <-came:
					case <-time.After(time.Minute):
						t.Errorf("%s: got no event while the stream was open", name)
						return
					}
				}
			}))
			o := a2a.Options{Codings: codings(), NewID: func() string { return "1" }, UserAddresses: []string{srv.URL}, Trace: a2a.Trace{Now: time.Now, Put: func(r a2a.Record, _ a2a.Update) a2a.RecordID {
				mu.Lock()
				defer mu.Unlock()
				records = append(records, r)
				if r.Kind == a2a.KindEvent {
					came <- struct{}{}
				}
				return a2a.RecordID(len(records))
			}}}
			c := a2a.NewClient(a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: srv.URL}, nil, o)
			out := c.Do(t.Context(), a2a.Request{Call: &a2a.Call{Op: a2a.OpSubscribe}, TaskID: "t"}, a2a.Hooks{})
			c.Close()
			srv.Close()
			if out.TaskID != "t" || out.Streamed != stream {
				t.Errorf("%s: got answer %+v", name, out)
			}
			kept := false
			for _, r := range records {
				kept = kept || r.Coding != nil && r.Coding.Names == name && bytes.Equal(r.Coding.Bytes, sent.Bytes())
			}
			if !kept {
				t.Errorf("%s: got no received bytes in the records", name)
			}
		}
	}
}

// A few bytes that claim a huge window do not allocate it.
func TestHostileWindowsAreRefused(t *testing.T) {
	t.Parallel()
	z, err := codings()["zstd"](bytes.NewReader([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00}))
	if err == nil {
		_, err = io.Copy(io.Discard, z)
	}
	if err == nil {
		t.Error("got a window of terabytes, want an error")
	}
}
