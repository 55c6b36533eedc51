// Package cli is Parley's command line: its commands and flags, and which of session's engine
// and ui's workbench they start.
//
// [Run] is the whole program without the process around it; tests call it with
// their own arguments, environment and streams. The commands without a screen
// (card get, send, task get, task cancel) follow Tier 1 of the A2A CLI
// specification 0.2; docs/cli.md says what they do and where they deviate:
//
//	flags, environment, .env files ─► callFlags
//	operation: engine ─► feed ─► take(item) ─► wire on stderr, state, live events
//	settle: the result on stdout, or one fault with its code and exit status
package cli

import (
	"context"
	"os"
	"time"

	"parley/internal/crash"
)

// Streams are the program's standard streams. They are files, because the
// workbench needs to ask them whether they are terminals.
type Streams struct{ In, Out, Err *os.File }

// Run runs one command line and returns the exit status of the process: 0 when
// the program did its job, else as docs/cli.md lists.
func Run(ctx context.Context, args, env []string, s Streams) int {
	return run(ctx, args, env, s, time.After)
}

// run is Run with the waits of the engine.
func run(ctx context.Context, args, env []string, s Streams, after waiting) int {
	defer crash.Guard()
	a := &app{ctx: ctx, args: args, env: environment(env), streams: s, after: after}
	a.json = a.wantsJSON()
	root := tree{a}.needed()
	root.SetArgs(args)
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	return a.report(root.ExecuteContext(ctx))
}
