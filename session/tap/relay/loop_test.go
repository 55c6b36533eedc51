package relay

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"parley/internal/certtest"
)

func TestARelayThatLeadsBackToItselfSaysSo(t *testing.T) {
	t.Parallel()
	sockets := NewSockets()
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	first := startRelay(t, "", Options{Target: target, Sockets: sockets})
	second := startRelay(t, first.Addr().String(), Options{Sockets: sockets})
	for name, leads := range map[string]string{"to itself": first.Addr().String(), "by way of another one": second.Addr().String()} {
		target.Host = leads
		answer, err := exchangeRaw(t, first.Addr().String(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		if err != nil || !contains(answer, "HTTP/1.1 508 Loop Detected\r\n", "leads back to itself") {
			t.Errorf("%s: got %q, %v", name, answer, err)
		}
	}
}

// The way back leads through a relay with another register, as one of another process has it.
func TestALoopThroughAnotherProcessIsNoticed(t *testing.T) {
	t.Parallel()
	target := &url.URL{Scheme: "http", Host: "127.0.0.1:1"}
	n := newNotebook(nil)
	first := startRelay(t, "", Options{Target: target, Observer: n})
	second := startRelay(t, first.Addr().String(), Options{})
	target.Host = second.Addr().String()
	answer, err := exchangeRaw(t, first.Addr().String(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
	if err != nil || !contains(answer, "HTTP/1.1 508 Loop Detected\r\n", "leads back to itself") {
		t.Errorf("got %q, %v", answer, err)
	}
	req, _ := http.NewRequest("GET", first.URL(), nil)
	resp, err := clientOf(t, nil).RoundTrip(req)
	if err != nil || resp.StatusCode != 508 {
		t.Errorf("over HTTP/2: got %v, %v", resp, err)
	}
}

func TestManyEqualRequestsAreNoLoop(t *testing.T) {
	t.Parallel()
	const many = 2 * suspicious
	arrived, answer := make(chan bool, many), make(chan bool)
	agent := startHTTP1(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RequestURI == "/" { // the other one is the question of the relay
			arrived <- true
			<-answer
		}
	}))
	r := startRelay(t, agent, Options{})
	got := make(chan string, many)
	for range many {
		go func() {
			text, err := exchangeRaw(t, r.Addr().String(), "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			got <- fmt.Sprint(text[:min(len(text), 15)], err)
		}()
	}
	for range many {
		<-arrived
	}
	close(answer)
	for range many {
		if text := <-got; text != "HTTP/1.1 200 OK<nil>" {
			t.Errorf("got %q, want the agent's answer", text)
		}
	}
}

func TestEqualRequestsAreCountedUntilTheyAreAnswered(t *testing.T) {
	t.Parallel()
	g, now := newLoopGuard(), time.Unix(1000, 0)
	one := &Head{Method: "GET", URI: "/", Header: http.Header{"A": {"1"}}}
	other := &Head{Method: "GET", URI: "/", Header: http.Header{"A": {"2"}}}
	for i := range 10 * suspicious {
		ask, done := g.begin(one, now)
		if ask {
			t.Fatalf("request %d: got a question about requests that were answered", i)
		}
		done()
		done()
		if i < suspicious-1 {
			g.begin(other, now)
		}
	}
	if ask, _ := g.begin(other, now); !ask {
		t.Error("got no question about equal requests")
	}
	if ask, _ := g.begin(other, now); ask {
		t.Error("got a second question at once")
	}
	if len(g.waiting) != 1 {
		t.Errorf("got %d kinds of requests, want those that were answered forgotten", len(g.waiting))
	}
}

// With TLS on both sides the agent is asked during the handshake, before there is a request.
func TestARelayWithTLSThatLeadsBackToItselfSaysSo(t *testing.T) {
	t.Parallel()
	pair := certtest.New(t)
	roots := &tls.Config{RootCAs: pair.Roots()}
	target := &url.URL{Scheme: "https", Host: "127.0.0.1:1"}
	count := newConnCount()
	count.stuck = func() {}
	r := startRelay(t, "", Options{
		Target: target, TLS: &tls.Config{Certificates: []tls.Certificate{pair.TLS}}, Dial: count.dial,
		TargetTLS: func(string) *tls.Config { return roots },
	})
	target.Host = r.Addr().String()
	client := &http.Transport{TLSClientConfig: roots, ForceAttemptHTTP2: true}
	req, _ := http.NewRequest("GET", r.URL(), nil)
	resp, err := client.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	client.CloseIdleConnections()
	if all := count.none(); resp.StatusCode != http.StatusLoopDetected || all > 2 {
		t.Errorf("got %d and %d connections, want 508 and at most two", resp.StatusCode, all)
	}
}
