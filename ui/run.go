package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"parley/internal/crash"
	"parley/internal/heap"
	"parley/ui/control/tasks"
	"parley/ui/terminal"
)

// fps is the limit of the renderer; bulk text is painted less often (see frame).
const fps = 120

// minProcs is the least number of threads that run Go code, whatever the machine has. During a
// fast stream four are busy: reading, applying, drawing and the garbage collector. With four
// threads the kernel divides the cores among them, and prefers one that has just woken up.
// BenchmarkScreen in turns, on two cores that others kept busy: 60,000 and 55,000 events a
// second with four, 25,000 and 22,000 with two. Keys take the same time, since a stream yields
// to them.
const minProcs = 4

// patience is how long the end of the program waits for a canceled activity to clean up.
const patience = 2 * time.Second

// endPatience is how long the screen may take to end when a signal asks for it.
const endPatience = terminal.ProbePatience + time.Second

// firstGC is how much the heap may grow, in percent, until the first frame is on the terminal.
// Most of it then is tables of the packages that highlight code, which stay: collecting again
// and again would take a fifth of the start.
const firstGC = 400

// A LeftTask is a task that the end of the workbench leaves at its agent.
type LeftTask = tasks.Left

// Run shows the workbench on the terminal of in and out until the user quits or ctx ends,
// neither of which is an error. It returns the tasks that it leaves at their agents.
// The terminal is always restored. The caller handles signals: Bubble Tea's own handler waits
// for ever if the signal also ends ctx.
func Run(ctx context.Context, o Options, in, out *os.File, env []string) (left []LeftTask, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if n := runtime.GOMAXPROCS(0); n < minProcs && o.Getenv("GOMAXPROCS") == "" {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(minProcs))
	}
	started := func() {
		if o.Started != nil {
			o.Started()
		}
	}
	var gc *heap.Collector
	if o.Engine.Refusal() == "" && o.Getenv("GOGC") == "" { // who shows a recording does so for longer
		percent := debug.SetGCPercent(firstGC)
		gc = heap.NewCollector(heap.GoRuntime(), percent)
		started = sync.OnceFunc(func() {
			debug.SetGCPercent(percent)
			gc.Watch()
		})
		defer debug.SetGCPercent(percent)
	}
	w := terminal.NewOutput(out, started)
	defer w.Close()
	defer w.ShowCursor()
	defer crash.OnEnd(func() {
		w.ShowCursor()
		w.Close()
	})()
	o.firstFrame = w.FirstFrame()
	root, m := start(ctx, o)
	m().pace.out, m().pace.collector = w, gc
	var p *tea.Program
	keys := terminal.NewKeyboard(in, func(msg tea.Msg) { p.Send(msg) })
	hard, kill := context.WithCancel(context.WithoutCancel(ctx))
	defer kill()
	p = terminal.NewProgram(root,
		tea.WithContext(hard), tea.WithInput(keys), tea.WithOutput(w),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return w.Filter(keys.Filter(msg)) }),
		tea.WithFPS(fps), tea.WithEnvironment(env), tea.WithoutSignalHandler(),
	)
	defer w.HandleSuspend(p.Send)()
	defer context.AfterFunc(ctx, func() {
		defer crash.Guard()
		// the answers of the terminal are not left to the shell
		time.AfterFunc(endPatience, crash.Guarded(kill))
		p.Send(terminal.EndMsg{})
	})()
	_, err = terminal.Run(p)
	m().activities.Cancel()
	m().activities.Wait(patience)
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil
	}
	return m().tasks.Left(), err
}

// Render runs the workbench without a terminal, on a screen of w×h cells that nobody sees, until
// the script that it plays has ended.
func Render(ctx context.Context, o Options, w, h int) error {
	o.Play.Quits = true
	root, m := start(ctx, o)
	p := terminal.NewProgram(root, tea.WithContext(ctx), tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignalHandler(),
		tea.WithWindowSize(w, h), tea.WithColorProfile(colorprofile.TrueColor), tea.WithEnvironment([]string{"TERM=xterm-256color"}))
	_, err := terminal.Run(p)
	m().activities.Cancel()
	m().activities.Wait(patience)
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil
	}
	return err
}

// start returns the root of the screen, and a function that returns the model that it shows.
func start(ctx context.Context, o Options) (tea.Model, func() *Model) {
	if o.Replay != nil {
		r := newReplayScreen(ctx, o)
		return r, func() *Model { return r.m }
	}
	if o.Play.Script != nil {
		s := newPlayScreen(ctx, o)
		return s, func() *Model { return s.m }
	}
	m := New(ctx, o)
	return m, func() *Model { return m }
}

// Keyboard opens the terminal that started the process, for a process whose standard input is
// something else. The caller closes it.
func Keyboard() (*os.File, error) {
	in, out, err := tea.OpenTTY()
	if err != nil {
		return nil, err
	}
	if out != in {
		out.Close()
	}
	return in, nil
}
