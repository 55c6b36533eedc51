package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// TestOddAnswersReplayAsTheyWereLive covers what the scripted agents do not do.
func TestOddAnswersReplayAsTheyWereLive(t *testing.T) {
	t.Parallel()
	const status = `{"jsonrpc":"2.0","id":"x","result":{"statusUpdate":{"taskId":"t","contextId":"c","status":{"state":"TASK_STATE_%s"}}}}`
	working, done := fmt.Sprintf(status, "WORKING"), fmt.Sprintf(status, "COMPLETED")
	answers := map[string]func(w http.ResponseWriter){
		"lines": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/x-ndjson")
			fmt.Fprintf(w, "%s\n\n%s\n", working, done)
		},
		"lines labelled as JSON": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, "%s\n%s", working, done)
		},
		"events without a label": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			fmt.Fprintf(w, "\ufeff: hello\n\nid: 7\nevent: x\nretry: 3\ndata: %s\r\n\r\ndata:%s\n\n: bye\n", working, done)
		},
		"one event over many lines": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(done, ",", ",\ndata: "))
		},
		"a pretty event with one prefix": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: %s\n\n", strings.ReplaceAll(done, ",", ",\n  "))
		},
		"a body that is cut": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, done[:40])
		},
		"a body with bad UTF-8": func(w http.ResponseWriter) { fmt.Fprint(w, strings.Replace(done, "COMPLETED", "\xff\xfe", 1)) },
		"a redirect": func(w http.ResponseWriter) {
			w.Header().Set("Location", "/other")
			w.WriteHeader(http.StatusTemporaryRedirect)
		},
		"nothing": func(http.ResponseWriter) {},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			mux := http.NewServeMux()
			srv := httptest.NewServer(mux)
			t.Cleanup(srv.Close)
			mux.HandleFunc("/.well-known/agent-card.json", func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"name":"Odd","description":"d","version":"1","supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{"streaming":true},"skills":[]}`, srv.URL)
			})
			mux.HandleFunc("/rpc", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Api-Key", r.Header.Get("X-Api-Key")) // a header with a secret
				answer(w)
			})
			d := newHarness(t, func(o *options) {
				o.Client = func(string) a2a.Options { return a2a.Options{Bearer: "s3cret-bearer", APIKey: "s3cret-key"} }
			})
			d.sendText(model.Target{Agent: d.openAgent(srv.URL)}, "hi", model.SendOptions{Async: true})
			d.finish()
			text, err := os.ReadFile(d.journal.Path())
			if err != nil || strings.Contains(string(text), "s3cret") {
				t.Errorf("the journal contains a secret or cannot be read: %v", err)
			}
		})
	}
}
