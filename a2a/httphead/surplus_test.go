package httphead

import (
	"cmp"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// limit is how many bytes of a surplus are kept.
const limit = 1 << 16

// answered returns a client's connection on which a request was written, and the agent's side of it.
func answered(t *testing.T, method string) (c *Conn, x *Exchange, agent net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if agent, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	c = Client(near, limit)
	c.patience = patience{time.Minute, time.Minute} // the agent ends what it writes
	t.Cleanup(func() { c.Close(); agent.Close() })
	return c, request(t, c, method), agent
}

func request(t *testing.T, c *Conn, method string) *Exchange {
	t.Helper()
	x := c.Begin(method)
	if _, err := io.WriteString(c, method+" / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	return x
}

// readAll reads until the connection says that nothing follows.
func readAll(t *testing.T, c *Conn) string {
	t.Helper()
	b, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// surplusOf returns what came after the response of an exchange.
func surplusOf(x *Exchange) <-chan string {
	told := make(chan string, 2)
	x.Surplus(func(b []byte, omitted int) { told <- string(b) + strings.Repeat("+", omitted) })
	return told
}

// writeLast writes a text, after which nothing comes.
func writeLast(agent net.Conn, text string) error {
	_, err := io.WriteString(agent, text)
	return cmp.Or(err, agent.(*net.TCPConn).CloseWrite())
}

func TestWhatFollowsAResponseIsSurplus(t *testing.T) {
	const whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"
	for _, tt := range []struct{ name, method, response, surplus string }{
		{"with a length", "GET", whole, "cd"},
		{"in chunks", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n", "\x1b[2J"},
		{"after HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ab"},
		{"after 204", "POST", "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n", "ab"},
		{"after 304", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n", "ab"},
		{"after early heads", "GET", "HTTP/1.1 103 Early Hints\r\n\r\n" + whole, "cd"},
		{"of HTTP/1.0", "GET", strings.Replace(whole, "1.1", "1.0", 1), "cd"},
		{"another response", "GET", whole, whole},
		{"a late interim response", "GET", whole, "HTTP/1.1 100 Continue\r\n\r\n"},
		{"more than the limit", "GET", whole, strings.Repeat("x", 10*limit)},
		{"with empty lines", "GET", whole, "\r\n\r\nx"},
	} {
		for _, way := range []string{"in the same bytes", "later", "after its exchange is over", "when the connection is closed"} {
			t.Run(tt.name+", "+way, func(t *testing.T) {
				t.Parallel()
				c, x, agent := answered(t, tt.method)
				together := way == "in the same bytes" || way == "when the connection is closed"
				sent := make(chan error, 1)
				first := make([]byte, len(tt.response))
				if together {
					go func() { sent <- writeLast(agent, tt.response+tt.surplus) }()
				} else if _, err := io.WriteString(agent, tt.response); err != nil {
					t.Fatal(err)
				}
				if _, err := io.ReadFull(c, first); err != nil || string(first) != tt.response {
					t.Fatalf("got %q (%v), want %q", first, err, tt.response)
				}
				var told <-chan string
				if !together {
					if way != "later" {
						told = surplusOf(x)
					}
					go func() { sent <- writeLast(agent, tt.surplus) }()
				}
				if way == "when the connection is closed" && c.spent() {
					c.Close()
				}
				if rest := readAll(t, c); rest != "" {
					t.Errorf("got %.100q after the response, want nothing", rest)
				}
				if told == nil {
					told = surplusOf(x)
				}
				got, want := <-told, tt.surplus
				if len(want) > limit {
					want = want[:limit] + strings.Repeat("+", len(want)-limit)
				}
				if got != want {
					t.Errorf("got a surplus of %d bytes %.100q, want %d bytes %.100q", len(got), got, len(want), want)
				}
				if err := <-sent; err != nil {
					t.Errorf("got error %v while it was sent, want none", err)
				}
				if len(told) > 0 {
					t.Error("got the surplus twice")
				}
				if n, err := c.Write([]byte("GET / HTTP/1.1\r\n\r\n")); n != 0 || !errors.Is(err, errSpent) || c.Begin("GET") != nil {
					t.Errorf("got %d bytes written (%v), want another request to be refused", n, err)
				}
			})
		}
	}
}

// A surplus of an agent that keeps its connection open is told after a short silence, or after some time
// if there is none.
func TestASurplusEndsWithASilence(t *testing.T) {
	for name, text := range map[string]string{"silence": "cd", "no silence": strings.Repeat("x", 3000)} {
		synctest.Test(t, func(t *testing.T) {
			near, agent := net.Pipe()
			c := Client(near, limit)
			var writing sync.WaitGroup
			defer writing.Wait()
			defer c.Close()
			writing.Go(func() {
				_, _ = agent.Read(make([]byte, 100)) // the request
				_, _ = io.WriteString(agent, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab")
				for i := range text {
					if _, err := agent.Write([]byte{text[i]}); err != nil {
						return
					}
					time.Sleep(usualPatience.pause / 4)
				}
			})
			x, began := request(t, c, "GET"), time.Now()
			readAll(t, c)
			got, took := <-surplusOf(x), time.Since(began)
			if !strings.HasPrefix(text, got) || got == "" {
				t.Errorf("%s: got %d bytes %.100q, want the beginning of %.100q", name, len(got), got, text)
			}
			if want := usualPatience.most; name == "silence" && (got != text || took > 2*usualPatience.pause) || took > want+usualPatience.pause {
				t.Errorf("%s: got %q after %v", name, got, took)
			}
		})
	}
}

// What comes before the next request is written is of the response before it, even if that request has
// the connection already.
func TestASurplusBelongsToTheResponseBefore(t *testing.T) {
	c, x, agent := answered(t, "GET")
	const whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"
	if _, err := io.WriteString(agent, whole); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, make([]byte, len(whole))); err != nil {
		t.Fatal(err)
	}
	told, next := surplusOf(x), c.Begin("POST")
	if err := writeLast(agent, whole); err != nil {
		t.Fatal(err)
	}
	if rest := readAll(t, c); rest != "" || len(next.Received().Head) > 0 {
		t.Errorf("got %q as the response to a request that was not written, want nothing", rest)
	}
	if got := <-told; got != whole {
		t.Errorf("got surplus %q, want %q", got, whole)
	}
	if n, err := c.Write([]byte("POST / HTTP/1.1\r\n\r\n")); n != 0 || !errors.Is(err, errSpent) {
		t.Errorf("got %d bytes written (%v), want the request to be refused", n, err)
	}
}

// Empty lines between two responses belong to none, and a server may say that it closes an idle
// connection.
func TestWhatIsNoSurplus(t *testing.T) {
	t.Parallel()
	const whole = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"
	near, agent := net.Pipe() // a write ends when it was read: that of nothing when the next read begins
	c := Client(near, 1<<20)
	defer c.Close()
	quiet, reads := make(chan bool), make(chan string)
	go func() {
		defer agent.Close()
		for _, texts := range [][]string{{whole + "\r\n", "\n", ""}, {whole, "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\nIdle for too long"}} {
			_, _ = agent.Read(make([]byte, 100)) // the request
			for _, text := range texts {
				_, _ = io.WriteString(agent, text)
			}
			quiet <- true
		}
	}()
	go func() { // reads ahead, as net/http does
		defer close(reads)
		for buf := make([]byte, 1000); ; {
			n, err := c.Read(buf)
			if err != nil {
				return
			}
			if n > 0 {
				reads <- string(buf[:n])
			}
		}
	}()
	var told []<-chan string
	for range 2 {
		x := request(t, c, "GET")
		told = append(told, surplusOf(x))
		if got := <-reads; got != whole {
			t.Fatalf("got %q, want %q", got, whole)
		}
		if <-quiet; string(x.Received().Head) != whole[:len(whole)-2] {
			t.Errorf("got head %q, want %q", x.Received().Head, whole[:len(whole)-2])
		}
	}
	if more, open := <-reads; open || len(told[0]) > 0 || len(told[1]) > 0 {
		t.Errorf("got %q and %d surpluses, want nothing", more, len(told[0])+len(told[1]))
	}
}

// A server that speaks first answers the first request, as before.
func TestWhatComesBeforeTheFirstRequestIsItsResponse(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	agent, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer agent.Close()
	const greeting = "SSH-2.0-OpenSSH\r\n"
	if _, err := io.WriteString(agent, greeting); err != nil {
		t.Fatal(err)
	}
	c := Client(near, 1<<20)
	defer c.Close()
	first := make([]byte, len(greeting))
	if _, err := io.ReadFull(c, first); err != nil || string(first) != greeting {
		t.Fatalf("got %q (%v), want %q", first, err, greeting)
	}
	if got := string(c.Begin("GET").Received().Head); got != greeting {
		t.Errorf("got head %q, want %q", got, greeting)
	}
}
