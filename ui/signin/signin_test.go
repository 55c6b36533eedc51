package signin

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func newPane() *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 20)
	return p
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func write(p *Pane, text string) {
	for _, r := range text {
		p.Key(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func shown(p *Pane) string { return panetest.Text(p.Lines()) }

// content is that of an agent with a way of each sort.
func content() Content {
	return Content{
		Agent: "Desk", Origin: "https://desk.example", Demand: []string{"Desk refused the message with 401."},
		Ways: []Way{
			{Words: "API key", Source: "card", Inputs: []Input{{Label: "key", Secret: true}}, Does: "It goes along."},
			{Words: "name and password", Source: "card", Inputs: []Input{{Label: "name"}, {Label: "password", Secret: true}}},
			{Words: "OAuth", Source: "card", Inputs: []Input{{Label: "client id", Value: "desk"}, {Label: "client secret", Secret: true, Optional: true}, {Label: "scopes", Optional: true, Value: "read"}}},
			{Words: "Digest", Why: "Parley does not know it"},
			{Words: "by hand", ByHand: true},
		},
		Identities: []Identity{{Origin: "https://desk.example", Here: true, User: "ann", Kind: "OAuth", Valid: "for 1 h", Renews: true, Kept: "the keyring"}, {Origin: "https://other.example", Kind: "API key", Doubts: []string{"It has expired."}}},
	}
}

func TestTwoKeysAreEnough(t *testing.T) {
	p := newPane()
	c := content()
	p.Open(c)
	if !p.Typing() || !p.Masked() {
		t.Fatal("got no masked input at first, want that of the key")
	}
	p.Paste(tea.PasteMsg{Content: " s3cr3t-key\n"})
	if text := shown(p); strings.Contains(text, "s3cr3t") || !strings.Contains(text, "•••") {
		t.Errorf("got a screen that shows the key, or no mask:\n%s", text)
	}
	if got, ok := press(p, "enter").(Start); !ok || got.Way != 0 || got.Values[0] != "s3cr3t-key" {
		t.Errorf("got %+v, want the key", got)
	}
	if p.inputs[0].Value() != "" {
		t.Error("got the secret in the input, want it cleared")
	}
	c.Ways = c.Ways[2:]
	p.Open(c)
	if got, ok := press(p, "enter").(Start); !ok || strings.Join(got.Values, ",") != "desk,,read" {
		t.Errorf("got %+v, want OAuth with what is known", got)
	}
}

func TestNothingIsTakenBeforeItIsComplete(t *testing.T) {
	p := newPane()
	p.Open(content())
	if got, ok := press(p, "enter").(Refused); !ok || !strings.Contains(got.Why, "key first") {
		t.Errorf("got %+v for an empty key, want a refusal", got)
	}
	press(p, "ctrl+t")
	press(p, "shift+tab") // to the ways
	if got := press(p, "enter"); got != nil || p.at != onInputs || p.input != 0 {
		t.Errorf("got %+v at input %d, want the focus on the name", got, p.input)
	}
	write(p, "ann")
	press(p, "enter")
	write(p, "passw0rd")
	if text := shown(p); !strings.Contains(text, "ann") || strings.Contains(text, "passw0rd") {
		t.Errorf("got a screen without the name, or with the password:\n%s", text)
	}
	if got, ok := press(p, "enter").(Start); !ok || strings.Join(got.Values, ",") != "ann,passw0rd" {
		t.Errorf("got %+v, want both", got)
	}
	press(p, "ctrl+t", "ctrl+t")
	if got, ok := press(p, "enter").(Refused); !ok || !strings.Contains(got.Why, "Parley does not know it") {
		t.Errorf("got %+v, want why it is not possible", got)
	}
	if press(p, "ctrl+t", "enter") != (ByHand{}) {
		t.Error("the last way does not lead to headers")
	}
	if press(p, "ctrl+t") != nil || p.ways.At != 0 {
		t.Errorf("got way %d, want the first again", p.ways.At)
	}
	c := content()
	c.Why = "This is a recording."
	p.Update(c)
	write(p, "x")
	if got := press(p, "enter"); got != (Refused{"This is a recording."}) {
		t.Errorf("got %+v, want why nothing can be entered", got)
	}
	if press(p, "esc") != (Close{}) || p.inputs[0].Value() != "" {
		t.Error("esc does not close the pane, or leaves a secret")
	}
}

// What was typed stays while other things on the pane change, and as long as the ways do not.
func TestAnUpdateKeepsWhatWasTyped(t *testing.T) {
	p := newPane()
	p.Open(content())
	write(p, "half")
	c := content()
	c.Identities, c.Demand = nil, []string{"Something else."}
	p.Update(c)
	if p.inputs[0].Value() != "half" || !p.Typing() {
		t.Error("an update lost what was typed, or the focus")
	}
	c.Ways = c.Ways[1:]
	p.Update(c)
	if p.inputs[0].Value() == "half" {
		t.Error("a key became a name")
	}
}

func TestIdentitiesAreRenewedAndEnded(t *testing.T) {
	p := newPane()
	p.Open(content())
	press(p, "shift+tab", "shift+tab")
	panetest.Sees(t, shown(p), "ann", "https://desk.example", "for 1 h", "the keyring")
	if press(p, "r") != (Renew{0}) || press(p, "d") != (SignOut{0}) {
		t.Error("r and d do not renew and end the selected identity")
	}
	if got, ok := press(p, "down", "r").(Refused); !ok || !strings.Contains(got.Why, "sign in again") {
		t.Errorf("got %+v for a key, want that it cannot be renewed", got)
	}
	panetest.Sees(t, shown(p), "It has expired.")
	if press(p, "enter") != nil {
		t.Error("enter did something on an identity")
	}
	press(p, "down")
	if p.at != onWays {
		t.Error("below the last identity there is not the first way")
	}
	press(p, "up")
	if p.at != onIdentities {
		t.Error("above the first way there is not the last identity")
	}
}

func TestASignInUnderWayIsShown(t *testing.T) {
	p := newPane()
	c := content()
	p.Open(c)
	c.Progress = &Progress{Agent: "Desk", Words: "OAuth"}
	p.Update(c)
	panetest.Sees(t, shown(p), "asks the authorization server")
	if press(p, "alt+y") != nil || press(p, "alt+o") != nil || press(p, "enter") != nil {
		t.Error("a key did something before there is a page")
	}
	c.Progress.URL, c.Progress.Host, c.Progress.Back, c.Progress.Browser = "https://login.example/a?x=1", "login.example", "http://127.0.0.1:8712/callback", "A browser shows the page."
	p.Update(c)
	panetest.Sees(t, shown(p), "https://login.example/a?x=1", "A browser shows the page. Sign in at login.example", "http://127.0.0.1:8712/callback")
	if press(p, "alt+y") != (Copy{"https://login.example/a?x=1", "the address of the page"}) || press(p, "alt+o") != (Browse{"https://login.example/a?x=1"}) {
		t.Error("the keys do not copy and open the page")
	}
	p.Paste(tea.PasteMsg{Content: "http://127.0.0.1:8712/callback?code=c0de\n"})
	if strings.Contains(shown(p), "c0de") {
		t.Errorf("got the code on the screen:\n%s", shown(p))
	}
	if got := press(p, "enter"); got != (Paste{"http://127.0.0.1:8712/callback?code=c0de"}) {
		t.Errorf("got %+v, want the address", got)
	}
	if press(p, "enter") != nil {
		t.Error("an address was handed over twice")
	}
	if press(p, "f5") != (Close{}) || press(p, "esc") != (Cancel{}) {
		t.Error("f5 does not hide the sheet, or esc does not cancel")
	}
	c.Progress = &Progress{Agent: "Desk", URL: "https://login.example/device", Code: "ABCD-EFGH", Complete: "https://login.example/device?c=ABCD-EFGH"}
	p.Update(c)
	panetest.Sees(t, shown(p), "https://login.example/device", "ABCD-EFGH")
	if press(p, "alt+y") != (Copy{"ABCD-EFGH", "the code"}) || press(p, "alt+o") != (Browse{"https://login.example/device?c=ABCD-EFGH"}) || p.Typing() {
		t.Error("the keys do not copy the code and open the page")
	}
}

func TestHostileTextsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 40)
	c := Content{Agent: evil, Demand: []string{evil, evil}, Said: evil, Bad: true, Problem: evil}
	for range 20 {
		c.Ways = append(c.Ways, Way{Words: evil, Source: evil, Does: evil, Inputs: []Input{{Label: evil, Value: "x"}, {Label: evil + "2", Secret: true}}}, Way{Words: evil, Why: evil})
		c.Identities = append(c.Identities, Identity{Origin: evil, User: evil, Kind: evil, Issuer: evil, Scopes: evil, For: evil, Valid: evil, Kept: evil, Doubts: []string{evil}})
	}
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	for _, progress := range []*Progress{nil, {Agent: evil, Words: evil}, {Agent: evil, URL: evil, Host: evil, Back: evil, Browser: evil}, {Agent: evil, URL: evil, Code: evil}} {
		p := newPane()
		p.Open(c)
		c.Progress = progress
		p.Update(c)
		for w := range 13 {
			for h := range 25 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.Plain(t, p.Title(), p.Note())
				panetest.CursorInside(t, p.Cursor(), max(10*w, 1), max(h, 1))
				p.Mouse(click, 0, h-1)
				press(p, "tab")
				panetest.Exact(t, p.Lines(), 10*w, h)
			}
		}
		c.Progress = nil
	}
}

func TestAClickChooses(t *testing.T) {
	p := newPane()
	p.Open(content())
	rows := strings.Split(shown(p), "\n")
	at := func(words string) int {
		for y, row := range rows {
			if strings.Contains("\n"+row, words) {
				return y
			}
		}
		t.Fatalf("no row has %q:\n%s", words, strings.Join(rows, "\n"))
		return 0
	}
	click := tea.MouseClickMsg{Button: tea.MouseLeft}
	p.Mouse(click, 0, at("name and password"))
	if p.ways.At != 1 {
		t.Errorf("got way %d, want 1", p.ways.At)
	}
	rows = strings.Split(shown(p), "\n")
	p.Mouse(click, 0, at("\npassword"))
	if p.input != 1 || !p.Typing() {
		t.Errorf("got input %d, want the password", p.input)
	}
	p.Mouse(click, 0, at("https://other.example"))
	if i := p.identity(); i == nil || i.Origin != "https://other.example" {
		t.Errorf("got %+v, want the second identity", i)
	}
}
