package tap

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

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
