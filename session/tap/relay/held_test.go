package relay

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// What surrounds a body that waits to be changed counts too: chunks may be far longer than what is in
// them.
func TestAFramingWithoutAnEndIsNotHeld(t *testing.T) {
	t.Parallel()
	const limit = 100 << 10
	line := "1;" + strings.Repeat("x", 8<<10) + "\r\na\r\n"
	got := make(chan bool)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		br := bufio.NewReader(conn)
		req, err := http.ReadRequest(br)
		if err != nil {
			return
		}
		if req.Method == http.MethodPost {
			got <- true // the rest of the request never comes
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		for range 4 * limit / len(line) {
			_, _ = io.WriteString(conn, line)
		}
		_, _ = io.Copy(io.Discard, conn) // the end never comes
	})
	change := func(b []byte) []byte { return append(b, '!') }
	r := startRelay(t, agent, Options{Limits: Limits{Edit: limit}, Observer: newNotebook(func(Head) Plan {
		return Plan{EditRequest: change, EditResponse: func(Head) func([]byte) []byte { return change }}
	})})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, getRoot)
	if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != 200 {
		t.Errorf("got %v, %v, want the response while it is sent", resp, err)
	}
	conn = dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"+strings.Repeat(line, 4*limit/len(line)))
	<-got
}

func TestInformationalHeadsAreKeptUpToALimit(t *testing.T) {
	t.Parallel()
	const limit, hints = 10_000, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
	agent := rawAgent(t, func(conn *net.TCPConn) {
		readRequest(conn)
		_, _ = io.WriteString(conn, strings.Repeat(hints, limit)+"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n, Limits: Limits{Head: limit}})
	got, err := exchangeRaw(t, r.Addr().String(), getRoot)
	if err != nil || strings.Count(got, hints) != limit || !strings.Contains(got, " 200 OK") {
		t.Errorf("got %d bytes, %v, want everything", len(got), err)
	}
	if p := n.ended(1)[0]; p.end.Cause != Complete || len(p.response.Early) > limit || len(p.response.Early) < limit-len(hints) {
		t.Errorf("got %d bytes of informational heads and end %+v, want them up to the limit", len(p.response.Early), p.end)
	}
}
