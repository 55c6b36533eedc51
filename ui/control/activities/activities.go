// Package activities is the controller of activities: work that may take long and runs
// outside of Update, one at a time. A sheet shows the progress of one that is not over soon,
// and the user can cancel it there or leave it to itself.
package activities

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/crash"
	"parley/ui/action"
	"parley/ui/activity"
	"parley/ui/control"
	"parley/ui/keys"
	"parley/ui/styles"
)

// SheetName is the name of the sheet of the activity.
const SheetName control.SheetName = "activity"

// Interval is the time until the sheet of an activity opens, and between two of its frames.
const Interval = 200 * time.Millisecond

// A Controller runs activities.
type Controller struct {
	ctx     context.Context
	host    control.Host
	now     func() time.Time
	pane    *activity.Pane
	current *running // nil if none runs
	work    sync.WaitGroup
}

// running is an activity at work.
type running struct {
	control.Activity
	cancel      context.CancelFunc
	began       time.Time
	done, total atomic.Int64
	shown       bool // the sheet was open
}

// New returns a controller. Its activities stop when ctx ends.
func New(ctx context.Context, host control.Host, st *styles.Styles, now func() time.Time) *Controller {
	return &Controller{ctx: ctx, host: host, now: now, pane: activity.New(st)}
}

// Start starts an activity, unless another one runs.
func (c *Controller) Start(a control.Activity) tea.Cmd {
	if c.current != nil {
		return c.host.Say("The other "+c.current.Name+" still runs: wait for its end, or cancel it.", true)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	r := &running{Activity: a, cancel: cancel, began: c.now()}
	c.current = r
	c.work.Add(1)
	work := func() tea.Msg {
		defer c.work.Done()
		take, err := a.Work(ctx, func(done, total int) {
			r.total.Store(int64(total))
			r.done.Store(int64(done))
		})
		return control.DoneMsg(func() tea.Cmd { return c.onDone(r, take, err) })
	}
	return tea.Batch(c.host.SayUntil(a.Name+": "+a.About, false, func() bool { return c.current != r || c.host.Shows(SheetName) }), work, c.tick(r))
}

// onDone takes over the result of an activity.
func (c *Controller) onDone(r *running, take func() tea.Cmd, err error) tea.Cmd {
	r.cancel()
	if c.current == r {
		c.end()
	}
	switch {
	case errors.Is(err, context.Canceled):
		return c.host.Say(r.Canceled, false)
	case err != nil:
		return c.host.Say("The "+r.Name+" failed: "+err.Error()+".", true)
	}
	return take()
}

// end ends what the screen says about the activity.
func (c *Controller) end() {
	c.current = nil
	if c.host.Shows(SheetName) {
		c.host.Close()
	}
}

// tick returns a command that updates the sheet of an activity.
func (c *Controller) tick(r *running) tea.Cmd {
	return tea.Tick(Interval, func(time.Time) tea.Msg {
		return control.DoneMsg(func() tea.Cmd { return c.onTick(r) })
	})
}

func (c *Controller) onTick(r *running) tea.Cmd {
	if c.current != r {
		return nil
	}
	c.refresh()
	if !r.shown && !c.host.Covered() {
		c.show()
	}
	if c.host.Shows(SheetName) {
		c.host.Touch()
	}
	return c.tick(r)
}

// refresh gives the sheet the progress of the activity.
func (c *Controller) refresh() {
	r := c.current
	c.pane.SetProgress(activity.Progress{
		Name: r.Name, About: r.About, Note: r.Note, Done: int(r.done.Load()), Total: int(r.total.Load()), Elapsed: c.now().Sub(r.began),
	})
}

// show opens the sheet of the activity.
func (c *Controller) show() {
	c.current.shown = true
	c.refresh()
	c.host.Open(SheetName)
}

// Cancel cancels the activity, if one runs. The sentence about it comes when it has ended.
func (c *Controller) Cancel() {
	if c.current != nil {
		c.current.cancel()
		c.end()
	}
}

// Wait waits until the activities have ended, which stop with the context; not longer than a limit.
func (c *Controller) Wait(limit time.Duration) {
	ended := make(chan struct{})
	go func() {
		defer crash.Guard()
		c.work.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(limit):
	}
}

// Sheet describes the sheet.
func (c *Controller) Sheet() control.Sheet {
	return control.NewSheet(c.pane, c.onIntent, control.Sheet{Name: SheetName, Help: "activity", KeepsCtrlC: true})
}

// onIntent carries out what the sheet asks for.
func (c *Controller) onIntent(in activity.Intent) tea.Cmd {
	switch in.(type) {
	case activity.Cancel:
		c.Cancel()
	case activity.Leave:
		c.host.Close()
		if r := c.current; r != nil {
			return c.host.Say("The "+r.Name+" goes on: "+keys.Name(c.host.Key(action.FindAnything))+" and “"+showName+"” shows it again.", false)
		}
	}
	return nil
}

// showName is the name of the finder command that shows the activity.
const showName = "Show the activity that runs"

// Actions returns the action that shows the activity again.
func (c *Controller) Actions() []action.Action[tea.Cmd] {
	none := action.If("no export and no comparison runs", func() bool { return c.current == nil })
	return []action.Action[tea.Cmd]{{
		Row: action.Row{Name: showName, Note: "and can cancel it", Now: action.Unless(none)},
		Run: func() tea.Cmd {
			if c.current != nil {
				c.show()
			}
			return nil
		},
	}}
}
