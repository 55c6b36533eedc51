package extensions

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/session/model"
	"parley/themes"
	"parley/ui/keys"
	"parley/ui/styles"
)

// newPane returns a pane of an agent of A2A 1.0 that declares extensions.
func newPane(declared ...a2a.Extension) (*Pane, *model.Agent) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	agent := &model.Agent{
		ID: 1, Card: &a2a.Card{Name: "A", Capabilities: a2a.Capabilities{Extensions: declared}},
		Profile: a2a.Profile{Dialect: a2a.V10, Binding: a2a.BindingJSONRPC},
	}
	p.SetSize(80, 20)
	p.SetAbout(About{Agent: agent})
	return p, agent
}

func press(p *Pane, names ...string) (last Intent) {
	for _, n := range names {
		last = p.Key(panetest.Key(n))
	}
	return last
}

func wants(t *testing.T, got Intent, want Intent) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got intent %#v, want %#v", got, want)
	}
}

func TestExtensionsAreChosenAndTakenBack(t *testing.T) {
	p, agent := newPane(
		a2a.Extension{URI: "urn:a", Description: "the first", Params: []byte(`{"maximum": 3}`)},
		a2a.Extension{URI: "urn:b", Required: true}, a2a.Extension{URI: "urn:a", Required: true}, a2a.Extension{URI: "a b", Required: true})
	agent.Extensions.Missing = []string{"urn:a", "urn:b", "a b"}
	panetest.Sees(t, panetest.Text(p.Lines()), "No request asks for an extension", "3 extensions that no request asks for",
		"[ ] urn:a", "the first", `{"maximum": 3}`, "required", "cannot be requested")
	wants(t, press(p, "space"), Choose{[]string{"urn:a"}})
	wants(t, press(p, "R"), Choose{[]string{"urn:a", "urn:b"}})
	wants(t, press(p, "j", "m"), Next{[]string{"urn:b"}})
	if _, no := press(p, "j", "space").(Refused); !no {
		t.Error(`"a b" was selected, want a refusal: no header can carry it`)
	}
	agent.Extensions = model.Extensions{Chosen: []string{"urn:b", "urn:other"}, Activation: model.Activation{Requested: []string{"urn:b", "urn:other"}, Active: []string{"urn:b"}, Record: 7}}
	p.SetAbout(About{Agent: agent, Next: []string{"urn:b", "urn:a"}})
	panetest.Sees(t, panetest.Text(p.Lines()), "All requests ask for 2 extensions, in A2A-Extensions", "The newest answer (#7) uses 1 of the 2 requested",
		"The next message requests 2 extensions instead", "[x] urn:b", "in use", "next message only", "[x] urn:other", "not in the card", "not with the next message")
	wants(t, press(p, "k", "space"), Choose{[]string{"urn:other"}})
	wants(t, press(p, "m"), Next{[]string{"urn:a"}})
	p.SetAbout(About{Agent: agent, Next: []string{"urn:other"}})
	wants(t, press(p, "m"), Next{}) // the same as all requests
	wants(t, press(p, "y"), Copy{"urn:b"})
	if _, no := press(p, "R").(Choose); !no {
		t.Error("R selected nothing, want urn:a, which the card requires")
	}
}

func TestAnAnswerThatUsesNoneIsJudgedByItsDialect(t *testing.T) {
	p, agent := newPane()
	agent.Extensions.Activation = model.Activation{Requested: []string{"urn:a"}, Record: 7}
	panetest.Sees(t, panetest.Text(p.Lines()), "does not say which it uses; A2A 1.0 does not require that")
	agent.Profile.Dialect = a2a.V03
	panetest.Sees(t, panetest.Text(p.Lines()), "uses none of the 1 requested")
}

func TestAURIIsWrittenByHand(t *testing.T) {
	p, agent := newPane()
	panetest.Sees(t, panetest.Text(p.Lines()), "declares no extensions")
	press(p, "a")
	p.Paste(tea.PasteMsg{Content: "not one"})
	if _, no := press(p, "enter").(Refused); !no || !p.Typing() {
		t.Error(`"not one" was accepted, want a refusal and an open input`)
	}
	press(p, "esc", "a")
	p.input.Reset()
	p.Paste(tea.PasteMsg{Content: " urn:mine\n"})
	wants(t, press(p, "enter"), Choose{[]string{"urn:mine"}})
	if p.Typing() || p.input.Value() != "" {
		t.Errorf("got typing %v and input %q after enter, want a closed, empty input", p.Typing(), p.input.Value())
	}
	agent.Extensions.Chosen = []string{"urn:mine"}
	p.SetAbout(About{Agent: agent})
	press(p, "a")
	p.Paste(tea.PasteMsg{Content: "urn:mine"})
	if _, no := press(p, "enter").(Refused); !no {
		t.Error("urn:mine is selected twice, want a refusal")
	}
}

func TestWhatCannotBeChosenSaysWhy(t *testing.T) {
	p, agent := newPane(a2a.Extension{URI: "urn:a"})
	agent.Profile.Dialect = a2a.V01
	for _, k := range []string{"space", "m", "R", "a"} {
		if got, _ := press(p, k).(Refused); got.Why != "A2A 0.1 has no extensions." {
			t.Errorf("%s: got refusal %q, want %q", k, got.Why, "A2A 0.1 has no extensions.")
		}
	}
	p.SetAbout(About{Agent: agent, Why: "this is a recording"})
	if got, _ := press(p, "space").(Refused); got.Why != "This is a recording." {
		t.Errorf("got refusal %q, want %q", got.Why, "This is a recording.")
	}
	agent.Profile.Dialect = a2a.V10
	for i := range a2a.MaxExtensions {
		agent.Extensions.Chosen = append(agent.Extensions.Chosen, fmt.Sprint("urn:", i))
	}
	p.SetAbout(About{Agent: agent})
	if got, _ := press(p, "space").(Refused); !strings.Contains(got.Why, "No more than 64") {
		t.Errorf("got refusal %q, want the limit of 64 extensions", got.Why)
	}
}

// The sentence that tells how to add an extension names the key that the user chose.
func TestARefusalNamesTheKeyOfTheUser(t *testing.T) {
	p, _ := newPane()
	sections := []keys.Section{{Name: "extensions", Scope: keys.InSheet, Map: p.KeyMap()}}
	if _, problems := keys.Remap(sections, []keys.Choice{{Action: "extensions.add-extension", Press: []string{"f7"}}}); problems != nil {
		t.Fatal(problems)
	}
	if got, _ := press(p, "space").(Refused); got.Why != "The card declares no extension: f7 adds another one." {
		t.Errorf("got refusal %q, want one that names f7", got.Why)
	}
}

func TestHostileExtensionsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 20)
	var declared []a2a.Extension
	for i := range 50 {
		declared = append(declared, a2a.Extension{URI: fmt.Sprint(evil, i), Description: strings.Repeat(evil, 50), Params: []byte(evil), Required: i%2 == 0})
	}
	p, agent := newPane(declared...)
	agent.Card.Name = evil
	agent.Extensions.Activation = model.Activation{Requested: []string{evil}, Active: []string{evil}}
	for _, open := range []bool{false, true} {
		if open {
			press(p, "a")
			p.Paste(tea.PasteMsg{Content: evil})
		}
		for w := range 12 {
			for h := range 20 {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.CursorInside(t, p.Cursor(), 10*w, h)
				if !open {
					press(p, "j")
				}
			}
		}
	}
	panetest.Plain(t, p.Title(), p.Note())
}

// An unchanged list stays at the same address.
func TestAListThatDidNotChangeIsNotMadeAgain(t *testing.T) {
	p, agent := newPane(make([]a2a.Extension, 10000)...)
	for i := range agent.Card.Capabilities.Extensions {
		agent.Card.Capabilities.Extensions[i].URI = fmt.Sprint("urn:", i)
	}
	p.all = nil
	p.SetAbout(About{Agent: agent})
	first := &p.list[0]
	p.SetAbout(About{Agent: agent})
	if &p.list[0] != first || len(p.list) != 10000 {
		t.Errorf("got a rebuilt list of %d entries, want the same list of 10000", len(p.list))
	}
	press(p, "j")
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, headRows+2)
	wants(t, p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, headRows+2), Choose{[]string{"urn:2"}})
}

func TestWordsFilterTheExtensions(t *testing.T) {
	p, _ := newPane(a2a.Extension{URI: "urn:a"}, a2a.Extension{URI: "urn:b", Description: "Counts the steps"})
	press(p, "/", "s", "t", "e", "p", "enter")
	wants(t, press(p, "y"), Copy{"urn:b"})
	if p.Note() != "2 extensions" {
		t.Errorf("got note %q, want the number of all", p.Note())
	}
	press(p, "/", "x", "x")
	p.Paste(tea.PasteMsg{Content: "yy"})
	panetest.Sees(t, panetest.Text(p.Lines()), "No extension contains this.", "/ stepxxyy")
	wants(t, press(p, "esc"), nil)
	wants(t, press(p, "esc"), Close{})
}
