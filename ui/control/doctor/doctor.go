// Package doctor is the controller of examinations: it follows the way to an agent outside of
// Update, shows each step as it ends, and copies the report.
package doctor

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/crash"
	"parley/internal/doctor"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	pane "parley/ui/doctor"
	"parley/ui/looks"
	"parley/ui/palette"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of an examination.
const SheetName control.SheetName = "doctor"

// Options say what the controller works with.
type Options struct {
	// Doctor examines; nil if nobody does.
	Doctor doctor.Doctor
	Now    func() time.Time
}

// A Controller shows an examination.
type Controller struct {
	ctx     context.Context
	host    control.Host
	o       Options
	pane    *pane.Pane
	shown   pane.Content
	subject doctor.Subject // whose way is examined

	number int // of the newest examination
	cancel context.CancelFunc
}

// New returns a controller whose examinations end with ctx.
func New(ctx context.Context, host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{ctx: ctx, host: host, o: o, pane: pane.New(st)}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "doctor", Page: true, Next: c.wait, Refresh: func() { c.pane.SetNow(c.o.Now()) }})
}

// wait returns how long the sheet stays as it is: a step that runs shows for how long.
func (c *Controller) wait() time.Duration {
	if c.shown.Running {
		return time.Second
	}
	return 0
}

// Actions returns the actions that the finder names.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	return []action.Action[tea.Cmd]{{
		Row: action.Row{
			Slash: "doctor", Takes: "[URL]", Name: "Find what is wrong with the way to the agent, or with this machine", Also: []string{"cert", "certificate", "tls", "proxy", "insecure", "diagnose", "troubleshoot"},
			Now: action.Unless(action.If("Nothing is examined here.", func() bool { return c.o.Doctor == nil })),
		},
		Run: c.Open, With: c.Examine,
	}}
}

// Open examines the way to the agent on the screen, or this machine if there is none.
func (c *Controller) Open() tea.Cmd {
	a := c.host.Agent()
	switch {
	case c.o.Doctor == nil:
		return c.host.Say("Nothing is examined here.", true)
	case a == nil || c.host.Refusal() != "":
		return c.showMachine()
	case a.Ref == "-":
		return c.host.Say("The card came from standard input, so there is no way to follow: /doctor URL examines that to a server.", true)
	}
	return c.begin(a.Name(), doctor.Subject{Ref: a.Address(), Pins: c.pins(a)})
}

// pins returns how an agent is spoken to, and with which credentials.
func (c *Controller) pins(a *model.Agent) *a2a.Pins {
	pins := c.host.Engine().Pins(a.ID)
	return &pins
}

// Examine examines the way to any agent.
func (c *Controller) Examine(ref string) tea.Cmd {
	ref = strings.TrimSpace(ref)
	switch why := c.host.Refusal(); {
	case ref == "":
		return c.Open()
	case c.o.Doctor == nil:
		return c.Open()
	case why != "":
		return c.host.Say(why, true)
	case ref == "-" || !a2a.LooksLikeAddress(ref):
		return c.host.Say(canvas.SanitizeLine(ref)+" is not an address: write the URL of an agent, its host, or the file of its card.", true)
	}
	for _, a := range c.host.State().Agents {
		if a.Address() == ref && !a.Closed {
			return c.begin(a.Name(), doctor.Subject{Ref: ref, Pins: c.pins(a)})
		}
	}
	return c.begin(looks.Reference(ref), doctor.Subject{Ref: ref})
}

// Ask asks for the address of the agent to examine.
func (c *Controller) Ask() tea.Cmd {
	take := func(string) (string, bool) { return "examines the way to this agent", true }
	c.host.Find(palette.List{Title: "find out why one fails", Hint: "URL of an agent", Else: take, Value: c.Examine})
	return nil
}

// begin examines the way to an agent, unless that is under way, and shows each step as it begins and
// ends.
func (c *Controller) begin(name string, s doctor.Subject) tea.Cmd {
	if c.running() && c.subject.Ref == s.Ref { // it went on while the sheet was closed
		c.host.Open(SheetName)
		return nil
	}
	c.stop()
	ctx, cancel := context.WithCancel(c.ctx)
	c.cancel, c.subject = cancel, s
	c.shown = pane.Content{Name: name, Report: doctor.Report{Of: looks.Reference(s.Ref), Facts: c.shown.Report.Facts}, Running: true, Sends: s.Send, Began: c.o.Now()}
	c.pane.Begin(c.shown)
	c.host.Open(SheetName)
	steps := make(chan connection.Step, 1)
	go func() {
		defer crash.Guard()
		defer close(steps)
		c.o.Doctor.Examine(ctx, s, func(step connection.Step) {
			select {
			case steps <- step:
			case <-ctx.Done(): // nobody reads any more
			}
		})
	}()
	return tea.Batch(c.next(steps, c.number), c.readMachine())
}

// next takes over the next step of an examination.
func (c *Controller) next(steps <-chan connection.Step, number int) tea.Cmd {
	return func() tea.Msg {
		step, more := <-steps
		return control.DoneMsg(func() tea.Cmd {
			if number != c.number {
				return nil
			}
			if !more {
				c.stop()
				c.shown.Running = false
				c.show()
				return nil
			}
			c.shown.Report.Put(step)
			c.shown.Began = c.o.Now()
			c.show()
			return c.next(steps, number)
		})
	}
}

// show shows what is known.
func (c *Controller) show() {
	c.pane.SetContent(c.shown)
	c.host.Touch()
}

func (c *Controller) running() bool { return c.cancel != nil }

// stop ends the examination that runs.
func (c *Controller) stop() {
	c.number++
	if c.cancel != nil {
		c.cancel()
		c.cancel = nil
	}
}

// showMachine shows the facts about this machine.
func (c *Controller) showMachine() tea.Cmd {
	c.shown.Machine = true
	if !c.running() && c.host.Agent() == nil {
		c.shown = pane.Content{Machine: true}
	}
	c.shown.Reading = len(c.shown.Report.Facts) == 0
	c.host.Open(SheetName)
	c.show()
	return c.readMachine()
}

// readMachine reads the facts about this machine outside of Update: it reads files, and asks the
// keyring.
func (c *Controller) readMachine() tea.Cmd {
	examiner := c.o.Doctor
	return func() tea.Msg {
		facts := examiner.Machine()
		return control.DoneMsg(func() tea.Cmd {
			c.shown.Report.Facts, c.shown.Reading = facts, false
			c.show()
			return nil
		})
	}
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in pane.Intent) tea.Cmd {
	switch in := in.(type) {
	case pane.Again:
		if c.shown.Machine {
			return c.readMachine()
		}
		again := c.subject
		again.Send = in.Send
		return c.begin(c.shown.Name, again)
	case pane.Copy:
		report := c.shown.Report
		if c.shown.Machine && c.shown.Name == "" {
			report.Of = ""
		}
		return c.host.Copy(c.host.Engine().Mask(report.Text(c.o.Now())), "the report")
	case pane.Switch:
		if c.shown.Machine {
			c.shown.Machine = false
			c.show()
			return nil
		}
		c.shown.Machine = true
		c.show()
		return c.readMachine()
	case pane.Stop:
		c.stop()
		c.shown.Running, c.shown.Stopped = false, true
		c.shown.Report.DropRunning()
		c.show()
	case pane.Close:
		c.host.Close()
	}
	return nil
}
