package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A call is how go test was called.
type call struct {
	command []string // go
	options []option
	rest    []string // -args and what follows it
}

// An option is a flag of go test with its value.
type option struct {
	name, value string
	alone       bool // without a value
}

// switches are the flags of go test that need no value.
var switches = []string{"a", "asan", "benchmem", "c", "cover", "failfast", "fullpath", "json", "linkshared", "msan", "n", "race", "short", "trimpath", "v", "work", "x"}

// called reads the arguments of go test. Packages are left out.
func called(goCommand string, args []string) call {
	c := call{command: strings.Fields(goCommand)}
	for i := 0; i < len(args); i++ {
		name, dashed := strings.CutPrefix(args[i], "-")
		name = strings.TrimPrefix(name, "-")
		if name == "args" && dashed {
			c.rest = args[i:]
			break
		}
		if !dashed {
			continue
		}
		o := option{name: strings.TrimPrefix(name, "test."), alone: true}
		if before, value, ok := strings.Cut(o.name, "="); ok {
			o = option{name: before, value: value}
		} else if !slices.Contains(switches, o.name) && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			o = option{name: o.name, value: args[i]}
		}
		c.options = append(c.options, o)
	}
	return c
}

// value returns the value of an option, "" without it.
func (c call) value(name string) string {
	out := ""
	for _, o := range c.options {
		if o.name == name {
			out = o.value
		}
	}
	return out
}

// without returns the options that are not named, as arguments.
func (c call) without(names ...string) []string {
	var out []string
	for _, o := range c.options {
		switch {
		case slices.Contains(names, o.name):
		case o.alone:
			out = append(out, "-"+o.name)
		default:
			out = append(out, "-"+o.name+"="+o.value)
		}
	}
	return out
}

// times returns how often each test runs.
func (c call) times() int {
	count, err := strconv.Atoi(c.value("count"))
	if err != nil || count < 1 {
		count = 1
	}
	return count * len(strings.Split(c.value("cpu"), ","))
}

// order returns the option that repeats a random order, if there was one.
func order(seed string) []string {
	if seed == "" {
		return nil
	}
	return []string{"-shuffle=" + seed}
}

// aboutOutput are the options that decide what is printed and which packages run side by side,
// aboutChoice those that choose tests.
var (
	aboutOutput = []string{"json", "v", "p", "o", "c", "x", "n", "work", "count", "shuffle", "failfast", "coverprofile", "cpuprofile", "memprofile", "trace", "fuzz", "fuzztime", "fuzzminimizetime"}
	aboutChoice = []string{"run", "skip", "bench", "list"}
)

// repeat returns the command line that runs a test again, ready for a shell; all tests of the
// package without a name.
func (c call) repeat(pkg, name, seed string) string {
	words := append(slices.Clone(c.command), "test", pkg)
	drop := aboutOutput
	if name != "" {
		drop = slices.Concat(drop, aboutChoice)
		if strings.HasPrefix(name, "Benchmark") {
			words = append(words, "-run", "^$", "-bench", exactly(name))
		} else {
			drop = append(drop, "benchtime", "benchmem")
			words = append(words, "-run", exactly(name))
		}
	}
	words = append(words, "-count=1")
	words = slices.Concat(words, c.without(drop...), order(seed), c.rest)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ")
}

// again returns the command that runs a package without some tests.
func (c call) again(pkg, seed string, leftOut string) []string {
	if before := c.value("skip"); before != "" {
		leftOut = before + "|" + leftOut
	}
	words := append(slices.Clone(c.command), "test", "-json")
	words = append(words, c.without("json", "skip", "shuffle", "p", "failfast", "coverprofile", "o")...)
	return slices.Concat(words, order(seed), []string{"-skip=" + leftOut, pkg}, c.rest)
}

// exactly returns the pattern that chooses one test.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// plain matches a word that every shell takes as it is.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./=:,@%+-]+$`)

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plain.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
