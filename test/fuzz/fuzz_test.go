package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// repository makes a module with six fuzzed packages in a Git repository of a few commits, each of which
// changes the package with its number.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module fuzzed\n\ngo 1.26\n")
	command(t, dir, "git", "init", "-q")
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		write(t, dir, name+"/x_test.go", "package x\n\nimport \"testing\"\n\nfunc Fuzz"+strings.ToUpper(name)+"(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) {})\n}\n")
		write(t, dir, name+"/nested/go.mod", "module nested\n")
		write(t, dir, name+"/nested/x_test.go", "package x\n\nfunc FuzzNested(f *testing.F) {}\n")
		write(t, dir, name+"/testdata/x_test.go", "package x\n\nfunc FuzzData(f *testing.F) {}\n")
		command(t, dir, "git", "add", ".")
		command(t, dir, "git", "-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "add "+name)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func command(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
}

// A full clone fuzzes what changed and four more; a shallow one and one of a single commit, whose
// history says less, still fuzz four.
func TestEveryCloneFuzzesFourTargets(t *testing.T) {
	t.Parallel()
	origin := repository(t)
	for _, clone := range []struct {
		name  string
		depth string // "" for all
		since int
		least int
	}{
		{"full", "", 1, 4},
		{"full, more commits than there are", "", 40, 5},
		{"shallow", "--depth=3", 40, 4},
		{"one commit", "--depth=1", 40, 4},
	} {
		t.Run(clone.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "clone")
			args := []string{"clone", "-q", "file://" + origin, dir}
			if clone.depth != "" {
				args = slices.Insert(args, 2, clone.depth)
			}
			command(t, "", "git", args...)
			all, err := find(dir)
			if err != nil || len(all) != 6 {
				t.Fatalf("got targets %v (%v), want 6: none in test data and in other modules", all, err)
			}
			p := plan{dir: dir, since: clone.since}
			chosen, err := p.choose(all)
			if err != nil || len(chosen) < clone.least || len(chosen) > 6 {
				t.Errorf("got %v (%v), want at least %d targets", chosen, err, clone.least)
			}
			if twice := slices.Compact(slices.Sorted(slices.Values(strings.Fields(strings.ReplaceAll(names(chosen), ",", ""))))); len(twice) != 2*len(chosen) {
				t.Errorf("got %v, want each target once", chosen)
			}
			if clone.depth != "--depth=1" && !slices.Contains(chosen, target{"f", "FuzzF"}) {
				t.Errorf("got %v, want the target of the package that changed", chosen)
			}
		})
	}
}

// Four targets run even when the time is over before the first one.
func TestFourTargetsRunWithoutTime(t *testing.T) {
	t.Parallel()
	dir := repository(t)
	var out strings.Builder
	p := plan{dir: dir, each: time.Millisecond, since: 40, within: time.Nanosecond}
	if err := p.run(t.Context(), &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	all, err := find(dir)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := p.choose(all) // by the hash of the commit, which depends on its time
	if err != nil {
		t.Fatal(err)
	}
	left := fmt.Sprintf("%d targets were left", len(chosen)-4)
	if got := strings.Count(out.String(), "\nok ./"); got != 4 || len(chosen) > 4 && !strings.Contains(out.String(), left) {
		t.Errorf("got %d targets, want 4, and that %s:\n%s", got, left, &out)
	}
}

// What a target finds ends the run with the input and the command that repeats it.
func TestAFindingEndsTheRun(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"failure": `if n > 100 { t.Error("too large") }`,
		"panic":   `if n > 100 { panic("too large") }`,
		"exit":    `if n > 100 { os.Exit(0) }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, "go.mod", "module fuzzed\n\ngo 1.26\n")
			write(t, dir, "a/x_test.go", "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n\nfunc FuzzA(f *testing.F) {\n\tf.Add(1)\n\tf.Fuzz(func(t *testing.T, n int) { "+body+" })\n}\n")
			var out strings.Builder
			err := plan{dir: dir, each: time.Minute}.run(t.Context(), &out)
			if err == nil || !strings.Contains(err.Error(), "go test ./a -run '^$' -fuzz '^FuzzA$'") {
				t.Errorf("got error %v, want one with the command that repeats it:\n%s", err, &out)
			}
		})
	}
}
