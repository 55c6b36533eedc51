// Report reads the output of `go test -json` from standard input and prints a summary: one line
// per package, the whole output of failed tests, and each reason for skipped tests once with
// its count. With -strict a skipped test is a failure; an input that a fuzz target discards is
// not a skipped test.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	strict := flag.Bool("strict", false, "fail when a test was skipped")
	flag.Parse()
	r := report{out: os.Stdout, output: map[test][]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !r.holds(*strict) {
		os.Exit(1)
	}
}

// A test is identified by its package and name; the package alone has no name.
type test struct{ pkg, name string }

// An event is a line of `go test -json`.
type event struct {
	Action, Package, Test, Output string
}

// A report holds what was read so far.
type report struct {
	out                     io.Writer
	output                  map[test][]string // of tests that have not ended
	passed, failed, skipped int
	broken                  int // packages that failed, or did not build
	skips                   []skip
}

// A skip is a reason for skipped tests, as the first of them printed it.
type skip struct {
	reason string // without its position
	first  []string
	count  int
}

// skip counts a skipped test under its reason.
func (r *report) skip(said []string) {
	r.skipped++
	reason := reasonOf(said)
	for i := range r.skips {
		if r.skips[i].reason == reason {
			r.skips[i].count++
			return
		}
	}
	r.skips = append(r.skips, skip{reason: reason, first: said, count: 1})
}

// place matches a position in a file.
var place = regexp.MustCompile(`^\s*\S+\.go:\d+: `)

// reasonOf returns the message of a skipped test, without marks, positions and times.
func reasonOf(said []string) string {
	var words []string
	for _, s := range said {
		if mark := strings.TrimLeft(s, " "); strings.HasPrefix(mark, "=== ") || strings.HasPrefix(mark, "--- ") {
			continue
		}
		words = append(words, strings.TrimSpace(place.ReplaceAllString(s, "")))
	}
	return strings.Join(words, " ")
}

// printSkips prints each reason once.
func (r *report) printSkips() {
	for _, s := range r.skips {
		if s.count == 1 || s.reason == "" {
			r.print(s.first)
			continue
		}
		fmt.Fprintf(r.out, "%d tests skipped: %s\n", s.count, s.reason)
	}
}

func (r *report) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if line != "" {
			r.line(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *report) line(line string) {
	var e event
	if json.Unmarshal([]byte(line), &e) != nil {
		fmt.Fprint(r.out, line) // the go command itself
		return
	}
	t := test{e.Package, e.Test}
	switch e.Action {
	case "output":
		r.output[t] = append(r.output[t], e.Output)
		return
	case "build-output":
		fmt.Fprint(r.out, e.Output)
		return
	case "pass", "fail", "skip":
	default:
		return
	}
	if t.name == "" {
		r.pkg(t, e.Action)
	} else {
		r.test(t, e.Action)
	}
	delete(r.output, t)
}

// pkg handles the end of a package.
func (r *report) pkg(t test, action string) {
	said := r.output[t]
	switch {
	case action == "fail":
		r.broken++
		r.print(said)
		r.printUnended(t.pkg)
	case action == "pass" && len(said) > 0:
		r.print(said[len(said)-1:]) // ok, and how long it took
	}
}

// test handles the end of a test.
func (r *report) test(t test, action string) {
	switch {
	case action == "pass":
		r.passed++
	case action == "fail":
		r.failed++
		r.print(r.output[t])
	case !strings.HasPrefix(t.name, "Fuzz") || !strings.Contains(t.name, "/"):
		r.skip(r.output[t])
	}
}

// printUnended prints the output of tests that had not ended with their package: a panic is in the
// output of one of them.
func (r *report) printUnended(pkg string) {
	for t, said := range r.output {
		if t.pkg == pkg && t.name != "" {
			r.print(said)
			delete(r.output, t)
		}
	}
}

// print prints output without the marks of its source.
func (r *report) print(said []string) {
	for _, s := range said {
		if !strings.HasPrefix(strings.TrimLeft(s, " "), "=== ") {
			fmt.Fprint(r.out, s)
		}
	}
}

// holds prints the result and reports whether everything passed.
func (r *report) holds(strict bool) bool {
	r.printSkips()
	fmt.Fprintf(r.out, "\n%d tests passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
	if strict && r.skipped > 0 {
		fmt.Fprintln(r.out, "a skipped test is a failure here")
		return false
	}
	return r.failed == 0 && r.broken == 0 && r.passed > 0
}
