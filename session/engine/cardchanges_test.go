package engine

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley/session/card"
	"parley/session/log"
)

// A running agent changes its card: it requires other credentials and names another endpoint.
func TestACardThatIsReadAgainTellsChangesOfSecurityFirst(t *testing.T) {
	t.Parallel()
	const before = `{"name":"Desk","description":"one","version":"1","supportedInterfaces":[{"url":"http://%[1]s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[]}`
	const after = `{"name":"Bureau","description":"two","version":"2","supportedInterfaces":[{"url":"http://%[1]s/rpc","protocolBinding":"JSONRPC","protocolVersion":"1.0"}],"capabilities":{},"skills":[],` +
		`"securitySchemes":{"key":{"apiKeySecurityScheme":{"location":"header","name":"X-Key"}}},"securityRequirements":[{"schemes":{"key":{"list":[]}}}]}`
	var c atomic.Pointer[string]
	use := func(text string) { c.Store(&text) }
	use(before)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "agent-card.json") {
			fmt.Fprintf(w, *c.Load(), r.Host)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	id := d.openAgent(srv.URL)
	use(after)
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	got := d.state.Agent(id).CardChanges
	if len(got) < 4 || got[0] != (card.Change{Sentence: "The agent now requires credentials: key.", Security: true}) || !strings.Contains(got[1].Sentence, "new security scheme: key (apiKey in header named X-Key)") {
		t.Errorf("got changes %+v, want the new requirement and the new scheme first", got)
	}
	d.finish()
}

// The changes since an earlier run are in the journal, so that a recording shows them.
func TestWhatChangedSinceAnEarlierRunIsInTheRecording(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	var asked atomic.Int32
	d := newHarness(t, func(o *options) {
		o.SinceLastRun = func(ref string, index int, c card.Snapshot) ([]card.Change, time.Time) {
			if ref == "" || index != 0 || c.Name == "" {
				t.Errorf("SinceLastRun was called with reference %q, index %d, card %+v; want index 0 and a named card", ref, index, c)
			}
			asked.Add(1)
			return []card.Change{{Sentence: "The card is no longer signed.", Security: true}}, since
		}
	})
	id := d.Open(agent(t, asker).URL)
	sig := d.waitForSignal(log.SignalOpened)
	if a := d.state.Agent(id); len(sig.Changes) != 1 || !sig.Since.Equal(since) || len(a.CardChanges) != 1 || !a.CardChanges[0].Security || !a.CardSince.Equal(since) {
		t.Errorf("got signal %+v, agent %+v; want one security change since the earlier run in both", sig, a)
	}
	d.Reopen(id)
	if sig := d.waitForSignal(log.SignalOpened); len(sig.Changes) != 0 || asked.Load() != 2 {
		t.Errorf("after discovery: got signal %+v, %d comparisons; want no changes, 2 comparisons", sig, asked.Load())
	}
	d.finish()
}

// A secret of the session that stood in the card of an earlier run is told by no change of the card.
func TestChangesOfACardHoldNoSecretOfTheSession(t *testing.T) {
	t.Parallel()
	const word = "opensesameplease"
	d := newHarness(t, func(o *options) {
		o.SinceLastRun = func(string, int, card.Snapshot) ([]card.Change, time.Time) {
			return []card.Change{{Sentence: "The interface JSON-RPC at https://h/" + word + "/rpc is gone.", Security: true}}, time.Now()
		}
	})
	d.secrets.Add(word)
	id := d.Open(agent(t, asker).URL)
	sig := d.waitForSignal(log.SignalOpened)
	a := d.state.Agent(id)
	if want := "The interface JSON-RPC at https://h/•••/rpc is gone."; len(sig.Changes) != 1 || sig.Changes[0].Sentence != want || len(a.CardChanges) != 1 || a.CardChanges[0].Sentence != want {
		t.Errorf("got signal %+v, card changes %+v, want %q in both", sig.Changes, a.CardChanges, want)
	}
	d.finish()
	data, err := os.ReadFile(d.journal.Path())
	if err != nil || strings.Contains(string(data), word) {
		t.Errorf("got the secret in the session file, or %v", err)
	}
}
