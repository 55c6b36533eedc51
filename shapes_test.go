package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// A shape is something that the program has too much of. Its ceiling is today's count, so that no
// commit raises it, and a commit that lowers it lowers the ceiling too.
type shape struct {
	name    string
	ceiling int
	instead string // what to write in place of one more
	count   func([]sourceFile) int
}

// shapes is the table of ceilings. A commit that must raise one gives the reason in its message.
var shapes = []shape{
	{"methods of app in internal/cli", 237, "give the new part a type of its own", methodsOf("internal/cli", "app")},
	{"methods of operation in internal/cli", 85, "give the new part a type of its own", methodsOf("internal/cli", "operation")},
	{"methods of Engine in session/engine", 204, "give the new part a type of its own", methodsOf("session/engine", "Engine")},
	{"methods of State in session/model", 117, "give the new part a type of its own", methodsOf("session/model", "State")},
	{"methods of Model in ui", 127, "put it into a controller in ui/control", methodsOf("ui", "Model")},
	{"Intent interfaces in ui", 36, "let the pane call its controller", below("ui", isIntent)},
	{"intent methods in ui", 202, "let the pane call its controller", below("ui", isMarker)},
	{"ShortHelp and FullHelp methods in ui", 3, "describe a key where it is declared", below("ui", isHelp)},
	{"Actions, Links, Options and Panes structs in ui/control", 32, "pass the few values to the constructor", below("ui/control", isWiring)},
	{"files of package a2a", 129, "put it into a package below a2a", filesIn("a2a")},
	{"files of package internal/cli", 115, "put it into a package of its own", filesIn("internal/cli")},
	{"thousand lines in the largest package", 22, "divide the package", thousandsInLargest},
}

func TestShapesOnlyFall(t *testing.T) {
	files := sourceFiles(t)
	for _, s := range shapes {
		switch got := s.count(files); {
		case got > s.ceiling:
			t.Errorf("got %d %s, want at most %d: %s", got, s.name, s.ceiling, s.instead)
		case got < s.ceiling:
			t.Errorf("got %d %s, want the ceiling %d to fall with them: lower the ceiling to %d in shapes_test.go", got, s.name, s.ceiling, got)
		}
	}
	if testing.Verbose() {
		t.Log("\n" + sizes(t))
	}
}

// methodsOf counts the methods of a type, and the functions of its package whose first parameter
// has that type: a method that became such a function is the same shape.
func methodsOf(pkg, name string) func([]sourceFile) int {
	return func(files []sourceFile) int {
		return count(files, func(dir string) bool { return dir == pkg }, func(d ast.Decl) bool {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				return false
			}
			first := f.Type.Params.List
			if f.Recv != nil {
				first = f.Recv.List
			}
			return len(first) > 0 && ownType(first[0].Type) == name
		})
	}
}

// ownType returns the name of a type of the package that names it, also behind a pointer; empty
// for other types.
func ownType(e ast.Expr) string {
	if pointer, ok := e.(*ast.StarExpr); ok {
		e = pointer.X
	}
	if named, ok := e.(*ast.Ident); ok {
		return named.Name
	}
	return ""
}

// below counts the declarations in a package and in the packages below it.
func below(pkg string, is func(ast.Decl) bool) func([]sourceFile) int {
	return func(files []sourceFile) int {
		return count(files, func(dir string) bool { return dir == pkg || strings.HasPrefix(dir, pkg+"/") }, is)
	}
}

// count counts the declarations at the top of the files of some packages; each type of a group is
// a declaration.
func count(files []sourceFile, in func(pkg string) bool, is func(ast.Decl) bool) (n int) {
	for _, file := range files {
		if !in(file.pkg) {
			continue
		}
		for _, d := range file.tree.Decls {
			for _, one := range apart(d) {
				if is(one) {
					n++
				}
			}
		}
	}
	return n
}

// apart returns a declaration with each of its specifications in a declaration of its own.
func apart(d ast.Decl) []ast.Decl {
	group, ok := d.(*ast.GenDecl)
	if !ok {
		return []ast.Decl{d}
	}
	var all []ast.Decl
	for _, spec := range group.Specs {
		all = append(all, &ast.GenDecl{Tok: group.Tok, Specs: []ast.Spec{spec}})
	}
	return all
}

// typeOf returns the name and the type that a declaration declares; nil unless it declares a type.
func typeOf(d ast.Decl) (name string, what ast.Expr) {
	group, ok := d.(*ast.GenDecl)
	if !ok || group.Tok != token.TYPE {
		return "", nil
	}
	spec := group.Specs[0].(*ast.TypeSpec)
	return spec.Name.Name, spec.Type
}

func isIntent(d ast.Decl) bool {
	name, what := typeOf(d)
	_, ok := what.(*ast.InterfaceType)
	return ok && name == "Intent"
}

// isWiring reports whether a declaration is a struct with which a controller gets what it needs.
func isWiring(d ast.Decl) bool {
	name, what := typeOf(d)
	_, ok := what.(*ast.StructType)
	return ok && slices.Contains([]string{"Actions", "Links", "Options", "Panes"}, name)
}

// isMarker reports whether a declaration is a method that only makes its type fit an interface.
func isMarker(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv != nil && f.Name.Name == "intent"
}

func isHelp(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv != nil && (f.Name.Name == "ShortHelp" || f.Name.Name == "FullHelp")
}

func filesIn(pkg string) func([]sourceFile) int {
	return func(files []sourceFile) (n int) {
		for _, file := range files {
			if file.pkg == pkg {
				n++
			}
		}
		return n
	}
}

// thousandsInLargest rounds up: a line more or less in the largest package is no other shape.
func thousandsInLargest(files []sourceFile) int {
	_, lines := largest(files)
	return (lines + 999) / 1000
}

// largest returns the package with the most lines, and their number.
func largest(files []sourceFile) (pkg string, lines int) {
	by := map[string]int{}
	for _, file := range files {
		by[file.pkg] += file.lines
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		if by[name] > lines {
			pkg, lines = name, by[name]
		}
	}
	return pkg, lines
}

// sizes is a table of the lines of Go in each folder of the root: information, which no ceiling
// limits.
func sizes(t *testing.T) string {
	t.Helper()
	type size struct{ packages, code, tests int }
	by, seen := map[string]*size{}, map[string]bool{}
	for _, name := range textFiles(t) {
		if path.Ext(name) != ".go" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		top, _, nested := strings.Cut(name, "/")
		if !nested {
			top = "."
		}
		for _, folder := range []string{top, "all"} {
			if by[folder] == nil {
				by[folder] = &size{}
			}
			s, lines := by[folder], bytes.Count(text, []byte("\n"))
			if strings.HasSuffix(name, "_test.go") || top == "test" {
				s.tests += lines
			} else {
				s.code += lines
			}
			if pkg := folder + " " + path.Dir(name); !seen[pkg] {
				seen[pkg] = true
				s.packages++
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %8s %8s %8s\n", "folder", "packages", "code", "tests")
	for _, folder := range slices.SortedFunc(maps.Keys(by), func(x, y string) int { return cmp.Compare(by[y].code, by[x].code) }) {
		s := by[folder]
		fmt.Fprintf(&b, "%-10s %8d %8d %8d\n", folder, s.packages, s.code, s.tests)
	}
	pkg, lines := largest(sourceFiles(t))
	fmt.Fprintf(&b, "the largest package is %s with %d lines\n", pkg, lines)
	return b.String()
}

func TestShapesAreCounted(t *testing.T) {
	const text = `package x
type (
	Intent interface{ intent() }
	Options struct{}
)
type Links struct{}
type Panes func()
func (app) intent() {}
func (a *app) FullHelp() int { return 0 }
func (a *app) help() {}
func byHand(a *app, n int) {}
func unlike(n int, a *app) {}
func none() {}
func (o *Options) use(a *app) {}`
	tree, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	files := []sourceFile{{"x/x.go", "x", 1001, tree}, {"x/y/x.go", "x/y", 7, tree}, {"xy/x.go", "xy", 7, tree}}
	for name, c := range map[string]struct {
		count func([]sourceFile) int
		want  int
	}{
		"methods":  {methodsOf("x", "app"), 4},
		"intents":  {below("x", isIntent), 2},
		"markers":  {below("x/y", isMarker), 1},
		"help":     {below("x", isHelp), 2},
		"wiring":   {below("x", isWiring), 4},
		"files":    {filesIn("x"), 1},
		"thousand": {thousandsInLargest, 2},
	} {
		if got := c.count(files); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
