package bench

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// releaseEnv is the environment of release builds.
const releaseEnv = "CGO_ENABLED=0"

// profileEnv is set, to a path, for a run whose program writes a profile.
const profileEnv = "PARLEY_BENCH_PROFILE"

// programsEnv names the folder in which several runs share built programs.
const programsEnv = "PARLEY_BENCH_PROGRAMS"

// build builds a main package and returns the program's path.
func build(tb testing.TB, pkg string, env ...string) string {
	tb.Helper()
	if pkg == "parley" && os.Getenv(profileEnv) != "" {
		pkg = "parley/test/bench/profiled"
	}
	dir := os.Getenv(programsEnv)
	if dir == "" {
		dir = tb.TempDir()
	}
	path := filepath.Join(dir, strings.NewReplacer("/", "-", "=", "-").Replace(strings.Join(append(env, pkg), "-"))+".exe")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	cmd := exec.Command("go", "build", "-ldflags", "-s -w", "-o", path, pkg)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%s: %v\n%s", pkg, err, out)
	}
	return path
}

// BenchmarkStart measures the time from exec to the first frame in a terminal of 200×60 cells:
// of the workbench with the demo, of the empty workbench, and of the smallest program with the
// same imports. The title of the middle pane marks the frame; floor draws the same word.
func BenchmarkStart(b *testing.B) {
	parley, floor := build(b, "parley", releaseEnv), build(b, "parley/test/bench/floor", releaseEnv)
	b.Run("demo", func(b *testing.B) { start(b, parley, "demo") })
	b.Run("parley", func(b *testing.B) { start(b, parley) })
	b.Run("floor", func(b *testing.B) { start(b, floor) })
}

func start(b *testing.B, program string, args ...string) {
	home := b.TempDir()
	least := time.Hour // of the runs: a disturbed start says nothing
	for b.Loop() {
		began := time.Now()
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Env = home, environment(home)
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 60, Cols: 200})
		if err != nil {
			b.Fatal(err)
		}
		seen := firstFrame(tty)
		least = min(least, time.Since(began))
		b.StopTimer()
		stop(cmd)
		tty.Close()
		if !seen {
			b.Fatalf("%s drew no frame", filepath.Base(program))
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(least.Nanoseconds()), "least-ns")
}

// firstFrame reads until the first frame is complete.
func firstFrame(tty *os.File) bool {
	_ = tty.SetReadDeadline(time.Now().Add(time.Minute))
	var got []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := tty.Read(buf)
		got = append(got, buf[:n]...)
		if bytes.Contains(got, []byte("conversation")) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// BenchmarkInit reports the time of package initialisation as the runtime measures it: of our
// packages, and of all.
func BenchmarkInit(b *testing.B) {
	program := build(b, "parley", releaseEnv)
	var ours, all float64
	for b.Loop() {
		for _, p := range inits(b, program) {
			all += p.ms
			if p.ours() {
				ours += p.ms
			}
		}
	}
	const millisecond = 1e6
	b.ReportMetric(ours*millisecond/float64(b.N), "ours-ns")
	b.ReportMetric(all*millisecond/float64(b.N), "all-ns")
}

// acceptedInits are the foreign packages with a large initialisation that is accepted: all of them
// belong to the highlighting of code or the rendering of Markdown.
var acceptedInits = []string{
	"github.com/alecthomas/chroma/v2/",
	"github.com/yuin/goldmark/",
	"github.com/gorilla/css/scanner",
	"github.com/microcosm-cc/bluemonday",
	"charm.land/glamour/v2/",
	"golang.org/x/net/html",
}

// TestLittleIsDoneBeforeMain counts the allocations of package initialisation. Our packages may
// build tables, but compile no pattern and parse no file. A foreign package that builds more
// than a table fails the test until it is accepted: each one slows every start.
func TestLittleIsDoneBeforeMain(t *testing.T) {
	const (
		mostAllocs = 500      // of all of ours together
		mostBytes  = 64 << 10 // of one of others
	)
	ours := 0
	for _, p := range inits(t, build(t, "parley")) {
		known := slices.ContainsFunc(acceptedInits, func(path string) bool { return strings.HasPrefix(p.path, path) })
		switch {
		case p.ours():
			ours += p.allocs
		case p.bytes > mostBytes && !known:
			t.Errorf("%s allocates %d bytes before main, want at most %d", p.path, p.bytes, mostBytes)
		}
	}
	if ours > mostAllocs {
		t.Errorf("our packages allocate %d times before main, want at most %d", ours, mostAllocs)
	}
}

// TestFloorImportsWhatParleyImports compares the imports of floor and Parley, so that their
// starts can be compared.
func TestFloorImportsWhatParleyImports(t *testing.T) {
	has := foreign(t, "parley/test/bench/floor")
	for _, path := range foreign(t, "parley") {
		if !slices.Contains(has, path) {
			t.Errorf("floor: got imports %q, want %s too", has, path)
		}
	}
}

// foreign lists the foreign packages in a program.
func foreign(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if .Module}}{{if not .Module.Main}}{{.ImportPath}}{{end}}{{end}}", pkg).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// An initialised package, as GODEBUG=inittrace=1 prints it.
type initialised struct {
	path   string
	ms     float64
	bytes  int
	allocs int
}

func (p initialised) ours() bool { return p.path == "main" || strings.HasPrefix(p.path, "parley/") }

// inits runs a program with --version and returns its initialised packages.
func inits(tb testing.TB, program string) (all []initialised) {
	tb.Helper()
	cmd := exec.Command(program, "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	cmd.Stderr = &trace
	if err := cmd.Run(); err != nil {
		tb.Fatalf("%v\n%s", err, &trace)
	}
	for line := range strings.Lines(trace.String()) {
		// init PATH @0.59 ms, 0.018 ms clock, 2608 bytes, 17 allocs
		f := strings.Fields(line)
		if len(f) != 11 || f[0] != "init" {
			continue
		}
		p := initialised{path: f[1]}
		var errs [3]error
		p.ms, errs[0] = strconv.ParseFloat(f[4], 64)
		p.bytes, errs[1] = strconv.Atoi(f[7])
		p.allocs, errs[2] = strconv.Atoi(f[9])
		if errs != [3]error{} {
			tb.Fatalf("got unknown line %q", line)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		tb.Fatalf("the runtime printed no trace:\n%s", &trace)
	}
	return all
}
