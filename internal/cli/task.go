package cli

import (
	"github.com/spf13/cobra"

	"parley/a2a"
)

// taskFlags are the flags of the commands about one task.
type taskFlags struct {
	callFlags
	taskID  string
	history historyFlag
	wait    bool
}

func (a *app) taskCommand() *cobra.Command {
	c := group("task", "Show, list, follow, cancel and download tasks")
	c.Example = "  parley task list -a localhost:9999\n  parley task get -a localhost:9999 91c2\n  parley task cancel -a localhost:9999 91c2"
	c.AddCommand(a.taskGetCommand(), a.taskListCommand(), a.taskSubscribeCommand(), a.taskCancelCommand(), a.taskDownloadCommand(), a.pushCommand())
	return c
}

func (a *app) taskGetCommand() *cobra.Command {
	var f taskFlags
	c := &cobra.Command{
		Use:   "get [flags] TASK-ID",
		Short: "Print a task's state and artifacts",
		Long: `Print a task's state and artifacts. With --wait it is asked for until it is
over or waits for you, with --wait-for-auth also while it waits for credentials
that you give elsewhere.`,
		Example: `  parley task get -a http://localhost:9999 91c2
  parley task get -a http://localhost:9999 --wait --timeout 5m 91c2 -o json
  parley task get -a Desk 91c2 --save results`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		if err := f.history.check(a, c); err != nil {
			return err
		}
		return a.onTask("task get", &f, args, func(op *operation) a2a.TurnID {
			if f.wait || f.waitForAuth {
				return op.engine.Await(op.agent, f.taskID, 0, f.history.length)
			}
			return op.engine.Get(op.agent, f.taskID, 0, f.history.length)
		})
	}
	a.taskFlags(c, &f)
	a.saveFlags(c, &f.callFlags)
	f.history.flag(c.Flags())
	c.Flags().BoolVar(&f.wait, "wait", false, "poll until the task is over or waits for you (also --watch)")
	c.Flags().BoolVar(&f.waitForAuth, "wait-for-auth", false, "poll until the task is over or asks for input, also while it waits for credentials, and say what it asks for")
	return c
}

func (a *app) taskCancelCommand() *cobra.Command {
	var f taskFlags
	c := &cobra.Command{
		Use:   "cancel [flags] TASK-ID",
		Short: "Ask the agent to end a task",
		Example: `  parley task cancel -a http://localhost:9999 91c2
  parley task cancel -a Desk 91c2 -o json
  parley task cancel -a Desk 91c2 --fail-on failed`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		return a.onTask("task cancel", &f, args, func(op *operation) a2a.TurnID {
			op.aim = a2a.StateCanceled
			return op.engine.Cancel(op.agent, f.taskID, 0)
		})
	}
	a.taskFlags(c, &f)
	return c
}

func (a *app) taskFlags(c *cobra.Command, f *taskFlags) {
	a.callFlags(c, &f.callFlags)
	a.answerFlags(c, &f.callFlags)
	c.Flags().StringVar(&f.taskID, "task-id", "", "the task's `id`, instead of the argument")
}

// takeTask takes the id of the task from the arguments.
func (f *taskFlags) takeTask(args []string) error {
	switch {
	case len(args) > 1:
		return usage("Only one task can be named.")
	case len(args) == 1 && args[0] != "":
		f.taskID = args[0]
	case f.taskID == "":
		return usage("No task was named: give its id after the flags.")
	}
	return nil
}

// onTask runs a command about one task.
func (a *app) onTask(command string, f *taskFlags, args []string, start func(*operation) a2a.TurnID) error {
	if err := f.takeTask(args); err != nil {
		return err
	}
	op, err := a.connect(command, &f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	op.answer.namedTask = f.taskID
	op.answer.noted = !f.wait && !f.waitForAuth
	sig, err := op.run(func() a2a.TurnID { return start(op) })
	return op.settle(sig, err, op.showTask)
}

// noTask says why an answer has not the task that was asked for.
func (h *answer) noTask() *fault {
	if other := h.taskID; other != "" && other != h.namedTask {
		f := internal("The agent answered with task %s, not with task %s.", line(other), line(h.namedTask))
		f.hint = debugHint
		return f
	}
	return internal("The agent's answer is not a task; --debug shows it.")
}

// showTask prints a task, and as JSON nothing around it.
func (op *operation) showTask(t *a2a.Task) {
	switch {
	case t == nil:
		op.broken = op.answer.noTask()
	case op.app.json:
		op.document("", a2a.EncodeV1Task(t))
	default:
		op.text(t, true)
	}
}
