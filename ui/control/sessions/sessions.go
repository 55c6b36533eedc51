// Package sessions is the controller of the recorded sessions: it lists, searches and
// annotates them, and opens one. It reads what they contain in the background, and deletes
// one when the user has confirmed it.
//
// A recording is opened by a second Parley, which has the terminal until the user leaves it: the
// session goes on meanwhile, as it does while an editor has the terminal.
package sessions

import (
	"context"
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/session/annotation"
	"parley/session/catalog"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/control"
	"parley/ui/sessions"
	"parley/ui/styles"
)

// SheetName is the name of the sheet that lists the sessions.
const SheetName control.SheetName = "sessions"

// Options are what the controller needs besides the host.
type Options struct {
	// Catalog lists the sessions; nil if there are none to list.
	Catalog *catalog.Catalog
	// Own is the file of this session, empty if there is none.
	Own  string
	Home string
	// Show returns the program that shows a recording; nil if none can.
	Show func(path string) *exec.Cmd
	// Resume leaves this workbench to go on with a recorded session; nil shows it instead.
	Resume func(path string) tea.Cmd
	// Ends reports whether that ends a session here, and says what it leaves behind.
	Ends func() (ends bool, left string)
	// Lend runs a program on the terminal and sends the message that done returns.
	Lend func(cmd *exec.Cmd, done func(error) tea.Msg) tea.Cmd
	// Regain is called when the program has given the terminal back.
	Regain func()
	Now    func() time.Time
	// Offer offers the recorded sessions while no agent is open: how many there are, and the
	// newest one if it was interrupted.
	Offer func(sessions int, interrupted string)
	// Start gives the start screen what it lists of them. Nil is not called.
	Start func(Recorded)
}

// A Controller lists the recorded sessions.
type Controller struct {
	host control.Host
	o    Options
	pane *sessions.Pane

	sessions []catalog.Session
	reading  work
	search   work
	broken   *catalog.Session // the newest session if it was interrupted
	finding  work             // for the finder
	found    []catalog.Session
}

// New returns a controller.
func New(host control.Host, st *styles.Styles, o Options) *Controller {
	return &Controller{host: host, o: o, pane: sessions.New(st)}
}

// SetOwn sets the file of this session, empty if there is none.
func (c *Controller) SetOwn(path string) { c.o.Own = path }

// Open shows the sheet and lists the sessions.
func (c *Controller) Open() tea.Cmd {
	if why := c.why(); why != "" {
		return c.host.Say(why, true)
	}
	c.pane.SetFolder(c.o.Catalog.Dir(), c.o.Own, c.o.Home)
	c.pane.Begin()
	c.search.end()
	c.host.Open(SheetName)
	return c.list()
}

// why says why no sessions can be listed, empty if they can.
func (c *Controller) why() string {
	if c.o.Catalog == nil {
		return "Parley has no folder for its sessions here."
	}
	return ""
}

// list reads the folder, and then what is not known of its sessions.
func (c *Controller) list() tea.Cmd {
	ctx, number := c.reading.begin()
	return func() tea.Msg {
		list, err := c.o.Catalog.List()
		return control.DoneMsg(func() tea.Cmd {
			if number != c.reading.number {
				return nil
			}
			if err != nil {
				return c.host.Say("The sessions cannot be listed: "+reason(err)+".", true)
			}
			c.sessions = list
			c.pane.SetSessions(slices.Clone(list))
			c.host.Touch()
			return c.read(ctx, number, list)
		})
	}
}

// read reads the summaries that are missing, and shows each as it comes.
func (c *Controller) read(ctx context.Context, number int, list []catalog.Session) tea.Cmd {
	found := make(chan catalog.Session, len(list)) // so that no reader waits for the screen
	go func() {
		defer crash.Guard()
		defer close(found)
		c.o.Catalog.Read(ctx, list, func(s catalog.Session) { found <- s })
	}()
	return stream(found, func() bool { return number == c.reading.number }, c.update, func() tea.Cmd { return nil })
}

// update takes over what is known of a session now.
func (c *Controller) update(s catalog.Session) {
	for i := range c.sessions {
		if c.sessions[i].Path == s.Path {
			s.Annotations, s.AnnotationProblem = c.sessions[i].Annotations, c.sessions[i].AnnotationProblem
			c.sessions[i] = s
		}
	}
	c.pane.Update(s)
	c.host.Touch()
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	p := c.pane
	return control.NewSheet(p, c.onIntent, control.Sheet{
		Name: SheetName, Help: "sessions", Wide: true, Typing: p.Typing, Paste: p.Paste,
		Refresh: c.refresh,
	})
}

// refresh tells the pane what changes without it.
func (c *Controller) refresh() {
	c.pane.SetNow(c.o.Now())
	if c.o.Resume != nil && c.o.Ends != nil {
		c.pane.SetEnds(c.o.Ends())
	}
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in sessions.Intent) tea.Cmd {
	switch in := in.(type) {
	case sessions.Open:
		return c.Show(in.Path)
	case sessions.Resume:
		return c.resume(in.Path)
	case sessions.Annotate:
		return c.annotate(in)
	case sessions.Delete:
		return c.delete(in.Path)
	case sessions.Search:
		return c.find(in.Text)
	case sessions.Copy:
		return c.host.Copy(in.Text, "the path of the session")
	case sessions.Refused:
		return c.host.Say(in.Why, true)
	case sessions.Close:
		c.reading.end()
		c.search.end()
		c.host.Close()
	}
	return nil
}

// resume goes on with a session in place of this one.
func (c *Controller) resume(path string) tea.Cmd {
	if c.o.Resume == nil {
		s := catalog.Session{Path: path}
		return c.host.Say("A recording is on the screen; parley resume "+canvas.SanitizeLine(s.Name())+" goes on with this session.", true)
	}
	c.reading.end()
	c.search.end()
	return c.o.Resume(path)
}

// Show opens a recording. When the user has left it, the sheet is there as before.
func (c *Controller) Show(path string) tea.Cmd {
	if c.o.Show == nil {
		return c.host.Say("This program cannot start itself; parley open "+canvas.SanitizeLine(path)+" shows the recording.", true)
	}
	return c.o.Lend(c.o.Show(path), func(err error) tea.Msg {
		return control.DoneMsg(func() tea.Cmd {
			c.o.Regain()
			var cmd tea.Cmd
			if err != nil {
				cmd = c.host.Say("The recording could not be shown: "+reason(err)+". parley open "+canvas.SanitizeLine(path)+" says more.", true)
			}
			if c.host.Shows(SheetName) {
				cmd = tea.Batch(cmd, c.list()) // it may have other annotations now
			}
			return cmd
		})
	})
}

// annotate changes what the user added to a session.
func (c *Controller) annotate(in sessions.Annotate) tea.Cmd {
	return func() tea.Msg {
		content, err := annotation.Open(in.Path).Update(in.Change)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil {
				return c.host.Say("This was not saved: "+reason(err)+".", true)
			}
			for i := range c.sessions {
				if s := &c.sessions[i]; s.Path == in.Path {
					s.Annotations, s.AnnotationProblem = content, ""
					c.pane.Update(*s)
				}
			}
			c.host.Touch()
			return nil
		})
	}
}

// delete deletes a session.
func (c *Controller) delete(path string) tea.Cmd {
	return func() tea.Msg {
		err := catalog.Delete(path)
		return control.DoneMsg(func() tea.Cmd {
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return c.host.Say("The session was not deleted: "+reason(err)+".", true)
			}
			c.sessions = slices.DeleteFunc(c.sessions, func(s catalog.Session) bool { return s.Path == path })
			c.pane.Remove(path)
			c.host.Touch()
			return c.host.Say("The session was deleted.", false)
		})
	}
}

// Actions returns the actions about recorded sessions.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	now, resumes := action.Unless(c.why), func() bool { return c.o.Resume != nil }
	broken := func() string {
		if c.broken == nil {
			return ""
		}
		return action.Either("Open the session that was interrupted", "Go on with the session that was interrupted", resumes)()
	}
	return []action.Action[tea.Cmd]{
		{
			Row: action.Row{Slash: "sessions", Name: "Browse the recorded sessions", Also: []string{"recordings", "journals", "log", "replay", "resume", "open", "history", "report"}, Now: now},
			Run: c.Open,
		},
		{
			Row: action.Row{Named: action.If("Go on with a recorded session", func() bool { return resumes() && c.host.Refusal() == "" }), Also: []string{"resume", "continue"}, Now: now},
			Run: c.Open,
		},
		{Row: action.Row{Named: broken, Now: func() action.State { return action.State{Note: canvas.SanitizeLine(c.broken.Name())} }}, Run: c.ShowInterrupted},
	}
}

// reason returns what went wrong with a file, without the operation and the path.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		err = p.Err
	}
	return canvas.SanitizeLine(err.Error())
}
