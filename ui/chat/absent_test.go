package chat

import (
	"strings"
	"testing"

	"parley/a2a"
	"parley/session/model"
)

// absent returns the screen of an agent that nobody has found.
func absent(t *testing.T, ref string, w, h int, change func(p *Pane, a *model.Agent)) string {
	t.Helper()
	agent := &model.Agent{ID: 1, Ref: ref, Phase: model.Unreachable, Problem: "Nobody is there.", Attempts: []a2a.Lookup{{URL: ref + "/card", Sentence: "It refused."}}}
	p := open(mono(), nil, w, h)
	if change != nil {
		change(p, agent)
	}
	p.Show(agent, nil)
	exact(t, p, w, h)
	return strings.Join(strings.Fields(screen(p)), " ")
}

func TestAnAbsentAgentSaysHowToStartOne(t *testing.T) {
	for ref, sample := range map[string]string{
		"http://localhost:9999": "uv run . in a2a-samples", "127.0.0.1:9001": "go run ./examples/helloworld", "http://[::1]:41241/a2a": "npm run agents:sample-agent",
		"http://localhost:9998": "", "https://desk.example:9999": "", "http://nohost.invalid": "", "http://[": "",
	} {
		got := absent(t, ref, 80, 24, nil)
		for _, want := range []string{"Nobody is there.", "It refused.", "Parley tries again until it answers; /reconnect tries now.", "parley demo-server starts agents"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got no %q in %s", ref, want, got)
			}
		}
		if has := strings.Contains(got, "At this port starts"); has != (sample != "") || !strings.Contains(got, sample) {
			t.Errorf("%s: got another sample than %q in %s", ref, sample, got)
		}
	}
}

func TestWhereNothingStartsNothingIsSaidAboutThat(t *testing.T) {
	if got := absent(t, "http://localhost:9999", 80, 24, func(p *Pane, _ *model.Agent) { p.SetRecording(true) }); strings.Contains(got, "tries again") || strings.Contains(got, "practise") {
		t.Errorf("got, in a recording: %s", got)
	}
	known := func(_ *Pane, a *model.Agent) { a.Card = &a2a.Card{Name: "Desk"} }
	if got := absent(t, "http://localhost:9999", 80, 24, known); !strings.Contains(got, "tries again") || strings.Contains(got, "practise") {
		t.Errorf("got, for an agent whose card is known: %s", got)
	}
	absent(t, "http://localhost:9999", 12, 5, nil)
}
