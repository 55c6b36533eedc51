package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// These tests run go test on a module in which every kind of failure happens once.

// broken writes that module and returns its folder.
func broken(t *testing.T) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/broken.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// reported runs go test with these arguments, as .ci/test does, and returns the report and its
// summary: what it prints after the run.
func reported(t *testing.T, dir, args string) (*report, string) {
	t.Helper()
	var out strings.Builder
	r := newReport(&out, called("go", strings.Fields(args)), module(filepath.Join(dir, "go.mod")))
	r.rerun = runIn(dir)
	whole := append([]string{"go", "test", "-json"}, strings.Fields(args)...)
	if err := r.rerun(whole, func(in io.Reader) error { return r.read(in) }); err != nil {
		t.Fatal(err)
	}
	if err := r.runMissing(); err != nil {
		t.Fatal(err)
	}
	during := out.Len()
	if r.holds(false) {
		t.Error("the run of a broken module holds")
	}
	return r, out.String()[during:]
}

// part returns the paragraph of a summary that begins with a line.
func part(t *testing.T, summary, first string) string {
	t.Helper()
	_, after, ok := strings.Cut(summary, "\n"+first)
	if !ok {
		t.Fatalf("got\n%s\nwant a part %q", summary, first)
	}
	found, _, _ := strings.Cut(after, "\n\n")
	return first + found
}

// repeats checks that the last line of a part is a command that fails in a shell, in this test
// alone.
func repeats(t *testing.T, dir, said, pkg, name string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(said), "\n")
	command := strings.TrimSpace(lines[len(lines)-1])
	cmd := exec.Command("sh", "-c", command+" -json")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err == nil {
		t.Errorf("%s passes", command)
	}
	r := newReport(io.Discard, call{}, "example.org/broken")
	if err := r.read(strings.NewReader(string(out))); err != nil {
		t.Fatal(err)
	}
	if len(r.failures) != 1 || r.short(r.failures[0].pkg) != pkg || r.failures[0].name != name {
		t.Errorf("%s does not repeat %s %s alone:\n%s", command, pkg, name, out)
	}
}

func TestNamesSurviveTheShell(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	_, summary := reported(t, dir, "-timeout 60s -shuffle=7 ./names ./seeds")
	for _, name := range []string{"TestNames/with_space", "TestNames/a/b", "TestNames/[x]*(y)|z$", "TestNames/it's", "TestNames/ä_\"q\"", "TestNames/same#01", "TestNames/tail/", "Example"} {
		said := part(t, summary, "./names "+name+"\n")
		if !strings.HasSuffix(said, " -count=1 -timeout=60s -shuffle=7") {
			t.Errorf("got\n%s\nwant the flags of the run", said)
		}
		repeats(t, dir, said, "./names", name)
	}
	if strings.Contains(summary, "./names TestNames\n") {
		t.Error("a test is listed that failed for its parts alone")
	}
	said := part(t, summary, "./seeds FuzzSeeds/seed#1\n")
	if !strings.Contains(said, `seeds_test.go:10: got "bad"`) {
		t.Errorf("got\n%s\nwant the reason", said)
	}
	repeats(t, dir, said, "./seeds", "FuzzSeeds/seed#1")
}

func TestAPanicHidesNoTest(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	r, summary := reported(t, dir, "-count=1 ./dies ./exits ./twice ./unknown ./sound")
	said := part(t, summary, "./dies TestPanics/two_words\n")
	for _, want := range []string{"dies_test.go:17: soon", "panic: assignment to entry in nil map", "broken/dies.write(", "dies_test.go:24"} {
		if !strings.Contains(said, want) {
			t.Errorf("got\n%s\nwant %q in it", said, want)
		}
	}
	if strings.Contains(said, "testing.tRunner") || strings.Count(said, "\n") > 8 {
		t.Errorf("got\n%s\nwant the functions of the module alone", said)
	}
	repeats(t, dir, said, "./dies", "TestPanics/two_words")
	if fails := part(t, summary, "./dies TestFails\n"); !strings.Contains(fails, "wrong\n        in two lines") {
		t.Errorf("got\n%s\nwant the lines of a test that failed before", fails)
	}
	if exits := part(t, summary, "./exits TestExits\n"); !strings.Contains(exits, "the disk is full") {
		t.Errorf("got\n%s\nwant the last words of the process", exits)
	}
	for _, want := range []string{
		"The process of ./dies died (panic: assignment to entry in nil map [recovered, repanicked]) in TestPanics/two_words.\n  Tests that had not run or not ended because of it: 3. Run without it, 3 passed and 0 did not.\n  passed: TestPanics TestLast TestBeside\n",
		"The process of ./exits died in TestExits.\n  Tests that had not run or not ended because of it: 1. Run without it, 1 passed and 0 did not.\n  passed: TestLeft\n",
		"The process of ./twice died (panic: one [recovered, repanicked]) in TestOne.\n  Tests that had not run or not ended because of it: 1. Run without it, 0 passed and 1 did not.\n  did not pass: TestTwo\n",
		"The process of ./twice died (panic: two [recovered, repanicked]) in TestTwo.\n  Tests that had not run or not ended because of it: 1. Run without it, 1 passed and 0 did not.\n  passed: TestThree\n",
		"The process of ./unknown died (panic: nobody's) in TestMeets (a guess: it ran then, but the goroutine",
	} {
		if !strings.Contains(summary, want) {
			t.Errorf("got\n%s\nwant in it\n%s", summary, want)
		}
	}
	if r.broken < 4 {
		t.Errorf("got %d packages that failed, want those that died", r.broken)
	}
}

func TestATimeLimitHidesNoTest(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	_, summary := reported(t, dir, "-timeout 2s ./hangs ./main")
	said := part(t, summary, "./hangs TestHangs/inside\n")
	if !strings.Contains(said, "panic: test timed out after 2s") || !strings.Contains(said, "broken/hangs.wait(") {
		t.Errorf("got\n%s\nwant the limit and where it waited", said)
	}
	if died := part(t, summary, "The process of ./hangs died"); !strings.Contains(died, "passed: TestHangs TestLeft TestBeside") {
		t.Errorf("got\n%s\nwant the tests that had not run", died)
	}
	if said := part(t, summary, "./main \n"); said != "./main \nthe server did not stop\n  go test ./main -count=1 -timeout=2s" {
		t.Errorf("got\n%s\nwant what the package said", said)
	}
}

func TestARaceAndAStrayGoroutine(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	if out, err := exec.Command("go", "env", "CGO_ENABLED").Output(); err != nil || strings.TrimSpace(string(out)) != "1" {
		t.Skip("the race detector needs a C compiler")
	}
	_, summary := reported(t, dir, "-race -timeout=60s ./races ./stray")
	said := part(t, summary, "./races TestRace\n")
	for _, want := range []string{"WARNING: DATA RACE", "Previous write at", "broken/races.TestRace.func1()", "race detected during execution of test", "'^TestRace$' -count=1 -race -timeout=60s"} {
		if !strings.Contains(said, want) {
			t.Errorf("got\n%s\nwant %q in it", said, want)
		}
	}
	repeats(t, dir, said, "./races", "TestRace")
	if said := part(t, summary, "./stray TestBegins\n"); !strings.HasSuffix(said, "go test ./stray -count=1 -race -timeout=60s") {
		t.Errorf("got\n%s\nwant a command that runs both tests", said)
	}
	died := part(t, summary, "The process of ./stray died (panic: too late)")
	if !strings.Contains(died, "in TestBegins (a guess: it had ended, but a goroutine") || !strings.Contains(died, "passed: TestMeets TestLeft") {
		t.Errorf("got\n%s\nwant a guess and the other tests", died)
	}
}

func TestABenchmarkThatFails(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	r, summary := reported(t, dir, "-run ^$ -bench . -benchtime 1x ./bench")
	said := part(t, summary, "./bench BenchmarkBad/with_space\n")
	if !strings.Contains(said, "bench_test.go:11: too slow\n") || !strings.HasSuffix(said, "-run '^$' -bench '^BenchmarkBad$/^with_space$' -count=1 -benchtime=1x") {
		t.Errorf("got\n%s\nwant the reason and the benchmark alone", said)
	}
	repeats(t, dir, said, "./bench", "BenchmarkBad/with_space")
	repeats(t, dir, part(t, summary, "./bench BenchmarkPanics\n"), "./bench", "BenchmarkPanics")
	if died := part(t, summary, "The process of ./bench died"); !strings.Contains(died, "in BenchmarkPanics.\n") || !strings.Contains(died, "passed: BenchmarkLeft") {
		t.Errorf("got\n%s\nwant the benchmark that had not run", died)
	}
	if r.passed != 2 {
		t.Errorf("got %d benchmarks that passed, want 2", r.passed)
	}
}

func TestABuildThatFailsIsSaidOnceAtTheEnd(t *testing.T) {
	t.Parallel()
	dir := broken(t)
	_, summary := reported(t, dir, "-race ./nobuild ./above ./sound")
	said := part(t, summary, "./nobuild does not build:\n")
	if strings.Count(summary, "undefined: undefined") != 1 || !strings.Contains(said, "nobuild/nobuild.go:3:12: undefined: undefined\n") {
		t.Errorf("got\n%s\nwant the line of the compiler once", summary)
	}
	if !strings.Contains(said, "\n  go test ./above -count=1 -race\n") || !strings.Contains(said, "2 packages could not be tested because of it: ./above ./nobuild") {
		t.Errorf("got\n%s\nwant a command, and the packages", said)
	}
}
