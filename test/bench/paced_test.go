package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// pacePath is the path of an agent that streams this many events at this many per second; rate 0 is
// as fast as they can be read.
func pacePath(rate, count int) string { return fmt.Sprintf("/paced/%d/%d", rate, count) }

// handlePaced adds the agents of [pacePath] to those of serve.
func handlePaced(mux *http.ServeMux, url string) {
	mux.HandleFunc("GET /paced/{rate}/{count}/.well-known/agent-card.json", func(w http.ResponseWriter, r *http.Request) {
		arrivalTime(r)
		w.Header().Set("Content-Type", "application/json")
		at, _, _ := strings.Cut(r.URL.Path, "/.well-known")
		fmt.Fprintf(w, card, url+at)
	})
	mux.HandleFunc("POST /paced/{rate}/{count}", func(w http.ResponseWriter, r *http.Request) {
		rate, _ := strconv.Atoi(r.PathValue("rate"))
		count, _ := strconv.Atoi(r.PathValue("count"))
		body, _ := io.ReadAll(r.Body)
		fmt.Println(arrivalTime(r))
		_, rest, _ := bytes.Cut(body, []byte(`"id":`))
		id, _, _ := bytes.Cut(rest, []byte(`,`))
		w.Header().Set("Content-Type", "text/event-stream")
		if rate == 0 {
			burst(w, id, count)
		} else {
			drip(w, id, rate, count)
		}
		fmt.Fprintf(w, "data: "+over+"\n\n", id)
	})
}

// burst writes count events in prepared blocks.
func burst(w io.Writer, id []byte, count int) {
	const most = 200
	block := bytes.Repeat(fmt.Appendf(nil, "data: "+chunk+"\n\n", id), most)
	one := len(block) / most
	for n := 0; n < count; n += most {
		if _, err := w.Write(block[:one*min(most, count-n)]); err != nil {
			return
		}
	}
}

// drip writes count events at a rate. The text of each is the time of its writing in
// microseconds, and a space. It makes no event in advance, so that it takes no processor time
// from the measured program.
func drip(w http.ResponseWriter, id []byte, rate, count int) {
	const most = 200 // events at once
	before, after, _ := strings.Cut("data: "+fmt.Sprintf(chunk, id)+"\n\n", words)
	flush := http.NewResponseController(w)
	began := time.Now()
	var block []byte
	for n := 0; n < count; {
		due := min(count, n+most, 1+int(time.Since(began).Seconds()*float64(rate)))
		block = block[:0]
		for ; n < due; n++ {
			block = append(block, before...)
			block = strconv.AppendInt(block, time.Now().UnixMicro(), 10)
			block = append(append(block, ' '), after...)
		}
		if _, err := w.Write(block); err != nil {
			return
		}
		if flush.Flush() != nil {
			return
		}
		time.Sleep(time.Until(began.Add(time.Duration(float64(n) / float64(rate) * float64(time.Second)))))
	}
}

// A stampedConn records when the first byte of a request arrived.
type stampedConn struct {
	net.Conn
	at atomic.Int64 // in microseconds; 0 until a request came
}

func (c *stampedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.at.CompareAndSwap(0, time.Now().UnixMicro())
	}
	return n, err
}

// A stampedListener accepts stamped connections.
type stampedListener struct{ net.Listener }

func (l stampedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &stampedConn{Conn: c}, nil
}

// connection is the context key of a request's connection.
type connection struct{}

// serveStamped serves until the listener fails.
func serveStamped(l net.Listener, handler http.Handler) error {
	server := http.Server{Handler: handler, ConnContext: func(ctx context.Context, c net.Conn) context.Context {
		return context.WithValue(ctx, connection{}, c)
	}}
	return server.Serve(stampedListener{l})
}

// arrivalTime returns when the first byte of a request arrived, in microseconds. The whole request
// must have been read: the next byte belongs to the next one.
func arrivalTime(r *http.Request) int64 {
	c, _ := r.Context().Value(connection{}).(*stampedConn)
	return c.at.Swap(0)
}
