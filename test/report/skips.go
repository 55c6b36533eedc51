package main

import (
	"fmt"
	"regexp"
	"strings"
)

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
		if mark(s) || strings.HasPrefix(strings.TrimLeft(s, " "), "--- ") {
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
