// Table runs the benchmarks that matter beside their floors and writes the table
// of docs/performance.md. The rounds alternate between ours and floor, and each
// figure is the least of all rounds, since what disturbs a run only slows it.
//
//	go run ./test/bench/table [-rounds 5] [-write docs/performance.md]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"parley/test/bench/page"
)

func main() {
	rounds := flag.Int("rounds", 5, "how often each benchmark is run")
	file := flag.String("write", "", "replace the table in this file, too")
	flag.Parse()
	if err := run(*rounds, *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(rounds int, file string) error {
	dir, err := os.MkdirTemp("", "parley-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r := runner{dir: dir, seen: map[benchmark][]float64{}}
	for i := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", i+1, rounds)
		if err := r.round(); err != nil {
			return err
		}
	}
	table := r.table(rounds)
	fmt.Print(table)
	if file == "" {
		return nil
	}
	return page.Replace(file, "make bench", table)
}

// A benchmark is one figure of one benchmark.
type benchmark struct{ pkg, name, unit, time string }

func (r row) pair() (ours, floor benchmark) {
	unit, time := r.unit, r.time
	if unit == "" {
		unit = "ns/op"
	}
	if time == "" {
		time = "500ms"
	}
	return benchmark{r.pkg, r.ours, unit, time}, benchmark{r.pkg, r.floor, unit, time}
}

// A runner runs benchmarks and remembers what they took.
type runner struct {
	dir  string
	seen map[benchmark][]float64
}

// round runs every benchmark once.
func (r *runner) round() error {
	done := map[benchmark]bool{}
	for _, row := range rows {
		if row.pkg == "" {
			continue
		}
		ours, floor := row.pair()
		for _, b := range []benchmark{floor, ours} {
			if done[b] {
				continue
			}
			done[b] = true
			v, err := r.run(b)
			if err != nil {
				return err
			}
			r.seen[b] = append(r.seen[b], v)
		}
	}
	return nil
}

// run runs one benchmark in a process of its own.
func (r *runner) run(b benchmark) (float64, error) {
	program := filepath.Join(r.dir, strings.ReplaceAll(b.pkg, "/", "-")+".exe")
	if _, err := os.Stat(program); err != nil {
		if out, err := exec.Command("go", "test", "-c", "-o", program, "./"+b.pkg).CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%s does not build: %w\n%s", b.pkg, err, out)
		}
	}
	pattern := "^Benchmark" + strings.ReplaceAll(b.name, "/", "$/^") + "$"
	cmd := exec.Command(program, "-test.run", "^$", "-test.bench", pattern, "-test.benchtime", b.time)
	cmd.Dir = b.pkg
	out, err := cmd.CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w\n%s", b.pkg, b.name, err, out)
	}
	return figure(string(out), b)
}

// figure finds a benchmark's figure in what the run printed.
func figure(out string, b benchmark) (float64, error) {
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.TrimSuffix(f[0], fmt.Sprintf("-%d", runtime.GOMAXPROCS(0))) != "Benchmark"+b.name {
			continue
		}
		for i := 3; i < len(f); i++ {
			if f[i] == b.unit {
				return strconv.ParseFloat(f[i-1], 64)
			}
		}
	}
	return 0, fmt.Errorf("%s %s printed no %s:\n%s", b.pkg, b.name, b.unit, out)
}
