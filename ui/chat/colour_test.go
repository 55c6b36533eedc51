package chat

import (
	"strings"
	"testing"

	"parley/themes"
	"parley/ui/looks"
	"parley/ui/styles"
)

// The bar and the name of an agent's turns, and the greeting, have the colour that the agent has in all panes,
// also after the theme has changed.
func TestAnAgentHasItsColour(t *testing.T) {
	conv := travel()
	conv.Agent.ID = 3
	p := open(dark(), conv, 64, 30)
	for _, st := range []*styles.Styles{dark(), styles.New(themes.Light(), styles.Unicode())} {
		p.SetStyles(st)
		tag := looks.Tag(st, 3)
		for _, want := range []string{tag.S(st.G[styles.Bar]) + " ", tag.Bold().S("Travel Desk"), st.User.S(st.G[styles.Bar])} {
			if got := strings.Join(p.Lines(), "\n"); !strings.Contains(got, want) {
				t.Errorf("got a conversation without %q:\n%q", want, got)
			}
		}
	}
	empty := open(dark(), nil, 64, 30)
	empty.Show(conv.Agent, nil)
	if got := strings.Join(empty.Lines(), "\n"); !strings.Contains(got, looks.Tag(dark(), 3).Bold().S("Travel Desk")) {
		t.Errorf("got a greeting without the agent's colour:\n%q", got)
	}
}
