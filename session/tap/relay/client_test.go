package relay

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A client may say that its request is the last one, and read until the connection ends.
func TestTheLastAnswerInPlaceOfTheAgentEndsTheConnection(t *testing.T) {
	agent := startHTTP1(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	r := startRelay(t, agent, Options{Observer: newNotebook(func(h Head) Plan {
		if h.URI == "/fault" {
			return Plan{Fault: Fault{Status: 503}}
		}
		return Plan{}
	})})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, getRoot) // opens a connection to the agent, which stays open
	br := bufio.NewReader(conn)
	if resp, err := http.ReadResponse(br, nil); err != nil || resp.StatusCode != 200 {
		t.Fatalf("got %v, %v", resp, err)
	}
	_, _ = io.WriteString(conn, "GET /fault HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if b, err := io.ReadAll(br); err != nil || !strings.HasPrefix(string(b), "HTTP/1.1 503 ") {
		t.Errorf("got %q, %v, want the fault and the end", b, err)
	}
}
