package catalogs

import (
	"fmt"
	"testing"

	"parley/a2a"
	"parley/a2a/aicatalog"
	"parley/session/card"
)

func TestEntriesAreComparedWithSavedAgents(t *testing.T) {
	c := &a2a.Catalog{Ref: "https://acme.example"}
	add := func(e aicatalog.Entry) {
		e.Kind = aicatalog.Agent
		c.Entries = append(c.Entries, a2a.CatalogEntry{Entry: e})
	}
	inline := []byte(`{"name":"Clerk","version":"3","url":"https://clerk.example"}`)
	add(aicatalog.Entry{Identifier: "urn:a", URL: "https://a.example/.well-known/agent-card.json", Version: "2"})
	add(aicatalog.Entry{Identifier: "urn:b", URL: "https://b.example", Version: "1"})
	add(aicatalog.Entry{Identifier: "urn:c", Data: inline})
	add(aicatalog.Entry{Identifier: "urn:d", URL: "https://d.example"})
	c.Entries = append(c.Entries, a2a.CatalogEntry{Entry: aicatalog.Entry{Kind: aicatalog.Catalog, Identifier: "urn:more", URL: "https://a.example/.well-known/ai-catalog.json"}})
	matches := Compare(c, []Saved{
		{Name: "A", Ref: "https://a.example/", Card: &card.Snapshot{Version: "1"}},
		{Name: "B", Ref: "acme.example@b", Card: &card.Snapshot{Version: "1"}},
		{Name: "C", Ref: "other.example@urn:c", Card: &card.Snapshot{Version: "3", Sum: "other"}},
		{Name: "C2", Ref: "https://acme.example/.well-known/ai-catalog.json@urn:c", Card: &card.Snapshot{Version: "3", Sum: "other"}},
	})
	want := "[{A version 2, you have seen 1} {B } {C2 its card has changed} { } { }]"
	if got := fmt.Sprint(matches); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestEntriesAreFiltered(t *testing.T) {
	var entries []a2a.CatalogEntry
	for _, e := range []aicatalog.Entry{
		{Kind: aicatalog.Agent, DisplayName: "Travel Desk", Tags: []string{"flights", "hotels"}},
		{Kind: aicatalog.Agent, DisplayName: "Scribe", Identifier: "urn:x:essays"},
		{DisplayName: "Weather", Type: "application/mcp-server-card+json"},
		{DisplayName: "\xff\xfe語"},
	} {
		entries = append(entries, a2a.CatalogEntry{Entry: e})
	}
	for text, want := range map[string]string{"": "[0 1 2 3]", " tdesk ": "[0]", "HOTEL": "[0]", "essay": "[1]", "mcp": "[2]", "語": "[3]", "zzz": "[]"} {
		if got := fmt.Sprint(Filter(entries, text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
