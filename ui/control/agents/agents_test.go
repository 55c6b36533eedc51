package agents_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/config"
	"parley/internal/roster"
	"parley/session/card"
	"parley/session/log"
	"parley/session/model"
	"parley/themes"
	"parley/ui/action"
	pane "parley/ui/agents"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/control/agents"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

// A fixture is a controller with the functions of other topics that it called.
type fixture struct {
	*controltest.Host
	c       *agents.Controller
	file    *roster.File
	starts  []chat.Offer // offered on the empty screen
	begun   []a2a.AgentID
	cards   []a2a.AgentID
	finders int
}

// newFixture returns a controller without open agents. The file of saved agents is new unless
// the options have one.
func newFixture(t *testing.T, o agents.Options) *fixture {
	t.Helper()
	f := &fixture{Host: controltest.NewHost(model.NewState())}
	if o.Saved.File == nil {
		o.Saved.File = roster.Open(filepath.Join(t.TempDir(), "agents.toml"))
	}
	f.file, o.Now = o.Saved.File, func() time.Time { return controltest.Noon }
	p := pane.New(styles.New(themes.Mono(), styles.ASCII()))
	f.c = agents.New(f.Host, p, o, agents.Actions{
		ShowCard: func(id a2a.AgentID) tea.Cmd { f.cards = append(f.cards, id); return nil },
		Begin:    func(id a2a.AgentID) tea.Cmd { f.begun = append(f.begun, id); return nil },
		Find:     func() tea.Cmd { f.finders++; return nil },
		Offer:    func(starts []chat.Offer) { f.starts = starts },
		Reoffer:  func() {},
	})
	f.do(f.c.Load())
	return f
}

// do runs a command and gives the controller its messages, as the workbench does.
func (f *fixture) do(cmd tea.Cmd) {
	if cmd != nil {
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for _, cmd := range batch {
				f.do(cmd)
			}
			return
		}
		if done, ok := msg.(control.DoneMsg); ok {
			f.do(done())
		}
	}
	f.c.Refresh()
}

// types runs a slash command with its argument.
func (f *fixture) types(t *testing.T, text string) {
	t.Helper()
	word, arg, _ := strings.Cut(text, " ")
	for _, c := range controltest.Commands(f.c.Actions()) {
		if "/"+c.Slash == word && c.With != nil {
			f.do(c.With(arg))
			return
		}
	}
	t.Fatalf("got no command %s with an argument", word)
}

// opens adds an agent to the session as if the engine found its card.
func (f *fixture) opens(id a2a.AgentID, ref, name, given string) *model.Agent {
	a := f.AddAgent(id, ref, name, given)
	f.do(f.c.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: id, Profile: &a2a.Profile{}}))
	return a
}

// content returns the saved agents and the recent ones in the file, each by name and address.
func (f *fixture) content(t *testing.T) (saved, recent []string) {
	t.Helper()
	c, err := f.file.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range c.Agents {
		saved = append(saved, a.Name+" "+a.Ref)
	}
	for _, r := range c.Recents {
		recent = append(recent, r.Name+" "+r.Ref)
	}
	return saved, recent
}

// notice fails unless the last sentence has these words.
func (f *fixture) notice(t *testing.T, bad bool, words string) {
	t.Helper()
	if got := f.LastNotice(); got.Bad != bad || !strings.Contains(got.Text, words) {
		t.Errorf("got notice %+v, want bad %v and %q", got, bad, words)
	}
}

// An agent that was opened by several writings of its address, or that is saved, is offered once, and
// what it spoke is known.
func TestAnAgentIsOfferedOnce(t *testing.T) {
	f := newFixture(t, agents.Options{Saved: agents.Saved{Written: []config.Agent{{Name: "Mine", Ref: "http://mine:1/"}}}})
	for i, r := range []roster.Recent{
		{Ref: "http://mine:1", Name: "Clerk"}, {Ref: "http://desk:1/.well-known/agent-card.json", Name: "Desk"}, {Ref: "https://desk:1", Name: "Other"}, {Ref: "card.json", Name: "Card"},
	} {
		r.Time = controltest.Noon.Add(-time.Duration(i) * time.Minute)
		if _, err := f.file.Update(roster.AddRecent(r)); err != nil {
			t.Fatal(err)
		}
	}
	f.do(f.c.Load())
	f.c.OpenAtStart([]string{"desk:1"})
	a := f.AddAgent(1, "desk:1", "Desk", "")
	a.Profile = a2a.Profile{Dialect: "v0.3-grpc", Binding: "GRPC"}
	f.do(f.c.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: 1, Profile: &a.Profile}))
	a.Ref = "http://elsewhere"
	f.do(f.c.Load())
	var got []string
	for _, o := range f.starts {
		got = append(got, o.Name+" "+o.Note+" "+o.Dialect)
	}
	if want := []string{"Mine http://mine:1/ ", "Desk desk:1 0.3 gRPC", "Card card.json "}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAgentsFromTheCommandLineBecomeRecent(t *testing.T) {
	for _, c := range []struct {
		name  string
		saved agents.Saved
		ref   string
		given string
		want  []string
	}{
		{name: "an address", ref: "http://desk", want: []string{"Desk http://desk"}},
		{name: "a saved agent", ref: "desk", given: "desk"},
		{name: "with a secret", ref: "http://desk?key=s3cret-s3cret"},
		{name: "with a public value", ref: "http://desk?key=blue", saved: agents.Saved{Public: []string{"key"}}, want: []string{"Desk http://desk?key=blue"}},
		{name: "from standard input", ref: "-"},
		{name: "that ends with Parley", ref: "http://desk", saved: agents.Saved{Temporary: true}},
		{name: "no recent agents", ref: "http://desk", saved: agents.Saved{NoRecents: true}},
	} {
		f := newFixture(t, agents.Options{Saved: c.saved})
		f.c.OpenAtStart([]string{c.ref, "http://other"})
		if want := []string{"open " + c.ref, "open http://other"}; !slices.Equal(f.Fake.Calls, want) || f.At.Agent != 1 {
			t.Errorf("%s: got calls %q and agent %d, want %q and the first agent", c.name, f.Fake.Calls, f.At.Agent, want)
		}
		f.opens(1, c.ref, "Desk", c.given)
		if _, recent := f.content(t); !slices.Equal(recent, c.want) {
			t.Errorf("%s: got recent agents %q, want %q", c.name, recent, c.want)
		}
		if got := f.c.Temporary(1); got != c.saved.Temporary {
			t.Errorf("%s: got temporary %v, want %v", c.name, got, c.saved.Temporary)
		}
	}
}

func TestAnAgentIsSavedWithItsPins(t *testing.T) {
	f := newFixture(t, agents.Options{})
	a := f.opens(1, "http://desk", "Desk", "")
	f.At = control.Place{Agent: 1}
	a.Extensions.Chosen = []string{"urn:x"}
	f.Fake.Pinned = a2a.Pins{
		Dialect: a2a.V03, Binding: a2a.BindingREST, Endpoint: "http://desk/rpc", Tenant: "acme",
		Headers: []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}, APIKey: "k",
	}
	f.types(t, "/agent save  desk ")
	f.notice(t, false, "saved as desk")
	c, err := f.file.Load()
	if err != nil || len(c.Agents) != 1 {
		t.Fatalf("got agents %+v and error %v, want one", c.Agents, err)
	}
	want := config.Agent{Name: "desk", Ref: "http://desk", Dialect: "v0.3-rest", Endpoint: "http://desk/rpc", Tenant: "acme", Extension: []string{"urn:x"}}
	if got := c.Agents[0]; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("got saved agent %+v, want %+v", got, want)
	}
	if got := f.Fake.CallsOf("name"); !slices.Equal(got, []string{`1 "desk"`}) {
		t.Errorf("got names %q, want that the engine names agent 1", got)
	}
	f.Fake.Pinned = a2a.Pins{Binding: a2a.BindingJSONRPC}
	f.types(t, "/agent save plain")
	if c, _ := f.file.Load(); len(c.Agents) != 2 || c.Agents[1].Dialect != "" || !slices.Equal(c.Agents[1].Transport, []string{string(a2a.BindingJSONRPC)}) {
		t.Errorf("got saved agents %+v, want the second with a transport and no dialect", c.Agents)
	}
}

// The address of a mesh is not that of the agent that announced itself first.
func TestTheFirstAgentOfAMeshIsNotTheMesh(t *testing.T) {
	const mesh = "mqtt://broker:1883/acme/dev"
	f := newFixture(t, agents.Options{Saved: agents.Saved{Written: []config.Agent{{Name: "Mesh", Ref: mesh, Place: "config.toml:3"}}}})
	f.c.OpenAtStart([]string{mesh})
	f.AddAgent(1, mesh, "Billing", "").Profile.Agent = "Billing"
	f.do(f.c.OnSignal(&log.Signal{Kind: log.SignalOpened, Agent: 1, Profile: &a2a.Profile{}}))
	f.At = control.Place{Agent: 1}
	f.types(t, "/agent save bills")
	saved, recent := f.content(t)
	if want := []string{"bills " + mesh + "#Billing"}; !slices.Equal(saved, want) {
		t.Errorf("got saved agents %q, want %q", saved, want)
	}
	if want := []string{"acme/dev " + mesh}; !slices.Equal(recent, want) {
		t.Errorf("got recent agents %q, want %q", recent, want)
	}
	for name, open := range map[string]func(){"opened": func() { f.do(f.c.OpenTyped("mesh")) }, "gone to": func() { f.types(t, "/agent mesh") }} {
		f.At = control.Place{}
		if open(); f.At.Agent != 1 || len(f.Fake.CallsOf("open")) != 1 {
			t.Errorf("%s: got agent %d after calls %q, want the mesh that is open", name, f.At.Agent, f.Fake.Calls)
		}
	}
}

func TestAnAgentThatCannotBeSavedSaysWhy(t *testing.T) {
	written := []config.Agent{{Name: "mine", Ref: "http://mine", Place: "/home/u/config.toml:3"}}
	for _, c := range []struct {
		name      string
		ref, as   string
		temporary bool
		pins      a2a.Pins
		want      string
	}{
		{name: "temporary", ref: "http://desk", as: "desk", temporary: true, want: "it ends with Parley"},
		{name: "a name of config.toml", ref: "http://desk", as: "Mine", want: "an agent of that name is in ~/config.toml:3, your own file"},
		{name: "a secret in the address", ref: "http://desk?key=s3cret-s3cret", as: "desk", want: "its address contains a secret"},
		{name: "a secret in the endpoint", ref: "http://desk", as: "desk", pins: a2a.Pins{Endpoint: "http://desk?key=s3cret-s3cret"}, want: "its endpoint contains a secret"},
		{name: "standard input", ref: "-", as: "desk", want: "standard input"},
		{name: "an address as a name", ref: "http://desk", as: "http://x", want: "a name is not an address"},
	} {
		f := newFixture(t, agents.Options{Home: "/home/u", Saved: agents.Saved{Written: written, NoRecents: true}})
		f.c.OnOpen(1, c.temporary)
		f.opens(1, c.ref, "Desk", "")
		f.At, f.Fake.Pinned = control.Place{Agent: 1}, c.pins
		f.types(t, "/agent save "+c.as)
		if got := f.LastNotice(); !got.Bad || !strings.Contains(got.Text, c.want) {
			t.Errorf("%s: got notice %+v, want %q", c.name, got, c.want)
		}
		if saved, _ := f.content(t); saved != nil {
			t.Errorf("%s: got saved agents %q, want none", c.name, saved)
		}
	}
}

func TestSavedAgentsAreRenamedAndForgotten(t *testing.T) {
	f := newFixture(t, agents.Options{})
	f.types(t, "/agent add http://desk Travel Desk")
	f.types(t, "/agent add http://bank bank")
	f.opens(2, "http://bank", "Bank", "bank")
	f.types(t, "/agent rename travel desk desk")
	f.notice(t, false, "is now named desk")
	f.types(t, "/agent rename bank desk")
	f.notice(t, true, "Nothing was saved")
	f.types(t, "/agent rename bank money")
	f.At = control.Place{}
	f.types(t, "/agent rename nobody else")
	f.notice(t, true, "No saved agent has this name")
	if saved, _ := f.content(t); !slices.Equal(saved, []string{"desk http://desk", "money http://bank"}) {
		t.Errorf("got saved agents %q, want desk and money", saved)
	}
	if got := f.Fake.CallsOf("name"); !slices.Contains(got, `2 "money"`) {
		t.Errorf("got names %q, want that the open agent 2 is named money", got)
	}
	f.types(t, "/agent forget DESK")
	f.notice(t, false, "it is now a recent agent")
	saved, recent := f.content(t)
	if !slices.Equal(saved, []string{"money http://bank"}) || len(recent) == 0 || !strings.HasSuffix(recent[0], " http://desk") {
		t.Errorf("got saved agents %q and recent ones %q, want money, and http://desk as the newest recent one", saved, recent)
	}
	f.types(t, "/agent forget http://desk")
	if _, recent := f.content(t); slices.ContainsFunc(recent, func(r string) bool { return strings.HasSuffix(r, " http://desk") }) {
		t.Errorf("got recent agents %q, want http://desk forgotten", recent)
	}
	f.types(t, "/agent forget nobody")
	f.notice(t, true, "Nothing was saved")
}

func TestAnAddedAgentGetsTheNameOfItsCard(t *testing.T) {
	f := newFixture(t, agents.Options{})
	f.types(t, "/agent add http://desk")
	if saved, _ := f.content(t); saved != nil {
		t.Errorf("got saved agents %q before there is a card, want none", saved)
	}
	f.opens(1, "http://desk", "Desk", "")
	if saved, recent := f.content(t); !slices.Equal(saved, []string{"Desk http://desk"}) || recent != nil {
		t.Errorf("got saved agents %q and recent ones %q, want Desk and none", saved, recent)
	}
	f.types(t, "/agent add nonsense")
	f.notice(t, true, "nonsense is not an address")
}

func TestACloseShowsTheNeighbourAndUndoComesBack(t *testing.T) {
	desk, bank, clerk := control.Place{Agent: 1}, control.Place{Agent: 2, Conversation: 5}, control.Place{Agent: 3}
	for _, c := range []struct {
		name         string
		shown, after control.Place
		close        a2a.AgentID
	}{
		{"the one below", desk, bank, 1},
		{"the one above, since it is the last", clerk, bank, 3},
		{"another than that on the screen", desk, desk, 3},
	} {
		f := newFixture(t, agents.Options{})
		for id, name := range []string{"Desk", "Bank", "Clerk"} {
			f.opens(a2a.AgentID(id+1), "http://"+name, name, "")
		}
		f.AddTask(bank, "t", "COMPLETED", "Done.")
		f.At = c.shown
		f.do(f.c.OnIntent(pane.Close{Agent: c.close}))
		if f.At != c.after || !slices.Equal(f.Fake.Calls, []string{fmt.Sprint("dismiss ", c.close)}) || !slices.Equal(f.c.Closed(), []a2a.AgentID{c.close}) {
			t.Errorf("%s: got place %+v, calls %q and closed %v, want %+v after closing %d", c.name, f.At, f.Fake.Calls, f.c.Closed(), c.after, c.close)
		}
		f.do(f.c.OnIntent(pane.Undo{}))
		back := control.Place{Agent: c.close}
		if f.At != back || len(f.c.Closed()) != 0 || f.Fake.Calls[1] != fmt.Sprint("restore ", c.close) {
			t.Errorf("%s: got place %+v, calls %q and closed %v, want %+v restored", c.name, f.At, f.Fake.Calls, f.c.Closed(), back)
		}
		f.do(f.c.OnIntent(pane.Undo{}))
		f.notice(t, true, "No agent was closed in this run.")
	}
}

func TestAWorkingAgentIsNotClosed(t *testing.T) {
	f := newFixture(t, agents.Options{})
	a := f.opens(1, "http://desk", "Desk", "")
	f.AddTask(control.Place{Agent: 1, Conversation: 1}, "t", "INPUT_REQUIRED", "When?")
	turn := a.Conversations[0].Turns[0]
	turn.Pending = true
	f.types(t, "/agent close desk")
	f.notice(t, true, "Desk is working: cancel its task")
	turn.Pending = false
	f.types(t, "/agent close desk")
	f.notice(t, false, "closed Desk, which still waits for an answer; /agent undo reopens it")
	f.types(t, "/agent close nobody")
	f.notice(t, true, "No open agent has this name")
	if got := f.Fake.Calls; !slices.Equal(got, []string{"dismiss 1"}) {
		t.Errorf("got calls %q, want one dismissal", got)
	}
}

func TestAnAgentIsFoundByNameBeforeItIsOpenedAgain(t *testing.T) {
	f := newFixture(t, agents.Options{Saved: agents.Saved{Written: []config.Agent{{Name: "Bank", Ref: "http://bank"}, {Name: "desk", Ref: "http://desk"}}}})
	f.opens(1, "http://desk", "Travel Desk", "desk")
	f.opens(2, "http://clerk", "Old Clerk", "")
	for _, c := range []struct {
		text string
		at   control.Place
		open string
	}{
		{"/agent Old Clerk", control.Place{Agent: 2}, ""},
		{"/agent old", control.Place{Agent: 2}, ""},
		{"/agent clerk", control.Place{Agent: 2}, ""},
		{"/agent http://clerk", control.Place{Agent: 2}, ""},
		{"/agent open desk", control.Place{Agent: 1}, ""},
		{"/open DESK", control.Place{Agent: 1}, ""},
		{"/agent ba", control.Place{Agent: 1}, "Bank"},  // a saved one, by its name, so that its settings apply
		{"/open bank", control.Place{Agent: 2}, "Bank"}, // the engine numbers agents
		{"/open localhost:9", control.Place{Agent: 3}, "localhost:9"},
		{"/open http://clerk/", control.Place{Agent: 2}, ""}, // the same address
		{"/open https://clerk", control.Place{Agent: 4}, "https://clerk"},
		{"/agent http://new", control.Place{Agent: 5}, "http://new"},
	} {
		f.Fake.Calls, f.At = nil, control.Place{}
		f.types(t, c.text)
		var want []string
		if c.open != "" {
			want = []string{c.open}
		}
		if got := f.Fake.CallsOf("open"); !slices.Equal(got, want) || f.At != c.at || f.FocusOn != control.OnComposer {
			t.Errorf("%s: got opened %q, place %+v and focus %v, want %q, %+v and the composer", c.text, got, f.At, f.FocusOn, want, c.at)
		}
	}
	f.opens(3, "http://127.0.0.1:41", "Scribe", "")
	for text, want := range map[string]string{"127.0.0.1:41": "Go to Scribe, which is open at 127.0.0.1:41", "127.0.0.1:42": "Open 127.0.0.1:42 as an agent"} {
		if open, _, ok := f.c.Typed(text); !ok || open.Name != want {
			t.Errorf("%s: got %q in the finder, want %q", text, open.Name, want)
		}
	}
	f.types(t, "/agent nobody")
	f.notice(t, true, "No agent has the name nobody")
	f.types(t, "/open nobody")
	f.notice(t, true, "nobody is not an address")
}

func TestAgentsThatCanBeOpenedAreOfferedOnce(t *testing.T) {
	file := roster.Open(filepath.Join(t.TempDir(), "agents.toml"))
	change := func(c func(*roster.Content) error) {
		t.Helper()
		if _, err := file.Update(c); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 8 {
		change(roster.AddRecent(roster.Recent{Ref: fmt.Sprintf("http://r%d", i), Name: fmt.Sprintf("R%d", i), Time: controltest.Noon.Add(time.Duration(i) * time.Second)}))
	}
	change(roster.Save(config.Agent{Name: "bank", Ref: "http://other"}))
	change(roster.Save(config.Agent{Name: "desk", Ref: "http://desk"}))
	o := agents.Options{Saved: agents.Saved{File: file, Written: []config.Agent{{Name: "Bank", Ref: "http://bank"}}}}
	names := func(f *fixture) (out []string) {
		for _, s := range f.starts {
			out = append(out, s.Name)
		}
		return out
	}
	f := newFixture(t, o)
	if got, want := names(f), []string{"Bank", "desk", "R7", "R6", "R5", "R4", "R3"}; !slices.Equal(got, want) {
		t.Errorf("got offers %q, want %q", got, want)
	}
	f.opens(1, "http://desk", "Desk", "desk")
	f.opens(2, "http://r6", "R6", "")
	f.do(nil)
	if got, want := names(f), []string{"Bank", "R7", "R5", "R4", "R3", "R2"}; !slices.Equal(got, want) {
		t.Errorf("got offers %q while desk and R6 are open, want %q", got, want)
	}
	f.do(f.c.OpenStart(1))
	if got := f.Fake.CallsOf("open"); !slices.Equal(got, []string{"http://r7"}) {
		t.Errorf("got opened %q, want the second offer", got)
	}
	o.Saved.Temporary = true
	if f := newFixture(t, o); f.starts != nil {
		t.Errorf("got offers %q in the demo, want none", names(f))
	}
}

func TestTheArgumentsOfAgentAreCompleted(t *testing.T) {
	f := newFixture(t, agents.Options{Saved: agents.Saved{Written: []config.Agent{{Name: "Bank", Ref: "http://bank"}}}})
	f.types(t, "/agent add http://clerk clerk")
	f.opens(7, "http://desk", "Desk", "")
	f.do(nil)
	var offers func(string) []action.Offer
	for _, c := range controltest.Commands(f.c.Actions()) {
		if c.Slash == "agent" {
			offers = c.Offers
		}
	}
	for arg, want := range map[string][]string{
		"":         {"Desk", "Bank", "clerk", "add ", "open ", "save ", "close ", "rename ", "forget ", "undo"},
		"de":       {"Desk"},
		"cl":       {"clerk", "close "},
		"close ":   {"close Desk"},
		"open ":    {"open Bank", "open clerk"},
		"rename c": {"rename clerk "}, // Bank is in config.toml
		"forget ":  {"forget clerk"},
		"save ":    nil,
	} {
		var got []string
		for _, o := range offers(arg) {
			got = append(got, o.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got completions %q, want %q", arg, got, want)
		}
	}
}

func TestAFileThatCannotBeUsedSaysWhy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agents.toml")
	if err := os.WriteFile(path, []byte("not [ toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, agents.Options{Saved: agents.Saved{File: roster.Open(path)}})
	f.notice(t, true, "The list of saved agents is not used")
	f = newFixture(t, agents.Options{Saved: agents.Saved{File: roster.Open(path), Problem: errors.New("known")}})
	if got := f.LastNotice(); got != (controltest.Notice{}) {
		t.Errorf("got notice %+v for a problem that was reported at the start, want none", got)
	}
}

func TestChangesOfACardAreReported(t *testing.T) {
	f := newFixture(t, agents.Options{})
	f.opens(1, "http://desk", "Desk", "")
	plain, security := card.Change{Sentence: "It has a new skill."}, card.Change{Sentence: "It is no longer signed.", Security: true}
	for _, c := range []struct {
		kind    log.SignalKind
		changes []card.Change
		bad     bool
		want    string
	}{
		{log.SignalBack, nil, false, "Desk is back"},
		{log.SignalBack, []card.Change{plain}, false, "Desk is back: It has a new skill."},
		{log.SignalOpened, []card.Change{security, security, plain}, true, ": It is no longer signed, and 2 other changes (1 about security): f2 shows them"},
	} {
		f.do(f.c.OnSignal(&log.Signal{Kind: c.kind, Agent: 1, Changes: c.changes, Since: controltest.Noon}))
		f.notice(t, c.bad, c.want)
	}
}

func TestTheDemoStartsOnce(t *testing.T) {
	starts := 0
	f := newFixture(t, agents.Options{Demo: func() ([]string, error) {
		starts++
		return []string{"http://one", "http://two"}, nil
	}})
	f.do(controltest.Commands(f.c.DemoActions())[0].Run())
	f.do(f.c.OpenDemo())
	if starts != 1 || !slices.Equal(f.Fake.CallsOf("open"), []string{"http://one", "http://two"}) || f.At.Agent != 1 || !f.c.Temporary(2) {
		t.Errorf("got %d starts, calls %q, agent %d, want both opened once as temporary and the first on the screen", starts, f.Fake.Calls, f.At.Agent)
	}
	if got := controltest.Commands(f.c.DemoActions()); got != nil {
		t.Errorf("got commands %+v after the demo started, want none", got)
	}
	f = newFixture(t, agents.Options{Demo: func() ([]string, error) { return nil, errors.New("no port") }})
	f.do(f.c.OpenDemo())
	f.notice(t, true, "The demo's agents could not be started")
}

func TestTheIntentsOfThePaneReachTheirTopics(t *testing.T) {
	f := newFixture(t, agents.Options{})
	f.opens(1, "http://desk", "Desk", "")
	f.AddTask(control.Place{Agent: 1, Conversation: 7}, "t", "COMPLETED", "Done.")
	f.do(f.c.OnIntent(pane.Select{Agent: 1, Enter: true}))
	if want := (control.Place{Agent: 1, Conversation: 7}); f.At != want || f.FocusOn != control.OnComposer {
		t.Errorf("got place %+v and focus %v, want the newest conversation and the composer", f.At, f.FocusOn)
	}
	for _, in := range []pane.Intent{pane.OpenCard{Agent: 1}, pane.Begin{Agent: 1}, pane.Add{}, pane.Retry{Agent: 1}} {
		f.do(f.c.OnIntent(in))
	}
	if one := []a2a.AgentID{1}; !slices.Equal(f.cards, one) || !slices.Equal(f.begun, one) || f.finders != 1 || !slices.Equal(f.Fake.Calls, []string{"reopen 1"}) {
		t.Errorf("got cards %v, conversations %v, %d finders and calls %q, want one of each", f.cards, f.begun, f.finders, f.Fake.Calls)
	}
	f.do(f.c.OnIntent(pane.Save{Agent: 1}))
	if len(f.Lists) != 1 || f.Lists[0].Text != "Desk" {
		t.Fatalf("got lists %+v, want one that asks for a name and suggests Desk", f.Lists)
	}
	f.do(f.Lists[0].Value.(func(string) tea.Cmd)("desk"))
	if saved, _ := f.content(t); !slices.Equal(saved, []string{"desk http://desk"}) {
		t.Errorf("got saved agents %q, want desk", saved)
	}
}

func TestARecordingOpensAndSavesNothing(t *testing.T) {
	f := newFixture(t, agents.Options{})
	f.opens(1, "http://desk", "Desk", "")
	f.At, f.Refuses = control.Place{Agent: 1}, "This is a recording; nothing can be sent."
	for _, in := range []pane.Intent{pane.Retry{Agent: 1}, pane.Close{Agent: 1}, pane.Undo{}, pane.Open{Entry: pane.Entry{Name: "x", Ref: "http://x"}}} {
		f.do(f.c.OnIntent(in))
		f.notice(t, true, f.Refuses)
	}
	for _, text := range []string{"/open http://new", "/agent add http://new new", "/agent save desk", "/agent close", "/agent undo"} {
		f.types(t, text)
		f.notice(t, true, f.Refuses)
	}
	if saved, _ := f.content(t); saved != nil || f.Fake.Calls != nil {
		t.Errorf("got saved agents %q and calls %q, want none", saved, f.Fake.Calls)
	}
}
