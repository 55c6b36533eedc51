package pins_test

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/control/pins"
)

// A fixture is a controller with what it asked of other topics.
type fixture struct {
	*controltest.Host
	*pins.Controller
	agent   *model.Agent
	headers [][2]string
	found   []string
	written int
}

// newFixture returns a controller with the agent Desk on the screen.
func newFixture() *fixture {
	f := &fixture{Host: controltest.NewHost(model.NewState())}
	f.agent = f.AddAgent(1, "http://desk", "Desk", "")
	f.At = control.Place{Agent: 1}
	f.Controller = pins.New(f.Host, pins.Actions{
		Header:       func(name, value string) tea.Cmd { f.headers = append(f.headers, [2]string{name, value}); return nil },
		Find:         func(text string) tea.Cmd { f.found = append(f.found, text); return nil },
		WriteRequest: func() tea.Cmd { f.written++; return nil },
	})
	return f
}

// all returns what the finder lists.
func (f *fixture) all() []control.Command {
	return slices.Concat(f.Cards(), controltest.Commands(f.Actions()), f.Entries(), controltest.Commands(f.TypedActions()))
}

// command returns the command with a name, nil if there is none.
func (f *fixture) command(name string) *control.Command {
	all := f.all()
	if i := slices.IndexFunc(all, func(c control.Command) bool { return c.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// choose runs the command with a name.
func (f *fixture) choose(t *testing.T, name string) {
	t.Helper()
	c := f.command(name)
	if c == nil {
		t.Fatalf("got no command %q", name)
	}
	c.Run()
}

func TestAPinChangesOnlyWhatItNames(t *testing.T) {
	before := a2a.Pins{
		Dialect: a2a.V03, Binding: a2a.BindingREST, Endpoint: "http://desk/rpc", Tenant: "acme",
		Prefer: []a2a.Binding{a2a.BindingREST}, Headers: []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}, APIKey: "k",
	}
	for _, c := range []struct {
		name   string
		change func(*a2a.Pins)
	}{
		{"Pin dialect v1.0", func(p *a2a.Pins) { p.Dialect, p.Binding = a2a.V10, "" }}, // the REST of another dialect goes
		{"Pin dialect v1.0-rest", func(p *a2a.Pins) { p.Dialect = a2a.V10 }},
		{"Pin binding JSON-RPC", func(p *a2a.Pins) { p.Binding = a2a.BindingJSONRPC }},
		{"Pin endpoint http://other as 0.2 JSON-RPC", func(p *a2a.Pins) {
			p.Dialect, p.Binding, p.Endpoint, p.Tenant = a2a.V02, a2a.BindingJSONRPC, "http://other", "t"
		}},
		{"Unpin everything: detection decides", func(p *a2a.Pins) { *p = a2a.Pins{Prefer: p.Prefer} }},
	} {
		f := newFixture()
		f.agent.Profile.Alternatives = []a2a.Way{{Dialect: a2a.V02, Binding: a2a.BindingJSONRPC, Endpoint: "http://other", Tenant: "t"}}
		f.Fake.Pinned = before
		f.choose(t, c.name)
		want := before
		c.change(&want)
		got := f.Fake.Pinned
		if got.Dialect != want.Dialect || got.Binding != want.Binding || got.Endpoint != want.Endpoint || got.Tenant != want.Tenant || got.APIKey != want.APIKey ||
			!slices.Equal(got.Headers, want.Headers) || !slices.Equal(got.Prefer, want.Prefer) {
			t.Errorf("%s: got pins %+v, want %+v", c.name, got, want)
		}
		if got := f.LastNotice().Text; !strings.HasPrefix(got, "Pinned for Desk: ") {
			t.Errorf("%s: got notice %q, want what is pinned for Desk", c.name, got)
		}
	}
}

func TestCommandsSayWhatIsPinned(t *testing.T) {
	f := newFixture()
	if f.command("Unpin everything: detection decides") != nil {
		t.Error("the pins can be removed although there are none")
	}
	f.Fake.Pinned = a2a.Pins{Dialect: a2a.V03, Binding: a2a.BindingREST}
	for name, want := range map[string]string{"Pin dialect v0.3-rest": "pinned", "Pin dialect v0.3": "", "Pin dialect v1.0": "", "Pin binding JSON-RPC": ""} {
		if c := f.command(name); c == nil || c.Note != want {
			t.Errorf("got command %s %+v, want note %q", name, c, want)
		}
	}
	f.Fake.Pinned = a2a.Pins{Headers: []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}}
	if f.command("Unpin everything: detection decides") == nil {
		t.Error("headers alone cannot be removed")
	}
}

func TestCommandsFollowTheAgent(t *testing.T) {
	f := newFixture()
	const search = "Search for the card at other addresses too"
	if f.command(search) != nil || f.command("Other") != nil {
		t.Error("an agent with a card offers to search for it")
	}
	f.agent.Choices = []*a2a.Card{{Name: "Desk"}, {Name: "Other"}}
	f.choose(t, "Other")
	f.choose(t, "Probe the agent again")
	f.agent.Card, f.agent.Phase = nil, model.Failed
	f.choose(t, search)
	if want := []string{"open choice 1 of 1", "probe 1", "search card of 1"}; !slices.Equal(f.Fake.Calls, want) {
		t.Errorf("got calls %q, want %q", f.Fake.Calls, want)
	}
	f.choose(t, "Pin header NAME: VALUE")
	if want := [][2]string{{"", ""}}; !slices.Equal(f.headers, want) {
		t.Errorf("got header sheets %q, want an empty one", f.headers)
	}
	f.At = control.Place{}
	if got := f.all(); got != nil {
		t.Errorf("got %d commands without an agent, want none", len(got))
	}
	f.At, f.Refuses = control.Place{Agent: 1}, "This is a recording."
	if got := f.all(); got != nil {
		t.Errorf("got %d commands in a recording, want none", len(got))
	}
}

func TestPinsAreTypedIntoTheFinder(t *testing.T) {
	for _, c := range []struct {
		text   string
		taken  bool
		want   a2a.Pins
		says   string
		why    string
		header [2]string
	}{
		{text: "pin endpoint http://h/rpc?key=s3cret", taken: true, want: a2a.Pins{Dialect: a2a.V03, Endpoint: "http://h/rpc?key=s3cret"}, says: "Pinned for Desk: endpoint " + a2a.MaskReference("http://h/rpc?key=s3cret") + "."},
		{text: "PIN Tenant  acme ", taken: true, want: a2a.Pins{Dialect: a2a.V03, Tenant: "acme"}, says: "Pinned for Desk: tenant acme."},
		{text: "pin header X-Team: blue", taken: true, want: a2a.Pins{Dialect: a2a.V03}, header: [2]string{"X-Team", " blue"}},
		{text: "pin endpoint desk", taken: true, want: a2a.Pins{Dialect: a2a.V03}, why: "an endpoint is an http or https URL"},
		{text: "pin it down", want: a2a.Pins{Dialect: a2a.V03}},
		{text: "pin tenant", want: a2a.Pins{Dialect: a2a.V03}},
		{text: "pinned tenant acme", want: a2a.Pins{Dialect: a2a.V03}},
	} {
		f := newFixture()
		f.Fake.Pinned = a2a.Pins{Dialect: a2a.V03}
		command, taken := f.Typed(c.text)
		if command.Why != c.why {
			t.Errorf("%q: got reason %q, want %q", c.text, command.Why, c.why)
		}
		if taken && command.Why == "" {
			command.Run()
		}
		if got := f.Fake.Pinned; taken != c.taken || got.Dialect != c.want.Dialect || got.Endpoint != c.want.Endpoint || got.Tenant != c.want.Tenant {
			t.Errorf("%q: got taken %v and pins %+v, want %v and %+v", c.text, taken, got, c.taken, c.want)
		}
		if got := f.LastNotice().Text; got != c.says {
			t.Errorf("%q: got notice %q, want %q", c.text, got, c.says)
		}
		if c.header != [2]string{} && !slices.Equal(f.headers, [][2]string{c.header}) {
			t.Errorf("%q: got header sheets %q, want %q", c.text, f.headers, c.header)
		}
		f.At = control.Place{}
		if _, taken := f.Typed(c.text); taken {
			t.Errorf("%q is taken although no agent is open", c.text)
		}
	}
}

func TestRemediesForAnUnknownDialect(t *testing.T) {
	f := newFixture()
	for _, r := range []chat.Remedy{chat.PinDialect, chat.ProbeAgain, chat.WriteRequest} {
		f.Try(r)
	}
	if !slices.Equal(f.found, []string{"pin dialect"}) || !slices.Equal(f.Fake.Calls, []string{"probe 1"}) || f.written != 1 {
		t.Errorf("got finder texts %q, calls %q and %d requests, want one of each", f.found, f.Fake.Calls, f.written)
	}
	f.Refuses = "This is a recording."
	if f.Try(chat.ProbeAgain); len(f.Fake.Calls) != 1 || f.LastNotice() != (controltest.Notice{Text: f.Refuses, Bad: true}) {
		t.Errorf("got calls %q and notice %+v in a recording, want a refusal", f.Fake.Calls, f.LastNotice())
	}
	f.Refuses, f.At = "", control.Place{}
	if f.Try(chat.ProbeAgain); len(f.Fake.Calls) != 1 || f.LastNotice().Text != "No agent is open." {
		t.Errorf("got calls %q and notice %+v without an agent, want a refusal", f.Fake.Calls, f.LastNotice())
	}
}
