package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// outlets lists the packages that name the standard output, the standard error, or a log that
// writes there. Everything else gets what it writes to from its caller: what an agent sends reaches
// a terminal through internal/cli and ui alone, which mask it and make it safe.
var outlets = map[string][]string{
	".":                          {"os.Stderr", "os.Stdout"},
	"internal/cli":               {"log.SetOutput", "slog.DiscardHandler", "slog.New", "slog.SetDefault"}, // for the libraries
	"internal/release":           {"fmt.Printf", "os.Stderr"},
	"internal/signin/signintest": {"slog.New", "slog.NewTextHandler"}, // for a library
}

// harmless are the names of package log that write nothing by themselves.
var harmless = []string{"log.New", "log.Logger"}

func TestOnlyListedPackagesWriteToTheTerminal(t *testing.T) {
	found := map[string]map[string]bool{}
	for _, file := range sourceFiles(t) {
		names := outletsIn(file.tree)
		for _, name := range names {
			if found[file.pkg] == nil {
				found[file.pkg] = map[string]bool{}
			}
			found[file.pkg][name] = true
		}
	}
	for pkg := range maps.Keys(found) {
		if got := slices.Sorted(maps.Keys(found[pkg])); !slices.Equal(got, outlets[pkg]) {
			t.Errorf("%s: got %q, want only %q", pkg, got, outlets[pkg])
		}
	}
	for pkg := range outlets {
		if found[pkg] == nil {
			t.Errorf("got %s in the list, which writes nothing", pkg)
		}
	}
}

// A server of net/http without a log of its own writes to the global one.
func TestServersHaveALogOfTheirOwn(t *testing.T) {
	servers := 0
	for _, file := range sourceFiles(t) {
		ast.Inspect(file.tree, func(n ast.Node) bool {
			made, ok := n.(*ast.CompositeLit)
			if !ok || selected(file.tree, made.Type) != "net/http.Server" {
				return true
			}
			servers++
			if !slices.ContainsFunc(made.Elts, func(e ast.Expr) bool {
				pair, ok := e.(*ast.KeyValueExpr)
				return ok && pair.Key.(*ast.Ident).Name == "ErrorLog"
			}) {
				t.Errorf("%s: got a server without ErrorLog, want one", file.path)
			}
			return true
		})
	}
	if servers < 5 {
		t.Errorf("got %d servers, want at least 5", servers)
	}
}

func TestOutletsAreFound(t *testing.T) {
	const text = `package x
import ("fmt"; "log"; slow "log/slog"; mine "parley/session/log"; "os"; "io")
func f(w io.Writer) {
	fmt.Print(); fmt.Println(); fmt.Fprint(w)
	log.Printf(""); log.New(w, "", 0); slow.Info(""); mine.New(); os.Stderr.Close(); println()
}`
	tree, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, want := outletsIn(tree), []string{"fmt.Print", "fmt.Println", "log.Printf", "os.Stderr", "println", "slog.Info"}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A sourceFile is a Go file of the program, without tests and the programs that test it.
type sourceFile struct {
	path, pkg string
	lines     int
	tree      *ast.File
}

func sourceFiles(t *testing.T) (files []sourceFile) {
	t.Helper()
	for _, name := range textFiles(t) {
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "test/") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, sourceFile{name, path.Dir(name), bytes.Count(text, []byte("\n")), tree})
	}
	return files
}

// outletsIn returns the names in a file that write to the terminal, or lead there.
func outletsIn(tree *ast.File) (names []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
				names = append(names, f.Name)
			}
		case *ast.SelectorExpr:
			full := selected(tree, n)
			pkg, name, _ := strings.Cut(full[strings.LastIndexByte(full, '/')+1:], ".")
			short := pkg + "." + name
			switch pkg = strings.TrimSuffix(full, "."+name); {
			case pkg == "os" && (name == "Stdout" || name == "Stderr"),
				pkg == "syscall" && (name == "Stdout" || name == "Stderr"),
				pkg == "fmt" && strings.HasPrefix(name, "Print"),
				pkg == "log" && !slices.Contains(harmless, short),
				pkg == "log/slog":
				names = append(names, short)
			}
		}
		return true
	})
	return names
}

// selected returns the path of a package and the name in it that an expression selects, such as
// "net/http.Server"; empty for any other expression.
func selected(tree *ast.File, e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	x, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, imp := range tree.Imports {
		file, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(file)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if name == x.Name {
			return file + "." + s.Sel.Name
		}
	}
	return ""
}
