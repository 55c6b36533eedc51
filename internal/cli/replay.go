package cli

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/session/annotation"
	"parley/session/chain"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/replay"
	"parley/ui"
)

// replayCommand plays a journal.
func (a *app) replayCommand() *cobra.Command {
	var w workbench
	o := replay.Options{}
	c := &cobra.Command{
		Use:   "replay SESSION",
		Short: "Play a recorded session, as it went",
		Long: `Plays a recorded session: conversations and wire are at any moment as they were
when the records shown had arrived. Space plays and pauses, . and , step from
record to record, g goes to a time, a record, a finding or a mark.`,
		Example: "  parley replay run.jsonl --speed 5\n  parley replay run.jsonl --max-gap 2s\n  parley replay run.jsonl --step",
		Args:    argCount(1, "parley replay takes one session: parley sessions lists them."),
		RunE: func(_ *cobra.Command, args []string) error {
			if !(o.Speed >= replay.MinSpeed && o.Speed <= replay.MaxSpeed) { // NaN too
				return usage("--speed %v is out of range: it is between %v and %v times.", o.Speed, replay.MinSpeed, replay.MaxSpeed)
			}
			if o.MaxGap < 0 {
				return usage("--max-gap %v is negative: it is a duration such as 2s, or 0 to keep every gap.", o.MaxGap)
			}
			return a.onSession(args[0], func(path string) error { return a.replaySession(w, o, path) })
		},
	}
	f := c.Flags()
	recordingFlags(f, &w)
	f.Float64Var(&o.Speed, "speed", 1, "play this many `times` as fast, from 0.25 to 20")
	f.DurationVar(&o.MaxGap, "max-gap", 0, "shorten longer gaps between records to this `duration`; 0 keeps them")
	f.BoolVar(&o.Step, "step", false, "begin at the first record without playing")
	return c
}

// replaySession plays a journal on the screen.
func (a *app) replaySession(w workbench, o replay.Options, path string) error {
	recording, err := openRecording(path)
	if err != nil {
		return notOpened(path, err)
	}
	recording.Close() // the screen opens it when it is there
	if err := a.needTerminal(a.streams.In); err != nil {
		return err
	}
	_, err = a.show(a.ctx, w, ui.Options{
		Annotations: annotation.Open(path), Engine: ui.RecordingEngine(), Name: filepath.Base(path), Replay: replayOf(path, o, true), Started: a.collectLater(),
	}, a.streams.In)
	(&parting{closed: "the recording", next: "parley replay " + a.sessionWord(path) + " plays it again"}).tell(a)
	return err
}

// replayOf says how the recording of a path is played.
func replayOf(path string, o replay.Options, begin bool) *ui.Replay {
	o.Rules = func() log.Checker { return chain.NewChecker() }
	return &ui.Replay{Open: func() (*journal.Recording, error) { return openRecording(path) }, Options: o, Begin: begin}
}

// openRecording opens a recording that can be read more than once. The error is a clause.
func openRecording(path string) (*journal.Recording, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, errors.New("it can be read only once; save it in a file first") // opening could wait for ever
	}
	recording, err := journal.Open(path)
	if err != nil {
		return nil, clauseOf(err)
	}
	render(recording)
	return recording, nil
}

// render makes a recording readable that has messages of other formats than JSON.
func render(recording *journal.Recording) {
	recording.Render(map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()})
}

// clauseOf returns an error without the path.
func clauseOf(err error) error {
	if why, ok := errors.AsType[*os.PathError](err); ok {
		return why.Err
	}
	return err
}

// followPause is the time between two looks at a file that grows: new records appear as if at once.
const followPause = 100 * time.Millisecond

// openToShow opens a journal to be shown, and followed if it grows.
func openToShow(path string, follow bool) (*journal.Recording, error) {
	if !follow {
		return journal.Open(path)
	}
	return journal.OpenGrowing(path, func() <-chan time.Time { return time.After(followPause) })
}
