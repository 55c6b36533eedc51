// Package play is the controller that plays a script in the workbench: each step does what a user
// would do, through the same controllers and panes.
//
//	script.Play.Next ─► a step to carry out ─► steps.go, typing.go
//	      ▲                                        │ later: control.DoneMsg
//	      └──────────── Controller.Advance ◄───────┘ and whenever records came
//
// [parley/session/script] decides what comes next and what has failed; this package has the clock,
// the keys and the lines below the panes ([Controller.Lines]). Any key of the user pauses the
// script, and its clock with it. The frames that the screen shows meanwhile become a film
// ([Controller.Film]) if the script has an Output.
package play

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
	"parley/session/script"
	"parley/ui/action"
	"parley/ui/composer"
	"parley/ui/control"
	"parley/ui/shot"
	"parley/ui/styles"
)

// Options say what is played; there is no script in the zero value.
type Options struct {
	Script *script.Script
	// Reference returns where to find what a step opens, and starts it if it runs here. The
	// problem is a sentence. It may take a while.
	Reference func(step *script.Step, speed float64) (ref, problem string)
	// Instead returns the address of the recorded agent that stands in for the one that a step
	// opens; name is that of its card, empty if it is not known. Nil if there is no recording.
	Instead func(open *script.Step, name string, speed float64) (ref, problem string)
	// Dir is where files with a relative name are written; empty is the working directory.
	Dir string
	// Fast leaves out pauses, and the time of typing.
	Fast bool
	// Quits ends the program after the script: nobody sees the screen.
	Quits bool
	// Ended gets what became of the play, when it is known; nil if nobody asks.
	Ended func(Result)
}

// A Result is what became of a play.
type Result struct {
	Failure *script.FailureReport // nil if all steps were done
	Files   []File                // that were written, or not
	Stopped bool                  // the user ended the script
	// Recorded is why the play went on from the recording, nil if it did not.
	Recorded *script.FailureReport
}

// A File is a file that a step wrote.
type File struct {
	Path    string
	Size    int
	Problem string // a clause: why it was not written
}

// Links are what the controller needs from the workbench.
type Links struct {
	Now          func() time.Time
	Composer     *composer.Composer
	Open         func(ref string) a2a.AgentID
	Send         func(d composer.Draft, to model.Target) (a2a.TurnID, tea.Cmd)
	ShowCard     func(agent a2a.AgentID) tea.Cmd
	ShowFindings func() tea.Cmd
	Press        func(msg tea.KeyPressMsg) tea.Cmd
	UseTheme     func(name string) (problem string)
	Present      func(on bool)
	Presents     func() bool // whether an audience watches, which is shown no verdicts
	Screen       func() shot.Frame
	Drawing      func() bool // whether jobs will change the screen soon
}

// A Controller plays a script.
type Controller struct {
	host  control.Host
	opts  Options
	links Links
	st    *styles.Styles
	play  *script.Play

	state  state
	began  time.Time     // when the play began
	stood  time.Duration // how long the user paused it
	paused time.Time     // when the user paused it
	wake   wake
	typing *typing // nil while nothing is typed
	pace   time.Duration

	agent  a2a.AgentID  // opened last
	opened *script.Step // the last Open; nil before it
	turns  map[a2a.AgentID]a2a.TurnID
	rest   time.Time // before it nothing is judged: judging takes long
	judged int       // how many steps were looked at for a verdict

	keys *action.Table[press] // while it is paused

	recorded bool // it goes on from a recording
	caption  string
	widest   int    // width of the longest caption, 0 until it is known
	verdict  string // of the newest Expect
	result   Result
	writes   int // files that are being written
	film     shot.Animation
	content  string // of the last frame of the film
}

// A state is how far a play is.
type state uint8

const (
	absent state = iota // there is no script, or it has not begun
	plays
	pauses
	waits // for the recording that stands in
	fails // the line says why, until the end
	ended
)

// A wake is when the play goes on if nothing comes.
type wake struct {
	at  time.Time // of the script's clock; zero if nothing is pending
	seq int
}

// defaultTyping is the pause after each typed character.
const defaultTyping = 45 * time.Millisecond

// New returns a controller, which does nothing without a script.
func New(host control.Host, st *styles.Styles, o Options, l Links) *Controller {
	c := &Controller{host: host, st: st, opts: o, links: l, turns: map[a2a.AgentID]a2a.TurnID{}, pace: defaultTyping}
	c.keys = c.actions()
	if o.Script != nil {
		c.play = script.NewPlay(o.Script, script.PlayOptions{Fast: o.Fast})
	}
	return c
}

// SetStyles sets how the lines are drawn.
func (c *Controller) SetStyles(st *styles.Styles) { c.st = st }

// Begin begins the play, once.
func (c *Controller) Begin() tea.Cmd {
	if c.play == nil || c.state != absent {
		return nil
	}
	c.state, c.began = plays, c.links.Now()
	return c.Advance()
}

// now returns the time of the script's clock, which stands still while the user pauses.
func (c *Controller) now() time.Time {
	if c.state == pauses {
		return c.paused.Add(-c.stood)
	}
	return c.links.Now().Add(-c.stood)
}

// OnSignal ends the rest after a judgement when nothing more comes in a turn.
func (c *Controller) OnSignal(s *log.Signal) {
	if s != nil && s.Kind == log.SignalTurnOver {
		c.rest = time.Time{}
	}
}

// view returns what conditions are judged over.
func (c *Controller) view() script.View {
	turn := c.turns[c.agent]
	return script.View{State: c.host.State(), Agent: c.agent, Turn: turn, Over: c.host.State().TurnEnded(turn)}
}

// Advance carries out what can be done now. It is called whenever something may have changed.
func (c *Controller) Advance() tea.Cmd {
	const rarely = 10 // judging takes at most this part of the time
	var cmds []tea.Cmd
	for c.state == plays {
		if now := c.now(); now.Before(c.rest) {
			return tea.Batch(append(cmds, c.wakeAt(c.rest))...)
		}
		began := c.links.Now()
		move := c.play.Next(c.view(), c.now())
		if took := c.links.Now().Sub(began); took > time.Millisecond {
			c.rest = c.now().Add(rarely * took)
		}
		c.judge()
		switch move.Kind {
		case script.MoveDo:
			cmds = append(cmds, c.do(move.Step))
			continue
		case script.MoveWait:
			cmds = append(cmds, c.wakeAt(move.Until))
		case script.MoveOver:
			cmds = append(cmds, c.end(nil))
		case script.MoveFail:
			cmds = append(cmds, c.onFailure(move.Failure))
		}
		break
	}
	c.host.Touch()
	return tea.Batch(cmds...)
}

// wakeAt calls [Controller.Advance] at a time, if nothing does earlier.
func (c *Controller) wakeAt(at time.Time) tea.Cmd {
	if c.wake.at.Equal(at) || !c.wake.at.IsZero() && c.wake.at.Before(at) && c.wake.at.After(c.now()) {
		return nil
	}
	c.wake.at = at
	c.wake.seq++
	seq := c.wake.seq
	return c.after(at.Sub(c.now()), func() tea.Cmd {
		if seq != c.wake.seq {
			return nil
		}
		c.wake.at = time.Time{}
		return c.Advance()
	})
}

// after calls do after a while, in Update.
func (c *Controller) after(d time.Duration, do func() tea.Cmd) tea.Cmd {
	return tea.Tick(max(d, 0), func(time.Time) tea.Msg { return control.DoneMsg(do) })
}

// judge notes which expectations hold, to show them.
func (c *Controller) judge() {
	for done := c.play.Done(); c.judged < done; c.judged++ {
		if s := &c.opts.Script.Steps[c.judged]; s.Verb == script.Expect {
			c.verdict = s.Label()
		}
	}
}

// did notes that a step was carried out, or why it was not, and goes on.
func (c *Controller) did(problem string) tea.Cmd {
	c.play.Did(problem)
	return c.Advance()
}

// onFailure goes on from the recording, or ends the play.
func (c *Controller) onFailure(f *script.FailureReport) tea.Cmd {
	if c.opts.Instead == nil || c.recorded || !f.OfAgent {
		return c.end(f)
	}
	name, open, speed := "", c.opened, c.play.Speed()
	if a := c.host.State().Agent(c.agent); a != nil && a.Card != nil {
		name = a.Name()
	}
	c.recorded = true
	c.state = waits
	return func() tea.Msg {
		ref, problem := c.opts.Instead(open, name, speed)
		return control.DoneMsg(func() tea.Cmd {
			c.state = plays
			if problem != "" {
				return c.end(f)
			}
			c.play.Back()
			c.judged = c.play.Done()
			c.agent = c.links.Open(ref)
			delete(c.turns, c.agent)
			c.result.Recorded = f // an audience sees that it is recorded, not why
			return c.Advance()
		})
	}
}

// end ends the play after its last step, or with a failure, and writes its film.
func (c *Controller) end(f *script.FailureReport) tea.Cmd {
	c.state, c.result.Failure, c.caption, c.typing = ended, f, "", nil
	if f != nil {
		c.state = fails
	}
	if c.opts.Script.Outputs() == nil {
		return c.finish()
	}
	return c.writeFilm()
}

// finish reports what became of the play, when all files are written.
func (c *Controller) finish() tea.Cmd {
	if c.writes > 0 || c.state != fails && c.state != ended {
		return nil
	}
	if c.opts.Ended != nil {
		c.opts.Ended(c.result)
		c.opts.Ended = nil
	}
	switch {
	case c.opts.Quits:
		return tea.Quit
	case c.state == fails || c.result.Stopped:
		return nil
	}
	said := "The script is over: the workbench is yours."
	for _, f := range c.result.Files {
		if f.Problem != "" {
			return c.host.Say(f.Sentence(), true)
		}
		said += " " + f.Sentence()
	}
	return c.host.Say(said, false)
}
