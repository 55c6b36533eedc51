package main

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
)

// slow is a package or a test, with its seconds.
type slow struct {
	seconds float64
	name    string
}

// slowest prints the ten slowest packages and tests of all stages that run tests.
func (r *runner) slowest(results []result) error {
	var packages, tests []slow
	for _, one := range results {
		text, err := os.ReadFile(one.slow)
		if err != nil && (one.slow == "" || errors.Is(err, fs.ErrNotExist)) {
			continue // a stage without tests
		} else if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Split(strings.TrimRight(line, "\n"), "\t") // as test/report writes them
			seconds, err := strconv.ParseFloat(fields[0], 64)
			if err != nil || len(fields) != 3 {
				continue
			}
			row := slow{seconds, one.stage.name + ": " + strings.TrimRight(fields[1]+" "+fields[2], " ")}
			if fields[2] == "" {
				packages = append(packages, row)
			} else {
				tests = append(tests, row)
			}
		}
	}
	for _, t := range []struct {
		title string
		rows  []slow
	}{{"packages", packages}, {"tests", tests}} {
		slices.SortStableFunc(t.rows, func(a, b slow) int { return cmp.Compare(b.seconds, a.seconds) })
		if len(t.rows) > 0 {
			r.say("\nThe slowest %s, in seconds:\n", t.title)
		}
		for _, row := range t.rows[:min(10, len(t.rows))] {
			r.say("%8.1f  %s\n", row.seconds, row.name)
		}
	}
	return nil
}
