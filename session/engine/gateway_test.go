package engine

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
)

// gateway is a gateway of a mesh with one agent and one file. It returns the paths that were
// requested, without the card's.
func gateway(t *testing.T) (s *httptest.Server, asked func() []string) {
	t.Helper()
	var mu sync.Mutex
	var paths []string
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch r.URL.Path {
		case "/api/v1/agentCards":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[{"name":"Orders","description":"d","version":"1","protocolVersion":"0.3.0","url":"solace:acme/a2a/v1/agent/request/Orders",`+
				`"capabilities":{"streaming":true},"defaultInputModes":["text"],"defaultOutputModes":["text"],"skills":[]}]`)
			return
		case "/api/v1/artifacts/web-1/report.txt/versions/2":
			w.Header().Set("Content-Type", "text/plain")
			_, _ = io.WriteString(w, "data: 12 ships\n")
		default:
			http.Error(w, `{"detail":"Session not found or access denied."}`, http.StatusNotFound)
		}
		paths = append(paths, r.URL.Path)
	}))
	t.Cleanup(s.Close)
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(paths)
	}
}

func TestAnArtifactIsFetchedFromTheGatewayAndRecorded(t *testing.T) {
	t.Parallel()
	d := newHarness(t, nil)
	s, asked := gateway(t)
	id := d.openAgent(s.URL + "/api/v1/agentCards")
	if p := d.state.Agent(id).Profile; p.Dialect != a2a.SAMHTTP {
		t.Fatalf("got dialect %s, want sam-http", p.Dialect)
	}
	before := asked()
	turn := d.DownloadArtifact(id, "artifact://Orders/ann/web-1/report.txt?version=2")
	request := d.until("the request", func(it log.Item) bool { return it.Record.Kind == a2a.KindRequest })
	body := d.until("the file", func(it log.Item) bool { return it.Record.Kind == a2a.KindBody })
	if sig := d.waitForTurnEnd(turn); sig.Sentence != "" || sig.Conversation != 0 {
		t.Errorf("got turn end %+v, want no failure and no conversation", sig)
	}
	if got := log.Describe(&request); got != "GET artifact report.txt version 2" {
		t.Errorf("got row %q, want the GET of the artifact", got)
	}
	if got := log.Describe(&body); got != "artifact report.txt version 2 15 B" || string(body.Record.Raw) != "data: 12 ships\n" {
		t.Errorf("got row %q, body %q; want the artifact's row and bytes", got, body.Record.Raw)
	}
	before = append(before, "/api/v1/artifacts/web-1/report.txt/versions/2")

	// A missing artifact does not cause a search for another dialect.
	if sig := d.waitForTurnEnd(d.DownloadArtifact(id, "artifact://Orders/ann/web-2/report.txt")); !strings.Contains(sig.Sentence, "has no such artifact") {
		t.Errorf("got turn end %+v, want a sentence with \"has no such artifact\"", sig)
	}
	before = append(before, "/api/v1/artifacts/web-2/report.txt")
	if sig := d.waitForTurnEnd(d.DownloadArtifact(id, "artifact://Orders/ann/../tasks")); !strings.Contains(sig.Sentence, "is not a valid name") {
		t.Errorf("got turn end %+v, want a sentence with \"cannot be the name\"", sig)
	}
	if got := asked(); !slices.Equal(got, before) {
		t.Errorf("got requests %q, want %q", got, before)
	}
	if n := len(d.state.Agent(id).Conversations); n != 0 {
		t.Errorf("got %d conversations, want 0", n)
	}
	d.finish()
}
