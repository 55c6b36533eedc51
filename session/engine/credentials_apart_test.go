package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// Two agents get messages at the same time, each with its own credentials: neither receives the
// other's, although each redirects to the other, and no record contains one.
func TestCredentialsOfTwoAgentsNeverCross(t *testing.T) {
	t.Parallel()
	const rounds = 10
	tokens := []string{"token-of-the-first-1", "token-of-the-second-2"}
	var mu sync.Mutex
	var arrived [2]strings.Builder
	var agents [2]*httptest.Server
	for i := range agents {
		agents[i] = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			mu.Lock()
			fmt.Fprintf(&arrived[i], "%s %s\n", r.Method, r.URL)
			_ = r.Header.Write(&arrived[i])
			arrived[i].Write(body)
			mu.Unlock()
			other := agents[1-i].URL
			switch {
			case r.Method == http.MethodGet:
				fmt.Fprintf(w, `{"name":"Agent %d","description":"d","version":"1","capabilities":{"streaming":true,"extendedAgentCard":true},"skills":[],
					"defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],"securitySchemes":{"b":{"httpAuthSecurityScheme":{"scheme":"bearer"}}},
					"supportedInterfaces":[{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"%s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}`, i, agents[i].URL, other)
			case strings.Contains(string(body), "go away"):
				w.Header().Set("Location", other+"/rpc?from="+tokens[i])
				w.WriteHeader(http.StatusTemporaryRedirect)
			default:
				w.Header().Set("Content-Type", "text/event-stream")
				said := r.Header.Get("Authorization") + " " + tokens[1-i]
				for len(said) > 0 { // the redirected request may be recognised as the other agent's
					n := min(len(said), 5)
					fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":1,"result":{"artifactUpdate":{"taskId":"t%d","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":%q}]}}}}`+"\n\n", i, said[:n])
					said = said[n:]
				}
				fmt.Fprintf(w, `data: {"jsonrpc":"2.0","id":1,"result":{"statusUpdate":{"taskId":"t%d","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}}`+"\n\n", i)
			}
		}))
		t.Cleanup(agents[i].Close)
	}
	d := newHarness(t, func(o *options) {
		o.Extended = true
		o.Client = func(ref string) a2a.Options {
			for i, a := range agents {
				if ref == a.URL {
					return a2a.Options{UserAddresses: []string{ref}, Bearer: tokens[i]}
				}
			}
			return a2a.Options{UserAddresses: []string{ref}}
		}
	})
	ids := []a2a.AgentID{d.openAgent(agents[0].URL), d.openAgent(agents[1].URL)}
	for range rounds {
		open := map[a2a.TurnID]bool{}
		for _, id := range ids {
			for _, text := range []string{"hello", "go away"} {
				open[d.Send(model.Target{Agent: id}, &a2a.Message{Parts: []a2a.Part{a2a.TextPart(text)}}, model.SendOptions{})] = true
			}
		}
		d.until("the end of every turn", func(it log.Item) bool {
			if it.Signal != nil && it.Signal.Kind == log.SignalTurnOver {
				delete(open, it.Signal.Turn)
			}
			return len(open) == 0
		})
	}
	records := d.finishAndRead()
	mu.Lock()
	defer mu.Unlock()
	for i := range agents {
		got := arrived[i].String()
		if !strings.Contains(got, "Bearer "+tokens[i]) {
			t.Errorf("requests to agent %d lack its token, want it in each", i)
		}
		if strings.Contains(got, "Bearer "+tokens[1-i]) {
			t.Errorf("requests to agent %d have the other agent's token:\n%s", i, got)
		}
		for from := 0; from+8 <= len(tokens[i]); from++ {
			if piece := tokens[i][from : from+8]; strings.Contains(records, piece) {
				t.Fatalf("records contain %q of a token", piece)
			}
		}
	}
}
