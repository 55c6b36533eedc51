//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// makefile has stages that pass, fail, count, wait for each other and hang.
const makefile = `
good:
	@for i in 1 2 3 4 5 6 7 8 9; do echo good $$i; done
bad:
	@echo the reason; exit 3
counted:
	@echo run >>"$(OUT)/runs"
meets:
	@until [ -e "$(OUT)/met" ]; do sleep 0.01; done
met:
	@touch "$(OUT)/met"
changes:
	@touch new
hangs:
	@sh -c 'sleep 1000 & echo $$! >"$(OUT)/pid.new" && mv "$(OUT)/pid.new" "$(OUT)/pid"; wait'
timed:
	@printf '2.50\ta\t\n2.40\ta\tTestA\n0.10\tb\t\n' >"$(TIMES)"
`

// A place is a module with a commit, and a folder for what its stages write.
type place struct {
	t      *testing.T
	runner *runner
	out    *bytes.Buffer
	files  string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	p := &place{t: t, out: &bytes.Buffer{}, files: t.TempDir()}
	p.runner = newRunner(t.TempDir(), p.out)
	p.write("Makefile", "OUT = "+p.files+makefile)
	p.git("init", "-q")
	p.commit()
	return p
}

func (p *place) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.runner.dir, name), []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) git(args ...string) {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=Test", "-c", "user.email=test@example.com"}, args...)...)
	cmd.Dir = p.runner.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func (p *place) commit() {
	p.t.Helper()
	p.git("add", ".")
	p.git("commit", "-q", "--allow-empty", "-m", "change")
}

// read returns what a stage wrote into a file, "" if it wrote none.
func (p *place) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(p.files, name))
	return string(text)
}

// wants checks what was printed, and forgets it.
func (p *place) wants(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(p.out.String(), text) {
			p.t.Errorf("got no %q in\n%s", text, p.out)
		}
	}
	p.out.Reset()
}

func named(names ...string) (stages []stage) {
	for _, name := range names {
		stages = append(stages, stage{name: name})
	}
	return stages
}

func TestAGateRunsToItsEndAndTellsWhatFailed(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	err := p.runner.gate(t.Context(), plan{first: named("good"), lanes: [][]stage{named("bad", "meets", "timed"), named("met", "counted")}})
	if err == nil || err.Error() != "failed: bad" || p.read("runs") != "run\n" {
		t.Errorf("got error %v and runs %q, want bad to fail and the others to run", err, p.read("runs"))
	}
	p.wants("good 1\ngood 2\ngood 3\ngood 4\ngood 5\ngood 6\ngood 7\ngood 8\ngood 9\n== good took", "bad: failed\n", "together\n",
		"The slowest packages, in seconds:\n     2.5  timed: a\n     0.1  timed: b\n", "The slowest tests, in seconds:\n     2.4  timed: a TestA\n",
		"\nbad failed (exit status 2), and ended with:\nthe reason\n")
	if err := p.runner.gate(t.Context(), plan{first: named("good"), lanes: [][]stage{named("counted")}}); err != nil {
		t.Errorf("got error %v, want none", err)
	}
}

func TestNothingRunsAfterAFirstStageThatFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	err := p.runner.gate(t.Context(), plan{first: named("bad", "good"), lanes: [][]stage{named("counted")}})
	if err == nil || err.Error() != "failed: bad" || p.read("runs") != "" || strings.Contains(p.out.String(), "good 1") {
		t.Errorf("got error %v, want bad alone to run\n%s", err, p.out)
	}
}

// A stage that hangs ends with all that it started.
func TestAStageEndsAtItsLimitOrWithTheRun(t *testing.T) {
	t.Parallel()
	for _, byLimit := range []bool{true, false} {
		p := newPlace(t)
		ctx, stop := context.WithCancel(t.Context())
		if byLimit {
			p.runner.limit = time.Second
		}
		ended := make(chan error, 1)
		go func() { ended <- p.runner.gate(ctx, plan{first: named("hangs"), lanes: [][]stage{named("good")}}) }()
		p.waitFor("the process", func() bool { return p.read("pid") != "" })
		if !byLimit {
			stop()
		}
		if err := <-ended; err == nil || err.Error() != "failed: hangs" {
			t.Errorf("got error %v, want the stage to fail", err)
		}
		if byLimit {
			p.wants("hangs failed (not over after 1s, and was stopped)")
		}
		pid, err := strconv.Atoi(strings.TrimSpace(p.read("pid")))
		if err != nil {
			t.Fatal(err)
		}
		p.waitFor("the end of the process", func() bool { return gone(pid) })
		stop()
	}
}

// gone reports whether a process has ended; nobody may have waited for it.
func gone(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(stat), ") Z ")
}

func (p *place) waitFor(what string, ok func() bool) {
	p.t.Helper()
	for began := time.Now(); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			p.t.Fatalf("waited a minute for %s", what)
		}
	}
}

func TestANightGoesOnWhereItWasStopped(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for range 2 {
		if err := p.runner.nightly(t.Context(), named("counted", "bad", "good")); err == nil || err.Error() != "failed: bad" {
			t.Errorf("got error %v, want bad to fail", err)
		}
	}
	p.wants("counted passed on this commit before", "good passed on this commit before", "the reason")
	if runs := p.read("runs"); runs != "run\n" {
		t.Errorf("got runs %q, want one", runs)
	}
	if err := p.runner.table(t.Context(), named("counted", "bad")); err == nil || err.Error() != "1 of 2 nightly stages did not pass on the last 10 commits" {
		t.Errorf("got error %v, want bad to be missing", err)
	}
	p.wants("counted  passed on ", "bad      not on the last 10 commits\n")
	p.commit()
	if err := p.runner.nightly(t.Context(), named("counted")); err != nil || p.read("runs") != "run\nrun\n" {
		t.Errorf("got error %v and runs %q, want a stage to run again on another commit", err, p.read("runs"))
	}
	for range 9 {
		p.commit()
	}
	if err := p.runner.table(t.Context(), named("counted")); err != nil {
		t.Errorf("got error %v, want the stamp of ten commits ago to count", err)
	}
	p.commit()
	if err := p.runner.table(t.Context(), named("counted")); err == nil {
		t.Error("got no error, want the stamp of eleven commits ago not to count")
	}
}

// A stamp is about a commit; files beside it may be the cause of a pass.
func TestOnlyACommitAloneGetsAStamp(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for range 2 {
		if err := p.runner.nightly(t.Context(), named("counted", "changes", "counted")); err != nil {
			t.Fatal(err)
		}
	}
	p.wants("changes gets no stamp", "counted gets no stamp")
	if runs := p.read("runs"); strings.Count(runs, "run") != 4 {
		t.Errorf("got runs %q, want four", runs)
	}
}

func TestACommandLineNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, args := range [][]string{nil, {"day"}, {"gate", "matrix"}, {"table", "matrix"}, {"nightly", "matrix", "rcae"}} {
		if err := command(t.Context(), p.runner, args); err == nil || !strings.Contains(err.Error(), "name ") {
			t.Errorf("%q: got error %v, want the words that there are", args, err)
		}
	}
}
