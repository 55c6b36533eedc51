package main

import (
	"fmt"
	"slices"
	"strings"
)

// A stage is a check: a target of the Makefile, with variables.
type stage struct {
	name      string   // the target, or the target, a hyphen and the part of it
	variables []string // NAME=value
}

// target returns the target of the Makefile.
func (s stage) target() string {
	target, _, _ := strings.Cut(s.name, "-")
	return target
}

// A plan is the order of stages: the first ones in turn, then the lanes side by side, in each of which
// stages run in turn.
type plan struct {
	first []stage
	lanes [][]stage
}

// gate is what must hold before a change lands. Its first stages end in a minute, and vet compiles what
// the lanes share.
var gate = plan{
	first: []stage{{name: "fmt"}, {name: "tidy"}, {name: "vet"}},
	lanes: [][]stage{
		{{name: "lint"}, {name: "deadcode"}, {name: "vuln"}, {name: "foreign", variables: []string{"SYSTEMS=windows"}}, {name: "fuzz", variables: []string{"FUZZFLAGS=-since 40 -within 2m -at-once 1"}}},
		{{name: "test", variables: []string{"TESTFLAGS=-shuffle=on"}}, {name: "concurrent"}, {name: "flows"}},
	},
}

// nightly is what takes longer than a change can wait. The parts of stress run all tests with the race
// detector.
var nightly = []stage{
	{name: "fuzz", variables: []string{"FUZZFLAGS=-time 20s"}},
	{name: "matrix"},
	{name: "honest"},
	{name: "stress-protocol", variables: []string{"COUNT=2", "PACKAGES=./a2a/... ./session/..."}},
	{name: "stress-screen", variables: []string{"COUNT=2", "PACKAGES=./ui/... ./themes/..."}},
	{name: "stress-commands", variables: []string{"COUNT=2", "PACKAGES=. ./internal/..."}},
	{name: "stress-programs", variables: []string{"COUNT=2", "PACKAGES=./test/..."}},
	{name: "benchonce"},
	{name: "recipes"},
	{name: "mutants"},
	{name: "cross"},
	{name: "build"},
	{name: "reproducible"},
}

// choose returns the stages with the names, or all without names.
func choose(from []stage, names []string) ([]stage, error) {
	if len(names) == 0 {
		return from, nil
	}
	var chosen []stage
	for _, name := range names {
		i := slices.IndexFunc(from, func(s stage) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no stage %q: name some of %s", name, list(from))
		}
		chosen = append(chosen, from[i])
	}
	return chosen, nil
}

// list joins the names of stages.
func list(stages []stage) string {
	var names []string
	for _, s := range stages {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ")
}

// all returns the stages of the plan.
func (p plan) all() []stage { return slices.Concat(append([][]stage{p.first}, p.lanes...)...) }
