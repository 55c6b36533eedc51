package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// times are the seconds that packages and test functions took.
type times struct{ packages, tests []taken }

// taken is a time of a package, or of a test in it.
type taken struct {
	pkg, test string
	seconds   float64
}

// slowest is how many packages and tests are printed, noticeable the seconds from which.
const (
	slowest    = 10
	noticeable = 0.1
)

func (t *times) pkg(name string, seconds float64) {
	t.packages = add(t.packages, taken{pkg: name, seconds: seconds})
}

func (t *times) test(pkg string, one *test) {
	if !strings.Contains(one.name, "/") { // a part counts for its test
		t.tests = append(t.tests, taken{pkg: pkg, test: one.name, seconds: one.seconds})
	}
}

// add adds a time to that of the same package, if it ran before.
func add(to []taken, one taken) []taken {
	for i := range to {
		if to[i].pkg == one.pkg {
			to[i].seconds += one.seconds
			return to
		}
	}
	return append(to, one)
}

// sorted returns the slowest first.
func sorted(of []taken) []taken {
	return slices.SortedStableFunc(slices.Values(of), func(a, b taken) int { return cmp.Compare(b.seconds, a.seconds) })
}

// print prints the slowest packages and tests.
func (t *times) print(to io.Writer) {
	for _, table := range []struct {
		title string
		rows  []taken
	}{{"The slowest packages", t.packages}, {"The slowest tests", t.tests}} {
		for i, row := range sorted(table.rows) {
			if i == slowest || row.seconds < noticeable {
				break
			}
			if i == 0 {
				fmt.Fprintf(to, "\n%s, in seconds:\n", table.title)
			}
			fmt.Fprintln(to, strings.TrimRight(fmt.Sprintf("%8.1f  %s %s", row.seconds, row.pkg, row.test), " "))
		}
	}
}

// write writes all times to a file, slowest first, packages before tests: seconds, package and
// test with a tab between; a package has no test.
func (t *times) write(file string) error {
	var out strings.Builder
	for _, row := range slices.Concat(sorted(t.packages), sorted(t.tests)) {
		fmt.Fprintf(&out, "%.2f\t%s\t%s\n", row.seconds, row.pkg, row.test)
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}
