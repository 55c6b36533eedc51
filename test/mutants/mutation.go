package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A mutation is one change of one file.
type mutation struct {
	what     string // is wrong after the change, in a few words
	file     string // of the module, with slashes
	old, now string // the text to be replaced, which occurs once, and its replacement
	packages []string
}

func (m mutation) String() string { return m.file + ": " + m.what }

// An end is what became of a mutation.
type end int

const (
	killed end = iota
	survived
	impossible // it could not be tried
)

// A result is the end of a mutation.
type result struct {
	end  end
	why  string // by which a mutation was killed, or why it could not be tried
	test string // that failed, empty if a process died or had no end
	said string // by the go command
	took time.Duration
}

func (r result) String() string {
	switch r.end {
	case killed:
		return fmt.Sprintf("killed by %s in %.1f s", r.why, r.took.Seconds())
	case survived:
		return fmt.Sprintf("SURVIVED, after %.1f s", r.took.Seconds())
	}
	return "error: " + r.why
}

// mutate returns the whole text of the file after the change.
func (m mutation) mutate(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(m.file)))
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(text, []byte(m.old)); n != 1 {
		return nil, fmt.Errorf("the text to be replaced occurs %d times in %s, want once: %q", n, m.file, m.old)
	}
	return bytes.Replace(text, []byte(m.old), []byte(m.now), 1), nil
}

// try runs the tests with the change.
func (m mutation) try(ctx context.Context, dir string) result {
	text, err := m.mutate(dir)
	if err != nil {
		return result{end: impossible, why: err.Error()}
	}
	tmp, err := os.MkdirTemp("", "parley-mutants-")
	if err != nil {
		return result{end: impossible, why: err.Error()}
	}
	defer os.RemoveAll(tmp)
	overlay, err := lay(tmp, dir, m.file, text)
	if err != nil {
		return result{end: impossible, why: err.Error()}
	}
	began := time.Now()
	flags := []string{"-overlay", overlay, "-count=1", "-failfast"}
	r := judge(test(ctx, dir, m.packages, flags...))
	r.took = time.Since(began)
	if r.end == killed && r.test != "" {
		return m.confirm(ctx, dir, flags, r)
	}
	return r
}

// confirm runs the test that noticed a change alone. One that fails by chance, as under load, has noticed
// nothing.
func (m mutation) confirm(ctx context.Context, dir string, flags []string, r result) result {
	said, err := test(ctx, dir, m.packages, append(flags, "-run", "^"+r.test+"$")...)
	switch again := judge(said, err); again.end {
	case survived:
		return result{end: impossible, why: r.test + " failed, but not when it ran alone:\n" + r.said}
	case impossible:
		return again
	}
	return r
}

// lay writes the file that tells the go command to read another text in place of a file of the module,
// and returns its path.
func lay(tmp, dir, file string, text []byte) (string, error) {
	whole, err := filepath.Abs(filepath.Join(dir, filepath.FromSlash(file)))
	if err != nil {
		return "", err
	}
	changed, overlay := filepath.Join(tmp, "changed.go"), filepath.Join(tmp, "overlay.json")
	said, err := json.Marshal(map[string]map[string]string{"Replace": {whole: changed}})
	return overlay, errors.Join(err, os.WriteFile(changed, text, 0o600), os.WriteFile(overlay, said, 0o600))
}

// test runs the tests of packages and returns what the go command printed.
func test(ctx context.Context, dir string, packages []string, flags ...string) (string, error) {
	args := append([]string{"test", "-vet=off", "-timeout", "5m"}, flags...)
	for _, p := range packages {
		args = append(args, "./"+p)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // the go command ends its tests
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// judge returns the end of a mutation with which the tests ended so.
func judge(said string, err error) result {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return result{end: survived}
	case !errors.As(err, &exit):
		return result{end: impossible, why: err.Error()}
	case strings.Contains(said, "[build failed]"), strings.Contains(said, "[setup failed]"):
		return result{end: impossible, why: "does not compile:\n" + said}
	}
	by, test := killer(said)
	if by == "" {
		return result{end: impossible, why: "no test failed:\n" + said}
	}
	return result{end: killed, why: by, test: test, said: said}
}

var (
	failed = regexp.MustCompile(`(?m)^ *--- FAIL: (\S+)`)
	hung   = regexp.MustCompile(`(?m)^panic: test timed out after \S+\n\s+running tests:\n\s+(\S+)`)
	died   = regexp.MustCompile(`(?m)^FAIL\t(\S+)`)
)

// killer returns the test that failed, or the package whose process died; empty if neither did. Test
// is the name if the test itself failed.
func killer(said string) (by, test string) {
	if m := hung.FindStringSubmatch(said); m != nil {
		return m[1] + " (no end)", ""
	}
	if m := failed.FindStringSubmatch(said); m != nil {
		return m[1], m[1]
	}
	if m := died.FindStringSubmatch(said); m != nil {
		return "a crash of " + m[1], ""
	}
	return "", ""
}

// holds returns an error if the tests fail without a change: they could notice none.
func holds(ctx context.Context, dir string, chosen []mutation) error {
	var packages []string
	for _, m := range chosen {
		packages = append(packages, m.packages...)
	}
	slices.Sort(packages)
	said, err := test(ctx, dir, slices.Compact(packages))
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the tests fail without a mutation: %w\n%s", err, said)
	}
	return err
}
