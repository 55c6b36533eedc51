package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"parley/internal/crash"
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

// reportSignal reports that a signal closed the screen, and how to continue. It prints nothing if
// the user quit.
func (a *app) reportSignal(closed, next string) {
	if s, ok := errors.AsType[signalError](context.Cause(a.ctx)); ok {
		writeLast(a.streams.Err, clean("Parley was stopped by "+string(s)+", which closed "+closed+"; "+next+".")+"\n", time.After(lastWait))
	}
}
