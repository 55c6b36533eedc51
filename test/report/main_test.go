package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const (
		passes  = `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: chatter\n"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n"
		fails   = `{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}` + "\n" + `{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:1: wrong\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestB"}` + "\n"
		skips   = `{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:1: no tmux\n"}` + "\n" + `{"Action":"skip","Package":"p","Test":"TestC"}` + "\n"
		discard = `{"Action":"skip","Package":"p","Test":"FuzzD/seed#1"}` + "\n"
		ok      = `{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
		broken  = `{"Action":"build-output","ImportPath":"p","Output":"x.go:1: undefined\n"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
		crashes = `{"Action":"output","Package":"p","Test":"TestE","Output":"panic: oh no\n"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
	)
	for _, tt := range []struct {
		name, in      string
		strict, holds bool
		says, silent  string
	}{
		{"all passes", passes + ok, true, true, "ok  \tp\t0.1s\n\n1 tests passed, 0 failed, 0 skipped", "chatter"},
		{"one fails", passes + fails, false, false, "b_test.go:1: wrong", "=== RUN"},
		{"one is skipped", passes + skips + ok, false, true, "c_test.go:1: no tmux", ""},
		{"one is skipped where none may be", passes + skips + ok, true, false, "1 skipped", ""},
		{"an input is discarded", passes + discard + ok, true, true, "0 skipped", ""},
		{"a package does not build", passes + ok + broken, false, false, "x.go:1: undefined", ""},
		{"a test takes the others with it", passes + crashes, false, false, "panic: oh no", ""},
		{"nothing ran", "go: no such package\n", false, false, "go: no such package", ""},
		{"cut off", passes + `{"Action":"ou`, false, true, `{"Action":"ou`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			r := newReport(&out, call{}, "")
			if err := r.read(strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			if got := r.holds(tt.strict); got != tt.holds {
				t.Errorf("got holds %v, want %v:\n%s", got, tt.holds, &out)
			}
			if !strings.Contains(out.String(), tt.says) || tt.silent != "" && strings.Contains(out.String(), tt.silent) {
				t.Errorf("got\n%s\nwant %q in it", &out, tt.says)
			}
		})
	}
}

// A reason of several skipped tests is printed once, with its count.
func TestAReasonToSkipIsSaidOnce(t *testing.T) {
	var in strings.Builder
	skipped := func(name, reason string) {
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"=== RUN   ` + name + `\n"}` + "\n")
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"    ` + name + `.go:17: ` + reason + `\n"}` + "\n")
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"--- SKIP: ` + name + ` (0.01s)\n"}` + "\n")
		in.WriteString(`{"Action":"skip","Package":"p","Test":"` + name + `"}` + "\n")
	}
	for _, name := range []string{"TestA", "TestB", "TestC"} {
		skipped(name, "tmux is not installed")
	}
	skipped("TestD", "no node")
	for _, strict := range []bool{false, true} {
		var out strings.Builder
		r := newReport(&out, call{}, "")
		if err := r.read(strings.NewReader(in.String() + `{"Action":"pass","Package":"p","Test":"TestE"}` + "\n")); err != nil {
			t.Fatal(err)
		}
		if r.holds(strict) == strict {
			t.Errorf("strict %t: got the wrong verdict about four skipped tests\n%s", strict, &out)
		}
		said := out.String()
		if !strings.Contains(said, "3 tests skipped: tmux is not installed\n") || strings.Count(said, "tmux") != 1 ||
			!strings.Contains(said, "TestD.go:17: no node") || !strings.Contains(said, "1 tests passed, 0 failed, 4 skipped") {
			t.Errorf("got\n%s\nwant each reason once, with its count", said)
		}
	}
}

// The flags of the run come back in the commands, but for those that are about the whole run.
func TestACommandHasTheFlagsOfTheRun(t *testing.T) {
	c := called("env A=b go", strings.Fields("-p 8 -race --count=5 -run Some/part -skip=Other -v -timeout 90m -update ./... -test.short -cpu 1,2 -args -x"))
	if got, want := c.repeat("./p", "TestA/it's", "42"), `env A=b go test ./p -run '^TestA$/^it'\''s$' -count=1 -race -timeout=90m -update=./... -short -cpu=1,2 -shuffle=42 -args -x`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := c.repeat("./p", "", ""), `env A=b go test ./p -count=1 -race -run=Some/part -skip=Other -timeout=90m -update=./... -short -cpu=1,2 -args -x`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := strings.Join(c.again("./p", "42", "^TestB$"), " "), `env A=b go test -json -race -count=5 -run=Some/part -v -timeout=90m -update=./... -short -cpu=1,2 -shuffle=42 -skip=Other|^TestB$ ./p -args -x`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := c.times(); got != 10 {
		t.Errorf("got %d runs of each test, want 10", got)
	}
}

// The ten slowest packages and tests are printed, and all are written to a file.
func TestTimes(t *testing.T) {
	var out, in strings.Builder
	for i := range 12 {
		fmt.Fprintf(&in, `{"Action":"pass","Package":"m/p%02d","Test":"TestA","Elapsed":%d}`+"\n", i, i)
		fmt.Fprintf(&in, `{"Action":"pass","Package":"m/p%02d","Test":"TestA/part","Elapsed":%d}`+"\n", i, 100)
		fmt.Fprintf(&in, `{"Action":"pass","Package":"m/p%02d","Elapsed":%d.5}`+"\n", i, i)
	}
	r := newReport(&out, call{}, "m")
	if err := r.read(strings.NewReader(in.String())); err != nil {
		t.Fatal(err)
	}
	r.holds(false)
	if !strings.Contains(out.String(), "The slowest packages, in seconds:\n    11.5  ./p11\n    10.5  ./p10\n") ||
		!strings.Contains(out.String(), "The slowest tests, in seconds:\n    11.0  ./p11 TestA\n") ||
		strings.Contains(out.String(), "./p01") || strings.Contains(out.String(), "part") {
		t.Errorf("got\n%s\nwant the slowest ten", &out)
	}
	file := filepath.Join(t.TempDir(), "times")
	if err := r.times.write(file); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) != 25 || lines[0] != "11.50\t./p11\t" || lines[11] != "0.50\t./p00\t" || lines[12] != "11.00\t./p11\tTestA" {
		t.Errorf("got\n%s\nwant all packages, then all tests", text)
	}
}

// The runner of benchmarks goes on while the process of one that panicked ends: the next one may begin, which
// is no sign that the one before has passed.
func TestABenchmarkThatPanicsHasNotPassed(t *testing.T) {
	said := func(test, text string) string {
		return fmt.Sprintf(`{"Action":"output","Package":"m/p","Test":%q,"Output":%q}`+"\n", test, text)
	}
	run := func(test string) string { return fmt.Sprintf(`{"Action":"run","Package":"m/p","Test":%q}`+"\n", test) }
	panics := said("BenchmarkPanics", "panic: oh no\n") + said("BenchmarkPanics", "\n") + said("BenchmarkPanics", "goroutine 10 [running]:\n") + said("BenchmarkPanics", "m/p.BenchmarkPanics(0x1)\n")
	for name, in := range map[string]string{
		"the next one begins":  run("BenchmarkLeft") + panics,
		"it begins between":    panics + run("BenchmarkLeft"),
		"it does not begin":    panics,
		"what it says is late": run("BenchmarkLeft") + strings.ReplaceAll(panics, "\"Test\":\"BenchmarkPanics\"", "\"Test\":\"BenchmarkLeft\""),
	} {
		var out strings.Builder
		r := newReport(&out, call{}, "m")
		if err := r.read(strings.NewReader(run("BenchmarkGood") + run("BenchmarkPanics") + in + `{"Action":"fail","Package":"m/p"}` + "\n")); err != nil {
			t.Fatal(err)
		}
		if r.holds(false); r.passed != 1 || !strings.Contains(out.String(), "died (panic: oh no) in BenchmarkPanics.") {
			t.Errorf("%s: got %d benchmarks that passed, want 1:\n%s", name, r.passed, &out)
		}
	}
}
