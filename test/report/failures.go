package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A failure is a test that failed, or a package that failed without one.
type failure struct {
	pkg, name string
	count     int // with -count it may fail more than once
	lines     []string
	command   string
}

// A build is a package that did not compile.
type build struct {
	name   string
	said   []string
	blocks []string // the packages whose tests could not run because of it
}

// say notes a line of the compiler, once.
func (b *build) say(line string) {
	if !strings.HasPrefix(line, "# ") && !slices.Contains(b.said, line) {
		b.said = append(b.said, line)
	}
}

// build returns the build of an import path. What is built for a test has the path twice.
func (r *report) build(path string) *build {
	name, _, _ := strings.Cut(path, " ")
	for _, b := range r.builds {
		if b.name == name {
			return b
		}
	}
	b := &build{name: name}
	r.builds = append(r.builds, b)
	return b
}

// explain notes the failures of a package that failed.
func (r *report) explain(p *process) {
	end, dead := len(p.log), (*death)(nil)
	if !p.whole {
		dead, end = p.deathOf(r.call.times())
		r.deaths = append(r.deaths, dead)
	}
	found := 0
	for _, t := range p.tests {
		own := p.own(t, t.wrong, end)
		guilty := dead != nil && slices.Contains(dead.culprits, t.name)
		if guilty && t.failed == 0 {
			own = p.own(t, t.said, end)
		}
		if guilty && t.benchmark() && t.state == over {
			r.passed-- // the next one began before the process ended
		}
		own = relevant(own, r.module)
		if !guilty && (t.failed == 0 || len(own) == 0 && p.partFailed(t)) {
			continue
		}
		f := &failure{pkg: p.pkg, name: t.name, count: t.failed, lines: shortened(own, 10, 20)}
		f.command = r.call.repeat(r.short(p.pkg), t.name, p.seed)
		if guilty {
			f.lines = slices.Concat(shortened(own, 5, 5), shortened(relevant(p.fate(end), r.module), 20, 0))
			if dead.guess != "" { // alone it may pass
				f.command = r.call.repeat(r.short(p.pkg), "", p.seed)
			}
		}
		r.failures = append(r.failures, f)
		found++
	}
	if found > 0 {
		return
	}
	said := p.own(p.tests[0], p.tests[0].said, end)
	if dead != nil {
		said = append(said, p.fate(end)...)
	}
	r.failures = append(r.failures, &failure{pkg: p.pkg, lines: shortened(relevant(said, r.module), 10, 20), command: r.call.repeat(r.short(p.pkg), "", p.seed)})
}

// partFailed reports whether a part of a test failed.
func (p *process) partFailed(t *test) bool {
	return slices.ContainsFunc(p.tests, func(other *test) bool { return other.failed > 0 && t.name != "" && t.above(other.name) })
}

// fate returns what a process said when it died, from a line of the log on.
func (p *process) fate(from int) []string {
	var said []string
	for _, l := range p.log[from:] {
		if l.test.name != "" || !usual.MatchString(l.text) {
			said = append(said, l.text)
		}
	}
	return said
}

// usual matches what a process says of itself however it ends.
var usual = regexp.MustCompile(`^(-test\.shuffle |PASS$|FAIL$|FAIL\t|exit status )`)

// own returns the lines of a test with these indices, before an end, without what stands in
// every output.
func (p *process) own(t *test, at []int, end int) []string {
	return slices.DeleteFunc(p.lines(at, end), func(text string) bool {
		return t.name == "" && usual.MatchString(strings.TrimSpace(text)) || t.benchmark() && strings.TrimSpace(text) == t.name
	})
}

// printFailures prints what failed, the lines that matter, and the command that repeats it.
func (r *report) printFailures() {
	if len(r.failures) == 0 {
		return
	}
	fmt.Fprintf(r.out, "\nWhat failed, and the command that repeats it:\n")
	for _, f := range r.failures {
		fmt.Fprintf(r.out, "\n%s %s", r.short(f.pkg), f.name)
		if f.count > 1 {
			fmt.Fprintf(r.out, " (%d times)", f.count)
		}
		fmt.Fprintln(r.out)
		for _, line := range f.lines {
			fmt.Fprintln(r.out, line)
		}
		fmt.Fprintln(r.out, "  "+f.command)
	}
}

// printBuilds prints what did not compile.
func (r *report) printBuilds() {
	for _, b := range r.builds {
		if len(b.blocks) == 0 {
			continue // a warning
		}
		fmt.Fprintf(r.out, "\n%s does not build:\n", r.short(b.name))
		for _, line := range b.said {
			fmt.Fprint(r.out, line)
		}
		for i, pkg := range b.blocks {
			b.blocks[i] = r.short(pkg)
		}
		slices.Sort(b.blocks)
		fmt.Fprintf(r.out, "  %s\n", r.call.repeat(b.blocks[0], "", ""))
		if len(b.blocks) > 1 {
			fmt.Fprintf(r.out, "  %d packages could not be tested because of it: %s\n", len(b.blocks), strings.Join(b.blocks, " "))
		}
	}
}
