package tap

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The agent of a tap and its card may write the same host in other letters.
func TestTheHostOfACardIsComparedWithWhatItMeans(t *testing.T) {
	t.Parallel()
	s := newSession(t)
	var own string
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != strings.TrimPrefix(own, "http://") {
			t.Errorf("the agent got the Host %q, want %s", r.Host, own)
		}
		_, _ = io.WriteString(w, cardAt(strings.Replace(own, "127.0.0.1", "１２７。0。0。1", 1)))
	}))
	t.Cleanup(agent.Close)
	own = agent.URL
	_, taps := start(t, s, strings.Replace(own, "127.0.0.1", "①②⑦.⓪.⓪.①", 1))
	if taps[0].Target != own {
		t.Errorf("got target %s, want %s", taps[0].Target, own)
	}
	if _, card := ask(t, "GET", taps[0].URL+"/.well-known/agent-card.json", ""); !strings.Contains(card, `"`+taps[0].URL+`/a2a"`) {
		t.Errorf("got %s, want the interfaces at %s", card, taps[0].URL)
	}
}

// A request of HTTP/1.0 need not name the host, so that the card has the address at which the tap
// listens.
func TestACardForAClientThatNamesNoHost(t *testing.T) {
	t.Parallel()
	var own string
	s := newSession(t)
	base, _, target := tapped(t, s, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, cardAt(own)) })
	own = target.String()
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET /.well-known/agent-card.json HTTP/1.0\r\n\r\n")
	card, err := io.ReadAll(conn)
	if err != nil || !strings.Contains(string(card), `"`+base+`/a2a"`) || !strings.Contains(string(card), `"`+base+`/rest"`) {
		t.Errorf("got %s, %v, want the interfaces at %s", card, err, base)
	}
}
