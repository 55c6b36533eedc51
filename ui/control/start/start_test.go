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
		HasDemo:   func() bool { return !slices.Contains(f.did, "demo") },
		PlayTour:  func() tea.Cmd { return note("tour") },
		Examine:   func() tea.Cmd { return note("examine") },
		Tap:       func() tea.Cmd { return note("tap") },
		GoOn:      func(path string) tea.Cmd { return note("go on " + path) },
		Show:      func(path string) tea.Cmd { return note("show " + path) },
		Browse:    func() tea.Cmd { return note("browse") },
		Chord:     func(msg tea.KeyPressMsg) (tea.Cmd, bool) { return note("chord " + msg.String()), true },
		Records:   true,
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
	got := f.text()
	last := 0
	for _, want := range []string{
		"Welcome to Parley", "talk to A2A agents", "Try", "Open the demo", "four agents inside Parley, offline", "Play the tour", "Your agents", "Open an address", "localhost:9999",
		"Look on this machine", "enter here asks 23 usual ports", "Find out why one fails", "Watch another client", "Recordings", "none yet; each run is kept, for you alone",
	} {
		at := strings.Index(got[last:], want)
		if at < 0 {
			t.Fatalf("got no %q after %q in\n%s", want, got[:last], got)
		}
		last += at
	}
	f.press("enter", "down", "enter", "down", "down", "down", "enter", "down", "enter", "down", "enter")
	if want := []string{"demo", "tour", "examine", "tap", "tap"}; !slices.Equal(f.did, want) {
		t.Errorf("got %q, want %q", f.did, want)
	}
	f.press("up", "up", "up", "enter")
	if len(f.Lists) != 1 || f.Lists[0].Title != "open an address" {
		t.Fatalf("got the lists %+v, want the question for an address", f.Lists)
	}
	if words, ok := f.Lists[0].Else("nowhere"); ok {
		t.Errorf("got %q for a text that is no address", words)
	}
	f.Lists[0].Value.(func(string) tea.Cmd)("h:1")
	if got := f.did[len(f.did)-1]; got != "address h:1" {
		t.Errorf("got %q, want the address opened", got)
	}
	if len(f.asked) > 0 {
		t.Errorf("got a search on ports %v that nobody asked for", f.asked)
	}
}

// session returns a session with a prompt.
func session(path, prompt string, change func(*catalog.Session)) catalog.Session {
	s := catalog.Session{Path: path, Summary: &catalog.Summary{Prompt: prompt, Agents: []string{"Desk"}, Records: 89, Outcome: a2a.StateCompleted}}
	change(&s)
	return s
}

func TestWhatIsKnownIsListed(t *testing.T) {
	f := newFixture(Options{Show: true})
	f.c.SetAgents([]chat.Offer{
		{Name: "Desk", Note: "http://desk", Saved: true}, {Name: "Old", Note: "http://localhost:1", Dialect: "0.3 gRPC", Used: controltest.Noon.Add(-time.Hour)},
		{Name: "Old", Note: "http://127.0.0.1:1/", Used: controltest.Noon.Add(-2 * time.Hour)},
	})
	f.c.SetRecordings(Recordings{
		Count: 7,
		GoOn: []catalog.Session{
			session("/s/waits.jsonl", "Book a flight", func(s *catalog.Session) { s.Summary.Open = []catalog.OpenWork{{Agent: "Bank", Waits: true}} }),
			session("/s/works.jsonl", "Count", func(s *catalog.Session) { s.Summary.Open = []catalog.OpenWork{{Agent: "Clerk"}} }),
			session("/s/broken.jsonl", "Refund", func(*catalog.Session) {}),
		},
		Newest: []catalog.Session{session("/s/20261124-014729-a.jsonl", "Count to ten", func(*catalog.Session) {}), {Path: "/s/20261123-014729-a.jsonl"}},
	})
	got := f.text()
	last := 0
	for _, want := range []string{
		"Go on", "? Bank", "waits for an answer", "Book a flight", "* Clerk", "was still working", "! Desk", "interrupted", "Refund", "Old", "0.3 gRPC  http://localhost:1", "1 h", "Desk",
		"Recordings", "Count to ten", "Desk", "+", "89", "23 Nov, 01:47", "Browse 7 recorded sessions", "Your agents", "Open an address", "Try", "Open the demo",
	} {
		at := strings.Index(got[last:], want)
		if at < 0 {
			t.Fatalf("got no %q after %q in\n%s", want, got[:last], got)
		}
		last += at
	}
	if strings.Contains(got, "Look on this machine") || strings.Count(got, "Old") != 1 || strings.Contains(got, "·") {
		t.Errorf("got a search although there are no ports, one agent twice, or other characters than ASCII:\n%s", got)
	}
	f.press("enter")
	for range 7 {
		f.press("down", "enter")
	}
	if want := []string{"go on /s/waits.jsonl", "go on /s/works.jsonl", "go on /s/broken.jsonl", "agent 1", "agent 0", "show /s/20261124-014729-a.jsonl", "show /s/20261123-014729-a.jsonl", "browse"}; !slices.Equal(f.did, want) {
		t.Errorf("got %q, want %q", f.did, want)
	}
	f.c.do.Records = false
	f.c.SetRecordings(Recordings{})
	panetest.Sees(t, f.text(), "none yet; this run is not kept")
}

func TestPortsThatTheUserGaveAreAskedAtOnce(t *testing.T) {
	f := newFixture(Options{Show: true, Ports: []int{8000, 9001}, Given: true})
	f.c.SetAgents([]chat.Offer{{Name: "Desk", Note: "http://localhost:8000/", Saved: true}})
	f.found = []portscan.Agent{{Port: 9001, URL: "http://127.0.0.1:9001", Name: "Clerk\x1b[2J", Dialect: "0.3", Binding: "JSON-RPC"}, {Port: 8000, URL: "http://127.0.0.1:8000", Name: "Desk"}}
	cmd := f.c.Load()
	panetest.Sees(t, f.text(), "asking 2 ports")
	run(cmd)
	got := f.text()
	panetest.Sees(t, got, "* Desk", "* Clerk", "Running here", "0.3 JSON-RPC  127.0.0.1:9001", "enter here asks 2 ports again")
	if strings.Count(got, "Desk") != 1 || strings.Contains(got, "\x1b[2J") {
		t.Errorf("got a saved agent twice, or its name as it came:\n%s", got)
	}
	f.found = nil
	run(f.press("l", "o", "o", "k", "enter"))
	f.press("esc")
	panetest.Sees(t, f.text(), "no agent on 2 ports: enter asks again")
	if len(f.asked) != 2 {
		t.Errorf("got %d searches, want one at the start and one after the row", len(f.asked))
	}
}

func TestTheUsualPortsAreAskedByTheirRow(t *testing.T) {
	f := newFixture(Options{Show: true, Ports: portscan.Usual()})
	run(f.c.Load())
	if len(f.asked) > 0 {
		t.Fatalf("got a search on ports %v before the row was opened", f.asked)
	}
	f.found = []portscan.Agent{{URL: "http://127.0.0.1:9999", Name: "Hello"}}
	f.press("p") // is text
	f.press("esc")
	run(f.press("l", "o", "o", "k", "enter"))
	f.press("esc", "h", "e", "l", "l", "o", "enter")
	if want := []string{"address http://127.0.0.1:9999"}; len(f.asked) != 1 || !slices.Equal(f.did, want) {
		t.Errorf("got %v and %q, want one search and %q", f.asked, f.did, want)
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
	f.did = append(f.did, "demo")
	if f.c.Open(); f.Shown != SheetName || strings.Contains(f.text(), "Open the demo") { // by its command
		t.Errorf("got the sheet %q after its command, or a row for the open demo:\n%s", f.Shown, f.text())
	}
	f.did = nil
	f.c.Refresh()
	f.press("f")
	f.c.Sheet().OnPaste(tea.PasteMsg{Content: "x:1"}) // there is a text
	f.press("esc", "ctrl+p", "f2", "?", "esc", "esc")
	if f.Shown != "" || !slices.Equal(f.did, []string{"chord ctrl+p", "chord f2"}) {
		t.Errorf("got the sheet %q and %q", f.Shown, f.did)
	}
	if f.c.Refresh(); f.Shown != "" {
		t.Error("got the start screen again after the user left it")
	}
}

func TestARecordingHasNoStartScreen(t *testing.T) {
	f := newFixture(Options{})
	f.Refuses = "This is a recording."
	if f.c.Refresh(); f.Shown != "" || controltest.Commands(f.c.Actions()) != nil {
		t.Errorf("got the sheet %q and its command", f.Shown)
	}
	if f.c.Open(); f.Shown != "" || f.LastNotice().Text != f.Refuses {
		t.Errorf("got the sheet %q and %q", f.Shown, f.LastNotice().Text)
	}
}
