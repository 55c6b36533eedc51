package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The table follows the code: every text to be replaced occurs once, and what results is Go.
func TestEveryMutationHasItsPlace(t *testing.T) {
	t.Parallel()
	const root = "../.."
	all, seen := table(), map[string]bool{}
	if len(all) < 40 {
		t.Errorf("got %d mutations, want at least 40", len(all))
	}
	for _, m := range all {
		text, err := m.mutate(root)
		if err != nil {
			t.Errorf("%s: %v", m, err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), m.file, text, parser.SkipObjectResolution); err != nil {
			t.Errorf("%s: got what is not Go: %v", m, err)
		}
		if seen[m.String()] {
			t.Errorf("%s: got two mutations with this name, want one", m)
		}
		seen[m.String()] = true
		if len(m.packages) == 0 {
			t.Errorf("%s: got no packages, want those whose tests must fail", m)
		}
		for _, p := range m.packages {
			if tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(p), "*_test.go")); err != nil || len(tests) == 0 {
				t.Errorf("%s: got package %s (%v), want one with tests", m, p, err)
			}
		}
	}
}

// counter is a module with one function, and a test that does not notice everything.
var counter = map[string]string{
	"go.mod": "module counted\n\ngo 1.26\n",
	"add/add.go": `package add

func Add(a, b int) int {
	if a == 1000 {
		return 0
	}
	return a + b
}
`,
	"add/add_test.go": `package add

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}
`,
}

func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range counter {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// change returns a mutation of the module.
func change(what, old, now string) mutation {
	return mutation{what, "add/add.go", old, now, []string{"add"}}
}

func TestAMutationThatNoTestNoticesIsReported(t *testing.T) {
	t.Parallel()
	dir := module(t)
	var out strings.Builder
	err := run(t.Context(), &out, dir, []mutation{
		change("noticed", "a + b", "a - b"),
		change("dies", "return a + b", "go panic(a)\n\tselect {}"),
		change("unnoticed", "a == 1000", "a == 1001"),
		change("no Go", "a + b", "a + c"),
		change("twice", "a", "b"),
		change("nowhere", "a * b", "b"),
	})
	for _, want := range []string{
		"add/add.go: noticed: killed by TestAdd in ", "add/add.go: dies: killed by a crash of counted/add in ", "add/add.go: unnoticed: SURVIVED",
		"add/add.go: no Go: error: does not compile", "add/add.go: twice: error: the text to be replaced occurs ", "add/add.go: nowhere: error: the text to be replaced occurs 0 times",
		"2 of 6 mutations were killed",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("got no %q, want it:\n%s", want, &out)
		}
	}
	const want = "1 survived\n\tadd/add.go: unnoticed\n3 could not be tried\n\tadd/add.go: no Go\n\tadd/add.go: twice\n\tadd/add.go: nowhere"
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %q", err, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "add", "add.go")); err != nil || string(text) != counter["add/add.go"] {
		t.Errorf("got file %q (%v), want it as it was", text, err)
	}
}

// A test that fails by chance has noticed nothing.
func TestAFailureByChanceKillsNothing(t *testing.T) {
	t.Parallel()
	dir := module(t)
	const first = `package add

import (
	"os"
	"testing"
)

func TestOnce(t *testing.T) {
	if Add(1000, 0) == 1000 && os.Mkdir("was", 0o700) == nil {
		t.Error("got the first run with a change, want another one")
	}
}
`
	if err := os.WriteFile(filepath.Join(dir, "add", "once_test.go"), []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := run(t.Context(), &out, dir, []mutation{change("unnoticed", "a == 1000", "a == 1001")})
	if err == nil || !strings.Contains(out.String(), "error: TestOnce failed, but not when it ran alone") {
		t.Errorf("got error %v, want one about a test that failed by chance:\n%s", err, &out)
	}
}

// Tests that fail anyway notice nothing.
func TestFailingTestsKillNothing(t *testing.T) {
	t.Parallel()
	dir := module(t)
	if err := os.WriteFile(filepath.Join(dir, "add", "more_test.go"), []byte("package add\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) { t.Fail() }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	err := run(t.Context(), &out, dir, []mutation{change("unnoticed", "a == 1000", "a == 1001")})
	if err == nil || !strings.Contains(err.Error(), "the tests fail without a mutation") {
		t.Errorf("got error %v, want one about tests that fail:\n%s", err, &out)
	}
}

func TestTheKillerIsNamed(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nFAIL\nFAIL\tp\t0.01s\n":                         "TestA",
		"panic: test timed out after 5m0s\n\trunning tests:\n\t\tTestB (5m0s)\n\ngoroutine 1\nFAIL\tp\t300.0s\n": "TestB (no end)",
		"panic: oh\n\ngoroutine 7 [running]:\nFAIL\tp/q\t0.01s\nFAIL\n":                                          "a crash of p/q",
		"ok  \tp\t0.01s\n": "",
	} {
		if got, _ := killer(said); got != want {
			t.Errorf("got %q, want %q for:\n%s", got, want, said)
		}
	}
}

func TestOnlyChoosesByFileAndText(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := start(t.Context(), &out, "^session/listen/.*any address", true); err != nil || strings.Count(out.String(), "\n") != 1 || !strings.Contains(out.String(), "(session/listen)") {
		t.Errorf("got %q (%v), want the line of one mutation with its package", &out, err)
	}
	if err := start(t.Context(), &out, "no such file", true); err == nil {
		t.Error("got no error for an expression that matches nothing, want one")
	}
}
