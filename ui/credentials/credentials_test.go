package credentials

import (
	"encoding/base64"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

// card returns a card that declares a key of each place and requires one scheme.
func card(required string) *a2a.Card {
	c := &a2a.Card{Name: "A", SecuritySchemes: []a2a.SecurityScheme{
		{Key: "h", Type: "apiKey", In: "header", Name: "X-Key"}, {Key: "q", Type: "apiKey", In: "query", Name: "access"},
		{Key: "c", Type: "apiKey", In: "cookie", Name: "crumb"}, {Key: "basic", Type: "http", Scheme: "Basic"}, {Key: "oauth", Type: "oauth2"},
	}}
	if required != "" {
		c.Security = []a2a.SecurityRequirement{{{Scheme: required}}}
	}
	return c
}

func open(about About, schemes ...string) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 16)
	p.Open(about, schemes)
	return p
}

func write(p *Pane, text string) {
	for _, r := range text {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func shown(p *Pane) string { return strings.Join(p.Lines(), "\n") }

func TestACredentialIsEnteredAsTheCardWantsIt(t *testing.T) {
	for required, want := range map[string]Intent{
		"h": Enter{a2a.HeaderPair{Name: "X-Key", Value: "s3cr3t"}}, "q": EnterKey{"s3cr3t"},
		"c":     Enter{a2a.HeaderPair{Name: "Cookie", Value: "crumb=s3cr3t"}},
		"oauth": Enter{a2a.HeaderPair{Name: "Authorization", Value: "Bearer s3cr3t"}},
		"basic": Enter{a2a.HeaderPair{Name: "Authorization", Value: "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:s3cr3t"))}},
		"none":  Enter{a2a.HeaderPair{Name: "Authorization", Value: "Bearer s3cr3t"}},
	} {
		about := About{Agent: "A", Origin: "http://h", Card: card(required)}
		if required == "none" {
			about.Card = nil
		}
		p := open(about)
		if required == "basic" {
			write(p, "ann")
			press(p, "tab")
		}
		write(p, "s3cr3t")
		if text := shown(p); strings.Contains(text, "s3cr3t") || !strings.Contains(text, "••••••") || !strings.Contains(text, "http://h") {
			t.Errorf("%s: got a screen that shows the secret, or not the mask and the origin:\n%s", required, text)
		}
		if got := press(p, "enter"); got != want {
			t.Errorf("%s: got intent %+v, want %+v", required, got, want)
		}
		if p.inputs[secretInput].Value() != "" {
			t.Errorf("%s: got a secret in the input after enter, want it cleared", required)
		}
	}
}

// The schemes of a 401 take precedence over those of the card.
func TestTheSchemeOfARefusalIsChosenFirst(t *testing.T) {
	for scheme, want := range map[string]string{"bearer": "Bearer s3cr3t", "BASIC": "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:s3cr3t"))} {
		p := open(About{Agent: "A", Origin: "http://h", Card: card("h")}, "Negotiate", scheme)
		if strings.EqualFold(scheme, "basic") {
			write(p, "ann")
			press(p, "tab")
		}
		write(p, "s3cr3t")
		if got := press(p, "enter"); got != (Enter{a2a.HeaderPair{Name: "Authorization", Value: want}}) {
			t.Errorf("scheme %s: got intent %+v, want Authorization %q", scheme, got, want)
		}
	}
}

func TestAnyHeaderCanBeEntered(t *testing.T) {
	p := open(About{Card: card("h")})
	p.Header("X-Team", " blue ")
	if got := press(p, "enter"); got != (Enter{a2a.HeaderPair{Name: "X-Team", Value: "blue"}}) {
		t.Errorf("got intent %+v, want the header X-Team: blue", got)
	}
	p.Header("", "")
	write(p, "X Team")
	press(p, "tab")
	p.Paste(tea.PasteMsg{Content: "blue\n"})
	if got, ok := press(p, "enter").(Refused); !ok || !strings.Contains(got.Why, "name of the header") {
		t.Errorf("got %+v for a header name with a space, want a refusal", got)
	}
	press(p, "esc")
	if p.inputs[secretInput].Value() != "" || p.inputs[nameInput].Value() != "" {
		t.Error("got text in the inputs after the pane closed, want them cleared")
	}
	p.Open(About{Card: card("oauth")}, nil)
	p.Paste(tea.PasteMsg{Content: "bearer  pasted-token\n"})
	if got := press(p, "enter"); got != (Enter{a2a.HeaderPair{Name: "Authorization", Value: "Bearer pasted-token"}}) {
		t.Errorf("got intent %+v for a token pasted with its scheme, want the scheme once", got)
	}
	if got, ok := press(p, "enter").(Refused); !ok {
		t.Errorf("got %+v for an empty input, want a refusal", got)
	}
}

func TestWhatIsInUseIsTakenBackOneByOne(t *testing.T) {
	p := open(About{Origin: "http://h", Set: []Entry{{"Authorization", "Bearer •••"}, {"X-Key", "•••"}}})
	press(p, "tab", "tab")
	if got := press(p, "d"); got != (Remove{Entry{"X-Key", "•••"}}) {
		t.Errorf("got intent %+v, want Remove of X-Key:\n%s", got, shown(p))
	}
	p.SetAbout(About{Origin: "http://h"})
	press(p, "d", "tab", "shift+tab")
	if !strings.Contains(shown(p), "nothing was entered here") {
		t.Errorf("got a screen that does not say that nothing was entered:\n%s", shown(p))
	}
}

func TestTheKindIsChosen(t *testing.T) {
	p := open(About{Card: card("")})
	seen := map[string]bool{}
	for range 2 * len(p.kinds) {
		press(p, "ctrl+t")
		seen[p.kind().name+p.kind().as] = true
	}
	if len(seen) != len(p.kinds) {
		t.Errorf("got %d kinds by the key, want all %d", len(seen), len(p.kinds))
	}
	press(p, "shift+tab")
	if p.at == nameRow {
		press(p, "shift+tab")
	}
	before := p.kindIndex
	if press(p, "right", "left"); p.kindIndex != before {
		t.Errorf("got kind %d after right and left, want %d", p.kindIndex, before)
	}
}

func TestHostileAgentsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 20)
	c := card("h")
	for i := range c.SecuritySchemes {
		s := &c.SecuritySchemes[i]
		s.Name, s.Scheme = evil, evil
	}
	p := open(About{Agent: evil, Origin: evil, Card: c, Set: []Entry{{evil, evil}, {evil, evil}}})
	for range 2 * len(p.kinds) {
		press(p, "ctrl+t", "tab")
		p.Paste(tea.PasteMsg{Content: evil})
		for w := range 12 {
			for h := range 14 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				p.Cursor()
			}
		}
	}
}
