package relay

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// line finds the end of a message that is a line.
func line(piece []byte) (n int, whole bool) {
	if i := bytes.IndexByte(piece, '\n'); i >= 0 {
		return i + 1, true
	}
	return len(piece), false
}

// longer changes a message so that its length is another one.
func longer(message []byte) []byte { return append([]byte("changed "), message...) }

// plans are what may be done with the message of a request.
func plans() map[string]Plan {
	return map[string]Plan{
		"nothing":               {},
		"a message":             {EditRequest: longer, Message: line},
		"a message as it is":    {EditRequest: func(b []byte) []byte { return b }, Message: line},
		"nothing of the body":   {EditRequest: longer, Message: func([]byte) (int, bool) { return 0, true }, ChooseFault: func([]byte) Fault { return Fault{} }},
		"a fault that may come": {EditRequest: longer, Message: line, ChooseFault: func([]byte) Fault { return Fault{} }},
	}
}

// A talk is an exchange both of whose sides are open.
type talk struct {
	t    *testing.T
	send func(text string)
	end  func()
	from *bufio.Reader // what the agent says
}

func (c *talk) hears(want string) {
	c.t.Helper()
	if got, err := c.from.ReadString('\n'); err != nil || got != want+"\n" {
		c.t.Fatalf("got %q, %v; want %q", got, err, want)
	}
}

// talkTo begins an exchange with the answer of an agent that repeats every line, once the head was read.
func talkTo(t *testing.T, over string, n *notebook, header ...string) *talk {
	t.Helper()
	agent := func(w http.ResponseWriter, r *http.Request) {
		if over == "HTTP/1" {
			if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
				t.Error(err)
			}
		}
		_, _ = io.WriteString(w, "ready\n")
		w.(http.Flusher).Flush()
		br := bufio.NewReader(r.Body)
		for {
			text, err := br.ReadString('\n')
			if err != nil {
				_, _ = io.WriteString(w, text+"over\n")
				return
			}
			_, _ = io.WriteString(w, text)
			w.(http.Flusher).Flush()
		}
	}
	if over == "HTTP/1" {
		r := startRelay(t, startHTTP1(t, http.HandlerFunc(agent)), Options{Observer: n})
		conn := dialRaw(t, r.Addr().String())
		_ = conn.SetDeadline(time.Now().Add(time.Minute)) // only a failure takes so long
		_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"+strings.Join(header, "")+"\r\n")
		c := &talk{t: t, send: func(text string) { _, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(text), text) }}
		c.end = func() { _, _ = io.WriteString(conn, "0\r\nX-Last: 1\r\n\r\n") }
		read, write := io.Pipe()
		go func() {
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err == nil {
				_, err = io.Copy(write, resp.Body)
			}
			_ = write.CloseWithError(err)
		}()
		c.from = bufio.NewReader(read)
		return c
	}
	r := startRelay(t, startHTTP2(t, nil, agent), Options{Observer: n})
	read, write := io.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a failure takes so long
	t.Cleanup(cancel)
	req, _ := http.NewRequestWithContext(ctx, "POST", r.URL(), read)
	answer := make(chan io.ReadCloser, 1)
	go func() {
		resp, err := clientOf(t, nil).RoundTrip(req)
		if err != nil {
			t.Error(err)
			answer <- http.NoBody
			return
		}
		answer <- resp.Body
	}()
	c := &talk{t: t, send: func(text string) { _, _ = io.WriteString(write, text) }, end: func() { _ = write.Close() }}
	c.from = bufio.NewReader(&lateReader{from: answer})
	return c
}

// A lateReader reads what is there later.
type lateReader struct {
	from chan io.ReadCloser
	r    io.ReadCloser
}

func (l *lateReader) Read(p []byte) (int, error) {
	if l.r == nil {
		l.r = <-l.from
	}
	return l.r.Read(p)
}

// Each side may wait for the other one: for its head, or for each of its messages.
func TestBothSidesOfAnExchangeTalk(t *testing.T) {
	t.Parallel()
	for name, plan := range plans() {
		for _, over := range []string{"HTTP/1", "HTTP/2"} {
			t.Run(name+" "+over, func(t *testing.T) {
				n := newNotebook(func(Head) Plan { return plan })
				c := talkTo(t, over, n)
				needs := name == "a fault that may come" // the head waits for the message
				if !needs {
					c.hears("ready")
				}
				sent, got := "", "ready\n"
				for i := range 100 {
					text := fmt.Sprintf("message %d", i)
					c.send(text + "\n")
					sent += text + "\n"
					if i == 0 && needs {
						c.hears("ready")
					}
					if i == 0 && plan.EditRequest != nil {
						text = string(plan.EditRequest([]byte(text)))
					}
					c.hears(text)
					got += text + "\n"
				}
				c.end()
				c.hears("over")
				p := n.ended(1)[0]
				if p.end.Cause != Complete || p.requestBody.String() != sent || p.body.String() != got+"over\n" || p.sents != 1 || p.wrong > 0 {
					t.Errorf("got %+v, want both sides whole and in order", p)
				}
			})
		}
	}
}

// What is changed fits into any framing, and what follows it passes as it came.
func TestTheRestOfABodyFollowsAChangedMessage(t *testing.T) {
	t.Parallel()
	rest := strings.Repeat("all the rest\n", 10_000)
	body := "hello\n" + rest
	for _, over := range []string{"HTTP/1 length", "HTTP/1 chunks", "HTTP/2 length", "HTTP/2"} {
		for _, pieces := range []int{1, 2, 7, 1000, len(body)} {
			got := make(chan string, 1)
			agent := func(w http.ResponseWriter, r *http.Request) {
				b, err := io.ReadAll(r.Body)
				got <- fmt.Sprint(r.ContentLength, " ", string(b), err, r.Trailer)
			}
			n := newNotebook(func(Head) Plan { return Plan{EditRequest: longer, Message: line} })
			want := fmt.Sprint(map[bool]int{true: len(body) + len("changed "), false: -1}[strings.Contains(over, "length")], " changed ", body, nil, http.Header(nil))
			var client http.RoundTripper = &http.Transport{DisableKeepAlives: true}
			address := ""
			if strings.Contains(over, "2") {
				client, address = clientOf(t, nil), startHTTP2(t, nil, agent)
			} else {
				address = startHTTP1(t, http.HandlerFunc(agent))
			}
			r := startRelay(t, address, Options{Observer: n})
			req, _ := http.NewRequest("POST", r.URL(), &pieced{rest: body, n: pieces})
			if strings.Contains(over, "length") {
				req.ContentLength = int64(len(body))
			} else {
				req.Trailer = http.Header{"X-Last": {"1"}}
				want = strings.TrimSuffix(want, "map[]") + "map[X-Last:[1]]"
			}
			resp, err := client.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if sent := <-got; sent != want {
				t.Errorf("%s in pieces of %d: got %d bytes %.60q…%q, want %d bytes %.60q", over, pieces, len(sent), sent, sent[max(len(sent)-40, 0):], len(want), want)
			}
			if p := n.ended(1)[0]; p.requestBody.String() != body || !p.whole || p.end.Cause != Complete {
				t.Errorf("%s in pieces of %d: got %d bytes of the request, whole %v, end %+v", over, pieces, p.requestBody.Len(), p.whole, p.end)
			}
		}
	}
}

// A pieced reader gives a text in pieces.
type pieced struct {
	rest string
	n    int
}

func (p *pieced) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.n)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// An answer in place of the agent needs the message alone, and the connection goes on.
func TestAFaultDoesNotWaitForABodyWithoutAnEnd(t *testing.T) {
	t.Parallel()
	plan := Plan{Message: line, ChooseFault: func(message []byte) Fault {
		if string(message) != "hello\n" {
			t.Errorf("got message %q, want the first line", message)
		}
		return Fault{Status: 503}
	}}
	r := startRelay(t, "127.0.0.1:1", Options{Observer: newNotebook(func(Head) Plan { return plan })})
	conn := dialRaw(t, r.Addr().String())
	_ = conn.SetDeadline(time.Now().Add(time.Minute)) // only a failure takes so long
	br := bufio.NewReader(conn)
	for range 2 {
		_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nhello\n")
		resp, err := http.ReadResponse(br, nil)
		if err != nil || resp.StatusCode != 503 {
			t.Fatalf("got %v, %v, want the fault", resp, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_, _ = io.WriteString(conn, strings.Repeat("x", 1_000_000-len("hello\n")))
	}
	read, write := io.Pipe()
	go func() { _, _ = io.WriteString(write, "hello\n") }()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "POST", r.URL(), read)
	if resp, err := clientOf(t, nil).RoundTrip(req); err != nil || resp.StatusCode != 503 {
		t.Errorf("got %v, %v, want the fault over HTTP/2", resp, err)
	}
	_ = write.Close()
}

// The agent itself decides whether a client may send a body in chunks.
func TestTheAgentIsAskedBeforeABodyInChunks(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			asked <- req.Header.Get("Expect")
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	})
	n := newNotebook(func(Head) Plan { return Plan{EditRequest: longer, Message: line} })
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	_, _ = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != 417 || <-asked != "100-continue" {
		t.Errorf("got %v, %v, want what the agent said", resp, err)
	}
}
