package relay

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A client may say that its request is the last one, and read until the connection ends.
func TestTheLastAnswerInPlaceOfTheAgentEndsTheConnection(t *testing.T) {
	t.Parallel()
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

// A client may leave before an agent has decided about its upgrade, such as one of Java, which offers
// HTTP/2 with each request.
func TestTheAgentLearnsThatAClientLeftBeforeAnUpgrade(t *testing.T) {
	t.Parallel()
	left := make(chan error, 1)
	asked := make(chan bool, 1)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		readRequest(conn)
		asked <- true
		_, err := conn.Read(make([]byte, 1))
		left <- err
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n")
	<-asked
	_ = conn.Close()
	if err := <-left; err == nil {
		t.Error("got more from the client, want the end")
	}
	if p := n.ended(1)[0]; p.end.Cause != ClientBroke {
		t.Errorf("got %+v, want that the client left", p.end)
	}
}

// An agent may refuse a body and leave. The client learns of it although it only sends.
func TestAClientThatOnlySendsLearnsThatTheAgentLeft(t *testing.T) {
	t.Parallel()
	agent := rawAgent(t, func(conn *net.TCPConn) {
		_, _ = http.ReadRequest(bufio.NewReader(conn))
		_, _ = io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
		_ = conn.CloseWrite()
		_, _ = io.CopyN(io.Discard, conn, 1<<20) // the relay knows that the answer has ended
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := "8000\r\n" + strings.Repeat("x", 0x8000) + "\r\n"
	for {
		if _, err := io.WriteString(conn, chunk); err != nil {
			break
		}
	}
	if p := n.ended(1)[0]; p.end.Cause != Complete || p.response.Status != 413 {
		t.Errorf("got %+v, want the answer of the agent", p.end)
	}
}

// A request that cannot be passed on to its end takes nothing from the one before it.
func TestABrokenRequestWaitsForTheResponseBefore(t *testing.T) {
	t.Parallel()
	arrived, answer := make(chan bool), make(chan bool)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		br := bufio.NewReader(conn)
		_, _ = http.ReadRequest(br)
		_, _ = http.ReadRequest(br)
		arrived <- true
		<-answer
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst")
		_, _ = io.Copy(io.Discard, br)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, getRoot+"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
	<-arrived
	_, _ = io.WriteString(conn, "no chunk\r\n")
	n.ended(1) // the broken one
	answer <- true
	b, err := io.ReadAll(conn)
	if err != nil || !contains(string(b), "200 OK", "\r\n\r\nfirstHTTP/1.1 400 ") {
		t.Errorf("got %q, %v, want both answers", b, err)
	}
	pages := n.ended(2)
	if pages[0].end.Cause != Complete || pages[1].end.Cause != Rejected {
		t.Errorf("got ends %+v and %+v", pages[0].end, pages[1].end)
	}
}
