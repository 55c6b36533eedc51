package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A death is the end of a process before its tests had ended: a panic, an exit or the time limit.
type death struct {
	pkg, seed string
	why       string   // the first line of what the process said at its end
	culprits  []string // the tests that may have ended it; none if nobody can tell
	guess     string   // why the culprits are a guess; empty if they are known
	lost      []string // test functions that had begun and not ended, apart from the culprits
	ended     []string // test functions that had ended as often as they should

	retold bool     // the others ran again
	passed []string // test functions that passed then
	failed []string // and those that failed, or were skipped
}

// last matches the first line of what a process says when it dies.
var last = regexp.MustCompile(`^(panic: |fatal error: |SIGQUIT: |unexpected fault address |runtime: goroutine stack exceeds |signal: )`)

// deathOf finds out which test ended a process. It returns the index of the first line that the
// process said about it as well.
func (p *process) deathOf(times int) (*death, int) {
	d := &death{pkg: p.pkg, seed: p.seed}
	at := len(p.log)
	for i, l := range p.log {
		if last.MatchString(l.text) {
			at = i
			d.why = strings.TrimSpace(l.text)
			break
		}
	}
	said := p.log[at:]
	switch {
	case inRunner(said):
		d.culprits = p.panicked(at, said)
	case strings.HasPrefix(d.why, "panic: test timed out"):
		d.culprits = timedOut(said)
	default:
		d.culprits = p.busy()
		p.blame(d, said)
	}
	for _, t := range p.tests {
		switch {
		case t.name == "" || strings.Contains(t.name, "/"):
		case slices.ContainsFunc(d.culprits, func(c string) bool { return c == t.name || t.above(c) }):
		case t.ended >= times || t.benchmark() && t.ended > 0:
			d.ended = append(d.ended, t.name)
		default:
			d.lost = append(d.lost, t.name)
		}
	}
	return d, at
}

// inRunner reports whether the goroutine that ended the process is that of a test function.
func inRunner(said []line) bool {
	return slices.ContainsFunc(first(said), func(text string) bool {
		return strings.HasPrefix(text, "testing.tRunner.func1") || strings.HasPrefix(text, "testing.fRunner.func1")
	})
}

// first returns the call stack of the first goroutine.
func first(said []line) []string {
	var stack []string
	for _, l := range said {
		switch {
		case strings.HasPrefix(l.text, "goroutine "):
			stack = []string{l.text}
		case stack != nil && l.text == "\n":
			return stack
		case stack != nil:
			stack = append(stack, l.text)
		}
	}
	return stack
}

// failMark matches the line that ends a test that failed.
var failMark = regexp.MustCompile(`^\s*--- FAIL: (\S+)`)

// panicked returns the test whose function panicked: its end and those of the tests that it is a
// part of stand before the panic. A function that the runner called by its own name is the whole
// test, even if one of its parts had failed just before.
func (p *process) panicked(at int, said []line) []string {
	name := ""
	for i := at - 1; i >= 0; i-- {
		found := failMark.FindStringSubmatch(p.log[i].text)
		switch {
		case found == nil && name == "":
			continue
		case found == nil, name != "" && !strings.HasPrefix(found[1], name+"/"):
			return []string{name}
		}
		name = found[1]
		if calledByRunner(first(said), name) {
			break
		}
	}
	if name == "" {
		return p.busy()
	}
	return []string{name}
}

// calledByRunner reports whether a call stack says that the test runner called this function.
func calledByRunner(stack []string, function string) bool {
	for i, text := range stack {
		if i >= 2 && strings.HasPrefix(text, "testing.tRunner(") {
			called, _, _ := strings.Cut(stack[i-2], "(")
			return strings.HasSuffix(called, "."+function)
		}
	}
	return false
}

// stillRunning matches a test in the list that the time limit prints.
var stillRunning = regexp.MustCompile(`^\t\t(\S+) \(`)

// timedOut returns the tests that ran at the time limit, without those they are parts of.
func timedOut(said []line) []string {
	var names []string
	for _, l := range said {
		if found := stillRunning.FindStringSubmatch(l.text); found != nil {
			names = append(names, found[1])
		}
	}
	return innermost(names)
}

// busy returns the tests that ran last, without those they are parts of.
func (p *process) busy() []string {
	var names []string
	for _, t := range p.tests {
		if t.name != "" && t.state == running {
			names = append(names, t.name)
		}
	}
	return innermost(names)
}

// innermost returns the names without those of which others are parts.
func innermost(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, name+"/") })
	})
}

// inTest matches a test function in a call stack.
var inTest = regexp.MustCompile(`\.((?:Test|Fuzz|Benchmark|Example)[A-Za-z0-9_]*)[.(\s]`)

// blame reads the call stack of a goroutine that panicked and is no test's own, and says how
// sure it is.
func (p *process) blame(d *death, said []line) {
	if d.why == "" || strings.HasPrefix(d.why, "signal: ") {
		if len(d.culprits) > 1 {
			d.guess = "one of the tests that ran then"
		}
		return
	}
	named := ""
	for _, text := range first(said) {
		if found := inTest.FindStringSubmatch(text); found != nil && p.names[found[1]] != nil {
			named = found[1]
		}
	}
	under := slices.DeleteFunc(slices.Clone(d.culprits), func(c string) bool { return top(c) != named })
	switch {
	case named == "":
		d.guess = "it ran then, but the goroutine that ended the process names no test and can be that of another one"
	case len(under) > 1:
		d.culprits, d.guess = under, "one of the parts that ran then"
	case len(under) == 1:
		d.culprits = under
	default:
		d.culprits = []string{named}
		if !p.names[named].benchmark() { // the next one begins before the process has ended
			d.guess = "it had ended, but a goroutine that it began went on and ended the process"
		}
	}
}

// printDeaths says of each process that died which tests it took along, and what became of them.
func (r *report) printDeaths() {
	for _, d := range r.deaths {
		fmt.Fprintf(r.out, "\nThe process of %s died", r.short(d.pkg))
		if d.why != "" {
			fmt.Fprintf(r.out, " (%s)", clipped(d.why))
		}
		if len(d.culprits) == 0 {
			fmt.Fprintln(r.out, ". Which test ended it is unknown, and the tests that had not run were not run again.")
			continue
		}
		fmt.Fprintf(r.out, " in %s", strings.Join(d.culprits, ", "))
		if d.guess != "" {
			fmt.Fprintf(r.out, " (a guess: %s)", d.guess)
		}
		fmt.Fprintln(r.out, ".")
		if !d.retold {
			fmt.Fprintln(r.out, "  The tests that had not run were not run again.")
			continue
		}
		if len(d.passed)+len(d.failed) == 0 {
			fmt.Fprintln(r.out, "  No other test was left to run.")
			continue
		}
		fmt.Fprintf(r.out, "  Tests that had not run or not ended because of it: %d. Run without it, %d passed and %d did not.\n",
			len(d.passed)+len(d.failed), len(d.passed), len(d.failed))
		r.printNames("passed", d.passed)
		r.printNames("did not pass", d.failed)
	}
}

func (r *report) printNames(what string, names []string) {
	if len(names) > 0 {
		fmt.Fprintf(r.out, "  %s: %s\n", what, strings.Join(names, " "))
	}
}
