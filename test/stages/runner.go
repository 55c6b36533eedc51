package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A runner runs stages and prints what they print.
type runner struct {
	dir   string        // of the module
	limit time.Duration // of a stage

	lock sync.Mutex
	out  io.Writer
}

func newRunner(dir string, out io.Writer) *runner { return &runner{dir: dir, limit: limit, out: out} }

// A result is how a stage ended.
type result struct {
	stage stage
	took  time.Duration
	err   error
	said  string // what a stage that failed printed
	slow  string // the file with the times of its tests
}

// say prints whole lines.
func (r *runner) say(format string, args ...any) {
	r.lock.Lock()
	defer r.lock.Unlock()
	fmt.Fprintf(r.out, format, args...)
}

// gate runs a plan to its end, although stages fail, so that one run tells everything. Without the first
// stages, the lanes tell nothing.
func (r *runner) gate(ctx context.Context, p plan) error {
	began := time.Now()
	tmp, err := os.MkdirTemp("", "parley-stages-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	results := r.inTurn(ctx, p.first, tmp, false)
	if fault(results) == nil {
		each := make([][]result, len(p.lanes))
		var wait sync.WaitGroup
		for i, lane := range p.lanes {
			wait.Go(func() { each[i] = r.inTurn(ctx, lane, tmp, true) })
		}
		wait.Wait()
		for _, lane := range each {
			results = append(results, lane...)
		}
	}
	return r.end(results, time.Since(began))
}

// inTurn runs stages one after the other, up to the first that fails, or all of them.
func (r *runner) inTurn(ctx context.Context, stages []stage, tmp string, all bool) []result {
	var results []result
	for _, s := range stages {
		if ctx.Err() != nil {
			return append(results, result{stage: s, err: errors.New("not begun: the run was stopped")})
		}
		one := r.run(ctx, s, filepath.Join(tmp, s.name))
		results = append(results, one)
		if one.err != nil && !all {
			return results
		}
	}
	return results
}

// run runs a stage, prints its output when it has ended, and returns how it ended.
func (r *runner) run(ctx context.Context, s stage, times string) result {
	r.say("== %s begins\n", s.name)
	began := time.Now()
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "make", append([]string{"--no-print-directory", s.target()}, s.variables...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "TIMES="+times)
	stopWhole(cmd)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("not over after %v, and was stopped", r.limit)
	}
	one := result{stage: s, took: time.Since(began), err: err, slow: times}
	word := "took"
	if err != nil {
		one.said, word = said.String(), "failed after"
	}
	text := said.String()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r.say("== %s\n%s== %s %s %.0f s\n", s.name, text, s.name, word, one.took.Seconds())
	return one
}

// fault returns the error of a run, which names the stages that failed.
func fault(results []result) error {
	var failed []string
	for _, one := range results {
		if one.err != nil {
			failed = append(failed, one.stage.name)
		}
	}
	if len(failed) == 0 {
		return nil
	}
	return fmt.Errorf("failed: %s", strings.Join(failed, ", "))
}

// tail is how many lines of a stage that failed are printed again at the end of a run.
const tail = 60

// end prints the times of the stages and of the slowest tests, and the ends of stages that failed.
func (r *runner) end(results []result, took time.Duration) error {
	r.say("\nThe stages, in seconds:\n")
	for _, one := range results {
		r.say("%8.0f  %s%s\n", one.took.Seconds(), one.stage.name, map[bool]string{true: ": failed"}[one.err != nil])
	}
	r.say("%8.0f  together\n", took.Seconds())
	if err := r.slowest(results); err != nil {
		return err
	}
	for _, one := range results {
		if one.err == nil {
			continue
		}
		lines := strings.Split(strings.TrimRight(one.said, "\n"), "\n")
		r.say("\n%s failed (%v), and ended with:\n%s\n", one.stage.name, one.err, strings.Join(lines[max(0, len(lines)-tail):], "\n"))
	}
	return fault(results)
}
