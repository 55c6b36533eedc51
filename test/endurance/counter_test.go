//go:build unix

package endurance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A drip is an agent that sends a line or a card without end, one piece at each request of the
// test.
type drip struct {
	url    string
	pieces chan string
}

func startDrip(t *testing.T, slowCard bool) *drip {
	t.Helper()
	d := &drip{pieces: make(chan string)}
	send := func(w http.ResponseWriter, begin string) {
		_, _ = io.WriteString(w, begin)
		for text := range d.pieces {
			if _, err := io.WriteString(w, text); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/agent-card.json", func(w http.ResponseWriter, r *http.Request) {
		if !slowCard {
			card(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		send(w, `{"name":"`)
	})
	mux.HandleFunc("POST /rpc", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		send(w, "data: ")
	})
	server := httptest.NewServer(mux)
	stop := sync.OnceFunc(func() { close(d.pieces) })
	t.Cleanup(func() { stop(); server.CloseClientConnections(); server.Close() })
	d.url = server.URL
	return d
}

// until sends pieces until the screen matches a pattern.
func (d *drip) until(s *screen, piece, pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(patience); ; {
		pause := time.After(5 * time.Millisecond) // so that the limit is far
		select {
		case d.pieces <- piece:
			<-pause
		case <-pause: // the client disconnected
		}
		text := s.text()
		if re.MatchString(text) {
			return text
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("got no /%s/ on the screen:\n%s", pattern, text)
		}
	}
}

// grows waits until the count grows.
func (d *drip) grows(s *screen) {
	s.t.Helper()
	piece := strings.Repeat("x", 1<<10)
	kilobytes := regexp.MustCompile(`([\d.]+) (kB|MB) received`)
	read := func() float64 {
		m := kilobytes.FindStringSubmatch(d.until(s, piece, kilobytes.String()))
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			s.t.Fatal(err)
		}
		if m[2] == "MB" {
			n *= 1000
		}
		return n
	}
	first := read()
	for deadline := time.Now().Add(patience); read() <= first; {
		if time.Now().After(deadline) {
			s.t.Fatalf("got a count of %v kB that does not grow:\n%s", first, s.text())
		}
	}
}

// While an answer is incomplete, its bytes are counted on the screen; afterwards the sentence
// of the limit replaces the count, in the workbench and on a command's terminal.
func TestBytesCountUpWhileNothingIsComplete(t *testing.T) {
	flood := strings.Repeat("x", 256<<10)
	for _, c := range []struct {
		name, limit string
		slowCard    bool
		command     []string // nil for the workbench
	}{
		{"line in the workbench", "max-event", false, nil},
		{"card in the workbench", "max-card", true, nil},
		{"line of a command", "max-event", false, []string{"send", "hello", "--agent-card"}},
		{"card of a command", "max-card", true, []string{"card", "get", "--agent-card"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := startDrip(t, c.slowCard)
			var s *screen
			if c.command == nil {
				s = start(t, "--no-check", d.url)
				if !c.slowCard {
					s.sees(`▌Torrent`)
					s.types("hello\r")
				}
			} else {
				s = startCommand(t, append(append([]string{program}, c.command...), d.url)...)
			}
			d.grows(s)
			d.until(s, flood, "--"+c.limit)
			eventually(t, "an end of the count", func() bool { return !strings.Contains(s.text(), " received") })
			if c.command != nil {
				s.sees(`^(Error|Warning): `)
			}
		})
	}
}
