package main

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// engineUses are the engines outside of parley/session/engine: the function that calls engine.New with
// the value that it passes, and every engine.Use that is written down. A new one is a decision about
// how the program behaves at one of its doors: engine.Use says in which respects two may differ.
var engineUses = []string{
	// The program: newEngine makes all of them.
	"internal/cli/sessionengine.go newEngine: engine.New(use)",
	"internal/cli/sessionengine.go screenEngine: engine.Use{Unchecked: w.noCheck, Whole: true, Ahead: ui.Lead, Start: start}",
	"internal/cli/sessionengine.go scriptUse: engine.Use{Scripted: true, Poll: defaultPoll, Unchecked: w.noCheck, Ahead: ahead}",
	"internal/cli/operation.go newEngine: engine.Use{Ends: true, Poll: op.flags.poll, Ahead: aheadOfOutput}",
	// Tests and measurements.
	"test/bench/stream_test.go newEngine: engine.New(engine.Use{Ends: true})",
	"test/interop/engine_test.go open: engine.New(engine.Use{Scripted: true, Poll: 20 * time.Millisecond})",
	"test/matrix/try.go open: engine.New(engine.Use{Ends: true, Poll: 20 * time.Millisecond})",
	"test/soak/main.go run: engine.New(engine.Use{Poll: 80 * time.Millisecond, Unchecked: true})",
	"ui/leak_test.go newSpiedDesk: engine.New(engine.Use{})",
	"ui/turns_property_test.go newTurnsDesk: engine.New(engine.Use{})",
}

// Every engine is made in one way, and in what it differs from others is listed.
func TestEveryEngineIsListed(t *testing.T) {
	var got []string
	for _, path := range textFiles(t) {
		if !strings.HasSuffix(path, ".go") || strings.HasPrefix(path, "session/engine/") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, enginesIn(path, file)...)
	}
	slices.Sort(got)
	want := slices.Clone(engineUses)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got engines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// enginesIn returns the engines of a file: the calls of engine.New with their last argument, and the
// other values of engine.Use. A use of engine.New that is no call is listed as such.
func enginesIn(path string, file *ast.File) (all []string) {
	const pkg = "parley/session/engine."
	for _, d := range file.Decls {
		where := path
		if f, ok := d.(*ast.FuncDecl); ok {
			where += " " + f.Name.Name
		}
		known := map[ast.Node]bool{} // they are listed with what contains them
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if selected(file, n.Fun) == pkg+"New" && len(n.Args) > 0 {
					last := n.Args[len(n.Args)-1]
					known[n.Fun], known[last] = true, true
					all = append(all, where+": engine.New("+sourceOf(last)+")")
				}
			case *ast.SelectorExpr:
				if selected(file, n) == pkg+"New" && !known[n] {
					all = append(all, where+": engine.New")
				}
			case *ast.CompositeLit:
				if selected(file, n.Type) == pkg+"Use" && !known[n] {
					all = append(all, where+": "+sourceOf(n))
				}
			}
			return true
		})
	}
	return all
}

// sourceOf returns an expression as it is written.
func sourceOf(e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, token.NewFileSet(), e); err != nil {
		return err.Error()
	}
	return b.String()
}

func TestEnginesAreFound(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import e "parley/session/engine"
import "other/engine"
var make = e.New
var use = e.Use{Ends: true}
func f() { e.New(base, use); engine.New(e.Use{Ahead: 1}) }
func g() *e.Engine { return e.New(e.Base{}, e.Use{Ahead: 2}) }`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	got, want := enginesIn("x.go", file), []string{"x.go: engine.New", "x.go: e.Use{Ends: true}", "x.go f: engine.New(use)", "x.go f: e.Use{Ahead: 1}", "x.go g: engine.New(e.Use{Ahead: 2})"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
