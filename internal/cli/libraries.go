package cli

import (
	"io"
	"log"
	"log/slog"
	"os"
	"strings"
	"time"

	"parley/a2a/grpc"
	"parley/internal/crash"
)

// DiscardLogs leads the logs of all libraries nowhere. What they quote of an agent is neither masked
// nor safe for a terminal, and the screen is drawn where they write: net/http prints the beginning of
// what an agent sends after its answer. The main function calls it once, before [Run].
func DiscardLogs() {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // takes the output of log, so that it goes first
	log.SetOutput(io.Discard)
	grpc.DiscardLog()
}

// EndOnPanic has a panic of any goroutine end the process as a failure of the command line does: the
// terminal is restored, standard error says what happened and in which functions, without any value,
// and the exit status is that of a fault of Parley. The main function calls it once, before [Run].
func EndOnPanic(args, env []string, s Streams) {
	a := &app{args: args, env: environment(env), streams: s}
	a.json = a.wantsJSON()
	crash.Handle(func(p crash.Panic) {
		f := internal("Parley ended because of a fault of its own: %s.", line(p.What))
		f.hint = "Please report it with the functions that standard error names; they have nothing of what was sent or received."
		code := a.report(f)
		writeLast(s.Err, "  "+strings.Join(p.Where, "\n  ")+"\n", time.After(lastWait))
		os.Exit(code)
	})
}
