package ui

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	tea "charm.land/bubbletea/v2"

	"parley/internal/heap"
	"parley/ui/terminal"
)

// fps is the renderer's limit; bulk text is repainted less often (see frame).
const fps = 120

// minProcs is how many threads run the program's own code at least, whatever the
// machine has. While a stream pours in, reading it, what it changes, what is drawn and
// the garbage collector keep four busy. With four it is the kernel that shares out the
// cores, and it lets what has just woken up go first. BenchmarkScreen in turns, on two
// cores that others kept busy: 60,000 and 55,000 events a second with four, 25,000 and
// 22,000 with two. Keys take the same, since a stream leaves them time.
const minProcs = 4

// firstGC is how much the heap may grow, in percent, until the first frame is on the
// terminal. What is there by then, tables of the packages that highlight code for the
// most part, stays: to look it through again and again would be a fifth of the start.
const firstGC = 400

// Run shows the workbench on the terminal of in and out until the user quits
// or ctx ends, neither of which is an error, and returns a line for each task that goes
// on at its agent. The terminal is restored whatever happens. Signals are the
// caller's: Bubble Tea's own handler waits for ever when the signal ends ctx too.
func Run(ctx context.Context, o Options, in, out *os.File, env []string) (left []string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if n := runtime.GOMAXPROCS(0); n < minProcs && o.Getenv("GOMAXPROCS") == "" {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(minProcs))
	}
	started := func() {}
	var gc *heap.Collector
	if o.Engine.Refusal() == "" && o.Getenv("GOGC") == "" { // who reads a recording has more to put off
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
	m := New(ctx, o)
	m.pace.out, m.pace.collector = w, gc
	var p *tea.Program
	keys := terminal.NewKeyboard(in, func(msg tea.Msg) { p.Send(msg) })
	p = tea.NewProgram(m,
		tea.WithContext(ctx), tea.WithInput(keys), tea.WithOutput(w),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg { return w.Filter(keys.Filter(msg)) }),
		tea.WithFPS(fps), tea.WithEnvironment(env), tea.WithoutSignalHandler(),
	)
	defer w.HandleSuspend(p.Send)()
	_, err = p.Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		err = nil
	}
	return m.tasks.Left(), err
}

// Keyboard opens the terminal that the process was started from, for when its
// standard input is something else. The caller closes it.
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
