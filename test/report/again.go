package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// rounds limits how often the rest of a package is run: each round may end with another death.
const rounds = 5

// runMissing runs the tests that processes took along when they died, without the tests that
// ended these processes. What is red stays red.
func (r *report) runMissing() error {
	if r.rerun == nil || r.call.value("fuzz") != "" {
		return nil
	}
	done := map[string][]*death{}
	for i := 0; i < len(r.deaths); i++ { // a run adds those that it finds
		d := r.deaths[i]
		before := done[d.pkg]
		if len(d.culprits) == 0 || len(before) == rounds {
			continue
		}
		done[d.pkg] = append(before, d)
		if err := r.runRest(d, done[d.pkg]); err != nil {
			return err
		}
	}
	return nil
}

// runRest runs what a death left over, given all deaths of this package so far.
func (r *report) runRest(d *death, all []*death) error {
	d.retold = true
	var culprits, ended, parts []string
	for _, one := range all {
		culprits = append(culprits, one.culprits...)
		ended = append(ended, one.ended...)
	}
	for _, c := range culprits {
		parts = append(parts, exactly(c))
	}
	if len(ended) > 0 {
		parts = append(parts, "^("+strings.Join(quotedNames(ended), "|")+")$")
	}
	fmt.Fprintf(r.out, "\n%s again, without %s: the tests that had not run\n", r.short(d.pkg), strings.Join(culprits, ", "))
	r.rest = d
	defer func() { r.rest = nil }()
	return r.rerun(r.call.again(r.short(d.pkg), d.seed, strings.Join(parts, "|")), func(out io.Reader) error { return r.read(out) })
}

func quotedNames(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = regexp.QuoteMeta(name)
	}
	return out
}

// retell notes what became of a test that a death had taken along.
func (d *death) retell(t *test, action string) {
	if strings.Contains(t.name, "/") || slices.Contains(d.passed, t.name) || slices.Contains(d.failed, t.name) {
		return
	}
	if action == "pass" {
		d.passed = append(d.passed, t.name)
		return
	}
	d.failed = append(d.failed, t.name)
}
