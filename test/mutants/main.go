// Mutants changes the core in one place after the other and runs the tests that must notice.
//
//	go run ./test/mutants -only journal
//
// A mutation that no test notices has survived: a test is missing. The files of the module stay as they
// are, because the go command gets each changed file with -overlay. With -list, it only lists the mutations.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	only := flag.String("only", "", "run the mutations whose file or text match this regular `expression`")
	list := flag.Bool("list", false, "list the mutations and run none")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := start(ctx, os.Stdout, *only, *list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// start lists or runs the mutations that match an expression.
func start(ctx context.Context, out io.Writer, only string, list bool) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	chosen := slices.DeleteFunc(table(), func(m mutation) bool { return !match.MatchString(m.String()) })
	if len(chosen) == 0 {
		return fmt.Errorf("no mutation matches %q", only)
	}
	if list {
		for _, m := range chosen {
			fmt.Fprintf(out, "%s (%s)\n", m, strings.Join(m.packages, ", "))
		}
		return nil
	}
	return run(ctx, out, ".", chosen)
}

// run runs mutations of the module in dir and prints a line for each. The error says how many were not
// noticed, or could not be tried.
func run(ctx context.Context, out io.Writer, dir string, chosen []mutation) error {
	began := time.Now()
	fmt.Fprintf(out, "%d mutations\n", len(chosen))
	if err := holds(ctx, dir, chosen); err != nil {
		return err
	}
	var survivors, errors []string
	for _, m := range chosen {
		r := m.try(ctx, dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		fmt.Fprintf(out, "%s: %s\n", m, r)
		switch r.end {
		case survived:
			survivors = append(survivors, m.String())
		case impossible:
			errors = append(errors, m.String())
		}
	}
	fmt.Fprintf(out, "%d of %d mutations were killed, in %v\n", len(chosen)-len(survivors)-len(errors), len(chosen), time.Since(began).Round(time.Second))
	if len(survivors)+len(errors) == 0 {
		return nil
	}
	return fmt.Errorf("%d survived%s\n%d could not be tried%s", len(survivors), lines(survivors), len(errors), lines(errors))
}

// lines writes each name into a line of its own.
func lines(names []string) string {
	text := ""
	for _, name := range names {
		text += "\n\t" + name
	}
	return text
}
