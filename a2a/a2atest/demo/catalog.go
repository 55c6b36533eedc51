package demo

import (
	"encoding/json"

	"parley/a2a/a2atest"
)

// CatalogPath is where each agent serves an AI catalog of all of them.
const CatalogPath = "/.well-known/ai-catalog.json"

// A listing is what the catalog says of an agent besides its name and its card's URL.
type listing struct {
	Identifier  string   `json:"identifier"`
	Type        string   `json:"type"`
	DisplayName string   `json:"displayName"`
	Description string   `json:"description"`
	Version     string   `json:"version,omitempty"`
	Tags        []string `json:"tags"`
	URL         string   `json:"url"`
}

// listings are those of the agents, in the order of [Start]. The version of Saboteur grows with
// each restart.
var listings = [...]listing{
	{Identifier: "urn:air:demo.example:a2a:travel-desk", Version: "2.4.0", Tags: []string{"flights", "a2a-1.0"}, Description: "Books flights, asks for what is missing, and streams an itinerary."},
	{Identifier: "urn:air:demo.example:a2a:scribe", Version: "1.7.2", Tags: []string{"essays", "a2a-0.3"}, Description: "Writes long documents in chunks."},
	{Identifier: "urn:air:demo.example:a2a:old-clerk", Version: "0.1.0", Tags: []string{"lost property", "a2a-0.1"}, Description: "Speaks the first version of A2A."},
	{Identifier: "urn:air:demo.example:a2a:saboteur", Tags: []string{"broken", "a2a-1.0"}, Description: "Breaks the protocol on purpose."},
}

// publishCatalog makes each agent serve the catalog.
func publishCatalog(running []*a2atest.Agent, agents []Agent) {
	entries := make([]listing, 0, len(agents))
	for i, agent := range agents {
		e := listings[i]
		e.Type, e.DisplayName, e.URL = "application/a2a-agent-card+json", agent.Name, agent.URL+"/.well-known/agent-card.json"
		if agent.Name == "Old Clerk" {
			e.URL = agent.URL + "/.well-known/agent.json"
		}
		entries = append(entries, e)
	}
	body, err := json.MarshalIndent(map[string]any{"specVersion": "1.0", "host": map[string]string{"displayName": "Parley demo"}, "entries": entries}, "", "  ")
	if err != nil {
		return // plain texts cannot fail
	}
	for _, a := range running {
		a.Publish(CatalogPath, "application/ai-catalog+json", body)
	}
}
