package card

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/styles"
)

const vectors = "../../a2a/testdata/vectors"

func paneOf(a *model.Agent) *Pane {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 400)
	p.SetAgent(a)
	return p
}

func agentOf(t *testing.T, file string) *model.Agent {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(vectors, file))
	if err != nil {
		t.Fatal(err)
	}
	cards, _, fault := a2a.ParseCard(body, "http://h/card.json")
	if fault != nil {
		t.Fatal(fault)
	}
	return &model.Agent{ID: 1, Ref: "http://h", Phase: model.Ready, Card: cards[0], Profile: a2a.Detect(cards[0])}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;[^\a\x1b]*(\a|\x1b\\\\)")

// squeeze returns a text without white space, which wrapping changes.
func squeeze(s string) string {
	return strings.Join(strings.Fields(escapes.ReplaceAllString(s, "")), "")
}

func shown(p *Pane) string { return squeeze(strings.Join(p.Lines(), "\n")) }

func TestEveryMemberOfACardIsShown(t *testing.T) {
	for _, file := range []string{
		"v0.1/01-card.json", "v0.1/02-card-minimal.json", "v0.2/01-card-0.2.0.json", "v0.2/02-card-0.2.6.json",
		"v0.3/01-card.json", "v0.3/02-card-rest-preferred.json", "v1.0/01-card.json", "v1.0/02-card-two-versions.json",
		"v1.0-draft/01-card-2025-12.json", "hybrid/01-card-dual.json", "hybrid/02-card-snake.json",
	} {
		t.Run(file, func(t *testing.T) {
			a := agentOf(t, file)
			text := shown(paneOf(a))
			var all any
			if err := json.Unmarshal(a.Card.Raw, &all); err != nil {
				t.Fatal(err)
			}
			eachText(all, func(s string) {
				if words := squeeze(markdownless(s)); words != "" && !strings.Contains(text, words) && !plainWords[s] {
					t.Errorf("got no %q on the screen, want it", s)
				}
			})
		})
	}
}

// plainWords are words of the protocol that the card replaces by plain ones: types of security
// schemes, their places, bindings.
var plainWords = map[string]bool{
	"apiKey": true, "http": true, "oauth2": true, "openIdConnect": true, "mutualTLS": true,
	"JSONRPC": true, "GRPC": true,
}

func markdownless(s string) string { return strings.NewReplacer("*", "", "`", "").Replace(s) }

// eachText calls yield with every text in a JSON value, including texts in nested JSON.
func eachText(v any, yield func(string)) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			eachText(e, yield)
		}
	case []any:
		for _, e := range v {
			eachText(e, yield)
		}
	case string:
		yield(v)
	}
}

func TestUnknownMembersAreMarked(t *testing.T) {
	body := `{"name":"A","url":"http://h/","version":"1","capabilities":{},"skills":[{"id":"s","name":"S","mood":"grey"}],"temperature":{"k":[1,2]}}`
	cards, _, fault := a2a.ParseCard([]byte(body), "")
	if fault != nil {
		t.Fatal(fault)
	}
	text := shown(paneOf(&model.Agent{Card: cards[0]}))
	for _, want := range []string{"temperature", `{"k":[1,2]}`, "mood", `"grey"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q on the screen, want it: %s", want, text)
		}
	}
}

func TestExamplesAreSentByNumberAndByChoice(t *testing.T) {
	card := &a2a.Card{Name: "A", Skills: []a2a.Skill{{Name: "S", Examples: []a2a.Example{
		{Text: "one"}, {Text: `{"two":2}`, Data: json.RawMessage(`{"two":2}`)},
	}}}}
	p := paneOf(&model.Agent{ID: 3, Card: card})
	got, ok := p.Key(panetest.Key("2")).(UseExample)
	if !ok || got.Agent != 3 || string(got.Example.Data) != `{"two":2}` {
		t.Errorf("key 2: got %+v, want the second example", got)
	}
	if in := p.Key(panetest.Key("enter")); in != nil {
		t.Errorf("enter without a choice: got %+v, want nothing", in)
	}
	p.Key(panetest.Key("n"))
	if got := p.Key(panetest.Key("enter")).(UseExample); got.Example.Text != "one" {
		t.Errorf("enter: got %+v, want the first example", got)
	}
	if in := p.Key(panetest.Key("9")); in != nil {
		t.Errorf("9 of two skills: got %+v, want nothing", in)
	}
}

func TestRawJSONAndCopyAreTheCardAsItCame(t *testing.T) {
	p := paneOf(agentOf(t, "v1.0/01-card.json"))
	p.Key(panetest.Key("v"))
	if text := shown(p); !strings.Contains(text, `"protocolBinding":"JSONRPC"`) {
		t.Errorf("got no raw JSON, want the card's bytes: %s", text)
	}
	if in := p.Key(panetest.Key("y")).(Copy); in.Text != string(p.agent.Card.Raw) {
		t.Error("got another copy, want the card's bytes")
	}
}

func TestWhatWasTriedIsShownWithTheReason(t *testing.T) {
	p := paneOf(&model.Agent{Ref: "http://h", Phase: model.Failed, Problem: "No card there.", Attempts: []a2a.Lookup{
		{URL: "http://h/.well-known/agent-card.json", Sentence: "Nothing is there."},
	}})
	text := shown(p)
	for _, want := range []string{"Nocardthere.", "agent-card.json", "Nothingisthere."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the raw JSON, want it: %s", want, text)
		}
	}
}

func TestLinesAreBuiltOncePerCardAndWidth(t *testing.T) {
	p := paneOf(agentOf(t, "v0.3/01-card.json"))
	p.Lines()
	first := &p.lines[0]
	p.Lines()
	p.Key(panetest.Key("j"))
	p.Lines()
	if first != &p.lines[0] {
		t.Error("got new lines without a change, want the previous ones")
	}
	p.SetSize(40, 10)
	p.Lines()
	if first == &p.lines[0] {
		t.Error("got the previous lines for another width, want new ones")
	}
}

func FuzzCard(f *testing.F) {
	files, _ := filepath.Glob(vectors + "/*/*card*.json")
	for _, file := range files {
		if body, err := os.ReadFile(file); err == nil {
			f.Add(body, 60, 20)
		}
	}
	f.Add([]byte(`{"name":"\u001b]52;c;x\u0007\u202e","url":"http://h/","skills":[{"name":"\u001b[31m","tags":["안녕"],"examples":["\u009b1m"]}],"\u001b":"\u001b"}`), 30, 50)
	f.Fuzz(func(t *testing.T, body []byte, w, h int) {
		w, h = w&127, h&63
		cards, _, fault := a2a.ParseCard(body, "http://h/")
		if fault != nil || len(cards) == 0 || len(body) > 1<<14 {
			t.Skip()
		}
		p := paneOf(&model.Agent{Ref: string(body), Card: cards[0], Profile: a2a.Detect(cards[0])})
		p.SetSize(w, h)
		for _, key := range "nnNjGv" {
			p.Key(panetest.Key(string(key)))
			panetest.Exact(t, p.Lines(), w, h)
		}
	})
}

// Every address of a card that hides its host is followed by that host.
func TestAddressesOfACardNameTheHostThatIsMeant(t *testing.T) {
	far := "https://login.bank.example." + strings.Repeat("a.", 200) + "evil.example/"
	for to, want := range map[string]string{
		"https://bank.example@evil.example/": "leads to evil.example", "https://\u0430pple.com/": "leads to xn--pple-43d.com",
		far: "a.evil.example", "https://bank.example/": "", "https://bank.example./": "", "http://[::1]:8080/": "", "https://bank\u202e.example/": "leads to bank%E2%80%AE.example",
	} {
		card := &a2a.Card{
			Name: "A", Provider: &a2a.Provider{Organization: "Bank", URL: to}, DocumentationURL: to, IconURL: to, SourceURL: to,
			Interfaces: []a2a.Interface{{URL: to, DeclaredURL: to}},
			SecuritySchemes: []a2a.SecurityScheme{{Key: "k", Type: "oauth2", OpenIDConnectURL: to, OAuth2MetadataURL: to, Flows: []a2a.OAuthFlow{
				{AuthorizationURL: to, DeviceAuthorizationURL: to, TokenURL: to, RefreshURL: to},
			}}},
		}
		const addresses = 11
		text := shown(paneOf(&model.Agent{Card: card}))
		n := addresses
		if want == "" {
			n = 0
		}
		if got := strings.Count(text, "leadsto"); got != n || !strings.Contains(text, strings.ReplaceAll(want, " ", "")) || strings.Contains(text, "\u202e") {
			t.Errorf("%.60q: %d addresses are explained, want %d with %q in\n%s", to, got, n, want, text)
		}
	}
}

// An agent has a version, and the protocol has one: the card says which is which.
func TestTheVersionOfTheAgentIsCalledThat(t *testing.T) {
	a := agentOf(t, "v1.0/01-card.json")
	a.Card.Version = "2.4.0\x1b[2J"
	if got := shown(paneOf(a)); !strings.Contains(got, "agentversion2.4.0") || strings.Contains(got, "\x1b[2J") {
		t.Errorf("got card\n%s\nwant the version of the agent", got)
	}
	a.Card.Version = ""
	if got := shown(paneOf(a)); strings.Contains(got, "agentversion") {
		t.Errorf("got card\n%s\nwant no word of a version that the card lacks", got)
	}
}
