package main

import (
	"strings"
	"time"
)

// A process is one run of the tests of a package.
type process struct {
	pkg   string
	tests []*test // in the order in which they began; the first, without a name, is the package itself
	names map[string]*test
	log   []line
	seed  string // of the random order
	whole bool   // it came to its end: no test took the others with it
}

// A test is a test, a part of one, a benchmark, an example or a fuzz target.
type test struct {
	name    string
	state   state
	resumed bool // it ran beside others
	ended   int  // how often; with -count more than once
	began   time.Time
	seconds float64
	said    []int // indices of its lines since it began
	failed  int
	wrong   []int // indices of its lines in the runs that failed
}

type state int

const (
	waiting state = iota // not begun, or paused until others have ended
	running
	over
)

// A line is what one test said. Tests that run side by side share the log.
type line struct {
	test *test
	text string
}

func newProcess(pkg string) *process {
	p := &process{pkg: pkg, names: map[string]*test{}}
	p.test("")
	return p
}

// test returns the test of a name.
func (p *process) test(name string) *test {
	t := p.names[name]
	if t == nil {
		t = &test{name: name}
		p.names[name] = t
		p.tests = append(p.tests, t)
	}
	return t
}

func (p *process) say(name, text string) {
	t := p.test(name)
	if name == "" {
		if text == "FAIL\n" || text == "PASS\n" {
			p.whole = true
		}
		if seed, ok := strings.CutPrefix(text, "-test.shuffle "); ok {
			p.seed = strings.TrimSpace(seed)
		}
	}
	t.said = append(t.said, len(p.log))
	p.log = append(p.log, line{t, text})
}

// output returns what a test said.
func (p *process) output(t *test) []string { return p.lines(t.said, len(p.log)) }

// lines returns the lines of the log with these indices, before an end.
func (p *process) lines(at []int, end int) []string {
	var out []string
	for _, i := range at {
		if i < end {
			out = append(out, p.log[i].text)
		}
	}
	return out
}

// forget drops what a test said.
func (p *process) forget(t *test) {
	for _, i := range t.said {
		p.log[i].text = ""
	}
	t.said = nil
}

// move handles the event that a test begins, pauses or goes on. It returns the benchmarks that
// have ended by that: nothing else tells.
func (p *process) move(e event) []*test {
	t := p.test(e.Test)
	switch e.Action {
	case "pause":
		t.state = waiting
		return nil
	case "cont":
		t.state, t.resumed = running, true
		return nil
	}
	t.state, t.resumed, t.began, t.said = running, false, e.Time, nil
	var ended []*test
	for _, other := range p.tests {
		if other.benchmark() && other.state == running && other != t && !other.above(t.name) {
			other.close(e.Time)
			ended = append(ended, other)
		}
	}
	return ended
}

// end handles the end of a test.
func (p *process) end(e event) {
	t := p.test(e.Test)
	t.close(e.Time)
	if !t.benchmark() {
		t.seconds = e.Elapsed
	}
	if e.Action == "fail" {
		t.failed++
		t.wrong = append(t.wrong, t.said...)
	}
}

func (t *test) close(at time.Time) {
	t.state = over
	t.ended++
	t.seconds = at.Sub(t.began).Seconds()
}

// endBenchmarks ends the benchmarks that run and returns them: they ended with their package.
func (p *process) endBenchmarks(at time.Time) []*test {
	var ended []*test
	for _, t := range p.tests {
		if t.benchmark() && t.state == running {
			t.close(at)
			ended = append(ended, t)
		}
	}
	return ended
}

// unended returns the tests that have not ended.
func (p *process) unended() []*test {
	var out []*test
	for _, t := range p.tests {
		if t.name != "" && t.state != over {
			out = append(out, t)
		}
	}
	return out
}

func (t *test) benchmark() bool { return strings.HasPrefix(t.name, "Benchmark") }

// above reports whether the named test is a part of this one.
func (t *test) above(name string) bool { return strings.HasPrefix(name, t.name+"/") }

// top returns the test function of a name.
func top(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return name
}
