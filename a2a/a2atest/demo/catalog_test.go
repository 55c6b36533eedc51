package demo

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"parley/a2a/a2atest"
)

func fetch(t *testing.T, url string, into any) (mediaType string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: got %s, %v", url, resp.Status, err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("%s: got %s: %v", url, body, err)
	}
	return resp.Header.Get("Content-Type")
}

func TestEachAgentServesACatalogOfAll(t *testing.T) {
	agents, stop, err := Start(t.Context(), a2atest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	for _, agent := range agents {
		var doc struct {
			SpecVersion string
			Entries     []listing
		}
		if mime := fetch(t, agent.URL+CatalogPath, &doc); mime != "application/ai-catalog+json" || doc.SpecVersion != "1.0" || len(doc.Entries) != len(agents) {
			t.Fatalf("%s: got %q, %+v", agent.Name, mime, doc)
		}
		for i, e := range doc.Entries {
			var card struct{ Name, Version string }
			fetch(t, e.URL, &card)
			if card.Name != e.DisplayName || e.DisplayName != agents[i].Name || e.Version != "" && e.Version != card.Version {
				t.Errorf("got entry %+v for card %+v", e, card)
			}
		}
	}
}
