// Recipes applies each recipe of CONTRIBUTING.md to a copy of the module, and runs the commands
// that the recipe names there. A recipe is true if the last of its commands ends green.
//
//	go run ./test/recipes
//	go run ./test/recipes -run 'theme|rule'
//
// What a reader of a recipe would write stands in a script, testdata/NAME.txtar. Its first line
// is the title of the recipe. Each file of the script is written to the copy, and a file whose
// name begins with "edit " changes one that exists, at anchors that occur in it once:
//
//	@ after
//	text of a line
//	@ add
//	lines that follow that line
//	@ replace
//	some text
//	@ by
//	other text
//
// A line of a file that would begin with "-- " or "@ " begins with a backslash.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func main() {
	run := flag.String("run", "", "apply only recipes whose title matches this `expression`, in any case")
	dir := flag.String("copy", "", "copy the module to this `folder` and leave the last recipe there; a temporary folder if empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := report(ctx, os.Stdout, *run, *dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		stop()
		os.Exit(1)
	}
}

// report applies the recipes whose title matches, and prints a line per recipe.
func report(ctx context.Context, out io.Writer, only, dir string) error {
	matches, err := regexp.Compile("(?i)" + only)
	if err != nil {
		return err
	}
	recipes, err := readRecipes(".")
	if err != nil {
		return err
	}
	if dir == "" {
		if dir, err = os.MkdirTemp("", "parley-recipes-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
	}
	applied, red := 0, 0
	for _, r := range recipes {
		if !matches.MatchString(r.title) {
			continue
		}
		began := time.Now()
		said, err := r.try(ctx, ".", dir)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if applied++; err != nil {
			red++
			fmt.Fprintf(out, "red   %s, after %v: %v\n%s", r.title, time.Since(began).Round(time.Second), err, said)
			continue
		}
		fmt.Fprintf(out, "green %s, after %v\n", r.title, time.Since(began).Round(time.Second))
	}
	switch {
	case applied == 0:
		return fmt.Errorf("no recipe has a title that matches %q", only)
	case red > 0:
		return fmt.Errorf("%d of %d recipes end red", red, applied)
	}
	fmt.Fprintf(out, "%d recipes end green\n", applied)
	return nil
}

// try applies a recipe to a copy of the module and runs its commands. It returns the output of the
// one that failed.
func (r recipe) try(ctx context.Context, module, dir string) (said string, err error) {
	if err := r.check(); err != nil {
		return "", err
	}
	if err := mirror(ctx, module, dir); err != nil {
		return "", err
	}
	if err := r.script.apply(dir); err != nil {
		return "", err
	}
	for _, command := range r.commands {
		if said, err = runIn(ctx, dir, command); err != nil {
			return said, fmt.Errorf("%s: %w", strings.Join(command, " "), err)
		}
	}
	return "", nil
}

// path returns the path of a file of the module below dir.
func path(dir, name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
