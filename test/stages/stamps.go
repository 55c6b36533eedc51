package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// stamps are the passes of nightly stages: a file per commit and stage, which holds the seconds.
type stamps struct {
	dir    string // of the module
	folder string // of the stamps
}

// git runs git in the module and returns its output without the last line end.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, failed.Stderr)
	}
	return strings.TrimRight(string(out), "\n"), err
}

// stampsOf returns the stamps of the module in a folder.
func stampsOf(ctx context.Context, dir string) (*stamps, error) {
	folder, err := git(ctx, dir, "rev-parse", "--path-format=absolute", "--git-path", "stages")
	return &stamps{dir, folder}, err
}

// clean returns the commit that is checked out, or an error if files differ from it.
func (s *stamps) clean(ctx context.Context) (commit string, err error) {
	changed, err := git(ctx, s.dir, "status", "--porcelain")
	if err != nil {
		return "", err
	}
	if changed != "" {
		return "", errors.New("files differ from the commit")
	}
	return git(ctx, s.dir, "rev-parse", "HEAD")
}

// seconds returns how long a stage took on a commit, and whether it has a stamp there.
func (s *stamps) seconds(commit, stage string) (float64, bool) {
	text, err := os.ReadFile(filepath.Join(s.folder, commit, stage))
	if err != nil {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
	return seconds, err == nil
}

// set stamps a stage on a commit.
func (s *stamps) set(commit, stage string, took time.Duration) error {
	if err := os.MkdirAll(filepath.Join(s.folder, commit), 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.folder, commit, stage), fmt.Appendf(nil, "%.0f\n", took.Seconds()), 0o644)
}

// nightly runs the stages that have no stamp on the commit that is checked out, one after the other, and
// stamps each that passes.
func (r *runner) nightly(ctx context.Context, stages []stage) error {
	began := time.Now()
	all, err := stampsOf(ctx, r.dir)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "parley-stages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	var results []result
	for _, s := range stages {
		commit, dirty := all.clean(ctx)
		if took, done := all.seconds(commit, s.name); done && dirty == nil {
			r.say("== %s passed on this commit before, in %.0f s\n", s.name, took)
			continue
		}
		one := r.inTurn(ctx, []stage{s}, tmp, true)[0]
		results = append(results, one)
		if one.err != nil {
			continue
		}
		after, changed := all.clean(ctx)
		if err := errors.Join(dirty, changed); err != nil || after != commit {
			r.say("== %s gets no stamp: its files are not those of one commit\n", s.name)
			continue
		}
		if err := all.set(commit, s.name, one.took); err != nil {
			return err
		}
	}
	return r.end(results, time.Since(began))
}

// recent is on how many commits table looks for stamps.
const recent = 10

// table prints, for each nightly stage, the newest of the last commits on which it passed.
func (r *runner) table(ctx context.Context, stages []stage) error {
	all, err := stampsOf(ctx, r.dir)
	if err != nil {
		return err
	}
	log, err := git(ctx, r.dir, "log", "--format=%H", "-"+strconv.Itoa(recent))
	if err != nil {
		return err
	}
	missing, width := 0, 0
	for _, s := range stages {
		width = max(width, len(s.name))
	}
	for _, s := range stages {
		row := "not on the last " + strconv.Itoa(recent) + " commits"
		missing++
		for commit := range strings.Lines(log) {
			commit = strings.TrimSpace(commit)
			if seconds, done := all.seconds(commit, s.name); done {
				row = fmt.Sprintf("passed on %.8s in %.0f s", commit, seconds)
				missing--
				break
			}
		}
		r.say("%-*s  %s\n", width, s.name, row)
	}
	if missing > 0 {
		return fmt.Errorf("%d of %d nightly stages did not pass on the last %d commits", missing, len(stages), recent)
	}
	return nil
}
