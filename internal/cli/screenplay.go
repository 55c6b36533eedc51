package cli

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"

	"parley/internal/units"
	"parley/session/script"
	"parley/ui"
)

// A screenPlay is a script that the workbench plays.
type screenPlay struct {
	script ui.Play
	off    bool // on a screen that nobody sees, of w×h cells
	w, h   int
}

// defaultSize is the size of a screen that nobody sees.
const defaultSize = "100x30"

// playOnScreen plays a script in the workbench, or on a screen that nobody sees.
func (a *app) playOnScreen(f *demoFlags, s *script.Script, folder string) error {
	agents, err := a.newScriptAgents(f, folder)
	if err != nil {
		return err
	}
	defer agents.close()
	w, result := f.workbench, ui.PlayResult{}
	one := sync.Mutex{} // a skipped step may still start its agent
	w.play = &screenPlay{off: f.render, script: ui.Play{
		Script: s, Fast: f.fast,
		Reference: func(step *script.Step, speed float64) (ref, problem string) {
			one.Lock()
			defer one.Unlock()
			return agents.reference(step, speed)
		},
		Ended: func(r ui.PlayResult) { result = r },
	}}
	if agents.fallback != nil {
		w.play.script.Instead = func(open *script.Step, name string, speed float64) (ref, problem string) {
			one.Lock()
			defer one.Unlock()
			return agents.instead(open, name, speed)
		}
	}
	if w.play.w, w.play.h, err = sizeOf(f.size, s); err != nil {
		return err
	}
	if f.render {
		agents.newID = repeatableIDs(2)
		w.noRecord = w.noRecord || f.record.path == ""
	}
	w.ascii = w.ascii || s.Value("ascii") == "on"
	if err := a.workbench(w, nil); err != nil {
		return err
	}
	return a.tellPlay(result)
}

// tellPlay prints the files that a play wrote, and why it failed.
func (a *app) tellPlay(r ui.PlayResult) error {
	failed := false
	for _, f := range r.Files {
		if f.Problem != "" {
			failed = true
			a.note("Error", "%s", f.Sentence())
		} else if err := a.print([]byte("Wrote " + line(f.Path) + " (" + units.Bytes(int64(f.Size)) + ").\n")); err != nil {
			return err
		}
	}
	if r.Recorded != nil {
		a.note("Recorded", "%s The play went on from the recording.", line(r.Recorded.Error()))
	}
	if r.Failure != nil {
		failed = true
		a.note("Error", "%s", line(r.Failure.Error()))
	}
	if failed {
		return statusFailed
	}
	return nil
}

// sizeOf returns the size of a screen that nobody sees: that of the flag, of the script, or the
// usual one.
func sizeOf(flag string, s *script.Script) (w, h int, err error) {
	usual, usualHeight, _ := strings.Cut(defaultSize, "x")
	size := cmp.Or(flag, cmp.Or(s.Value("width"), usual)+"x"+cmp.Or(s.Value("height"), usualHeight))
	left, right, found := strings.Cut(strings.ToLower(size), "x")
	w, errW := strconv.Atoi(left)
	h, errH := strconv.Atoi(right)
	if !found || errW != nil || errH != nil || w < 20 || w > 500 || h < 5 || h > 200 {
		return 0, 0, usage("--size takes columns and rows such as %s, from 20x5 to 500x200.", defaultSize)
	}
	return w, h, nil
}

// runScreen runs the screen on the terminal, or without one.
func (a *app) runScreen(ctx context.Context, w workbench, o ui.Options, keyboard *os.File) (left []ui.LeftTask, err error) {
	if w.play == nil {
		return ui.Run(ctx, o, keyboard, a.streams.Out, a.env)
	}
	o.Play = w.play.script
	if !w.play.off {
		return ui.Run(ctx, o, keyboard, a.streams.Out, a.env)
	}
	// A picture is of the script alone: not of what the user has saved, sent or recorded.
	o.Silent, o.Browse, o.Warnings, o.Notes = true, nil, nil, nil
	o.Saved, o.Sessions, o.History, o.HistoryProblem = ui.SavedAgents{Temporary: true}, ui.RecordedSessions{}, nil, nil
	if err := ui.Render(ctx, o, w.play.w, w.play.h); err != nil {
		return nil, fmt.Errorf("drawing the script: %w", err)
	}
	return nil, nil
}

// repeatableIDs returns a function that makes ids which look random, and are the same in every run:
// two pictures of one script then show the same. Each maker needs a number of its own.
func repeatableIDs(maker byte) func() string {
	var one sync.Mutex
	source := rand.NewChaCha8([32]byte{maker})
	return func() string {
		one.Lock()
		defer one.Unlock()
		var b [16]byte
		_, _ = source.Read(b[:]) // it does not fail
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
}
