package main

import (
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	const (
		passes  = `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:1: chatter\n"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n"
		fails   = `{"Action":"output","Package":"p","Test":"TestB","Output":"=== RUN   TestB\n"}` + "\n" + `{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:1: wrong\n"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestB"}` + "\n"
		skips   = `{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:1: no tmux\n"}` + "\n" + `{"Action":"skip","Package":"p","Test":"TestC"}` + "\n"
		discard = `{"Action":"skip","Package":"p","Test":"FuzzD/seed#1"}` + "\n"
		ok      = `{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}` + "\n" + `{"Action":"pass","Package":"p"}` + "\n"
		broken  = `{"Action":"build-output","ImportPath":"p","Output":"x.go:1: undefined\n"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
		crashes = `{"Action":"output","Package":"p","Test":"TestE","Output":"panic: oh no\n"}` + "\n" + `{"Action":"fail","Package":"p"}` + "\n"
	)
	for _, tt := range []struct {
		name, in      string
		strict, holds bool
		says, silent  string
	}{
		{"all passes", passes + ok, true, true, "ok  \tp\t0.1s\n\n1 tests passed, 0 failed, 0 skipped", "chatter"},
		{"one fails", passes + fails, false, false, "b_test.go:1: wrong", "=== RUN"},
		{"one is skipped", passes + skips + ok, false, true, "c_test.go:1: no tmux", ""},
		{"one is skipped where none may be", passes + skips + ok, true, false, "1 skipped", ""},
		{"an input is discarded", passes + discard + ok, true, true, "0 skipped", ""},
		{"a package does not build", passes + ok + broken, false, false, "x.go:1: undefined", ""},
		{"a test takes the others with it", passes + crashes, false, false, "panic: oh no", ""},
		{"nothing ran", "go: no such package\n", false, false, "go: no such package", ""},
		{"cut off", passes + `{"Action":"ou`, false, true, `{"Action":"ou`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			r := report{out: &out, output: map[test][]string{}}
			if err := r.read(strings.NewReader(tt.in)); err != nil {
				t.Fatal(err)
			}
			if got := r.holds(tt.strict); got != tt.holds {
				t.Errorf("got holds %v, want %v:\n%s", got, tt.holds, &out)
			}
			if !strings.Contains(out.String(), tt.says) || tt.silent != "" && strings.Contains(out.String(), tt.silent) {
				t.Errorf("got\n%s\nwant %q in it", &out, tt.says)
			}
		})
	}
}

// A reason of several skipped tests is printed once, with its count.
func TestAReasonToSkipIsSaidOnce(t *testing.T) {
	var in strings.Builder
	skipped := func(name, reason string) {
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"=== RUN   ` + name + `\n"}` + "\n")
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"    ` + name + `.go:17: ` + reason + `\n"}` + "\n")
		in.WriteString(`{"Action":"output","Package":"p","Test":"` + name + `","Output":"--- SKIP: ` + name + ` (0.01s)\n"}` + "\n")
		in.WriteString(`{"Action":"skip","Package":"p","Test":"` + name + `"}` + "\n")
	}
	for _, name := range []string{"TestA", "TestB", "TestC"} {
		skipped(name, "tmux is not installed")
	}
	skipped("TestD", "no node")
	for _, strict := range []bool{false, true} {
		var out strings.Builder
		r := report{out: &out, output: map[test][]string{}}
		if err := r.read(strings.NewReader(in.String() + `{"Action":"pass","Package":"p","Test":"TestE"}` + "\n")); err != nil {
			t.Fatal(err)
		}
		if r.holds(strict) == strict {
			t.Errorf("strict %t: got the wrong verdict about four skipped tests\n%s", strict, &out)
		}
		said := out.String()
		if !strings.Contains(said, "3 tests skipped: tmux is not installed\n") || strings.Count(said, "tmux") != 1 ||
			!strings.Contains(said, "TestD.go:17: no node") || !strings.Contains(said, "1 tests passed, 0 failed, 4 skipped") {
			t.Errorf("got\n%s\nwant each reason once, with its count", said)
		}
	}
}
