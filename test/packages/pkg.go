package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pkg is a package of the module, as `go list` describes it, with what its files contain.
type pkg struct {
	ImportPath, Dir                    string
	Imports                            []string
	GoFiles, TestGoFiles, XTestGoFiles []string

	synchronized bool // in its code or in its tests
	starts       bool // goroutines, in its code
	benchmarks   bool
}

// load returns the packages of the module in a directory, as they are on an operating system; "" is
// this one.
func load(dir, system string) ([]*pkg, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Imports,GoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir, cmd.Env = dir, os.Environ()
	if system != "" {
		cmd.Env = append(cmd.Env, "GOOS="+system, "CGO_ENABLED=0")
	}
	out, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("go list: %w: %s", err, failed.Stderr)
	}
	if err != nil {
		return nil, err
	}
	var all []*pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := &pkg{}
		if err := dec.Decode(p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if err := p.read(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// files returns the names of the package's files, those of the tests last.
func (p *pkg) files() []string { return slices.Concat(p.GoFiles, p.TestGoFiles, p.XTestGoFiles) }

// tested reports whether the package has tests.
func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// shared are the packages whose values several goroutines use at once: the feed with its items, and
// the engine.
var shared = []string{"parley/session/log", "parley/session/engine"}

// concurrent reports whether the race detector can find something in the package: it has tests, and it
// starts goroutines or uses channels, locks, atomic values or timers with a function, in its code or in
// its tests, or it uses shared values. Panes and controllers run on one goroutine, that of Bubble Tea, so
// they count only if their own code starts another one. What starts other programs does not count: test/
// has those. Nor does the screen as a whole, parley/ui, which test/e2e runs with the race detector.
func (p *pkg) concurrent() bool {
	switch path := p.ImportPath; {
	case !p.tested(), strings.HasPrefix(path, "parley/test/"), path == "parley/ui":
		return false
	case strings.HasPrefix(path, "parley/ui/"):
		return p.starts
	default:
		return p.synchronized || slices.ContainsFunc(p.Imports, func(path string) bool { return slices.Contains(shared, path) })
	}
}

// read looks into the files of the package.
func (p *pkg) read() error {
	for _, name := range p.files() {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			f, ok := d.(*ast.FuncDecl)
			p.benchmarks = p.benchmarks || ok && strings.HasSuffix(name, "_test.go") && strings.HasPrefix(f.Name.Name, "Benchmark")
		}
		ast.Inspect(f, func(n ast.Node) bool {
			p.synchronized = p.synchronized || synchronizes(n)
			p.starts = p.starts || starts(n) && !strings.HasSuffix(name, "_test.go")
			return true
		})
	}
	return nil
}

// starts reports whether a node starts a goroutine.
func starts(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.SelectorExpr:
		return n.Sel.Name == "AfterFunc"
	}
	return false
}

// synchronizes reports whether a node starts a goroutine, or exists for several of them.
func synchronizes(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt, *ast.ChanType:
		return true
	case *ast.ImportSpec:
		return n.Path.Value == `"sync"` || n.Path.Value == `"sync/atomic"` || n.Path.Value == `"golang.org/x/sync/errgroup"`
	case *ast.SelectorExpr:
		return n.Sel.Name == "AfterFunc" || n.Sel.Name == "Go"
	}
	return false
}
