package main

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
	"time"
)

// A builder builds the test program of one package after the other, for fuzzing.
type builder struct {
	dir, tmp string

	lock  sync.Mutex
	built map[string]string // programs, by package
}

// build returns the test program of a package.
func (b *builder) build(ctx context.Context, pkg string) (string, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if program, ok := b.built[pkg]; ok {
		return program, nil
	}
	program := filepath.Join(b.tmp, strings.ReplaceAll(pkg, "/", "_")+".test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-fuzz=.", "-o", program, "./"+pkg)
	cmd.Dir = b.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the tests of %s: %w\n%s", pkg, err, out)
	}
	if b.built == nil {
		b.built = map[string]string{}
	}
	b.built[pkg] = program
	return program, nil
}

// patience is how long a target may take to begin and to end, beyond the time that it is fuzzed.
const patience = time.Minute

// fuzz fuzzes a target for a time in one worker and returns what its program printed. The target ends by an interrupt,
// not by -test.fuzztime: at that limit, package testing reports an error by chance (its deadline
// reaches the workers before or after the comparison that would excuse it).
func fuzz(ctx context.Context, dir, program string, t target, each time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, each+2*patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "-test.run=^$", "-test.fuzz=^"+t.name+"$", "-test.parallel=1",
		"-test.fuzzcachedir="+filepath.Join(filepath.Dir(program), "found", t.pkg, t.name))
	cmd.Dir = filepath.Join(dir, filepath.FromSlash(t.pkg))
	cmd.WaitDelay = time.Second // the workers hold the pipe
	out := &output{begun: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return out.String(), failed(ctx, err, "it ended by itself")
	case <-out.begun:
	}
	select {
	case err := <-ended:
		return out.String(), failed(ctx, err, "it ended by itself")
	case <-time.After(each):
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		return out.String(), err
	}
	return out.String(), failed(ctx, <-ended, "")
}

// failed explains the end of a target: err if it failed, why if it had no reason to end.
func failed(ctx context.Context, err error, why string) error {
	switch {
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("it did not begin or end within %v: %w", patience, err)
	case err != nil:
		return err
	case why != "":
		return errors.New(why)
	}
	return nil
}

// An output keeps what a program prints, and tells when fuzzing has begun.
type output struct {
	lock  sync.Mutex
	text  bytes.Buffer
	begun chan struct{} // closed by the first line about progress
	once  sync.Once
}

func (o *output) Write(b []byte) (int, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	o.text.Write(b)
	if bytes.Contains(o.text.Bytes(), []byte("fuzz: elapsed:")) {
		o.once.Do(func() { close(o.begun) })
	}
	return len(b), nil
}

func (o *output) String() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.text.String()
}

// last returns the last line about progress, without its mark.
func last(said string) string {
	_, progress, _ := strings.Cut(said[max(strings.LastIndex(said, "fuzz: "), 0):], ": ")
	progress, _, _ = strings.Cut(progress, "\n")
	return progress
}
