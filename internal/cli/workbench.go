package cli

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui"
)

// workbench holds the flags of the commands that open the screen.
type workbench struct {
	theme    string
	ascii    bool
	record   string
	noRecord bool
	noCheck  bool
	noBell   bool
	embedded bool       // the agents are those inside the program
	limits   a2a.Limits // that for the recording alone
	push     engine.WebhookOptions

	transports []string
}

func (w *workbench) flags(f *pflag.FlagSet) {
	f.StringVar(&w.theme, "theme", "auto", "colours: auto, dark, light or mono")
	f.BoolVar(&w.ascii, "ascii", false, "draw with ASCII characters only")
	f.StringSliceVar(&w.transports, "transport", nil, "preferred `binding`, highest first; repeatable (default: the card's order)")
	f.StringVar(&w.record, "record", "", "write the journal of this run to `FILE`")
	f.BoolVar(&w.noRecord, "no-record", false, "write no journal, and save no messages")
	f.StringVar(&w.push.Listen, "push-listen", "127.0.0.1:0", "receive push notifications at this `address`, from the first webhook on; port 0 is any free one")
	f.StringVar(&w.push.Public, "push-url", "", "tell agents this `URL` for webhooks, if a tunnel or a proxy forwards it to --push-listen")
	f.BoolVar(&w.noCheck, "no-check", false, "do not get tasks after their streams for a comparison")
	f.BoolVar(&w.noBell, "no-bell", false, "do not ring the bell when a task begins to wait for you")
	limitFlags(f, &w.limits, a2a.LimitRecording)
}

// workbench opens the screen on agents.
func (a *app) workbench(w workbench, refs []string) error {
	if err := checkTransports(w.transports); err != nil {
		return err
	}
	keyboard, err := a.keyboard(refs)
	if err != nil {
		return err
	}
	if keyboard != a.streams.In {
		defer keyboard.Close()
	}
	feed := log.NewFeed()
	kept, err := a.openStorage(w)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	if warning := kept.warning(); warning != "" {
		a.mildly("%s", warning)
		last := len(a.warnings) - 1 // it matters more than a setting
		a.warnings = slices.Concat(a.warnings[last:], a.warnings[:last])
	}
	prefer := func(o *a2a.Options) { o.Pins.Prefer = bindings(w.transports) }
	engine := engine.New(engine.Options{
		Recorder: journal.NewRecorder(feed, kept.journal),
		Now:      now, After: time.After, NewID: newID,
		Client: func(ref string) a2a.Options {
			o := a.net.client(ref)
			prefer(&o)
			return o
		},
		Saved: func(name string) (engine.Saved, bool) { return a.engineAgent(name, prefer) },
		Stdin: a.streams.In, Codings: codings(),
		SinceLastRun: kept.sinceLastRun(w),
		Resubscribe:  resubscribeTries, AuthPolls: true, CheckStreams: !w.noCheck, Extended: true, Webhook: w.push, Ahead: ui.Lead,
	})
	o := ui.Options{Engine: engine, Feed: feed, Refs: refs, Warnings: a.warnings, Notes: a.notes}
	o.History, o.HistoryProblem, o.Unrecorded = kept.history, kept.historyProblem, kept.journal == nil && !w.noRecord
	o.Saved = ui.SavedAgents{File: kept.roster, Problem: kept.rosterProblem, Written: a.settings.Agents, NoRecents: w.noRecord, Temporary: w.embedded, Public: a.net.public}
	if len(refs) == 0 {
		ctx, stop := context.WithCancel(a.ctx)
		defer stop()
		o.Demo = func() ([]string, error) { return demoAgents(ctx) }
	}
	err = a.show(a.ctx, w, o, keyboard)
	engine.Close()
	next := "nothing was recorded; parley starts again"
	if kept.journal != nil {
		err = errors.Join(err, kept.journal.Close())
		next = "parley open " + shellWord(kept.journal.Path()) + " shows the recording"
	}
	a.reportSignal("the workbench", next)
	return err
}

// resubscribeTries is how often the workbench resubscribes to a task whose stream broke.
const resubscribeTries = 5

// keyboard returns the source of keys: standard input, or the terminal itself if a card is read
// from standard input. It fails if no screen can be drawn.
func (a *app) keyboard(refs []string) (*os.File, error) {
	in := a.streams.In
	if !isTerminal(in) && slices.Contains(refs, "-") {
		if tty, err := ui.Keyboard(); err == nil {
			in = tty
		}
	}
	return in, a.needTerminal(in)
}

// needTerminal fails if no screen can be drawn.
func (a *app) needTerminal(keyboard *os.File) error {
	const instead = "use parley card get, send, task get or task cancel."
	switch {
	case !isTerminal(keyboard) || !isTerminal(a.streams.Out):
		return usage("The workbench needs a terminal; without one " + instead)
	case a.env.get("TERM") == "dumb":
		return usage("The workbench needs a terminal that can move its cursor, but TERM is dumb; set TERM correctly, or " + instead)
	default:
		return nil
	}
}

// show runs the screen until the user quits.
func (a *app) show(ctx context.Context, w workbench, o ui.Options, keyboard *os.File) error {
	o.Limits = a.net.limits
	o.Theme, o.ASCII, o.Silent, o.Browse = ui.Theme{Name: w.theme}, w.ascii, w.noBell, opener(runtime.GOOS, a.env.get)
	o.Getenv, o.Now, o.Keys = a.env.get, now, a.settings.Keys
	left, err := ui.Run(ctx, o, keyboard, a.streams.Out, a.env)
	if len(left) > 0 { // on the screen to which the user returns
		writeLast(a.streams.Out, strings.Join(left, "\n")+"\n")
	}
	return err
}

// demoCommand opens the workbench with the agents that come with the program.
func (a *app) demoCommand() *cobra.Command {
	var w workbench
	c := &cobra.Command{
		Use:   "demo",
		Short: "Open the workbench with four agents that run inside the program",
		Args:  argCount(0, "parley demo takes no arguments."),
		RunE: func(*cobra.Command, []string) error {
			ctx, stop := context.WithCancel(a.ctx)
			defer stop()
			refs, err := demoAgents(ctx)
			if err != nil {
				return err
			}
			w.embedded = true
			return a.workbench(w, refs)
		},
	}
	w.flags(c.Flags())
	return c
}

// demoAgents starts the agents that come with the program and returns their addresses. They run
// until ctx ends.
func demoAgents(ctx context.Context) ([]string, error) {
	agents, _, err := demo.Start(ctx, a2atest.Options{Pace: 1})
	if err != nil {
		return nil, err
	}
	var refs []string
	for _, agent := range agents {
		refs = append(refs, agent.URL)
	}
	return refs, nil
}

// replay reads a recording into a feed. Reading takes several times the memory of showing,
// which is released when the screen is idle.
func replay(ctx context.Context, recording *journal.Recording, feed *log.Feed, collect func()) {
	const (
		small = 64 << 20 // bytes of a file whose garbage can wait
		rest  = time.Second / 2
	)
	if size := recording.Size(); size == 0 || size > small {
		collect()
	}
	recording.Replay(ctx, feed, ui.Lead)
	feed.Close()
	collect()
	select {
	case <-time.After(rest):
		debug.FreeOSMemory()
	case <-ctx.Done():
	}
}

// collectLater delays garbage collection while the program starts and a recording is read,
// which otherwise take a fifth longer. It returns a function that ends the delay, once.
func (a *app) collectLater() (collect func()) {
	const lazy = 400 // percent of the memory in use
	if a.env.get("GOGC") != "" {
		return func() {}
	}
	usual := debug.SetGCPercent(lazy)
	return sync.OnceFunc(func() { debug.SetGCPercent(usual) })
}
