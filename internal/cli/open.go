package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/session/annotation"
	"parley/session/chain"
	"parley/session/check"
	"parley/session/log"
	"parley/session/replay"
	"parley/ui"
)

// openCommand shows a journal, or lists them.
func (a *app) openCommand() *cobra.Command {
	var w workbench
	var follow bool
	c := &cobra.Command{
		Use:   "open [SESSION]",
		Short: "Show a recorded session, or list the recorded sessions",
		Example: `  parley open
  parley open 20261128-153104
  parley open run.jsonl --follow`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("parley open takes one session: its name in the list or the beginning of it, or a file.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return a.onSession(args[0], func(path string) error { return a.openSession(w, path, follow) })
			case follow:
				return usage("parley open --follow needs the file to follow: parley open lists the recorded sessions.")
			}
			return a.listSessions()
		},
	}
	f := c.Flags()
	recordingFlags(f, &w)
	f.BoolVar(&follow, "follow", false, "show records that are appended to FILE as they come")
	return c
}

// recordingFlags are the flags of the commands that show a recording.
func recordingFlags(f *pflag.FlagSet, w *workbench) {
	screenFlags(f, w)
	f.StringVar(&w.back, "back-to", "", "say in the footer that q goes back to this `PLACE`, for programs that open a recording")
}

// littleGarbage is the size of a file whose garbage can wait until all of it is read, in bytes.
const littleGarbage = 64 << 20

// openSession shows a journal on the screen. It first checks the file, with or without a
// terminal.
func (a *app) openSession(w workbench, path string, follow bool) error {
	recording, err := openToShow(path, follow)
	if err != nil {
		return notOpened(path, err)
	}
	if err := a.needTerminal(a.streams.In); err != nil {
		return err
	}
	stage := check.New(chain.NewChecker())
	recording.Prepare(stage)
	render(recording)
	feed := log.NewFeed()
	collect := a.collectLater()
	o := ui.Options{
		Annotations: annotation.Open(path), Engine: ui.RecordingEngine(), Feed: feed, Name: filepath.Base(path), Stage: stage, Replay: replayOf(path, replay.Options{}, false),
	}
	shown := make(chan struct{})
	recording.Hold(shown)
	o.Started = func() {
		close(shown)
		if size := recording.Size(); follow || size == 0 || size > littleGarbage {
			collect()
		}
	}
	go readAll(a.ctx, recording, feed, collect) // the first records are shown before the last are read
	_, err = a.show(a.ctx, w, o, a.streams.In)
	(&parting{closed: "the recording", next: "parley open " + a.sessionWord(path) + " shows it again"}).tell(a)
	return err
}
