package origins

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func newPane(rows ...Row) *Pane {
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.Open(About{Name: "s.jsonl", Agents: len(rows), Tasks: 2}, rows)
	p.SetSize(80, 20)
	return p
}

func TestEveryAddressSaysHowAndWithWhatItIsReached(t *testing.T) {
	p := newPane(
		Row{Address: "https://desk.example", Safety: "TLS", Agents: []string{"Desk"}, Access: "API key from A2ACLI_API_KEY"},
		Row{Address: "http://bank.example", Safety: "no TLS", Plain: true, Agents: []string{"Bank", "Clerk"}},
		Row{Address: "https://x/?key=•••", Agents: []string{"X"}, Why: "Its address contains a secret."},
	)
	text := strings.Join(p.Lines(), "\n")
	for _, want := range []string{"Nobody has been contacted", "2 open tasks", "https://desk.example", "TLS", "API key", "no TLS", "Bank, Clerk", "no credentials", "not contacted"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in the pane, want it:\n%s", want, text)
		}
	}
	p.List.At = 2
	if text := strings.Join(p.Lines(), "\n"); !strings.Contains(text, "Its address contains a secret.") {
		t.Errorf("got no reason for the address that is not contacted:\n%s", text)
	}
}

func TestOnlyAKeyConfirms(t *testing.T) {
	p := newPane(Row{Address: "https://desk.example"})
	for range 2 {
		if in := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, 3); in != nil {
			t.Errorf("got intent %v for a click, want none", in)
		}
	}
	if _, ok := p.Key(tea.KeyPressMsg{Code: tea.KeyEnter}).(Confirm); !ok {
		t.Error("got no confirmation for enter, want one")
	}
	if _, ok := p.Key(tea.KeyPressMsg{Code: tea.KeyEscape}).(Close); !ok {
		t.Error("got no close for esc, want one")
	}
}

// Ten thousand hostile addresses are drawn in any size, each row exactly as wide as the pane.
func TestHostileAddressesAreDrawnInAnySize(t *testing.T) {
	var rows []Row
	for i := range 10_000 {
		hostile := fmt.Sprintf("https://\x1b[2J\u202e../../etc/passwd%d%s", i, strings.Repeat("世", 200))
		rows = append(rows, Row{Address: hostile, Safety: "TLS", Agents: []string{hostile, "\r\n", hostile}, Access: hostile, Why: map[bool]string{true: hostile}[i%2 == 0]})
	}
	p := newPane(rows...)
	for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 3}, {20, 5}, {80, 24}, {200, 60}} {
		p.SetSize(size[0], size[1])
		lines := p.Lines()
		if len(lines) != size[1] {
			t.Errorf("%v: got %d rows, want %d", size, len(lines), size[1])
		}
		for _, l := range lines {
			if canvas.Width(l) != size[0] || strings.ContainsAny(l, "\u202e\r") || strings.Contains(l, "\x1b[2J") {
				t.Errorf("%v: got row %q, want it clean and as wide as the pane", size, l)
			}
		}
	}
	newPane().Lines()
}
