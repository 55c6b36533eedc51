// Report reads the output of `go test -json` from standard input and prints a summary. The
// summary has one line per package, the whole output of failed tests, each reason for
// skipped tests once with its count, and the slowest packages and tests. A red run ends with
// what failed, the lines that matter and a command that repeats each failure. With -strict a
// skipped test is a failure; an input that a fuzz target discards is not a skipped test.
//
// The arguments are those of the `go test` that it reads. If the process of a package died,
// Report runs the tests that it took along, without the one that ended it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	strict := flag.Bool("strict", false, "fail when a test was skipped")
	times := flag.String("times", "", "write the seconds of each package and test to this file")
	goCommand := flag.String("go", "go", "the go command, with which tests are run again")
	flag.Parse()
	r := newReport(os.Stdout, called(*goCommand, flag.Args()), module("go.mod"))
	r.rerun = runIn(".")
	if err := finish(r, *times); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if !r.holds(*strict) {
		os.Exit(1)
	}
}

// finish reads the run, and runs again what did not run.
func finish(r *report, times string) error {
	if err := r.read(os.Stdin); err != nil {
		return err
	}
	if err := r.runMissing(); err != nil {
		return err
	}
	if times == "" {
		return nil
	}
	return r.times.write(times)
}

// module returns the path of the module whose go.mod is named, "" without one.
func module(file string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		if path, ok := strings.CutPrefix(line, "module "); ok {
			return strings.TrimSpace(path)
		}
	}
	return ""
}

// runIn returns a function that runs a command in a folder and hands over its output. How the
// command ends says nothing that the output does not say.
func runIn(dir string) func(args []string, read func(io.Reader) error) error {
	return func(args []string, read func(io.Reader) error) error {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		out, err := cmd.StdoutPipe()
		if err != nil {
			return err
		}
		cmd.Stderr = cmd.Stdout
		if err := cmd.Start(); err != nil {
			return err
		}
		err = read(out)
		_ = cmd.Wait()
		return err
	}
}
