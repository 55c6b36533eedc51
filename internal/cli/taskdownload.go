package cli

import (
	"cmp"
	"encoding/json"

	"github.com/spf13/cobra"

	"parley/a2a"
)

// downloadFlags are the flags of parley task download.
type downloadFlags struct {
	taskFlags
	artifact string
}

func (a *app) taskDownloadCommand() *cobra.Command {
	var f downloadFlags
	c := &cobra.Command{
		Use:   "download [flags] TASK-ID",
		Short: "Save the artifacts of a task as files",
		Long: `Save the artifacts of a task as files: text, data and files, each under a safe
name. Nothing is overwritten. Files that the agent only names by an address are
downloaded if --urls says so.`,
		Example: "  parley task download -a http://localhost:9999 91c2 --save results\n  parley task download -a Desk 91c2 --save results --urls\n  parley task download -a Desk 91c2 --artifact map --save .",
		Args:    cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		f.save.dir = cmp.Or(f.save.dir, ".")
		if f.output == answerOnly {
			return usage("--output answer has no meaning here: the files have the answer.")
		}
		return a.taskDownload(&f, args)
	}
	a.taskFlags(c, &f.taskFlags)
	a.saveFlags(c, &f.callFlags)
	c.Flags().StringVar(&f.artifact, "artifact", "", "only the artifact of this `name` or id")
	c.Flags().Lookup("save").Usage += " (also --dir; default: the current one)"
	return c
}

// taskDownload runs the command.
func (a *app) taskDownload(f *downloadFlags, args []string) error {
	if err := f.takeTask(args); err != nil {
		return err
	}
	op, err := a.connect("task download", &f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	op.answer = answer{noted: true, namedTask: f.taskID}
	op.saver.quiet = true
	sig, err := op.turn(func() a2a.TurnID { return op.engine.Get(op.agent, f.taskID, 0, nil) })
	task := op.task()
	if err == nil {
		err = op.failure(sig, task)
	}
	if err == nil && task == nil {
		err = op.answer.noTask()
	}
	if err == nil {
		err = op.saveArtifacts(f, task)
	}
	if err != nil {
		return op.judge(op.advise(err, task), task)
	}
	return op.judge(op.broken, task)
}

// saveArtifacts writes the files of a task and prints their names.
func (op *operation) saveArtifacts(f *downloadFlags, t *a2a.Task) error {
	s := op.saver
	s.only = f.artifact
	for i := range t.Artifacts {
		s.artifact(t.ID, &t.Artifacts[i], saving{download: true})
	}
	switch {
	case !s.found && f.artifact != "":
		return usage("The task has no artifact %q.", line(f.artifact))
	case len(s.saved) > 0 || s.err == nil:
		op.printSaved(s.saved, t)
	}
	return s.failure(t)
}

// printSaved prints the names of the files.
func (op *operation) printSaved(saved []savedFile, t *a2a.Task) {
	if op.app.json {
		raw, err := json.Marshal(map[string]any{"taskId": t.ID, "contextId": t.ContextID, "state": t.Status.State.String(), "files": saved})
		if err == nil {
			op.document("", raw)
		}
		return
	}
	var p page
	for _, s := range saved {
		p.field("Saved", s.describe())
	}
	if len(saved) == 0 {
		p.field("Saved", "nothing: the task has no artifacts to save")
	}
	p.ids(t.ID, t.ContextID, &t.Status)
	op.print(&p)
}
