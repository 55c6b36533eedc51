package cli

import (
	"github.com/spf13/cobra"

	"parley/a2a"
)

func (a *app) taskSubscribeCommand() *cobra.Command {
	var f taskFlags
	c := &cobra.Command{
		Use:   "subscribe [flags] TASK-ID",
		Short: "Follow a task that runs until it is over or waits for you",
		Long: `Follow a task that runs, over a stream that begins with the whole task. If the
stream breaks, Parley subscribes again or polls the task. --stream prints the
events as they come; without it, the task is printed once, at the end.`,
		Example: "  parley task subscribe -a http://localhost:9999 91c2 --stream\n  parley task subscribe -a http://localhost:9999 91c2 -o json\n  parley task subscribe -a Desk 91c2 --save results",
		Args:    cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		f.wait = true
		return a.onTask("task subscribe", &f, args, func(op *operation) a2a.TurnID {
			if f.stream {
				op.printLive()
			}
			if card := op.card(); card != nil && card.Capabilities.Streaming != a2a.True {
				a.note("Note", "the card does not declare streaming; Parley polls the task instead.")
				return op.engine.Await(op.agent, f.taskID, 0, nil)
			}
			return op.engine.Subscribe(op.agent, f.taskID, 0, true)
		})
	}
	a.taskFlags(c, &f)
	f.drawn(c)
	a.saveFlags(c, &f.callFlags)
	return c
}
