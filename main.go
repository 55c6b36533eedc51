// Parley is a terminal workbench for A2A agents: chat beside every byte that
// crossed the wire. See README.md, and internal/cli for the commands.
package main

import (
	"context"
	"os"

	"parley/internal/cli"
)

func main() {
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	cli.DiscardLogs()
	cli.EndOnPanic(os.Args[1:], os.Environ(), streams)
	ctx, stop := cli.NotifyContext(context.Background())
	code := cli.Run(ctx, os.Args[1:], os.Environ(), streams)
	stop()
	os.Exit(code)
}
