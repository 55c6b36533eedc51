// Package start is the controller of the start screen: the sheet that lies over all panes while no
// agent was opened, and lists what can be.
//
// It gets the agents and the sessions from the controllers that own them, and opens them there. It
// looks for agents on ports of this machine where the user gave the ports, or asks for the usual ones
// by a row.
package start

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/internal/portscan"
	"parley/session/catalog"
	"parley/ui/action"
	"parley/ui/chat"
	"parley/ui/control"
	"parley/ui/start"
	"parley/ui/styles"
)

// SheetName is the name of the start screen.
const SheetName control.SheetName = "start"

// Options say what the start screen does.
type Options struct {
	// Show opens it at the start.
	Show bool
	// Ports are those of this machine on which agents are looked for, unasked if the user gave
	// them; none if agents are not looked for.
	Ports []int
	Given bool
	// Scan looks for agents on ports until ctx ends.
	Scan func(ctx context.Context, ports []int, put func(portscan.Agent))
}

// Actions are functions of other topics that the controller calls. Those that are nil have no row.
type Actions struct {
	Context context.Context
	Now     func() time.Time
	// IsAddress reports whether a text can be the address of an agent, and OpenAddress opens it.
	IsAddress   func(text string) bool
	OpenAddress func(text string) tea.Cmd
	OpenAgent   func(i int) tea.Cmd // by its index among those that were offered
	OpenDemo    func() tea.Cmd
	HasDemo     func() bool // the demo can be opened
	PlayTour    func() tea.Cmd
	Examine     func() tea.Cmd // asks for an address, and examines the way to it
	Tap         func() tea.Cmd // asks for an address, and starts a tap in front of it
	GoOn        func(path string) tea.Cmd
	Show        func(path string) tea.Cmd
	Browse      func() tea.Cmd // the recorded sessions
	Records     bool           // this run is recorded
	Chord       func(tea.KeyPressMsg) (tea.Cmd, bool)
}

// Recordings are what is listed of the recorded sessions.
type Recordings struct {
	Count  int               // of all
	GoOn   []catalog.Session // those to go on with
	Newest []catalog.Session
}

// A Controller shows what can be opened.
type Controller struct {
	host control.Host
	o    Options
	do   Actions
	pane *start.Pane

	wanted     bool          // while no agent was opened and the user did not leave it
	from       control.Place // what was on the screen when it was opened
	count      int           // of the agents that were open then
	agents     []chat.Offer
	recordings Recordings
	scan       scan
	text       string // for which the row of an address was made
	stale      bool   // the sections must be made again
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
	c.stale = true // the demo may be open by now
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

// Actions returns the action that shows the start screen, which a recording does not have.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			Slash: "start", Named: action.If("Show the start screen", func() bool { return c.host.Refusal() == "" }),
			Also: []string{"home", "welcome", "recent"}, Note: "agents, demo, recordings",
		},
		Run: c.Open,
	}}
}

// SetAgents sets the saved and recent agents.
func (c *Controller) SetAgents(list []chat.Offer) {
	c.agents, c.stale = list, true
}

// SetRecordings sets what is listed of the recorded sessions.
func (c *Controller) SetRecordings(r Recordings) { c.recordings, c.stale = r, true }

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	s := control.NewSheet(c.pane, c.onIntent, control.Sheet{
		Name: SheetName, Help: "start screen", OnPaste: c.paste, Typing: func() bool { return true }, KeepsCtrlC: true, Whole: true, Refresh: c.refresh,
	})
	own := s.Key
	s.Key = func(msg tea.KeyPressMsg) tea.Cmd {
		if msg.Mod&(tea.ModCtrl|tea.ModAlt) != 0 || msg.Code >= tea.KeyF1 && msg.Code <= tea.KeyF63 {
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
	case start.Close:
		c.leave()
	}
	return nil
}

// look looks for agents on the ports, and shows each as it answers.
func (c *Controller) look() tea.Cmd {
	if c.scan.running || c.o.Scan == nil {
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
