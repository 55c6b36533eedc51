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
// same imports, apart from those of gRPC and MQTT. The title of the middle pane marks the frame; floor draws the same word.
func BenchmarkStart(b *testing.B) {
	parley, floor := build(b, "parley", releaseEnv), build(b, "parley/test/bench/floor", releaseEnv)
	b.Run("demo", func(b *testing.B) { start(b, "conversation", parley, "demo") })
	b.Run("parley", func(b *testing.B) { start(b, "Welcome to Parley", parley) })
	b.Run("floor", func(b *testing.B) { start(b, "conversation", floor) })
}

// start starts a program until it has drawn a frame with a text.
func start(b *testing.B, text, program string, args ...string) {
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
		late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }) // a terminal has no deadline
		seen := firstFrame(tty, text)
		late.Stop()
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

// firstFrame reads until a frame with a text is complete.
func firstFrame(tty *os.File, text string) bool {
	var got []byte
	buf := make([]byte, 64<<10)
	for {
		n, err := tty.Read(buf)
		got = append(got, buf[:n]...)
		if bytes.Contains(got, []byte(text)) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

// BenchmarkInit reports the time of package initialisation as the runtime measures it: of our
// packages, of those that floor lacks, which are the ones of gRPC and MQTT, and of all. Each
// package counts with its shortest time, because a disturbance can only make it longer.
func BenchmarkInit(b *testing.B) {
	program := build(b, "parley", releaseEnv)
	shared, least := dependencies(b, "parley/test/bench/floor", everything), map[string]initialised{}
	for b.Loop() {
		for _, p := range inits(b, program) {
			if before, ok := least[p.path]; !ok || p.ms < before.ms {
				least[p.path] = p
			}
		}
	}
	var ours, carriers, all float64
	for _, p := range least {
		all += p.ms
		switch {
		case p.ours():
			ours += p.ms
		case !slices.Contains(shared, p.path):
			carriers += p.ms
		}
	}
	const millisecond = 1e6
	b.ReportMetric(ours*millisecond, "ours-ns")
	b.ReportMetric(carriers*millisecond, "carriers-ns")
	b.ReportMetric(all*millisecond, "all-ns")
}

// acceptedInits are the foreign packages with a large initialisation that is accepted: they belong
// to the highlighting of code or the rendering of Markdown, and one has the descriptors of A2A 1.0,
// which take 0.1 ms.
var acceptedInits = []string{
	"github.com/alecthomas/chroma/v2/",
	"github.com/yuin/goldmark/",
	"github.com/gorilla/css/scanner",
	"github.com/microcosm-cc/bluemonday",
	"charm.land/glamour/v2/",
	"golang.org/x/net/html",
	"github.com/a2aproject/a2a-go/v2/a2apb/",
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
// starts can be compared. What only the carriers of gRPC and MQTT need is not in floor: what they
// add to every start is part of the comparison.
func TestFloorImportsWhatParleyImports(t *testing.T) {
	has := foreign(t, "parley/test/bench/floor")
	carried := slices.Concat(foreign(t, "parley/a2a/grpc"), foreign(t, "parley/a2a/mesh"), foreign(t, "parley/a2a/socks"))
	for _, path := range foreign(t, "parley") {
		if !slices.Contains(has, path) && !slices.Contains(carried, path) {
			t.Errorf("floor: got no import of %s, want one", path)
		}
	}
}

// foreign lists the foreign packages in a program.
func foreign(t *testing.T, pkg string) []string {
	return dependencies(t, pkg, "{{if .Module}}{{if not .Module.Main}}"+everything+"{{end}}{{end}}")
}

// everything is the format of every package in a list of dependencies.
const everything = "{{.ImportPath}}"

// dependencies lists the packages in a program, in a format of go list.
func dependencies(tb testing.TB, pkg, format string) []string {
	tb.Helper()
	out, err := exec.Command("go", "list", "-deps", "-f", format, pkg).Output()
	if err != nil {
		tb.Fatal(err)
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
