//go:build unix

package oracle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"parley/a2a/a2atest"
	"parley/a2a/a2atest/demo"
	"parley/internal/golden"
)

// sideBySide is how many stories run at a time. Some only wait.
const sideBySide = 4

func TestCommandLinesPrintWhatTheyPrinted(t *testing.T) {
	all := stories(t)
	printed := make([]string, len(all))
	var stories sync.WaitGroup
	places := make(chan struct{}, sideBySide)
	for i, s := range all {
		places <- struct{}{}
		stories.Go(func() {
			defer func() { <-places }()
			text, err := tell(t.Context(), i, s)
			if err != nil {
				t.Errorf("%s: %v", s.lines[0], err)
			}
			printed[i] = text
		})
	}
	stories.Wait()
	if t.Failed() {
		return
	}
	groups := map[string]string{}
	for i, s := range all {
		groups[s.group] += printed[i]
	}
	for name, text := range groups {
		t.Run(name, func(t *testing.T) { golden.File(t, filepath.Join("testdata", name+".golden"), text) })
	}
	leftover(t, groups)
}

// leftover fails for golden files without a group.
func leftover(t *testing.T, groups map[string]string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.golden")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".golden"); groups[name] == "" {
			t.Errorf("got %s, want only files of the groups in lines.txt", file)
		}
	}
}

// tell runs the lines of a story and returns what they printed, in stable words.
func tell(ctx context.Context, number int, s story) (string, error) {
	place := filepath.Join(folder, fmt.Sprintf("%03d", number))
	for _, dir := range []string{"home", "work"} {
		if err := os.MkdirAll(filepath.Join(place, dir), 0o700); err != nil {
			return "", err
		}
	}
	if err := copyRecordings(filepath.Join(place, "work")); err != nil {
		return "", err
	}
	var agents []demo.Agent
	if !s.exact {
		started, stop, err := demo.Start(ctx, a2atest.Options{})
		if err != nil {
			return "", err
		}
		defer stop()
		agents = started
	}
	w := newWords(place, agents, s.exact)
	var b strings.Builder
	for _, comment := range s.about {
		fmt.Fprintln(&b, comment)
	}
	for _, line := range s.lines {
		text, err := w.runLine(ctx, line)
		if err != nil {
			return "", fmt.Errorf("%s: %w", line, err)
		}
		b.WriteString(text)
	}
	return b.String() + "\n", os.RemoveAll(place)
}

// copyRecordings copies recordings that other tests use into a folder.
func copyRecordings(dir string) error {
	for name, from := range map[string]string{
		"booking": "session/export/testdata/booking", "hostile": "session/export/testdata/hostile",
		"trip": "ui/testdata/booking", "grpc": "ui/testdata/grpc", "mesh": "ui/testdata/mesh", "refused": "ui/testdata/refused",
	} {
		text, err := os.ReadFile(filepath.Join("../..", from+".jsonl"))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// runLine runs a line by the shell and returns it with what it printed.
func (w *words) runLine(ctx context.Context, line string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", w.variables()+line)
	cmd.Dir = filepath.Join(w.place, "work")
	cmd.Env = []string{
		"HOME=" + filepath.Join(w.place, "home"), "PATH=" + filepath.Join(folder, "bin"),
		"TZ=UTC", "LC_ALL=C.UTF-8", "TERM=dumb", "PARLEY_TOKEN_STORE=file",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // without a terminal, wherever the test runs
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cause := ctx.Err(); cause != nil {
		return "", fmt.Errorf("%w after %s%s", cause, &stdout, &stderr)
	}
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return "", err
	}
	out, errs := w.replace(stdout.String()), w.replace(stderr.String())
	return "$ " + line + "\n" + block("stdout", out) + block("stderr", errs) + fmt.Sprintf("--- exit %d\n\n", cmd.ProcessState.ExitCode()), nil
}

func block(name, text string) string {
	switch {
	case text == "":
		return ""
	case !strings.HasSuffix(text, "\n"):
		text += "\n--- without a line end\n"
	}
	return "--- " + name + "\n" + text
}
