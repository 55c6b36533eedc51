// Package start is the controller of the start screen: the sheet that lies over all panes while no
// agent was opened, and lists what can be.
//
// It gets the agents and the sessions from the controllers that own them, and opens them there. It
// looks for agents on ports of this machine where the user gave the ports, or asks for the usual ones
// by a key.
package start

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/internal/portscan"
	"parley/internal/units"
	"parley/session/catalog"
	"parley/ui/canvas"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/start"
	"parley/ui/styles"
)

// SheetName is the name of the start screen.
const SheetName control.SheetName = "start"

// Options say what the start screen does.
type Options struct {
	// Show opens it at the start.
	Show bool
	// Ports are those of this machine on which agents are looked for, without a key if the user
	// gave them; none if agents are not looked for.
	Ports []int
	Given bool
	// Scan looks for agents on ports until ctx ends.
	Scan func(ctx context.Context, ports []int, put func(portscan.Agent))
}

// Actions are functions of other topics that the controller calls.
type Actions struct {
	Context context.Context
	Now     func() time.Time
	// IsAddress reports whether a text can be the address of an agent, and OpenAddress opens it.
	IsAddress   func(text string) bool
	OpenAddress func(text string) tea.Cmd
	OpenAgent   func(i int) tea.Cmd // by its index among those that were offered
	OpenDemo    func() tea.Cmd      // nil if there is none
	GoOn        func() tea.Cmd      // with the interrupted session
	Show        func(path string) tea.Cmd
	Browse      func() tea.Cmd // the recorded sessions
	Chord       func(tea.KeyPressMsg) (tea.Cmd, bool)
	Help        func()
}

// A Controller shows what can be opened.
type Controller struct {
	host control.Host
	o    Options
	do   Actions
	pane *start.Pane

	wanted   bool          // while no agent was opened and the user did not leave it
	from     control.Place // what was on the screen when it was opened
	count    int           // of the agents that were open then
	agents   []chat.Offer
	broken   *catalog.Session
	sessions int
	newest   []catalog.Session
	scan     scan
	text     string // for which the row of an address was made
	stale    bool   // the sections must be made again
}

// A scan is the search on ports.
type scan struct {
	running, done bool
	number        int
	found         []portscan.Agent
	cancel        context.CancelFunc
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options, do Actions) *Controller {
	return &Controller{host: host, o: o, do: do, wanted: o.Show, pane: start.New(st, do.IsAddress), stale: true}
}

// Load looks on the ports that the user gave.
func (c *Controller) Load() tea.Cmd {
	if !c.wanted || !c.o.Given {
		return nil
	}
	return c.look()
}

// Refresh shows the start screen again when what lay over it is gone, until an agent is opened.
func (c *Controller) Refresh() {
	switch open := c.wanted || c.host.Shows(SheetName); {
	case open && (len(c.host.State().Agents) != c.count || c.host.Place() != c.from):
		c.leave()
	case c.wanted && !c.host.Covered():
		c.host.Open(SheetName)
	}
}

// Open shows the start screen.
func (c *Controller) Open() tea.Cmd {
	if why := c.host.Refusal(); why != "" {
		return c.host.Say(why, true)
	}
	c.pane.Begin()
	c.from, c.count = c.host.Place(), len(c.host.State().Agents)
	c.host.Open(SheetName)
	return nil
}

// leave closes the start screen for good.
func (c *Controller) leave() {
	c.wanted = false
	if c.scan.cancel != nil {
		c.scan.cancel()
	}
	if c.host.Shows(SheetName) {
		c.host.Close()
	}
}

// Commands returns the command that shows the start screen.
func (c *Controller) Commands() []control.Command {
	if c.host.Refusal() != "" {
		return nil
	}
	return []control.Command{{Slash: "start", Name: "Show the start screen", Also: []string{"home", "welcome", "recent"}, Note: "agents, demo, recordings", Do: c.Open}}
}

// SetAgents sets the saved and recent agents.
func (c *Controller) SetAgents(list []chat.Offer) {
	c.agents, c.stale = list, true
}

// SetSessions sets how many sessions are recorded, the one that was interrupted, nil if none was, and the
// newest of the others.
func (c *Controller) SetSessions(count int, broken *catalog.Session, newest []catalog.Session) {
	c.sessions, c.broken, c.newest, c.stale = count, broken, newest, true
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	s := control.NewSheet(c.pane, c.onIntent, control.Sheet{
		Name: SheetName, Help: "start screen", OnPaste: c.paste, Typing: func() bool { return true }, KeepsCtrlC: true, Whole: true, Refresh: c.refresh,
	})
	own := s.Key
	s.Key = func(msg tea.KeyPressMsg) tea.Cmd {
		if msg.Mod&(tea.ModCtrl|tea.ModAlt) != 0 {
			if cmd, done := c.do.Chord(msg); done {
				return cmd
			}
		}
		return own(msg)
	}
	return s
}

// paste passes on what was pasted.
func (c *Controller) paste(msg tea.PasteMsg) tea.Cmd { return c.onIntent(c.pane.Paste(msg)) }

// refresh updates the sections, and offers to open what was typed if it can be an address.
func (c *Controller) refresh() {
	c.pane.SetNow(c.do.Now())
	if c.stale {
		c.stale = false
		c.build()
	}
	text := c.pane.Text()
	if text == c.text {
		return
	}
	c.text = text
	if text == "" || !c.do.IsAddress(text) {
		c.pane.SetAddress(nil)
		return
	}
	c.pane.SetAddress(&start.Row{
		ID: "address", Name: "Open " + text + " as an agent", Sign: start.Action,
		Value: control.Action(func() tea.Cmd { return c.do.OpenAddress(text) }),
	})
}

// onIntent carries out what the user asks for.
func (c *Controller) onIntent(in start.Intent) tea.Cmd {
	switch in := in.(type) {
	case start.Open:
		if do, ok := in.Value.(control.Action); ok {
			return do()
		}
	case start.OpenAddress:
		return c.do.OpenAddress(in.Text)
	case start.Scan:
		return c.look()
	case start.Help:
		c.do.Help()
	case start.Close:
		c.leave()
	}
	return nil
}

// look looks for agents on the ports, and shows each as it answers.
func (c *Controller) look() tea.Cmd {
	if len(c.o.Ports) == 0 || c.o.Scan == nil {
		return c.host.Say("The setting ports is off, so Parley looks for no agents on this machine.", true)
	}
	if c.scan.running {
		return nil
	}
	ctx, cancel := context.WithCancel(c.do.Context)
	c.scan = scan{running: true, number: c.scan.number + 1, cancel: cancel}
	c.stale = true
	found := make(chan portscan.Agent, len(c.o.Ports)) // so that no port waits for the screen
	go func() {
		defer crash.Guard()
		defer close(found)
		c.o.Scan(ctx, c.o.Ports, func(a portscan.Agent) { found <- a })
	}()
	return c.next(found, c.scan.number)
}

// next takes over the next agent of a search.
func (c *Controller) next(found <-chan portscan.Agent, number int) tea.Cmd {
	return func() tea.Msg {
		a, ok := <-found
		return control.DoneMsg(func() tea.Cmd {
			if number != c.scan.number {
				return nil
			}
			c.host.Touch()
			c.stale = true
			if !ok {
				c.scan.running, c.scan.done = false, true
				return nil
			}
			c.scan.found = append(c.scan.found, a)
			return c.next(found, number)
		})
	}
}

// build gives the pane its sections.
func (c *Controller) build() {
	var known []start.Section
	if c.broken != nil {
		known = append(known, start.Section{Title: "Go on", Rows: []start.Row{c.brokenRow()}})
	}
	for _, s := range []start.Section{c.agentSection("Recent", false), c.agentSection("Saved", true)} {
		if len(s.Rows) > 0 {
			known = append(known, s)
		}
	}
	if len(known) == 0 && c.sessions == 0 {
		known = append(known, c.demoSection(), c.portSection(), start.Section{
			Title: "An agent of yours", Hint: "Start it, then paste its URL: http://localhost:9999, for example. The file of an agent card and host:port are addresses too. " +
				"parley demo-server, in another terminal, starts agents to practise with.",
		})
		c.pane.SetSections("Welcome to Parley", "talk to A2A agents, and see every byte on the wire", known)
		return
	}
	c.pane.SetSections("Open an agent", "or go on with what you did", append(known, c.portSection(), c.demoSection(), c.recordingSection()))
}

// brokenRow is the row of the session that was interrupted.
func (c *Controller) brokenRow() start.Row {
	s := c.broken
	return start.Row{ID: "broken", Name: title(s), Note: "interrupted" + agentsOf(s, " · "), Sign: start.Interrupted, Time: s.Began(), Value: control.Action(c.do.GoOn)}
}

// agentSection lists the saved or the recent agents. One that answers on a port of this machine is
// marked.
func (c *Controller) agentSection(title string, saved bool) start.Section {
	s := start.Section{Title: title}
	for i, a := range c.agents {
		if a.Saved != saved {
			continue
		}
		r := start.Row{ID: fmt.Sprintf("agent %s %s", a.Name, a.Note), Name: a.Name, Note: a.Note, Time: a.Used, Value: control.Action(func() tea.Cmd { return c.do.OpenAgent(i) })}
		for _, f := range c.scan.found {
			if samePlace(a.Note, f.URL) {
				r.Sign = start.Running
			}
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// portSection lists the agents that answer on ports of this machine, and says how to look for them.
func (c *Controller) portSection() start.Section {
	s := start.Section{Title: "Running here"}
	if len(c.o.Ports) == 0 {
		return s
	}
	for _, f := range c.scan.found {
		known := false
		for _, a := range c.agents {
			known = known || samePlace(a.Note, f.URL)
		}
		if known {
			continue
		}
		note := strings.TrimPrefix(f.URL, "http://")
		if f.Dialect != "" {
			note = f.Dialect + " " + f.Binding + "  " + note
		}
		s.Rows = append(s.Rows, start.Row{ID: f.URL, Name: f.Name, Note: note, Sign: start.Running, Value: control.Action(func() tea.Cmd { return c.do.OpenAddress(f.URL) })})
	}
	looks, where := keys.Name(c.pane.Of(start.Look)), units.Plural(len(c.o.Ports), "port")
	switch {
	case c.scan.running:
		s.Hint = "looking on " + where + " of this machine"
	case c.scan.done && len(c.scan.found) == 0:
		s.Key, s.Hint = looks, "looks again: no agent answers on "+where+" of this machine"
	case c.scan.done:
		s.Key, s.Hint = looks, "looks again"
	default:
		s.Key, s.Hint = looks, "looks for agents on "+where+" of this machine that samples use"
	}
	return s
}

// demoSection offers the agents that come with the program.
func (c *Controller) demoSection() start.Section {
	s := start.Section{Title: "Demo"}
	if c.do.OpenDemo != nil {
		s.Rows = []start.Row{{ID: "demo", Name: "Open the demo agents", Note: "they run inside Parley, offline", Sign: start.Action, Value: control.Action(c.do.OpenDemo)}}
	}
	return s
}

// recordingSection lists the newest sessions.
func (c *Controller) recordingSection() start.Section {
	s := start.Section{Title: "Recordings"}
	for i := range c.newest {
		r := &c.newest[i]
		s.Rows = append(s.Rows, start.Row{ID: r.Path, Name: title(r), Note: strings.TrimPrefix(agentsOf(r, ""), " · "), Sign: start.Recorded, Time: r.Began(), Value: control.Action(func() tea.Cmd { return c.do.Show(r.Path) })})
	}
	if c.sessions > 0 {
		s.Rows = append(s.Rows, start.Row{ID: "sessions", Name: "Browse " + units.Plural(c.sessions, "recorded session"), Sign: start.Action, Value: control.Action(c.do.Browse)})
	}
	return s
}

// title returns what names a session, its time if nothing does.
func title(s *catalog.Session) string {
	if t := s.Title(); t != "" {
		return t
	}
	return s.Began().Local().Format("2 Jan, 15:04")
}

// agentsOf names the agents of a session, after a separator.
func agentsOf(s *catalog.Session, separator string) string {
	if s.Summary == nil || len(s.Summary.Agents) == 0 {
		return ""
	}
	return separator + canvas.SanitizeLine(strings.Join(s.Summary.Agents, ", "))
}

// samePlace reports whether the address of an agent is a place on this machine where one answers.
func samePlace(address, found string) bool {
	address = strings.TrimSuffix(address, "/")
	for _, path := range []string{"/.well-known/agent-card.json", "/.well-known/agent.json"} {
		address = strings.TrimSuffix(address, path)
	}
	address = strings.Replace(strings.TrimPrefix(address, "http://"), "localhost:", "127.0.0.1:", 1)
	return address == strings.TrimPrefix(found, "http://")
}
