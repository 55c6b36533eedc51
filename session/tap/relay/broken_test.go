package relay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const getRoot = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

// readRequest reads one request of a raw agent.
func readRequest(conn net.Conn) {
	if req, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
		_, _ = io.Copy(io.Discard, req.Body)
	}
}

func TestWhatTheAgentBreaksIsBrokenForTheClient(t *testing.T) {
	t.Parallel()
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for _, tt := range []struct {
		name, answer string
		reset        bool
		want         Cause
		body         string
		says         string
	}{
		{"no answer", "", false, AgentBroke, "", "before its response"},
		{"half a head", "HTTP/1.1 200 OK\r\nX: ", false, AgentBroke, "", "in the middle of the head"},
		{"half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", false, AgentBroke, "abc", "in the middle of its response"},
		{"a chunk is missing", chunked + "3\r\nabc\r\n", false, AgentBroke, "abc", "in the middle of its response"},
		{"reset in a chunk", chunked + "3\r\nab", true, AgentBroke, "ab", "reset the connection"},
		{"reset before", "", true, AgentBroke, "", "reset the connection before"},
		{"a bad chunk", chunked + "zz\r\nabc", false, AgentBroke, "abc", "chunks of the agent's response are wrong"},
		{"not HTTP", "SSH-2.0-x\r\n", false, AgentBroke, "SSH-2.0-x\r\n", "not HTTP"},
		{"no status", "HTTP/1.1 abc\r\n\r\nrest", false, AgentBroke, "HTTP/1.1 abc\r\n\r\nrest", "not HTTP"},
		{"until the end", "HTTP/1.0 200 OK\r\n\r\nabc", false, Complete, "abc", ""},
		{"reset before the end", "HTTP/1.0 200 OK\r\n\r\nabc", true, AgentBroke, "abc", "reset the connection"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := make(chan bool)
			agent := rawAgent(t, func(conn *net.TCPConn) {
				readRequest(conn)
				io.WriteString(conn, tt.answer)
				if tt.reset {
					<-seen // a reset would discard what the relay has not read
					conn.SetLinger(0)
				}
			})
			n := newNotebook(nil)
			r := startRelay(t, agent, Options{Observer: n})
			conn := dialRaw(t, r.Addr().String())
			io.WriteString(conn, getRoot)
			b := make([]byte, len(tt.answer))
			if tt.reset {
				if _, err := io.ReadFull(conn, b); err != nil {
					t.Fatal(err)
				}
				seen <- true
			} else if _, err := io.ReadFull(conn, b); err != nil || string(b) != tt.answer {
				t.Errorf("got %q, %v; want %q", b, err, tt.answer)
			}
			if rest, err := io.ReadAll(conn); len(rest) > 0 || wasReset(err) != tt.reset {
				t.Errorf("got %q, %v; want reset %v", rest, err, tt.reset)
			}
			p := n.ended(1)[0]
			if p.end.Cause != tt.want || p.body.String() != tt.body || p.end.Reset != tt.reset || p.wrong > 0 ||
				(tt.says == "") != (p.end.Err == nil) || p.end.Err != nil && !strings.Contains(p.end.Err.Error(), tt.says) {
				t.Errorf("got body %q and end %+v, want %s", p.body.String(), p.end, tt.says)
			}
		})
	}
}

func TestTheAgentLearnsThatAClientLeft(t *testing.T) {
	t.Parallel()
	for _, reset := range []bool{false, true} {
		got := make(chan error, 1)
		agent := rawAgent(t, func(conn *net.TCPConn) {
			readRequest(conn)
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
			_, err := conn.Read(make([]byte, 1))
			got <- err
		})
		n := newNotebook(nil)
		r := startRelay(t, agent, Options{Observer: n})
		conn := dialRaw(t, r.Addr().String())
		io.WriteString(conn, getRoot)
		if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
			t.Fatal(err)
		}
		if reset {
			conn.SetLinger(0)
		}
		conn.Close()
		if err := <-got; wasReset(err) != reset || !reset && !errors.Is(err, io.EOF) {
			t.Errorf("got %v at the agent, want reset %v", err, reset)
		}
		if p := n.ended(1)[0]; reset && (p.end.Cause != ClientBroke || !p.end.Reset) {
			t.Errorf("got %+v", p.end)
		}
	}
}

func TestARequestThatIsCutReachesTheAgentCut(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	agent := rawAgent(t, func(conn *net.TCPConn) {
		b, err := io.ReadAll(conn)
		got <- fmt.Sprint(strings.HasSuffix(string(b), "\r\n\r\nabc"), err)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
	conn.CloseWrite()
	if seen := <-got; seen != "true <nil>" {
		t.Errorf("the agent got %s", seen)
	}
	if p := n.ended(1)[0]; p.end.Cause != ClientBroke || p.whole || p.requestBody.String() != "abc" {
		t.Errorf("got %+v", p)
	}
}

func TestAnAgentMayAnswerBeforeItHasTheRequest(t *testing.T) {
	t.Parallel()
	agent := rawAgent(t, func(conn *net.TCPConn) {
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
		io.Copy(io.Discard, conn)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nabc")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != 413 {
		t.Fatalf("got %v, %v", resp, err)
	}
	io.WriteString(conn, "defghi")
	if p := n.ended(1)[0]; p.end.Cause != Complete || !p.whole || p.requestBody.String() != "abcdefghi" {
		t.Errorf("got %+v", p)
	}
}

func TestAnUpgradeBecomesATunnel(t *testing.T) {
	t.Parallel()
	agent := rawAgent(t, func(conn *net.TCPConn) {
		br := bufio.NewReader(conn)
		http.ReadRequest(br)
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nwelcome ")
		io.Copy(conn, br)
	})
	n := newNotebook(nil)
	r := startRelay(t, agent, Options{Observer: n})
	conn := dialRaw(t, r.Addr().String())
	io.WriteString(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nGET early HTTP/1.1\r\n\r\n")
	br := bufio.NewReader(conn)
	resp, err := http.ReadResponse(br, nil)
	if err != nil || resp.StatusCode != 101 {
		t.Fatalf("got %v, %v", resp, err)
	}
	io.WriteString(conn, "\x00late")
	conn.CloseWrite()
	if b, err := io.ReadAll(br); err != nil || string(b) != "welcome GET early HTTP/1.1\r\n\r\n\x00late" {
		t.Errorf("got %q, %v", b, err)
	}
	if p := n.ended(1)[0]; p.end.Cause != Complete || !p.end.Upgraded || p.body.Len() > 0 || p.response.Status != 101 {
		t.Errorf("got %+v", p)
	}
}

func TestACloseEndsWhatIsOpen(t *testing.T) {
	t.Parallel()
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		serve := func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
		client, address := http.RoundTripper(&http.Transport{}), startHTTP1(t, http.HandlerFunc(serve))
		if over == "HTTP/2" {
			client, address = clientOf(t, nil), startHTTP2(t, nil, serve)
		}
		n := newNotebook(nil)
		r := startRelay(t, address, Options{Observer: n})
		req, _ := http.NewRequest("GET", r.URL(), nil)
		resp, err := client.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		if p := n.pages[0]; !p.ended || p.end.Cause != Closed {
			t.Errorf("%s: got %+v", over, p.end)
		}
		if _, err := io.ReadAll(resp.Body); err == nil {
			t.Errorf("%s: got a whole response, want it cut", over)
		}
		resp.Body.Close()
	}
}

func TestIdleConnectionsAreClosed(t *testing.T) {
	t.Parallel()
	agent := startHTTP1(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for name, send := range map[string]string{"nothing": "", "half a head": "GET / HTTP/1.1\r\nHo", "behind a response": getRoot, "half a preface": "PRI * "} {
		n := newNotebook(nil)
		limits := Limits{HeadTime: 20 * time.Millisecond, IdleTime: 20 * time.Millisecond}
		if name == "half a head" {
			limits.IdleTime = time.Hour // the half has to arrive
		}
		r := startRelay(t, agent, Options{Observer: n, Limits: limits})
		conn := dialRaw(t, r.Addr().String())
		io.WriteString(conn, send)
		if _, err := io.Copy(io.Discard, conn); err != nil && !wasReset(err) {
			t.Errorf("%s: got %v, want the connection closed", name, err)
		}
		if name != "half a head" {
			continue
		}
		if p := n.ended(1)[0]; p.end.Cause != Rejected { // the client has not left
			t.Errorf("%s: got %+v, want that the relay ended it", name, p.end)
		}
	}
}

// A slow reader holds the agent back, so that little waits between them.
func TestASlowReaderHoldsTheAgentBack(t *testing.T) {
	t.Parallel()
	const most = 64 << 20
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		var sent atomic.Int64
		stuck := make(chan struct{})
		serve := func(w http.ResponseWriter, r *http.Request) {
			rc := http.NewResponseController(w)
			event := []byte("data: " + strings.Repeat("x", 32<<10) + "\n\n")
			var once sync.Once
			tell := func() { once.Do(func() { close(stuck) }) }
			defer tell()
			for sent.Load() < most && r.Context().Err() == nil {
				stall := time.AfterFunc(200*time.Millisecond, tell)
				w.Write(event)
				if rc.Flush() != nil || !stall.Stop() {
					return
				}
				sent.Add(int64(len(event)))
			}
		}
		client, address := http.RoundTripper(&http.Transport{}), startHTTP1(t, http.HandlerFunc(serve))
		if over == "HTTP/2" {
			client, address = clientOf(t, nil), startHTTP2(t, nil, serve)
		}
		r := startRelay(t, address, Options{})
		req, _ := http.NewRequest("GET", r.URL(), nil)
		resp, err := client.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		<-stuck // the agent waits although it has more
		if n := sent.Load(); n >= most {
			t.Errorf("%s: the agent sent %d bytes to a client that reads none", over, n)
		}
		resp.Body.Close()
		client.(*http.Transport).CloseIdleConnections()
	}
}
