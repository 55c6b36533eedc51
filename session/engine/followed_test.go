package engine

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/session/model"
)

// TestARepeatedRequestIsNoProblem sends messages to an agent over HTTP+JSON that accepts only
// the older content type: the first answer is in the wire and nowhere else.
func TestARepeatedRequestIsNoProblem(t *testing.T) {
	t.Parallel()
	var agent *httptest.Server
	agent = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch {
		case strings.HasSuffix(r.URL.Path, "/agent-card.json"):
			io.WriteString(w, `{"name":"Picky","description":"d","version":"1","supportedInterfaces":[{"url":"`+agent.URL+
				`/rest","protocolBinding":"HTTP+JSON","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`)
		case r.URL.Path != "/rest/message:send":
			http.NotFound(w, r)
		case r.Header.Get("Content-Type") != "application/json":
			w.WriteHeader(http.StatusUnsupportedMediaType)
			io.WriteString(w, `{"message":"application/json only"}`)
		default:
			io.WriteString(w, `{"task":{"id":"t","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}`)
		}
	}))
	t.Cleanup(agent.Close)
	d := newHarness(t, nil)
	turn, over := d.sendText(model.Target{Agent: d.openAgent(agent.URL)}, "hello", model.SendOptions{})
	d.finish()
	if over.Sentence != "" {
		t.Errorf("got turn end %q, want no failure\n%s", over.Sentence, d.log())
	}
	tasks := 0
	for _, b := range turn.Blocks {
		if b.Task != nil {
			tasks++
		}
		for _, e := range b.Entries {
			if e.Kind == model.EntryProblem {
				t.Errorf("got problem entry %q, want none", e.Problem.Sentence)
			}
		}
	}
	if tasks != 1 {
		t.Errorf("got %d tasks, want 1\n%s", tasks, d.log())
	}
}
