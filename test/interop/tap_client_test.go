package interop

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/chain"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/tap"
)

// clientFindings are the findings about requests of the official clients, with their reasons.
var clientFindings = map[string]string{
	"a2a-js-1.3.0 HTTP-002": "it sends application/json over HTTP+JSON, which 1.0 allows with a SHOULD",
}

// The official clients talk to their own agents through a tap as they do without one, and the rules
// about requests of other clients find nothing in it that is not known.
func TestOfficialClientsKeepTheRulesForClients(t *testing.T) {
	t.Parallel()
	withOfficialClients(t, func(t *testing.T, c officialClient) {
		feed := log.NewFeed()
		set := tap.NewSet(tap.SetOptions{Tap: tap.Options{Recorder: journal.NewRecorder(feed, nil), Format: grpc.NewFormat()}})
		defer set.Close()
		at, err := set.Start(t.Context(), "tap", c.url, "")
		if err != nil {
			t.Fatal(err)
		}
		c.converse(t, at.URL)
		set.Close()
		feed.Close()
		for _, f := range requestFindings(t, feed) {
			if clientFindings[c.module+" "+f.Rule] == "" {
				t.Errorf("got %s: %s", f.Rule, f.Message)
			}
		}
	})
}

// requestFindings returns the findings about requests, and about what clients do, in a closed feed.
func requestFindings(t *testing.T, feed *log.Feed) (found []a2a.Finding) {
	state := model.NewState()
	state.Check(chain.NewChecker())
	for {
		items, err := feed.Next(t.Context(), 0)
		if err != nil {
			return found
		}
		for _, it := range items {
			state.Apply(it)
			if it.Signal != nil {
				continue
			}
			for _, f := range state.Log.At(it.Record.ID).Findings {
				if it.Record.Kind == a2a.KindRequest || strings.HasPrefix(f.Rule, "CLNT-") || strings.HasPrefix(f.Rule, "HOP-") {
					found = append(found, f)
				}
			}
		}
	}
}
