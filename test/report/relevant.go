package main

import (
	"fmt"
	"regexp"
	"strings"
)

// widest limits a line of the summary, frames the functions that it names of one goroutine.
const (
	widest = 400
	frames = 6
)

var (
	// position matches the second line of a frame in a call stack.
	position = regexp.MustCompile(`^(\t|      )\S.*\.go:\d+`)
	// heading matches the line above the frames of a goroutine.
	heading = regexp.MustCompile(`^(goroutine \d+ .*\[|Goroutine \d+ .*created at:)`)
	// ending matches the line that ends a test.
	ending = regexp.MustCompile(`^\s*--- (PASS|FAIL|SKIP|BENCH): `)
)

// relevant returns the lines that tell why a test failed: what it said, without marks, and of
// call stacks the functions of this module.
func relevant(said []string, module string) []string {
	var out []string
	pending, kept := "", 0
	for i := 0; i < len(said); i++ {
		line := strings.TrimRight(said[i], "\n")
		switch {
		case mark(line) || ending.MatchString(line) || strings.TrimSpace(line) == "" || strings.HasPrefix(line, "====="):
		case i+1 < len(said) && position.MatchString(said[i+1]):
			i++
			if !ours(line, module) || kept == frames {
				continue
			}
			if pending != "" {
				out = append(out, pending)
				pending = ""
			}
			kept++
			out = append(out, clipped(line), clipped(strings.TrimRight(said[i], "\n")))
		case heading.MatchString(line):
			pending, kept = line, 0
		default:
			pending, kept = "", 0
			out = append(out, clipped(line))
		}
	}
	return out
}

// ours reports whether a frame is of a function of this module.
func ours(frame, module string) bool {
	frame = strings.TrimPrefix(strings.TrimSpace(frame), "created by ")
	return module != "" && (strings.HasPrefix(frame, module+"/") || strings.HasPrefix(frame, module+"."))
}

// shortened keeps the first and the last lines, and counts those between.
func shortened(lines []string, head, tail int) []string {
	if len(lines) <= head+tail {
		return lines
	}
	out := append([]string{}, lines[:head]...)
	out = append(out, fmt.Sprintf("    … %d lines more above …", len(lines)-head-tail))
	return append(out, lines[len(lines)-tail:]...)
}

// clipped returns a line that is not wider than the summary.
func clipped(line string) string {
	runes := []rune(line)
	if len(runes) <= widest {
		return line
	}
	return string(runes[:widest]) + "…"
}
