package relay

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestARequestAndItsResponsePassAsTheyAre(t *testing.T) {
	t.Parallel()
	const response = "HTTP/1.1 200 OK\r\ncontent-LENGTH: 5\r\nb: 1\r\na: 2\r\nB: 3\r\nConnection: close\r\n\r\nhello"
	got := make(chan string, 1)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		b := make([]byte, 1<<16)
		n := 0
		for !strings.HasSuffix(string(b[:n]), "abc") {
			k, err := conn.Read(b[n:])
			if err != nil {
				break
			}
			n += k
		}
		got <- string(b[:n])
		io.WriteString(conn, response)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	const head = "POST /a2a?x=%2f HTTP/1.1\r\nx-Odd: 1\r\nhost:   %s  \r\nX-odd: 2\r\ncontent-length: 3\r\n\r\n"
	answer, err := exchangeRaw(t, r.Addr().String(), fmt.Sprintf(strings.Replace(head, "%2f", "%%2f", 1), "127.0.0.1:1")+"abc")
	if err != nil || answer != response {
		t.Errorf("got %q, %v; want %q", answer, err, response)
	}
	if want := fmt.Sprintf(strings.Replace(head, "%2f", "%%2f", 1), agent) + "abc"; <-got != want {
		t.Errorf("got a request other than %q", want)
	}
	p := n.ended(1)[0]
	if p.end.Cause != Complete || !p.whole || p.sents != 1 || p.wrong != 0 || p.requestBody.String() != "abc" || p.body.String() != "hello" || p.end.PassedOn != 5 {
		t.Errorf("got %+v", p)
	}
	if p.request.Host != "127.0.0.1:1" || p.sent.Host != agent || p.request.URI != "/a2a?x=%2f" || p.response.Status != 200 {
		t.Errorf("got heads %+v, %+v, %+v", p.request, p.sent, p.response)
	}
}

func TestEventsPassWhileTheStreamIsOpen(t *testing.T) {
	t.Parallel()
	next := make(chan string)
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for event := range next {
			io.WriteString(w, event)
			w.(http.Flusher).Flush()
		}
	}))
	defer agent.Close()
	n := newNotebook(nil)
	r := startRelay(t, agent.Listener.Addr().String(), Options{Observer: n})
	go func() { next <- "data: 0\n\n" }()
	resp, err := http.Get(r.URL() + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for i := range 100 {
		line, err := lines.ReadString('\n')
		if want := fmt.Sprintf("data: %d\n", i); line != want || err != nil {
			t.Fatalf("got %q, %v; want %q", line, err, want)
		}
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if i < 99 {
			next <- fmt.Sprintf("data: %d\n\n", i+1)
		}
	}
	close(next)
	if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
		t.Errorf("got %q, %v; want the end", rest, err)
	}
	if p := n.ended(1)[0]; p.end.Cause != Complete || p.parts < 100 {
		t.Errorf("got %d parts and end %+v, want 100 parts and a complete response", p.parts, p.end)
	}
}

func TestAnAgentThatCannotBeReachedIsOneSentence(t *testing.T) {
	t.Parallel()
	const gone = "127.0.0.1:1" // a port that was free a moment ago may be another test's
	n := newNotebook(nil)
	r := startRelay(t, gone, Options{Observer: n})
	answer, err := exchangeRaw(t, r.Addr().String(), "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if err != nil || !contains(answer, "HTTP/1.1 502 Bad Gateway\r\n", "cannot reach the agent at http://"+gone+": nothing listens there") {
		t.Errorf("got %q, %v", answer, err)
	}
	if p := n.ended(1)[0]; p.end.Cause != Unreachable || p.end.Err == nil || p.sents != 0 {
		t.Errorf("got %+v", p.end)
	}
}

func TestRequestsWithoutOneMeaningAreRejected(t *testing.T) {
	t.Parallel()
	agent := rawAgent(t, func(*net.TCPConn) { t.Error("the agent was asked") }) // it answers nothing, so that the test ends
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	const line, host = "POST / HTTP/1.1\r\n", "Host: localhost\r\n"
	for i, tt := range []struct{ send, want string }{
		{line + host + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad Request\r\n|both Content-Length and Transfer-Encoding"},
		{line + host + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", "400 Bad|two fields Content-Length"},
		{line + host + "Content-Length: 3, 3\r\n\r\nabc", "400 Bad|not a number"},
		{line + host + "Content-Length: +3\r\n\r\nabc", "400 Bad|not a number"},
		{line + host + "Content-Length : 3\r\n\r\nabc", "400 Bad|white space"},
		{line + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "400 Bad|Transfer-Encoding"},
		{line + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", "400 Bad|two fields"},
		{line + host + "X: a\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 Bad|folded"},
		{line + host + "X: a\rTransfer-Encoding: chunked\r\n\r\n", "400 Bad|carriage return"},
		{line + host + host + "\r\n", "400 Bad|two fields Host"},
		{line + "\r\n", "400 Bad|no field Host"},
		{"GET /\r\n", "505 HTTP|HTTP/0.9"},
		{"GET / HTTP/3.0\r\n\r\n", "505 HTTP|version"},
		{"\x16\x03\x01\x02\x00\x01\x00", "400 Bad|not a request of HTTP"},
		{"garbage\r\n", "400 Bad|first line"},
		{line + host + "X: " + strings.Repeat("x", 1<<20), "431 Request|1048576 bytes"},
		{line + "Host: evil.example\r\n\r\n", "403 Forbidden|this machine"},
		{"GET http://other.example/ HTTP/1.1\r\n" + host + "\r\n", "421 Misdirected|no proxy"},
	} {
		answer, err := exchangeRaw(t, r.Addr().String(), tt.send)
		if err != nil || !strings.HasPrefix(answer, "HTTP/1.1 ") || !contains(answer, strings.Split(tt.want, "|")...) {
			t.Errorf("%.80q: got %q, %v; want %s", tt.send, answer, err, tt.want)
		}
		if p := n.ended(i + 1)[i]; p.end.Cause != Rejected {
			t.Errorf("%.80q: got %+v, want it rejected", tt.send, p.end)
		}
	}
}
