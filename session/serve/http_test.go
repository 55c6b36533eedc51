package serve

import (
	"bufio"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"parley/internal/pipetest"
)

// The end of an answer may come long after its last event.
func TestALateEndIsAnEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pipes := pipetest.New()
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			to := &httpSink{w: w, rc: http.NewResponseController(w)}
			if err := to.head(nil, -1); err != nil {
				t.Error(err)
			}
			if err := to.write([]byte("data: 1\n\n")); err != nil {
				t.Error(err)
			}
			time.Sleep(2 * writeTimeout)
			to.end(http.Header{"X-Sum": {"1"}}, nil)
		})}
		go func() { _ = server.Serve(pipes) }()
		defer server.Close()
		near, err := pipes.Dial(t.Context(), "tcp", "")
		if err != nil {
			t.Fatal(err)
		}
		defer near.Close()
		_, _ = io.WriteString(near, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(near), nil)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(resp.Body); string(b) != "data: 1\n\n" || err != nil || resp.Trailer.Get("X-Sum") != "1" {
			t.Errorf("got %q, %v and trailer %v, want the event and the end", b, err, resp.Trailer)
		}
	})
}
