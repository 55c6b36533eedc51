package relay

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// A duplex is one end of a connection in memory, which can be half-closed.
type duplex struct {
	*io.PipeReader
	out *io.PipeWriter
}

func connect() (a, b *duplex) {
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	return &duplex{r1, w2}, &duplex{r2, w1}
}

func (d *duplex) Write(p []byte) (int, error) { return d.out.Write(p) }
func (d *duplex) CloseWrite() error           { return d.out.Close() }
func (d *duplex) Close() error {
	_ = d.out.Close()
	return d.PipeReader.Close()
}
func (d *duplex) LocalAddr() net.Addr              { return &net.UnixAddr{Name: "memory"} }
func (d *duplex) RemoteAddr() net.Addr             { return &net.UnixAddr{Name: "memory"} }
func (d *duplex) SetDeadline(time.Time) error      { return nil }
func (d *duplex) SetReadDeadline(time.Time) error  { return nil }
func (d *duplex) SetWriteDeadline(time.Time) error { return nil }

// FuzzHTTP1 passes any bytes of a client and an agent, in pieces of any size: the agent gets what the
// client sent, up to where the relay answers itself, and the client what the agent sent.
func FuzzHTTP1(f *testing.F) {
	const host = "Host: localhost\r\n"
	f.Add([]byte("GET / HTTP/1.1\r\n"+host+"\r\n"), []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"), uint64(1))
	f.Add([]byte("POST / HTTP/1.1\r\n"+host+"Transfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\nA: b\r\n\r\nGET /2 HTTP/1.1\r\n"+host+"\r\n"),
		[]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\nHTTP/1.1 204 No\r\n\r\n"), uint64(2))
	f.Add([]byte("POST / HTTP/1.1\r\n"+host+"Content-Length: 3\r\n\r\nabcGARBAGE\r\n\r\n"), []byte("HTTP/1.0 200 OK\r\n\r\nuntil the end"), uint64(3))
	f.Add([]byte("HEAD / HTTP/1.0\n\nPOST / HTTP/1.1\r\n"+host+"content-length: 99\r\n\r\nabc"), []byte("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 9"), uint64(4))
	f.Add([]byte("GET / HTTP/1.1\r\n"+host+"Upgrade: x\r\n\r\n\x00\x01"), []byte("HTTP/1.1 101 X\r\n\r\n\xff\xfe"), uint64(5))
	f.Add([]byte("\r\n\r\nGET / HTTP/1.1\r\n"+host+"\r\n\r\n"), []byte("\x15\x03\x01"), uint64(6))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSX"), []byte("garbage"), uint64(7))
	f.Fuzz(func(t *testing.T, sent, answer []byte, seed uint64) {
		if bytes.HasPrefix(sent, []byte(preface)) || len(sent) > 4<<10 || len(answer) > 64<<10 {
			t.Skip("HTTP/2 is that of net/http")
		}
		passAny(t, sent, answer, seed)
	})
}

func passAny(t *testing.T, sent, answer []byte, seed uint64) {
	n := newNotebook(nil)
	r := &Relay{
		options: Options{Target: &url.URL{Scheme: "http", Host: "localhost"}, Observer: n, Sockets: NewSockets()},
		limits:  Limits{Head: 2 << 10}.orDefaults(), loopback: true, base: "http://localhost", guard: newLoopGuard(), open: map[*client]bool{},
	}
	r.ctx, r.cancel = context.WithCancel(t.Context())
	defer r.cancel()
	var agents sync.WaitGroup
	var got []byte
	dials := 0
	r.options.Dial = func(context.Context, string, string) (net.Conn, error) {
		dials++
		near, far := connect()
		agents.Go(func() { got = serveAny(far, answer, rand.New(rand.NewPCG(seed, 1))) })
		return near, nil
	}
	near, far := connect()
	r.work.Go(func() { r.serve(near) })
	agents.Go(func() {
		_ = pieces(rand.New(rand.NewPCG(seed, 2)), far, string(sent)) // the relay may refuse the rest
		_ = far.CloseWrite()
	})
	back, _ := io.ReadAll(far)
	_ = far.Close()
	r.work.Wait()
	agents.Wait()
	own := false
	for _, p := range n.pages {
		if !p.ended || p.wrong > 0 {
			t.Fatalf("got an exchange that ended %v, and %d calls after its end", p.ended, p.wrong)
		}
		own = own || p.end.Cause == Rejected || p.end.Cause == Unreachable || !p.whole
	}
	if dials > 1 {
		t.Fatalf("got %d connections to the agent", dials)
	}
	if spelled := strings.ToLower(string(sent)); strings.Count(spelled, "host:") == strings.Count(string(sent), "Host: localhost\r\n") && !bytes.HasPrefix(sent, got) {
		t.Fatalf("the agent got\n%q, want the beginning of\n%q", got, sent) // with another Host it differs
	}
	if !own && dials == 1 && !bytes.Equal(back, answer) {
		t.Fatalf("the client got\n%q, want\n%q", back, answer)
	}
	if i := bytes.Index(back, []byte("HTTP/1.1 4")); own && !bytes.HasPrefix(answer, back[:max(i, 0)]) && !strings.Contains(string(back), "HTTP/1.1 5") {
		t.Fatalf("the client got\n%q before the relay's own answer, want the beginning of\n%q", back[:max(i, 0)], answer)
	}
}

// serveAny answers the first byte, and returns what comes.
func serveAny(conn *duplex, answer []byte, rnd *rand.Rand) []byte {
	first := make([]byte, 1)
	if _, err := io.ReadFull(conn, first); err != nil {
		return nil
	}
	var writer sync.WaitGroup
	writer.Go(func() {
		_ = pieces(rnd, conn, string(answer)) // the client may have gone
		_ = conn.CloseWrite()
	})
	rest, _ := io.ReadAll(conn)
	writer.Wait()
	return append(first, rest...)
}
