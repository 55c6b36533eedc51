// Table runs the important benchmarks with their floors and aims, and writes the table of
// docs/performance.md. Each round runs all benchmarks in turn, and each figure is the best of
// all rounds, since disturbances only make a run slower. For missed aims it runs the benchmark
// again with a profile and prints where the time goes.
//
//	go run ./test/bench/table [-rounds 3] [-only 'pattern of rows'] [-write docs/performance.md]
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"parley/test/bench/page"
)

func main() {
	rounds := flag.Int("rounds", 3, "how often each benchmark is run")
	only := flag.String("only", "", "rows whose section or name match this pattern; none but these are printed")
	file := flag.String("write", "", "replace the table in this file, too")
	flag.Parse()
	if err := run(*rounds, *only, *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(rounds int, only, file string) error {
	pattern, err := regexp.Compile("(?i)" + only)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "parley-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	t := table{sections: choose(pattern), runner: newRunner(dir)}
	for i := range rounds {
		began := time.Now()
		t.round()
		fmt.Fprintf(os.Stderr, "round %d of %d took %v\n", i+1, rounds, time.Since(began).Round(time.Second))
	}
	text := fmt.Sprintf("\nMeasured with %s. Rounds: %d.\n", page.Machine(), rounds) + t.String() + t.missed()
	fmt.Print(text)
	if file != "" {
		if err := page.Replace(file, "make bench", text+"\n"); err != nil {
			return err
		}
	}
	if t.failed > 0 {
		return fmt.Errorf("%d runs of benchmarks have failed; what they say is above", t.failed)
	}
	return nil
}

// choose returns the rows of all sections that match a pattern.
func choose(pattern *regexp.Regexp) (some []section) {
	for _, s := range sections() {
		title := s.title
		var rows []row
		for _, r := range s.rows {
			if pattern.MatchString(title + ": " + r.what) {
				rows = append(rows, r)
			}
		}
		if len(rows) > 0 {
			some = append(some, section{title, rows})
		}
	}
	return some
}

// A table holds the rows to measure and their results.
type table struct {
	sections []section
	failed   int
	*runner
}

// round runs every benchmark once, a floor before its benchmark. A failed benchmark has no
// figure.
func (t *table) round() {
	done := map[benchmark]bool{}
	for _, s := range t.sections {
		for _, r := range s.rows {
			for _, b := range []benchmark{r.beneath(), r.measured()} {
				if b.name == "" || done[b] {
					continue
				}
				done[b] = true
				if err := t.measure(b); err != nil {
					fmt.Fprintf(os.Stderr, "%s: %s: %v\n", s.title, r.what, err)
					t.failed++
				}
			}
		}
	}
}

// String writes the sections in Markdown.
func (t *table) String() string {
	var b strings.Builder
	for _, s := range t.sections {
		fmt.Fprintf(&b, "\n### %s\n\n| What | Ours | Floor | | Ratio | Aim | | Spread |\n|---|--:|--:|---|--:|--:|---|--:|\n", s.title)
		for _, r := range s.rows {
			b.WriteString(t.result(r).line(r))
		}
	}
	return b.String()
}
