package relay

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

// A tcpRelay passes on the bytes of connections and knows nothing of HTTP: what it saw is what
// crossed the wire.
type tcpRelay struct {
	address string

	mu    sync.Mutex
	links []*link
}

// A link is one connection through a tcpRelay.
type link struct {
	up, down bytes.Buffer
	done     chan struct{}
}

func startTCPRelay(t testing.TB, target string) *tcpRelay {
	t.Helper()
	r := &tcpRelay{}
	r.address = rawAgent(t, func(in *net.TCPConn) {
		out, err := net.Dial("tcp", target)
		if err != nil {
			return
		}
		defer out.Close()
		l := &link{done: make(chan struct{})}
		r.mu.Lock()
		r.links = append(r.links, l)
		r.mu.Unlock()
		var both sync.WaitGroup
		copyHalf := func(to, from *net.TCPConn, into *bytes.Buffer) {
			_, _ = io.Copy(io.MultiWriter(into, to), from) // however it ends, the other side learns of it
			_ = to.CloseWrite()
		}
		both.Go(func() { copyHalf(out.(*net.TCPConn), in, &l.up) })
		both.Go(func() { copyHalf(in, out.(*net.TCPConn), &l.down) })
		both.Wait()
		close(l.done)
	})
	return r
}

// seen returns what one connection carried, once it has ended.
func (r *tcpRelay) seen(i int) (up, down string) {
	r.mu.Lock()
	l := r.links[i]
	r.mu.Unlock()
	<-l.done
	return l.up.String(), l.down.String()
}

// A shape is one exchange as bytes.
type shape struct {
	method, request, response string
	requestBody               string // without framing
	last                      bool   // the connection ends after it
}

// shapeOf makes an exchange of any shape that HTTP/1.1 has.
func shapeOf(rnd *rand.Rand, host string) shape {
	s := shape{method: []string{"POST", "GET", "PUT", "HEAD", "OPTIONS"}[rnd.IntN(5)]}
	spelled := func(name string) string {
		return []string{name, strings.ToLower(name), strings.ToUpper(name)}[rnd.IntN(3)]
	}
	random := func() string {
		b := make([]byte, rnd.IntN([]int{2, 30, 5000, 100_000}[rnd.IntN(4)]))
		for i := range b {
			b[i] = byte(rnd.Uint32())
		}
		return string(b)
	}
	extra := func() string {
		text := ""
		for range rnd.IntN(4) {
			text += fmt.Sprintf("%s:%s%d\r\n", spelled("X-Some"), strings.Repeat(" ", rnd.IntN(3)), rnd.IntN(100))
		}
		return text
	}
	chunked := func(body string) string {
		text := ""
		for rest := body; len(rest) > 0; {
			n := 1 + rnd.IntN(len(rest))
			text += fmt.Sprintf([]string{"%x\r\n", "%X\r\n", "000%x\r\n", "%x;a=b\r\n"}[rnd.IntN(4)], n) + rest[:n] + "\r\n"
			rest = rest[n:]
		}
		text += "0\r\n"
		if rnd.IntN(2) == 0 {
			text += "x-Sum: 1\r\nX-sum: 2\r\n"
		}
		return text + "\r\n"
	}
	head := fmt.Sprintf("%s /a/%d?q=%%2F HTTP/1.1\r\n%s%s: %s\r\n%s", s.method, rnd.IntN(9), extra(), spelled("Host"), host, extra())
	switch rnd.IntN(3) {
	case 0:
		s.request = head + "\r\n"
	case 1:
		s.requestBody = random()
		s.request = head + fmt.Sprintf("%s: %d\r\n\r\n", spelled("Content-Length"), len(s.requestBody)) + s.requestBody
	default:
		s.requestBody = random()
		s.request = head + spelled("Transfer-Encoding") + ": chunked\r\n\r\n" + chunked(s.requestBody)
	}
	s.respond(rnd, spelled, random, extra, chunked)
	return s
}

// respond makes the response of a shape.
func (s *shape) respond(rnd *rand.Rand, spelled func(string) string, random, extra func() string, chunked func(string) string) {
	for range rnd.IntN(3) {
		s.response += []string{"HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"}[rnd.IntN(2)]
	}
	framed := ""
	switch rnd.IntN(6) {
	case 0:
		s.response += "HTTP/1.1 204 No Content\r\n" + extra() + "\r\n"
	case 1:
		s.response += "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n" + extra() + "\r\n"
	case 2, 3:
		framed = random()
		s.response += fmt.Sprintf("HTTP/1.1 200 OK\r\n%sContent-Type: text/event-stream\r\n%s: %d\r\n\r\n", extra(), spelled("Content-Length"), len(framed))
	case 4:
		framed = chunked(random())
		s.response += "HTTP/1.1 500 Oh\x80 no\r\n" + extra() + spelled("Transfer-Encoding") + ": chunked\r\n\r\n"
	default:
		framed, s.last = random(), s.method != "HEAD"
		s.response += "HTTP/1.1 200 OK\r\n" + extra() + "\r\n"
	}
	if s.method != "HEAD" {
		s.response += framed
	}
}

// pieces writes b in pieces of any size.
func pieces(rnd *rand.Rand, w io.Writer, b string) error {
	for len(b) > 0 {
		n := 1 + rnd.IntN(len(b))
		if rnd.IntN(3) == 0 {
			n = min(n, 1+rnd.IntN(40))
		}
		if _, err := io.WriteString(w, b[:n]); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

// TestWhatPassesEqualsWhatATCPRelaySaw passes exchanges of every shape between two relays of TCP: both
// see the same bytes, and the observer has the bodies that these contain.
func TestWhatPassesEqualsWhatATCPRelaySaw(t *testing.T) {
	t.Parallel()
	rounds := 60
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		t.Run(fmt.Sprint(round), func(t *testing.T) { passShapes(t, rand.New(rand.NewPCG(17, uint64(round)))) })
	}
}

func passShapes(t *testing.T, rnd *rand.Rand) {
	planned := make(chan []shape, 1)
	agentRnd, clientRnd := rand.New(rand.NewPCG(rnd.Uint64(), 1)), rand.New(rand.NewPCG(rnd.Uint64(), 2))
	agent := rawAgent(t, func(conn *net.TCPConn) {
		br := bufio.NewReader(conn)
		for _, s := range <-planned {
			req, err := http.ReadRequest(br)
			if err != nil {
				t.Errorf("the agent cannot read a request: %v", err)
				return
			}
			body, err := io.ReadAll(req.Body)
			if err != nil || string(body) != s.requestBody {
				t.Errorf("the agent read %d bytes, %v; want %d", len(body), err, len(s.requestBody))
				return
			}
			if err := pieces(agentRnd, conn, s.response); err != nil || s.last {
				return
			}
		}
		_, _ = io.Copy(io.Discard, br)
	})
	behind := startTCPRelay(t, agent)
	n := newNotebook(nil)
	r := startRelay(t, behind.address, Options{Observer: n})
	before := startTCPRelay(t, r.Addr().String())
	var shapes []shape
	for range 1 + rnd.IntN(6) {
		s := shapeOf(rnd, behind.address)
		if shapes = append(shapes, s); s.last {
			break
		}
	}
	planned <- shapes
	conn := dialRaw(t, before.address)
	want := ""
	for _, s := range shapes {
		want += s.response
	}
	pipelined := rnd.IntN(2) == 0
	got, next := receive(conn, shapes)
	for _, s := range shapes {
		if err := pieces(clientRnd, conn, s.request); err != nil {
			t.Fatal(err)
		}
		if !pipelined {
			<-next
		}
	}
	_ = conn.CloseWrite()
	if all := <-got; all != want {
		t.Errorf("the client got %d bytes %.300q, want %d %.300q", len(all), all, len(want), want)
	}
	up1, down1 := before.seen(0)
	up2, down2 := behind.seen(0)
	if up1 != up2 || down1 != down2 {
		t.Errorf("got %d and %d bytes, want those of the client %d and of the agent %d", len(up2), len(down1), len(up1), len(down2))
	}
	comparePages(t, n.ended(len(shapes)), up2, down2)
}

// receive reads the responses of shapes, says when each is whole, and returns all bytes at the end.
func receive(conn io.Reader, shapes []shape) (got chan string, next chan struct{}) {
	got, next = make(chan string, 1), make(chan struct{}, len(shapes))
	go func() {
		all := ""
		for _, s := range shapes {
			b := make([]byte, len(s.response))
			k, _ := io.ReadFull(conn, b)
			all += string(b[:k])
			next <- struct{}{}
		}
		rest, _ := io.ReadAll(conn)
		got <- all + string(rest)
	}()
	return got, next
}

// comparePages compares what an observer has with what net/http reads from the bytes of a relay of TCP.
func comparePages(t *testing.T, pages []*page, up, down string) {
	t.Helper()
	ups, downs := bufio.NewReader(strings.NewReader(up)), bufio.NewReader(strings.NewReader(down))
	for i, p := range pages {
		req, err := http.ReadRequest(ups)
		if err != nil {
			t.Fatal(err)
		}
		sent, _ := io.ReadAll(req.Body)
		var resp *http.Response
		for resp == nil || resp.StatusCode < 200 {
			if resp, err = http.ReadResponse(downs, req); err != nil {
				t.Fatal(err)
			}
		}
		body, _ := io.ReadAll(resp.Body)
		if sha256.Sum256(sent) != sha256.Sum256(p.requestBody.Bytes()) || sha256.Sum256(body) != sha256.Sum256(p.body.Bytes()) {
			t.Errorf("exchange %d: got bodies of %d and %d bytes, want %d and %d with the same SHA-256", i, p.requestBody.Len(), p.body.Len(), len(sent), len(body))
		}
		if p.end.Cause != Complete || !p.whole || p.wrong != 0 || p.sents != 1 || p.response.Status != resp.StatusCode || p.end.PassedOn != int64(len(body)) ||
			fmt.Sprint(p.end.Trailer) != fmt.Sprint(resp.Trailer) {
			t.Errorf("exchange %d: got %+v, want it complete with status %d, trailer %v", i, p.end, resp.StatusCode, resp.Trailer)
		}
	}
}
