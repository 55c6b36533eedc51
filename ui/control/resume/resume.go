// Package resume is the controller that goes on with a recorded session: it asks the user to confirm
// whom that contacts.
package resume

import (
	tea "charm.land/bubbletea/v2"

	"parley/session/annotation"
	"parley/session/engine"
	"parley/session/log"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/origins"
	"parley/ui/styles"
)

// SheetName is the name of the sheet that asks for the confirmation.
const SheetName control.SheetName = "origins"

// Options are what the controller needs from outside. Without Begin, the session on the screen is not
// one that can go on; without Leave, no other one can.
type Options struct {
	Name    string // of the recording
	Resolve engine.Resolver
	// Access says in a few words where the credentials come from that go to an origin for an agent,
	// empty for none.
	Access func(agent *engine.StartAgent, origin string) string
	// Begin begins the new file and returns the session that goes on. It may take long.
	Begin func(start *engine.Start) (*Live, error)
	// Leave is called before the workbench ends to go on with a recorded session; nil if it cannot.
	Leave func(path string)
}

// A Live is a session that goes on.
type Live struct {
	Engine  control.Engine
	Contact func()       // contacts the agents
	File    string       // the new session file, empty if there is none
	Size    func() int64 // returns how many bytes it has; nil if there is none
	// Annotations are those of the new file; nil saves none.
	Annotations *annotation.File
	// Problem says in one sentence why the session is not recorded although nobody asked for that,
	// empty if it is recorded.
	Problem string
}

// Actions are functions of the workbench that the controller calls.
type Actions struct {
	Live func(*Live)    // makes the recording a live session
	Quit func() tea.Cmd // ends the workbench
}

// A Controller goes on with a recorded session.
type Controller struct {
	host    control.Host
	o       Options
	actions Actions
	pane    *origins.Pane
	start   *engine.Start // that the pane shows
	read    bool          // the recording was read to its end
	begins  bool          // Begin is running
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options, actions Actions) *Controller {
	return &Controller{host: host, o: o, actions: actions, pane: origins.New(st)}
}

// Sheet describes the sheet of the confirmation.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "go on with a session"})
}

// CanChoose reports whether the workbench can be left to go on with a recorded session.
func (c *Controller) CanChoose() bool { return c.o.Leave != nil }

// Choose leaves this workbench to go on with a recorded session.
func (c *Controller) Choose(path string) tea.Cmd {
	c.o.Leave(path)
	return c.actions.Quit()
}

// OnSignal asks for the confirmation as soon as the recording is read.
func (c *Controller) OnSignal(s *log.Signal) tea.Cmd {
	if s == nil || s.Kind != log.SignalReplayed || c.o.Begin == nil {
		return nil
	}
	c.read = true
	return c.Open()
}

// Actions returns the action that goes on with the recording, if it can go on.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	can := func() bool { return c.o.Begin != nil && c.host.Refusal() != "" }
	return []action.Action[tea.Cmd]{{Row: action.Row{Slash: "resume", Named: action.If("Go on with this session", can)}, Run: c.Open}}
}

// Open shows whom the session contacts when it goes on.
func (c *Controller) Open() tea.Cmd {
	switch {
	case c.begins:
		return nil
	case !c.read:
		return c.host.Say("The recording is still being read.", true)
	}
	start, err := engine.NewStart(c.o.Name, c.host.State(), c.o.Resolve)
	if err != nil {
		return c.host.Say("This session cannot go on: "+err.Error()+".", true)
	}
	c.start = start
	c.pane.Open(c.describe(start))
	c.host.Open(SheetName)
	return nil
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in origins.Intent) tea.Cmd {
	switch in.(type) {
	case origins.Close:
		c.host.Close()
		return c.host.Say("This stays a recording; the finder's “Go on with this session” asks again.", false)
	case origins.Confirm:
		c.host.Close()
		return c.begin()
	}
	return nil
}

// begin goes on with the session, which the user has confirmed.
func (c *Controller) begin() tea.Cmd {
	if c.begins || c.start == nil {
		return nil
	}
	c.begins = true
	start, begin := c.start, c.o.Begin
	said := c.host.SayUntil("the session goes on in a new file", false, func() bool { return !c.begins })
	return tea.Batch(said, func() tea.Msg {
		live, err := begin(start)
		return control.DoneMsg(func() tea.Cmd {
			c.begins = false
			if err != nil {
				return c.host.Say("This session cannot go on: "+canvas.SanitizeLine(err.Error())+".", true)
			}
			c.actions.Live(live)
			live.Contact()
			c.host.Touch()
			if live.Problem != "" {
				return c.host.Say(canvas.SanitizeLine(live.Problem), true)
			}
			return nil
		})
	})
}

// describe returns the rows of the pane: the addresses in the order of the agents, each once.
func (c *Controller) describe(start *engine.Start) (origins.About, []origins.Row) {
	about := origins.About{Name: start.Name}
	var rows []origins.Row
	at := map[string]int{}
	for i := range start.Agents {
		a := &start.Agents[i]
		if a.Closed {
			continue
		}
		if a.Withheld != "" {
			rows = append(rows, origins.Row{Address: a.Saved.Ref, Agents: []string{a.Title}, Why: a.Withheld})
			continue
		}
		about.Agents++
		about.Tasks += a.OpenTasks()
		for _, contact := range a.Contacts {
			access := c.o.Access(a, contact.Origin)
			key := contact.Address + "\n" + access
			k, known := at[key]
			if !known {
				k, at[key] = len(rows), len(rows)
				rows = append(rows, origins.Row{Address: contact.Address, Safety: safety(contact), Plain: contact.Origin != "" && !contact.TLS, Access: access})
			}
			rows[k].Agents = append(rows[k].Agents, a.Title)
		}
	}
	return about, rows
}

// safety says how an address is reached.
func safety(c engine.Contact) string {
	switch {
	case c.Origin == "":
		return "file"
	case c.TLS:
		return "TLS"
	default:
		return "no TLS"
	}
}
