package chain_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/chain"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/tap"
)

const trace = "4bf92f3577b34da6a3ce929d0e0e4736"

// jwt is a JSON Web Token with an audience.
func jwt(audience string) string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	return part(`{"alg":"RS256"}`) + "." + part(`{"aud":"`+audience+`"}`) + "." + part("signature")
}

// send posts a message and returns the answer.
func send(base, client, id, text string, h http.Header) (string, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"SendMessage","params":{"message":{"messageId":"m-%s","role":"ROLE_USER","parts":[{"text":%q}]}}}`, id, id, text)
	req, err := http.NewRequest(http.MethodPost, base+"/a2a", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header = h.Clone()
	for name, value := range map[string]string{"Content-Type": "application/json", "A2A-Version": "1.0", "User-Agent": client} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	return string(answer), err
}

// serve starts an agent that asks another one before it answers; next changes what it sends there.
func serve(t *testing.T, name string, ask func(got http.Header) error) string {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := "?"
		if _, rest, ok := bytes.Cut(body, []byte(`"id":"`)); ok {
			id, _, _ = strings.Cut(string(rest), `"`)
		}
		if ask != nil {
			if err := ask(r.Header); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%q,"result":{"task":{"id":"t-%s","contextId":"c-%s","status":{"state":"TASK_STATE_COMPLETED","timestamp":"2026-11-20T14:02:03Z"}}}}`, id, name, name)
	}))
	t.Cleanup(agent.Close)
	return agent.URL
}

// Three agents on real sockets, each behind a tap: the second one drops what it was asked for, and
// passes on the token that it was called with. Parley names both, and nothing of the kind about the
// first one.
func TestThreeAgentsBehindTaps(t *testing.T) {
	feed := log.NewFeed()
	set := tap.NewSet(tap.SetOptions{Tap: tap.Options{Recorder: journal.NewRecorder(feed, nil)}})
	t.Cleanup(set.Close)
	start := func(name, to string) string {
		state, err := set.Start(t.Context(), name, to, "")
		if err != nil {
			t.Fatal(err)
		}
		return state.URL
	}
	span := func(n int) string { return fmt.Sprintf("00-%s-%016x-01", trace, n) }
	weather := start("weather", serve(t, "weather", nil))
	planner := start("planner", serve(t, "planner", func(got http.Header) error {
		_, err := send(weather, "planner/2", "3", "The weather in Oslo?", http.Header{"Traceparent": {span(3)}, "Authorization": got["Authorization"]})
		return err
	}))
	gateway := start("gateway", serve(t, "gateway", func(got http.Header) error {
		_, err := send(planner, "gateway/1", "2", "Plan a day in Oslo", http.Header{
			"Traceparent": {span(2)}, "Authorization": {"Bearer " + jwt("planner")}, "A2a-Extensions": got["A2a-Extensions"], "X-Tenant": got["X-Tenant"],
		})
		return err
	}))
	if _, err := send(gateway, "browser/3", "1", "What shall we do in Oslo?", http.Header{
		"Traceparent": {span(1)}, "Authorization": {"Bearer " + jwt("gateway")}, "A2a-Extensions": {"urn:cost"}, "X-Tenant": {"red"},
	}); err != nil {
		t.Fatal(err)
	}
	state, forest := apply(t, feed, 3)
	verifyChain(t, state, forest)
}

// apply applies what was recorded to a state, until so many exchanges have ended.
func apply(t *testing.T, feed *log.Feed, exchanges int) (*model.State, *chain.Forest) {
	state, forest := model.NewState(), chain.NewForest()
	state.Check(chain.NewChecker())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // only a failure takes so long
	defer cancel()
	for ended := 0; ended < exchanges; {
		items, err := feed.Next(ctx, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range items {
			if it.Signal != nil {
				continue
			}
			state.Apply(it)
			kept := state.Log.At(it.Record.ID)
			forest.Add(&kept.Record, &kept.Update, kept.Findings)
			if it.Record.Kind == a2a.KindEnd {
				ended++
			}
		}
	}
	return state, forest
}

func verifyChain(t *testing.T, state *model.State, forest *chain.Forest) {
	t.Helper()
	var lines []string
	for _, l := range forest.Lines(func(a2a.AgentID) string { return "" }, time.Time{}) {
		lines = append(lines, l.String())
	}
	if len(lines) != 3 || !strings.Contains(lines[0], "browser/3 → gateway") || !strings.HasPrefix(lines[1], "  #") || !strings.Contains(lines[1], "gateway → planner") ||
		!strings.HasPrefix(lines[2], "    #") || !strings.Contains(lines[2], "planner → weather") {
		t.Errorf("got\n%s\nwant the three hops below each other", strings.Join(lines, "\n"))
	}
	third := forest.Node(forest.Node(forest.Roots()[0]).Children[0]).Children
	if len(third) != 1 {
		t.Fatalf("got %v below the second request, want one", third)
	}
	for _, rule := range []string{"HOP-001", "HOP-004", "HOP-005", "CLNT-016"} {
		var at []a2a.RecordID
		for _, c := range state.Log.Findings().Rules() {
			if c.Rule == rule {
				at = c.Records
			}
		}
		if len(at) != 1 || at[0] != third[0] {
			t.Errorf("%s: got it at %v, want it at #%d alone\n%s", rule, at, third[0], strings.Join(lines, "\n"))
		}
	}
}
