package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// programs names the folder of built programs to the benchmarks.
const programs = "PARLEY_BENCH_PROGRAMS"

// A runner runs benchmarks and stores the figures of every round by unit.
type runner struct {
	dir     string // for programs and profiles
	results map[benchmark]map[string][]float64
}

func newRunner(dir string) *runner {
	return &runner{dir: dir, results: map[benchmark]map[string][]float64{}}
}

// measure runs a benchmark once more.
func (r *runner) measure(b benchmark) error {
	began := time.Now()
	out, err := r.run(b, nil)
	fmt.Fprintf(os.Stderr, "%6.1f s  %s %s\n", time.Since(began).Seconds(), b.pkg, b.name)
	if err != nil {
		return err
	}
	found := figures(out, b.name)
	if len(found) == 0 {
		return fmt.Errorf("%s has printed nothing for %s:\n%s", b.pkg, b.name, out)
	}
	if r.results[b] == nil {
		r.results[b] = map[string][]float64{}
	}
	for unit, v := range found {
		r.results[b][unit] = append(r.results[b][unit], v)
	}
	return nil
}

// run runs a benchmark with further flags and environment and returns its output.
func (r *runner) run(b benchmark, env []string, flags ...string) (string, error) {
	program := r.program(b.pkg)
	if _, err := os.Stat(program); err != nil {
		if out, err := exec.Command("go", "test", "-c", "-o", program, "./"+b.pkg).CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s does not build: %w\n%s", b.pkg, err, out)
		}
	}
	pattern := "^Benchmark" + strings.ReplaceAll(b.name, "/", "$/^") + "$"
	cmd := exec.Command(program, append([]string{"-test.run", "^$", "-test.bench", pattern, "-test.benchtime", b.time, "-test.benchmem"}, flags...)...)
	cmd.Dir = b.pkg
	cmd.Env = append(append(os.Environ(), programs+"="+r.dir), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", b.pkg, b.name, err, out)
	}
	return string(out), nil
}

// program is the path of the built benchmarks of a folder.
func (r *runner) program(pkg string) string {
	return filepath.Join(r.dir, strings.ReplaceAll(pkg, "/", "-")+".exe")
}

// figures parses the output of a benchmark, by unit.
func figures(out, name string) map[string]float64 {
	found := map[string]float64{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.TrimSuffix(f[0], suffix()) != "Benchmark"+name {
			continue
		}
		for i := 3; i < len(f); i += 2 {
			if v, err := strconv.ParseFloat(f[i-1], 64); err == nil {
				found[f[i]] = v
			}
		}
	}
	return found
}

// suffix matches the suffix that Go adds to the names of benchmarks.
func suffix() string {
	if n := runtime.GOMAXPROCS(0); n > 1 {
		return fmt.Sprintf("-%d", n)
	}
	return ""
}
