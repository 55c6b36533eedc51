package httphead

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"
)

// A server that closes an idle connection may do so when the connection was just chosen for the next request. Nothing
// of that request was written, so it is sent on another connection, whatever its method; once something was written,
// nobody knows what became of it, and it is not sent again.
func TestARequestThatWasNotWrittenIsSentOnAnotherConnection(t *testing.T) {
	for name, written := range map[string]bool{"nothing was written": false, "the request was written": true} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var got []string
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var serving sync.WaitGroup
			server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				mu.Lock()
				defer mu.Unlock()
				if got = append(got, string(body)); string(body) == "two" && written {
					panic(http.ErrAbortHandler) // it read the request
				}
			})}
			serving.Go(func() { _ = server.Serve(l) })
			defer serving.Wait()
			defer server.Close()
			var conns []*Conn
			transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
				c, err := (&net.Dialer{}).DialContext(ctx, network, addr)
				if err != nil {
					return nil, err
				}
				conns = append(conns, Client(&closable{c, make(chan bool), sync.Once{}}, 1<<10))
				return conns[len(conns)-1], nil
			}}
			defer transport.CloseIdleConnections()
			send := func(body string) error {
				ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(g httptrace.GotConnInfo) {
					if c := g.Conn.(*Conn).Conn.(*closable); g.Reused && !written {
						_ = c.Conn.(*net.TCPConn).CloseRead() // as if the server had closed it
						<-c.closed                            // net/http has seen that
					}
				}})
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+l.Addr().String(), strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				resp, err := RoundTrip(transport, req)
				if err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				return err
			}
			if err := send("one"); err != nil {
				t.Fatal(err)
			}
			if err := send("two"); (err != nil) != written {
				t.Errorf("got error %v, want one: %v", err, written)
			}
			mu.Lock()
			defer mu.Unlock()
			if want := map[bool]int{false: 2, true: 1}[written]; len(conns) != want || strings.Join(got, " ") != "one two" {
				t.Errorf("got requests %v on %d connections, want each once on %d", got, len(conns), want)
			}
		})
	}
}

// A failure of a new connection is reported at once.
func TestANewConnectionIsTriedOnce(t *testing.T) {
	dials, broken := 0, errors.New("no way there")
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { dials++; return nil, broken }}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://a.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := RoundTrip(transport, req); !errors.Is(err, broken) || dials != 1 {
		t.Errorf("got response %v, error %v after %d dials, want %v after one", resp, err, dials, broken)
	}
}

// A closable is a connection that says when it was closed.
type closable struct {
	net.Conn
	closed chan bool
	once   sync.Once
}

func (c *closable) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
