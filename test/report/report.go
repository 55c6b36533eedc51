package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// An event is a line of `go test -json`.
type event struct {
	Time                          time.Time
	Action, Package, Test, Output string
	ImportPath, FailedBuild       string
	Elapsed                       float64
}

// A report holds what was read so far.
type report struct {
	out    io.Writer
	call   call
	module string
	// rerun runs a command; nil runs nothing again.
	rerun func(args []string, read func(io.Reader) error) error

	running                 map[string]*process // by package
	passed, failed, skipped int
	broken                  int // packages that failed, or did not build
	skips                   []skip
	failures                []*failure
	deaths                  []*death
	builds                  []*build
	times                   times
	rest                    *death // whose lost tests run
}

func newReport(out io.Writer, c call, module string) *report {
	return &report{out: out, call: c, module: module, running: map[string]*process{}}
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
	if e.Action == "build-output" {
		fmt.Fprint(r.out, e.Output)
		r.build(e.ImportPath).say(e.Output)
		return
	}
	if e.Package == "" {
		return
	}
	p := r.running[e.Package]
	if p == nil {
		p = newProcess(e.Package)
		r.running[e.Package] = p
	}
	switch e.Action {
	case "output":
		p.say(e.Test, e.Output)
	case "run", "pause", "cont":
		for _, ended := range p.move(e) {
			r.ended(p, ended, "pass")
		}
	case "pass", "fail", "skip":
		if e.Test != "" {
			p.end(e)
			r.ended(p, p.test(e.Test), e.Action)
			return
		}
		r.endPackage(p, e)
		delete(r.running, e.Package)
	}
}

// ended handles the end of a test.
func (r *report) ended(p *process, t *test, action string) {
	r.times.test(r.short(p.pkg), t)
	if r.rest != nil {
		r.rest.retell(t, action)
	}
	switch {
	case action == "pass":
		r.passed++
	case action == "fail":
		r.failed++
		r.print(p.output(t))
		return // its lines are needed again
	case !strings.HasPrefix(t.name, "Fuzz") || !strings.Contains(t.name, "/"):
		r.skip(p.output(t))
	}
	if !t.benchmark() || !slices.ContainsFunc(p.output(t), last.MatchString) { // the next one begins while the process ends
		p.forget(t)
	}
}

// endPackage handles the end of a package.
func (r *report) endPackage(p *process, e event) {
	r.times.pkg(r.short(p.pkg), e.Elapsed)
	said := p.output(p.test(""))
	if e.Action == "pass" {
		for _, t := range p.endBenchmarks(e.Time) {
			r.ended(p, t, "pass")
		}
		if len(said) > 0 {
			r.print(said[len(said)-1:]) // ok, and how long it took
		}
		return
	}
	if e.Action != "fail" {
		return
	}
	r.broken++
	r.print(said)
	if e.FailedBuild != "" {
		b := r.build(e.FailedBuild)
		b.blocks = append(b.blocks, p.pkg)
		return
	}
	if p.whole {
		for _, t := range p.endBenchmarks(e.Time) {
			r.ended(p, t, "pass")
		}
	}
	for _, t := range p.unended() {
		r.print(p.output(t)) // a panic is in the output of one of them
	}
	r.explain(p)
}

// print prints output without the marks of its source.
func (r *report) print(said []string) {
	for _, s := range said {
		if !mark(s) {
			fmt.Fprint(r.out, s)
		}
	}
}

// mark reports whether a line only says which test goes on.
func mark(line string) bool { return strings.HasPrefix(strings.TrimLeft(line, " "), "=== ") }

// short returns a package as a command line names it.
func (r *report) short(pkg string) string {
	if pkg == r.module {
		return "."
	}
	if rest, ok := strings.CutPrefix(pkg, r.module+"/"); ok && r.module != "" {
		return "./" + rest
	}
	return pkg
}

// holds prints the result and reports whether everything passed.
func (r *report) holds(strict bool) bool {
	r.printSkips()
	r.times.print(r.out)
	r.printBuilds()
	r.printFailures()
	r.printDeaths()
	fmt.Fprintf(r.out, "\n%d tests passed, %d failed, %d skipped\n", r.passed, r.failed, r.skipped)
	if strict && r.skipped > 0 {
		fmt.Fprintln(r.out, "a skipped test is a failure here")
		return false
	}
	return r.failed == 0 && r.broken == 0 && r.passed > 0
}
