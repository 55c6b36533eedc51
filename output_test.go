package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A wayOut is a way on which something leaves the program, or on which the program has something else do
// it: the names that lead there, and the packages that may use them, with what they use. All other
// packages get what they write to from their caller. So what an agent sends passes through few hands, which mask
// it and make it safe.
type wayOut struct {
	kind  string
	names []string            // with the paths of their packages; a star stands for any end
	users map[string][]string // by package, the names that it uses, without the paths
}

const (
	outlet = "parley/internal/outlet"
	bell   = `"\a"` // a text that only rings
)

// waysOut are all of them but the network, of which docs/security.md has the threats.
var waysOut = []wayOut{
	{
		// What an agent sends reaches a terminal through internal/cli and ui alone.
		kind:  "standard output and standard error, and logs that end there",
		names: []string{"print", "println", "fmt.Print*", "os.Stdout", "os.Stderr", "syscall.Stdout", "syscall.Stderr", "log.*", "log/slog.*"},
		users: map[string][]string{
			".":                          {"os.Stderr", "os.Stdout"},
			"internal/cli":               {"log.SetOutput", "slog.DiscardHandler", "slog.New", "slog.SetDefault"}, // for the libraries
			"internal/release":           {"fmt.Printf", "os.Stderr"},
			"internal/signin/signintest": {"slog.New", "slog.NewTextHandler"}, // for a library
		},
	},
	{
		kind: "files and folders",
		names: []string{"os.Create*", "os.OpenFile", "os.OpenRoot", "os.NewFile", "os.WriteFile", "os.CopyFS", "os.Rename", "os.Link", "os.Symlink", "os.Mkdir*", "os.Truncate",
			"io/ioutil.*", "syscall.Open", "syscall.Creat*", "syscall.Mk*", "syscall.Rename",
			outlet + ".Append", outlet + ".Create", outlet + ".NewDraft", outlet + ".Nowhere", outlet + ".Overwrite", outlet + ".PrivateFolder", outlet + ".Replace*", outlet + ".Temporary", outlet + ".Try",
			"parley/internal/sharedfile.Replace", "parley/internal/filename.WriteNew", "parley/session/export.Save", "parley/session/journal.Create*", "parley/ui/shot.Replace"},
		users: map[string][]string{
			"internal/outlet": {"os.CreateTemp", "os.Link", "os.MkdirAll", "os.OpenFile", "os.Rename"},
			// recordings, exports, findings, reports, what agents send and its folders, which others may read, the theme, the file of --ready
			"internal/cli": {"export.Save", "journal.Create", "journal.CreateAfter", "os.MkdirAll", "outlet.NewDraft", "outlet.Nowhere", "outlet.Overwrite", "outlet.PrivateFolder",
				"outlet.Replace", "outlet.Try", "sharedfile.Replace"},
			"internal/filename":     {"outlet.NewDraft"},
			"internal/history":      {"outlet.Append", "outlet.PrivateFolder", "outlet.Replace"},
			"internal/release":      {"os.MkdirAll", "os.MkdirTemp", "os.WriteFile"}, // a program of its own
			"internal/roster":       {"outlet.PrivateFolder", "outlet.Replace", "sharedfile.Replace"},
			"internal/sharedfile":   {"os.NewFile", "os.OpenFile", "os.Rename", "outlet.ReplaceAlone", "syscall.CreateFile"}, // also locks, which are empty, and damaged files
			"internal/signin":       {"outlet.PrivateFolder", "sharedfile.Replace"},
			"internal/trust":        {"outlet.PrivateFolder", "sharedfile.Replace"},
			"session/annotation":    {"sharedfile.Replace"},
			"session/catalog":       {"sharedfile.Replace"},
			"session/export":        {"outlet.NewDraft", "outlet.Overwrite"},
			"session/journal":       {"outlet.Create", "outlet.PrivateFolder"},
			"ui":                    {"outlet.PrivateFolder", "outlet.Temporary"}, // for the editor
			"ui/control/files":      {"export.Save", "filename.WriteNew"},
			"ui/control/play":       {"shot.Replace"},
			"ui/control/screenshot": {"filename.WriteNew"},
			"ui/shot":               {"outlet.Replace"},
			// for tests
			"a2a/mesh/meshtest": {"os.WriteFile"},
			"internal/certtest": {"os.WriteFile"},
			"internal/golden":   {"os.MkdirAll", "os.WriteFile"},
			"internal/tmux":     {"os.Mkdir", "os.MkdirTemp", "os.OpenFile", "os.WriteFile", "syscall.Mkfifo"},
		},
	},
	{
		kind:  "other programs",
		names: []string{"os/exec.Command*", "os/exec.Cmd{}", outlet + ".Apart", outlet + ".Program", "os.StartProcess", "syscall.Exec", "syscall.ForkExec", "syscall.StartProcess"},
		users: map[string][]string{
			"internal/outlet":  {"exec.CommandContext"},
			"internal/cli":     {"outlet.Apart", "outlet.Program"}, // the browser, the bearer-command, and another Parley
			"ui":               {"outlet.Program"},                 // the editor
			"ui/terminal":      {"exec.Command"},                   // sees whether a shell would continue a suspended program
			"internal/release": {"exec.CommandContext"},            // a program of its own
			// for tests
			"a2a/mesh/meshtest": {"exec.Command"},
			"internal/tmux":     {"exec.Command"},
		},
	},
	{
		kind:  "the terminal, through Bubble Tea",
		names: []string{tea + ".NewProgram", tea + ".OpenTTY", tea + ".Print*", tea + ".Raw", tea + ".Exec*", "parley/ui/terminal.NewProgram"},
		users: map[string][]string{
			"ui":               {"bubbletea.OpenTTY", "terminal.NewProgram"},
			"ui/control/inbox": {"bubbletea.Raw"},                        // the bell
			"ui/inline":        {"bubbletea.Raw", "terminal.NewProgram"}, // questions to the terminal, before an answer is drawn
			"ui/prompt":        {"terminal.NewProgram"},
			"ui/terminal":      {"bubbletea.Exec", "bubbletea.NewProgram", "bubbletea.Raw"}, // lends the terminal, and asks it
		},
	},
	{
		kind:  "the clipboard",
		names: []string{tea + ".SetClipboard", tea + ".SetPrimaryClipboard", ansi + ".SetClipboard", ansi + ".SetSystemClipboard", ansi + ".SetPrimaryClipboard", "github.com/atotto/clipboard.*"},
		users: map[string][]string{"ui": {"bubbletea.SetClipboard"}},
	},
	{
		kind:  "the title of the window",
		names: []string{"WindowTitle:", ansi + ".SetWindowTitle", ansi + ".SetIconName*"},
		users: map[string][]string{
			"ui":          {"WindowTitle:"},
			"ui/terminal": {"ansi.SetWindowTitle"}, // recognises the one that empties it
		},
	},
	{
		kind:  "the bell and notifications of the desktop",
		names: []string{bell, ansi + ".Notify", ansi + ".DesktopNotification"},
		users: map[string][]string{
			"ui/control/inbox": {bell},
			"ui/canvas":        {bell}, // ends an escape sequence
		},
	},
	{
		kind:  "the keyring",
		names: []string{"github.com/zalando/go-keyring.Set"},
		users: map[string][]string{"internal/signin": {"keyring.Set"}},
	},
}

// harmless are names that lead nowhere by themselves.
var harmless = []string{"log.New", "log.Logger"}

func TestOnlyListedPackagesHaveAWayOut(t *testing.T) {
	all := map[string][]string{} // by package, what its files name
	for _, file := range sourceFiles(t) {
		all[file.pkg] = append(all[file.pkg], mentions(file.tree)...)
	}
	for _, way := range waysOut {
		found := map[string][]string{}
		for pkg, names := range all {
			if uses := way.among(names); len(uses) > 0 {
				found[pkg] = uses
			}
		}
		for pkg, got := range found {
			if !slices.Equal(got, way.users[pkg]) {
				t.Errorf("%s: %s: got %q, want only %q", way.kind, pkg, got, way.users[pkg])
			}
		}
		for pkg := range way.users {
			if found[pkg] == nil {
				t.Errorf("%s: got %s in the list, which uses none of it", way.kind, pkg)
			}
		}
	}
}

// A name that was imported with a dot would be found nowhere.
func TestNoPackageIsImportedWithADot(t *testing.T) {
	for _, file := range sourceFiles(t) {
		for _, imp := range file.tree.Imports {
			if imp.Name != nil && imp.Name.Name == "." {
				t.Errorf("%s: got %s imported with a dot, want its name", file.path, imp.Path.Value)
			}
		}
	}
}

// unguarded are the packages that start goroutines whose panics the runtime prints.
var unguarded = []string{
	"internal/crash", // for what may panic while the program ends
	"a2a/a2atest", "a2a/a2atest/demo", "a2a/grpc/grpctest", "a2a/mesh/meshtest",
	"ui/jsonview", // starts none: its method Go moves the cursor
}

// A panic is a way out, too: the runtime prints its value, on a screen that nobody restored.
func TestGoroutinesAreGuarded(t *testing.T) {
	files := sourceFiles(t)
	guards := map[string]bool{} // the functions that begin with a guard, by package and name
	for _, file := range files {
		for _, d := range file.tree.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil && beginsGuarded(file.tree, f.Body) {
				guards[file.pkg+" "+f.Name.Name] = true
			}
		}
	}
	starts := map[string]int{}
	for _, file := range files {
		for _, f := range started(file.tree) {
			starts[file.pkg]++
			if slices.Contains(unguarded, file.pkg) {
				continue
			}
			guarded := false
			switch f := f.(type) {
			case *ast.FuncLit:
				guarded = beginsGuarded(file.tree, f.Body)
			case *ast.CallExpr: // also of go crash.Guarded(f)()
				guarded = selected(file.tree, f.Fun) == guarding+".Guarded"
			case *ast.SelectorExpr:
				guarded = guards[file.pkg+" "+f.Sel.Name]
			case *ast.Ident:
				guarded = guards[file.pkg+" "+f.Name]
			}
			if !guarded {
				t.Errorf("%s: got a goroutine without a guard, want it to begin with defer crash.Guard(), or crash.Guarded", file.path)
			}
		}
	}
	for _, pkg := range unguarded {
		if starts[pkg] == 0 {
			t.Errorf("got %s in the list, which starts no goroutine", pkg)
		}
	}
}

const guarding = "parley/internal/crash"

// beginsGuarded reports whether a function defers a guard first.
func beginsGuarded(tree *ast.File, body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	first, ok := body.List[0].(*ast.DeferStmt)
	return ok && selected(tree, first.Call.Fun) == guarding+".Guard"
}

// started returns the functions that a file has run on goroutines of their own: by go, by a method Go of
// one argument, such as that of a WaitGroup, and by AfterFunc.
func started(tree *ast.File) (all []ast.Expr) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			all = append(all, n.Call.Fun)
		case *ast.CallExpr:
			switch f, ok := n.Fun.(*ast.SelectorExpr); {
			case !ok:
			case f.Sel.Name == "Go" && len(n.Args) == 1:
				all = append(all, n.Args[0])
			case f.Sel.Name == "AfterFunc" && len(n.Args) == 2:
				all = append(all, n.Args[1])
			}
		}
		return true
	})
	return all
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

func TestWaysOutAreFound(t *testing.T) {
	const text = `package x
import (
	"fmt"; "log"; slow "log/slog"; mine "parley/session/log"; "os"; "io"; run "os/exec"
	tea "charm.land/bubbletea/v2"; "github.com/zalando/go-keyring"
)
func f(w io.Writer, v tea.View) {
	fmt.Print(); fmt.Println(); fmt.Fprint(w)
	log.Printf(""); log.New(w, "", 0); slow.Info(""); mine.New(); os.Stderr.Close(); println()
	write := os.WriteFile; os.Open("x"); os.Remove("x"); os.MkdirAll("x", 0)
	run.CommandContext(nil, "x"); _ = &run.Cmd{Path: "x"}; var c *run.Cmd; c.Run()
	tea.Raw("\a"); tea.SetClipboard(""); tea.Batch(); v.WindowTitle = "x"; _ = tea.View{WindowTitle: "x"}
	keyring.Set("", "", ""); keyring.Get("", "")
}`
	tree, err := parser.ParseFile(token.NewFileSet(), "x.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, way := range waysOut {
		got = append(got, strings.Join(way.among(mentions(tree)), " "))
	}
	want := []string{
		"fmt.Print fmt.Println log.Printf os.Stderr println slog.Info", "os.MkdirAll os.WriteFile", "exec.Cmd{} exec.CommandContext",
		"bubbletea.Raw", "bubbletea.SetClipboard", "WindowTitle:", bell, "keyring.Set",
	}
	if !slices.Equal(got, want) {
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

// among returns those of some names that lead to a way out, each once, without the paths of their packages.
func (w *wayOut) among(names []string) (found []string) {
	for _, name := range names {
		short := packageName(name)
		if !slices.Contains(harmless, short) && slices.ContainsFunc(w.names, func(of string) bool {
			begin, any := strings.CutSuffix(of, "*")
			return name == of || any && strings.HasPrefix(name, begin)
		}) {
			found = append(found, short)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// mentions returns what a file names that can be a way out: selected names with the paths of their
// packages, calls of print and println, fields with a colon behind them, structs that are made with
// braces behind them, and the bell.
func mentions(tree *ast.File) (names []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
				names = append(names, f.Name)
			}
		case *ast.CompositeLit:
			names = append(names, selected(tree, n.Type)+"{}")
		case *ast.KeyValueExpr:
			if f, ok := n.Key.(*ast.Ident); ok {
				names = append(names, f.Name+":")
			}
		case *ast.SelectorExpr:
			names = append(names, selected(tree, n), n.Sel.Name+":")
		case *ast.BasicLit:
			if n.Value == bell {
				names = append(names, bell)
			}
		}
		return true
	})
	return names
}

// packageName returns a name with that of its package in place of the path, as the file of an import has
// it: "bubbletea.Raw" of "charm.land/bubbletea/v2.Raw".
func packageName(name string) string {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return name
	}
	pkg := name[:dot]
	if end := path.Base(pkg); len(end) > 1 && end[0] == 'v' && strings.Trim(end[1:], "0123456789") == "" {
		pkg = path.Dir(pkg)
	}
	return strings.TrimPrefix(path.Base(pkg), "go-") + name[dot:]
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
		name := strings.TrimSuffix(packageName(file+"."), ".")
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if name == x.Name {
			return file + "." + s.Sel.Name
		}
	}
	return ""
}
