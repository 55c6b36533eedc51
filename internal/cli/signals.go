package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"parley/internal/crash"
	"parley/internal/units"
	"parley/session/journal"
	"parley/ui"
)

// A signalError is the cause of a context that a signal to the process ended. Its text is the
// usual name of the signal.
type signalError string

// Error returns the name of the signal.
func (s signalError) Error() string { return string(s) }

// Is makes a signal one of the reasons for which a context is cancelled.
func (s signalError) Is(target error) bool { return target == context.Canceled }

// NotifyContext returns a context that ends when the process is asked to end: by SIGINT,
// SIGTERM or SIGHUP. [Run] then names the signal to the user. The caller calls stop when the
// program is over.
func NotifyContext(parent context.Context) (ctx context.Context, stop func()) {
	in := &interrupts{}
	ctx, cancel := context.WithCancelCause(context.WithValue(parent, interruptsKey{}, in))
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	pipe := make(chan os.Signal, 1)
	signal.Notify(pipe, syscall.SIGPIPE) // a write then fails, and the command closes what is open
	go func() {
		defer crash.Guard()
		for {
			select {
			case s := <-asked:
				if s == os.Interrupt && in.take() {
					continue
				}
				cancel(signalError(signalName(s)))
			case <-ctx.Done():
			}
			return
		}
	}()
	return ctx, func() {
		signal.Stop(asked)
		signal.Stop(pipe)
		cancel(nil)
	}
}

// signalName names a signal as the system's manual does.
func signalName(s os.Signal) string {
	switch s {
	case os.Interrupt:
		return "SIGINT"
	case syscall.SIGTERM:
		return "SIGTERM"
	case syscall.SIGHUP:
		return "SIGHUP"
	default:
		return s.String()
	}
}

// stopper names what ended a cancelled context: a signal, or the program itself.
func stopper(ctx context.Context) string {
	if s, ok := errors.AsType[signalError](context.Cause(ctx)); ok {
		return "by " + string(s)
	}
	return "by Parley"
}

// lastWait is how long the terminal may take for the last lines. A stopped terminal takes none,
// and must not keep the program from ending.
const lastWait = 2 * time.Second

// writeLast writes the last lines of the program, but does not wait for a terminal that is blocked
// until late.
func writeLast(f *os.File, text string, late <-chan time.Time) {
	done := make(chan struct{})
	go func() {
		defer crash.Guard()
		defer close(done)
		_, _ = f.WriteString(text) // there is no other place to report it
	}()
	select {
	case <-done:
	case <-late:
	}
}

// A parting is what Parley says when the screen closes. If a signal closed it, a sentence on standard error
// says so too, and the rest follows there.
type parting struct {
	closed string // what the screen showed
	next   string // how the user comes back, said after a signal alone; empty if lines say it
	lines  []string
}

// tell prints the parting, but does not wait for a terminal that is blocked.
func (p *parting) tell(a *app) {
	out, lines := a.streams.Out, p.lines
	if s, ok := errors.AsType[signalError](context.Cause(a.ctx)); ok {
		said := "Parley was stopped by " + string(s) + ", which closed " + p.closed
		if p.next != "" {
			said += "; " + p.next
		}
		out, lines = a.streams.Err, slices.Concat([]string{said + "."}, lines)
	}
	if len(lines) > 0 {
		writeLast(out, clean(strings.Join(lines, "\n"))+"\n", time.After(lastWait))
	}
}

// recorded adds what was recorded, if anything was, and what becomes of the tasks that are left at their
// agents. The journal is closed; it is nil without a file.
func (p *parting) recorded(a *app, j *journal.Journal, left []ui.LeftTask) {
	const most = 3 // tasks that have a line each, if one command brings all of them back
	if j == nil || j.Records() == 0 {
		for _, t := range left {
			p.lines = append(p.lines, t.Says+": "+getAgain(t))
		}
		return
	}
	word := a.sessionWord(j.Path())
	p.lines = append(p.lines, "Recorded "+units.Plural(j.Records(), "record")+": parley open "+word)
	for _, t := range left[:min(len(left), most)] {
		p.lines = append(p.lines, t.Says+": parley resume "+word)
	}
	if more := len(left) - most; more > 0 {
		p.lines = append(p.lines, units.Plural(more, "more task")+" at the agents: parley resume "+word)
	}
}

// getAgain says how a task is got again that no recording leads to.
func getAgain(t ui.LeftTask) string {
	if t.Ref == "" { // no command line can have it
		return "its id is " + line(t.ID)
	}
	id := shellWord(t.ID)
	if strings.HasPrefix(t.ID, "-") {
		id = "-- " + id // else it is a flag
	}
	return "parley task get -a " + shellWord(t.Ref) + " " + id
}
