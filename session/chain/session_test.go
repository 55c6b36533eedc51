package chain

import (
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/sessiontest"
)

// token is a JSON Web Token with an audience.
func token(audience string) string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	return part(`{"alg":"RS256"}`) + "." + part(`{"aud":"`+audience+`","exp":4102444800}`) + "." + part("signature")
}

// plant records three agents behind taps: a gateway that passes its caller's token on and drops
// what its caller asked for, and the secrets of all, masked as a tap masks them.
func plant(t *testing.T, path string) {
	t.Helper()
	j, err := journal.Create(path, journal.Options{Now: func() time.Time { return sessiontest.Epoch }})
	if err != nil {
		t.Fatal(err)
	}
	rec, mask := journal.NewRecorder(log.NewFeed(), j), a2a.NewRecordMasker(&a2a.Secrets{})
	now := sessiontest.Epoch
	put := func(r a2a.Record) a2a.RecordID {
		now = now.Add(10 * time.Millisecond)
		r.Time = now
		mask.Mask(&r)
		return rec.Put(r, a2a.Update{})
	}
	ask := func(agent a2a.AgentID, client, method string, h http.Header) *a2a.Call {
		call := &a2a.Call{Agent: agent, Op: a2a.OpStream, Dialect: a2a.V10, Binding: a2a.BindingJSONRPC, Endpoint: "https://" + method + ".example/a2a",
			Tapped: &a2a.Tapped{Tap: method, Client: client, Connection: 1}}
		h.Set("Content-Type", "application/json")
		h.Set("A2A-Version", "1.0")
		body := `{"jsonrpc":"2.0","id":"` + method + `","method":"SendStreamingMessage","params":{"message":{"messageId":"m-` + method + `","role":"ROLE_USER","parts":[{"text":"Ask ` + method + ` about Oslo"}]}}}`
		put(a2a.Record{Kind: a2a.KindRequest, Dir: a2a.Out, Call: call, Raw: []byte(body), Head: &a2a.Head{Method: "POST", URL: call.Endpoint, Header: h}})
		return call
	}
	secret := "Bearer " + token("https://gateway.example")
	ask(1, "browser", "gateway", http.Header{"Authorization": {secret}, "Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}, "A2a-Extensions": {"urn:cost"}, "X-Tenant": {"red"}})
	ask(2, "python", "planner", http.Header{"Authorization": {"Bearer " + token("https://planner.example")}, "Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-b7ad6b7169203331-01"}, "A2a-Extensions": {"urn:cost"}, "X-Tenant": {"red"}})
	ask(3, "node", "weather", http.Header{"Authorization": {"Bearer " + token("https://planner.example")}, "Traceparent": {"00-4bf92f3577b34da6a3ce929d0e0e4736-c8be7c8270314442-01"}})
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// A planted header drop and a planted credential forward between three agents are ordinary findings
// of a session file, which has no secret in it.
func TestPlantedFaultsAreFindingsOfTheSession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	plant(t, path)
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), token("https://planner.example")[40:]) {
		t.Fatalf("got a token in the file (%v), want it masked", err)
	}
	r, err := journal.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	s := sessiontest.ReplayState(t, r, NewChecker())
	for rule, want := range map[string]a2a.RecordID{ruleCredential: 3, ruleExtension: 3, ruleHeader: 3, "CLNT-016": 3} {
		count := s.Log.Findings()
		var at []a2a.RecordID
		for _, c := range count.Rules() {
			if c.Rule == rule {
				at = c.Records
			}
		}
		if len(at) != 1 || at[0] != want {
			t.Errorf("%s: got it at %v, want it at record %d alone", rule, at, want)
		}
	}
	if worst, ok := s.Log.Findings().Flag(s.Log.At(3)); !ok || worst != a2a.Warning {
		t.Errorf("got %v (%v) in the third request, want a warning", worst, ok)
	}
}
