package engine

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley/session/log"
)

func TestARegistryIsOfferedAsAChoice(t *testing.T) {
	t.Parallel()
	var cards []string
	for i := range 20 {
		cards = append(cards, fmt.Sprintf(`{"name":"Agent %d","url":"http://x.invalid/","protocolVersion":"0.3.0","capabilities":{},"skills":[]}`, i))
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "["+strings.Join(cards, ",")+"]")
	}))
	t.Cleanup(srv.Close)
	d := newHarness(t, nil)
	id := d.openAgent(srv.URL)
	a := d.state.Agent(id)
	if len(d.state.Agents) != 1 || len(a.Choices) != 20 || !strings.Contains(strings.Join(a.Profile.Warnings, " "), "20 agents") {
		t.Fatalf("got %d agents, %d choices, warnings %q; want 1 agent, 20 choices and a warning about 20 agents", len(d.state.Agents), len(a.Choices), a.Profile.Warnings)
	}
	d.OpenChoice(id, 13)
	d.waitForSignal(log.SignalOpened)
	for _, index := range []int{13, 0, -1, 20} {
		d.OpenChoice(id, index)
	}
	if len(d.state.Agents) != 2 || d.state.Agents[1].Name() != "Agent 13" {
		t.Errorf("got agents %+v, want Agent 13 as the second of two", d.state.Agents[1].Card)
	}
	d.Reopen(id)
	d.waitForSignal(log.SignalOpened)
	d.finish()
	if len(d.state.Agents) != 2 {
		t.Errorf("got %d agents after the same choice, want 2", len(d.state.Agents))
	}
}
