package start

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/portscan"
	"parley/session/catalog"
	"parley/session/model"
	"parley/themes"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/control/controltest"
	"parley/ui/styles"
)

// A fixture is a controller with what it asked others for.
type fixture struct {
	*controltest.Host
	c     *Controller
	did   []string
	asked [][]int // ports
	found []portscan.Agent
}

func newFixture(o Options) *fixture {
	f := &fixture{Host: controltest.NewHost(model.NewState())}
	note := func(text string) tea.Cmd { f.did = append(f.did, text); return nil }
	o.Scan = func(_ context.Context, ports []int, put func(portscan.Agent)) {
		f.asked = append(f.asked, ports)
		for _, a := range f.found {
			put(a)
		}
	}
	f.c = New(f.Host, styles.New(themes.Mono(), styles.ASCII()), o, Actions{
		Context: context.Background(), Now: func() time.Time { return controltest.Noon },
		IsAddress: func(text string) bool { return strings.Contains(text, ":") },
		OpenAddress: func(text string) tea.Cmd {
			f.At = control.Place{Agent: 7}
			return note("address " + text)
		},
		OpenAgent: func(i int) tea.Cmd { return note(fmt.Sprint("agent ", i)) },
		OpenDemo:  func() tea.Cmd { return note("demo") },
		GoOn:      func() tea.Cmd { return note("go on") },
		Show:      func(path string) tea.Cmd { return note("show " + path) },
		Browse:    func() tea.Cmd { return note("browse") },
		Chord:     func(msg tea.KeyPressMsg) (tea.Cmd, bool) { return note("chord " + msg.String()), true },
		Help:      func() { note("help") },
	})
	return f
}

// press presses keys in the sheet.
func (f *fixture) press(names ...string) tea.Cmd {
	var cmd tea.Cmd
	s := f.c.Sheet()
	for _, name := range names {
		s.Refresh()
		cmd = s.Key(panetest.Key(name))
	}
	return cmd
}

// text returns the rows of the sheet.
func (f *fixture) text() string {
	s := f.c.Sheet()
	s.Refresh()
	s.Pane.SetSize(100, 50)
	return panetest.Text(s.Pane.Lines())
}

// run runs a command and those that follow from it.
func run(cmd tea.Cmd) {
	for cmd != nil {
		cmd = cmd().(control.DoneMsg)()
	}
}

func TestAFreshMachineIsInvited(t *testing.T) {
	f := newFixture(Options{Show: true, Ports: portscan.Usual()})
	panetest.Sees(t, f.text(), "Welcome to Parley", "Open the demo agents", "p looks for agents on 23 ports", "paste its URL", "parley demo-server")
	if f.press("enter"); !slices.Equal(f.did, []string{"demo"}) {
		t.Errorf("got %q, want the demo first", f.did)
	}
	if len(f.asked) > 0 {
		t.Errorf("got a search on ports %v that nobody asked for", f.asked)
	}
}

func TestWhatIsKnownIsListed(t *testing.T) {
	f := newFixture(Options{Show: true})
	f.c.SetAgents([]chat.Offer{{Name: "Desk", Note: "http://desk", Saved: true}, {Name: "Old", Note: "http://old", Used: controltest.Noon.Add(-time.Hour)}})
	broken := &catalog.Session{Path: "/s/broken.jsonl", Summary: &catalog.Summary{Prompt: "Book a flight", Agents: []string{"Desk"}}}
	f.c.SetSessions(3, broken, []catalog.Session{{Path: "/s/20261124-014729-a.jsonl", Summary: &catalog.Summary{Prompt: "Count to ten", Agents: []string{"Old", "Desk"}}}})
	got := f.text()
	last := 0
	for _, want := range []string{"Go on", "Book a flight", "interrupted", "Recent", "Old", "1 h", "Saved", "Desk", "Demo", "Recordings", "Count to ten", "Old, Desk", "Browse 3 recorded sessions"} {
		at := strings.Index(got[last:], want)
		if at < 0 {
			t.Fatalf("got no %q after %q in\n%s", want, got[:last], got)
		}
		last += at
	}
	if strings.Contains(got, "Running here") {
		t.Errorf("got a section for agents on ports although there are no ports:\n%s", got)
	}
	f.press("enter")
	for range 5 {
		f.press("j", "enter")
	}
	if want := []string{"go on", "agent 1", "agent 0", "demo", "show /s/20261124-014729-a.jsonl", "browse"}; !slices.Equal(f.did, want) {
		t.Errorf("got %q, want %q", f.did, want)
	}
}

func TestPortsThatTheUserGaveAreAskedAtOnce(t *testing.T) {
	f := newFixture(Options{Show: true, Ports: []int{8000, 9001}, Given: true})
	f.c.SetAgents([]chat.Offer{{Name: "Desk", Note: "http://localhost:8000/", Saved: true}})
	f.found = []portscan.Agent{{Port: 9001, URL: "http://127.0.0.1:9001", Name: "Clerk\x1b[2J", Dialect: "0.3", Binding: "JSON-RPC"}, {Port: 8000, URL: "http://127.0.0.1:8000", Name: "Desk"}}
	cmd := f.c.Load()
	panetest.Sees(t, f.text(), "looking on 2 ports of this machine")
	run(cmd)
	got := f.text()
	panetest.Sees(t, got, "* Desk", "* Clerk", "0.3 JSON-RPC  127.0.0.1:9001", "p looks again")
	if strings.Count(got, "Desk") != 1 || strings.Contains(got, "\x1b[2J") {
		t.Errorf("got a saved agent twice, or its name as it came:\n%s", got)
	}
	f.found = nil
	run(f.press("p"))
	panetest.Sees(t, f.text(), "p looks again: no agent answers on 2 ports")
	if len(f.asked) != 2 {
		t.Errorf("got %d searches, want one at the start and one after the key", len(f.asked))
	}
}

func TestTheUsualPortsAreAskedAfterAKey(t *testing.T) {
	f := newFixture(Options{Show: true, Ports: portscan.Usual()})
	run(f.c.Load())
	if len(f.asked) > 0 {
		t.Fatalf("got a search on ports %v before the key", f.asked)
	}
	f.found = []portscan.Agent{{URL: "http://127.0.0.1:9999", Name: "Hello"}}
	run(f.press("p"))
	f.press("/", "h", "e", "l", "l", "o", "enter")
	if want := []string{"address http://127.0.0.1:9999"}; len(f.asked) != 1 || !slices.Equal(f.did, want) {
		t.Errorf("got %v and %q, want one search and %q", f.asked, f.did, want)
	}
	off := newFixture(Options{Show: true})
	if off.press("p"); !strings.Contains(off.LastNotice().Text, "ports is off") || len(off.asked) > 0 {
		t.Errorf("got %v and %q, want a reason", off.asked, off.LastNotice().Text)
	}
}

func TestAnAddressIsOpened(t *testing.T) {
	f := newFixture(Options{Show: true})
	f.press("h", ":", "1")
	panetest.Sees(t, f.text(), "Open h:1 as an agent")
	f.press("enter", "esc")
	f.c.Sheet().OnPaste(tea.PasteMsg{Content: "http://pasted:1"})
	if want := []string{"address h:1", "address http://pasted:1"}; !slices.Equal(f.did, want) {
		t.Errorf("got %q, want %q", f.did, want)
	}
}

func TestItIsThereUntilAnAgentIsOpenOrTheUserLeaves(t *testing.T) {
	f := newFixture(Options{Show: true})
	f.c.Refresh()
	if f.Shown != SheetName {
		t.Fatalf("got the sheet %q at the start", f.Shown)
	}
	f.Shown = "finder"
	f.c.Refresh()
	f.Shown = ""
	if f.c.Refresh(); f.Shown != SheetName {
		t.Errorf("got the sheet %q after the finder", f.Shown)
	}
	f.AddAgent(a2a.AgentID(1), "http://desk", "Desk", "")
	if f.c.Refresh(); f.Shown != "" {
		t.Errorf("got the sheet %q over an open agent", f.Shown)
	}
	f.c.Refresh()
	if f.c.Open(); f.Shown != SheetName { // by its command
		t.Errorf("got the sheet %q after its command", f.Shown)
	}
	f.c.Refresh()
	f.press("f")
	f.c.Sheet().OnPaste(tea.PasteMsg{Content: "x:1"}) // a filter is open
	f.press("esc", "ctrl+p", "?", "esc")
	if f.Shown != "" || !slices.Equal(f.did, []string{"chord ctrl+p", "help"}) {
		t.Errorf("got the sheet %q and %q", f.Shown, f.did)
	}
	if f.c.Refresh(); f.Shown != "" {
		t.Error("got the start screen again after the user left it")
	}
}

func TestARecordingHasNoStartScreen(t *testing.T) {
	f := newFixture(Options{})
	f.Refuses = "This is a recording."
	if f.c.Refresh(); f.Shown != "" || f.c.Commands() != nil {
		t.Errorf("got the sheet %q and its command", f.Shown)
	}
	if f.c.Open(); f.Shown != "" || f.LastNotice().Text != f.Refuses {
		t.Errorf("got the sheet %q and %q", f.Shown, f.LastNotice().Text)
	}
}
