package relay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// stream returns the agent's events, and what the observer has of them.
func eventsOf(n int) string {
	text := ""
	for i := range n {
		text += fmt.Sprintf(": note\r\nid: %d\r\ndata: event %d\r\n\r\n", i, i)
	}
	return text
}

// messagesOf returns messages of gRPC.
func messagesOf(n int) string {
	text := ""
	for i := range n {
		body := fmt.Sprintf("message %d", i)
		text += "\x00" + string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + body
	}
	return text
}

// order returns the numbers of the events or messages in a text.
func order(text string) string {
	var all []string
	for rest := text; ; {
		i := strings.IndexAny(rest, "0123456789")
		for i >= 0 && !strings.HasSuffix(rest[:i], "event ") && !strings.HasSuffix(rest[:i], "message ") {
			next := strings.IndexAny(rest[i+1:], "0123456789")
			if next < 0 {
				i = -1
			} else {
				i += 1 + next
			}
		}
		if i < 0 {
			return strings.Join(all, "")
		}
		all, rest = append(all, rest[i:i+1]), rest[i+1:]
	}
}

func TestFaultsOfAStream(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault Fault
		want  string
		cut   bool
	}{
		{"none", Fault{}, "01234", false},
		{"cut", Fault{CutAfter: 3}, "012", true},
		{"cut behind the last", Fault{CutAfter: 5}, "01234", true},
		{"cut too late", Fault{CutAfter: 6}, "01234", false},
		{"duplicate", Fault{Duplicate: true}, "0011223344", false},
		{"reorder", Fault{Reorder: true}, "10324", false},
		{"reorder and cut", Fault{Reorder: true, CutAfter: 3}, "102", true},
		{"stall", Fault{StallAfter: 2, StallFor: time.Millisecond}, "01234", false},
	} {
		for _, over := range []string{"chunked", "length", "until the end", "HTTP/2", "gRPC"} {
			t.Run(tt.name+" "+over, func(t *testing.T) { playFault(t, tt.fault, over, tt.want, tt.cut) })
		}
	}
}

func playFault(t *testing.T, fault Fault, over, want string, cut bool) {
	text, media := eventsOf(5), "text/event-stream"
	if over == "gRPC" {
		text, media = messagesOf(5), "application/grpc+proto"
	}
	agent := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", media)
		switch over {
		case "length":
			w.Header().Set("Content-Length", fmt.Sprint(len(text)))
		case "until the end":
			w.Header().Set("Transfer-Encoding", "identity")
			w.Header().Set("Connection", "close")
		default:
			w.Header().Set("Trailer", "X-Sum")
		}
		for rest := text; rest != ""; {
			n := min(len(rest), 33)
			io.WriteString(w, rest[:n])
			w.(http.Flusher).Flush()
			rest = rest[n:]
		}
		w.Header().Set("X-Sum", "1")
	}
	n := newNotebook(func(Head) Plan { return Plan{Fault: fault} })
	var client http.RoundTripper
	var r *Relay
	if over == "gRPC" || over == "HTTP/2" {
		client, r = clientOf(t, nil), startRelay(t, startHTTP2(t, nil, agent), Options{Observer: n})
	} else {
		tr := &http.Transport{}
		t.Cleanup(tr.CloseIdleConnections)
		client, r = tr, startRelay(t, startHTTP1(t, http.HandlerFunc(agent)), Options{Observer: n})
	}
	req, _ := http.NewRequest("GET", r.URL(), nil)
	resp, err := client.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if got := order(string(b)); got != want || (err != nil) != cut {
		t.Errorf("got events %s, %v; want %s, cut %v", got, err, want, cut)
	}
	p := n.ended(1)[0]
	if cut {
		if p.end.Cause != Injected || !errors.Is(p.end.Err, errCut) {
			t.Errorf("got %+v, want the fault", p.end)
		}
		return
	}
	if p.end.Cause != Complete || p.body.String() != text || p.end.PassedOn != int64(len(b)) {
		t.Errorf("got %+v and a body of %d bytes, want it complete with %d", p.end, p.body.Len(), len(text))
	}
	if over != "length" && over != "until the end" && resp.Trailer.Get("X-Sum") != "1" {
		t.Errorf("got trailer %v", resp.Trailer)
	}
}

func TestAStatusInPlaceOfTheAgent(t *testing.T) {
	t.Parallel()
	asked := 0
	agent := func(w http.ResponseWriter, r *http.Request) { asked++ }
	plan := func(h Head) Plan {
		f := Fault{Status: 503, Header: http.Header{"Retry-After": {"7"}}}
		if h.URI == "/chosen" {
			return Plan{ChooseFault: func(body []byte) Fault {
				if string(body) == "hello" {
					return f
				}
				return Fault{}
			}}
		}
		return Plan{Fault: f}
	}
	for _, over := range []string{"HTTP/1", "HTTP/2"} {
		n := newNotebook(plan)
		var client http.RoundTripper = &http.Transport{}
		address := startHTTP1(t, http.HandlerFunc(agent))
		if over == "HTTP/2" {
			client, address = clientOf(t, nil), startHTTP2(t, nil, agent)
		}
		r := startRelay(t, address, Options{Observer: n})
		for i, path := range []string{"/", "/chosen"} {
			req, _ := http.NewRequest("POST", r.URL()+path, strings.NewReader("hello"))
			resp, err := client.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			b, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != 503 || resp.Header.Get("Retry-After") != "7" || !strings.Contains(string(b), "on purpose") {
				t.Errorf("%s: got %d %v %q", over, resp.StatusCode, resp.Header, b)
			}
			if p := n.ended(i + 1)[i]; p.end.Cause != Injected || p.requestBody.String() != "hello" || !p.whole || p.sents != 0 || p.client.Connection != 1 {
				t.Errorf("%s: got %+v", over, p)
			}
		}
		if asked != 0 {
			t.Errorf("%s: the agent was asked", over)
		}
		client.(*http.Transport).CloseIdleConnections()
	}
	n := newNotebook(plan)
	r := startRelay(t, "127.0.0.1:1", Options{Observer: n})
	req, _ := http.NewRequest("POST", r.URL(), strings.NewReader("hello"))
	req.Header.Set("Content-Type", "application/grpc")
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 || resp.Header.Get("Grpc-Status") != "14" || resp.Header.Get("Retry-After") != "7" {
		t.Errorf("got %d %v, want UNAVAILABLE", resp.StatusCode, resp.Header)
	}
}
