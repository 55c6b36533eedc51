package history

import (
	"testing"

	"parley/a2a"
	"parley/session/model"
)

func TestAnAgentIsTheSameInLaterRuns(t *testing.T) {
	agent := func(endpoint string) *model.Agent {
		return &model.Agent{Card: &a2a.Card{Name: "Desk"}, Profile: a2a.Profile{Endpoint: endpoint}}
	}
	for endpoint, want := range map[string]string{
		"http://127.0.0.1:40311/rpc": "Desk 127.0.0.1", "http://localhost:8080/": "Desk localhost", "http://[::1]:80": "Desk ::1",
		"https://agents.example:8443/a": "Desk agents.example:8443", "": "Desk", "://": "Desk",
	} {
		if got := storedName(agent(endpoint)); got != want {
			t.Errorf("%q: %q, want %q", endpoint, got, want)
		}
	}
}
