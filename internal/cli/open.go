package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a/lint"
	"parley/internal/units"
	"parley/session/journal"
	"parley/session/log"
	"parley/ui"
)

// openCommand shows a journal, or lists them.
func (a *app) openCommand() *cobra.Command {
	var w workbench
	c := &cobra.Command{
		Use:   "open [FILE]",
		Short: "Show a recorded session, or list the recorded sessions",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("parley open takes one file.")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listSessions()
			}
			return a.openSession(w, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&w.theme, "theme", "auto", "colours: auto, dark, light or mono")
	f.BoolVar(&w.ascii, "ascii", false, "draw with ASCII characters only")
	return c
}

// openSession shows a journal on the screen. It first checks the file, with or without a
// terminal.
func (a *app) openSession(w workbench, path string) error {
	recording, err := journal.Open(path)
	if err != nil {
		if why, ok := errors.AsType[*os.PathError](err); ok {
			err = why.Err
		}
		return internal("%s cannot be opened: %s.", line(path), err)
	}
	if err := a.needTerminal(a.streams.In); err != nil {
		return err
	}
	rules := lint.New()
	recording.Check(rules)
	feed := log.NewFeed()
	go replay(a.ctx, recording, feed, a.collectLater()) // the first records are shown before the last are read
	err = a.show(a.ctx, w, ui.Options{Engine: ui.RecordingEngine(), Feed: feed, Name: filepath.Base(path), Rules: rules}, a.streams.In)
	a.reportSignal("the recording", "parley open "+shellWord(path)+" shows it again")
	return err
}

// listedSessions is how many sessions are listed: the newest.
const listedSessions = 20

// listSessions prints the recorded sessions, the newest first.
func (a *app) listSessions() error {
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	files, err := journalsIn(dir)
	if err != nil {
		return internal("The sessions in %s cannot be listed: %s.", line(dir), sentence(err.Error()))
	}
	if len(files) == 0 {
		a.note("Note", "there are no recorded sessions in %s yet.", dir)
		return nil
	}
	var p page
	for _, f := range files[:min(len(files), listedSessions)] {
		p.add(f.ModTime().Local().Format(time.DateTime), "  ", fmt.Sprintf("%9s", units.Bytes(f.Size())), "  ", shellWord(filepath.Join(dir, f.Name())), "\n")
	}
	if err := a.print(p.b.Bytes()); err != nil {
		return err
	}
	if more := len(files) - listedSessions; more > 0 {
		a.note("Note", "%s are in %s.", strconv.Itoa(more)+" older sessions", dir)
	}
	a.note("Note", "parley open FILE shows one.")
	return nil
}

// journalsIn lists the journals of a folder, the newest first. A missing folder has none.
func journalsIn(dir string) ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(x, y fs.FileInfo) int {
		return cmp.Or(y.ModTime().Compare(x.ModTime()), strings.Compare(y.Name(), x.Name()))
	})
	return files, nil
}
