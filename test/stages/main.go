// Stages runs the checks of the module, which are targets of its Makefile.
//
//	go run ./test/stages gate               what must hold before a change lands
//	go run ./test/stages nightly [STAGE…]   the proofs that take long
//	go run ./test/stages table              which nightly stages ran on the last ten commits
//
// The gate runs stages side by side. The nightly stages run one after the other; a stage that passes on
// a commit without changes beside it leaves a stamp, and is not run on that commit again, so a night that was
// stopped can go on. The stamps lie in the repository's own folder (git rev-parse --git-path stages).
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// limit is how long a stage may take.
const limit = 40 * time.Minute

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command(ctx, newRunner(".", os.Stdout), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// command runs a command line.
func command(ctx context.Context, r *runner, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name one of gate, nightly and table")
	}
	switch name, rest := args[0], args[1:]; {
	case name == "gate" && len(rest) == 0:
		return r.gate(ctx, gate)
	case name == "nightly":
		chosen, err := choose(nightly, rest)
		if err != nil {
			return err
		}
		return r.nightly(ctx, chosen)
	case name == "table" && len(rest) == 0:
		return r.table(ctx, nightly)
	}
	return fmt.Errorf("%q is no command: name one of gate, nightly and table", args)
}
