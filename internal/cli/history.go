package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A historyFlag is how many messages of a task's history are requested.
type historyFlag struct {
	n      int
	length *int // nil for the agent's choice
}

func (f *historyFlag) flag(fs *pflag.FlagSet) {
	fs.IntVar(&f.n, "history", 0, "also request the last `n` messages of the task (default: the agent decides)")
}

// check sets the value if there is one.
func (f *historyFlag) check(a *app, c *cobra.Command) error {
	switch {
	case a.layerOf(c, "history") == layerUnset:
		return nil
	case f.n < 0:
		return usage("The value of --history is negative.")
	default:
		f.length = &f.n
		return nil
	}
}
