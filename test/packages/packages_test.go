package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// module writes a module with one package per property.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":             "module parley\n\ngo 1.26\n",
		"plain/a.go":         "package plain\n",
		"plain/a_test.go":    "package plain\n\nfunc BenchmarkA() {}\n",
		"starts/a.go":        "package starts\n\nfunc f() { go f() }\n",
		"starts/a_test.go":   "package starts\n",
		"untested/a.go":      "package untested\n\nfunc f() { go f() }\n",
		"tests/a.go":         "package tests\n",
		"tests/a_test.go":    "package tests_test\n\nimport _ \"sync\"\n",
		"later/a.go":         "package later\n\nimport \"time\"\n\nvar _ = time.AfterFunc\n",
		"later/a_test.go":    "package later\n\n",
		"session/log/a.go":   "package log\n",
		"uses/a.go":          "package uses\n\nimport _ \"parley/session/log\"\n",
		"uses/a_test.go":     "package uses\n",
		"ui/pane/a.go":       "package pane\n\nimport _ \"parley/session/log\"\n",
		"ui/pane/a_test.go":  "package pane\n\nimport _ \"sync\"\n",
		"ui/jobs/a.go":       "package jobs\n\nfunc f() { go f() }\n",
		"ui/jobs/a_test.go":  "package jobs\n",
		"ui/a.go":            "package ui\n\nfunc f() { go f() }\n",
		"ui/a_test.go":       "package ui\n",
		"locks/a.go":         "package locks\n",
		"locks/a_linux.go":   "package locks\n\nimport _ \"os\"\n",
		"locks/a_windows.go": "package locks\n\nimport _ \"io\"\n",
		"only/a.go":          "//go:build !windows\n\npackage only\n",
	} {
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

func TestPropertiesAreDerivedFromTheSource(t *testing.T) {
	t.Parallel()
	dir := module(t)
	for property, want := range map[string][]string{
		"concurrent": {"parley/later", "parley/starts", "parley/tests", "parley/ui/jobs", "parley/uses"},
		"windows":    {"parley/locks"},
		"benchmarks": {"parley/plain"},
	} {
		found, err := properties[property](dir)
		var got []string
		for _, p := range found {
			got = append(got, p.ImportPath)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q (%v), want %q", property, got, err, want)
		}
	}
	if err := run(dir, []string{"parallel"}); err == nil {
		t.Error("got no error for a property that does not exist")
	}
}

// The packages that no rule may lose.
func TestTheModuleHasItsConcurrentPackages(t *testing.T) {
	t.Parallel()
	found, err := properties["concurrent"]("../..")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, p := range found {
		got[p.ImportPath] = true
	}
	for _, want := range []string{"a2a", "a2a/grpc", "a2a/mesh", "internal/cli", "internal/signin", "session/engine", "session/journal", "session/log", "session/model", "session/tap", "ui/terminal"} {
		if !got["parley/"+want] {
			t.Errorf("%s: got no race detector for it, want one", want)
		}
	}
}
