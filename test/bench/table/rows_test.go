package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryBenchmarkOfTheTableExists finds renamed benchmarks before the table is made.
func TestEveryBenchmarkOfTheTableExists(t *testing.T) {
	source := map[string]string{}
	for _, s := range sections() {
		for _, r := range s.rows {
			if source[r.pkg] == "" {
				source[r.pkg] = tests(t, filepath.Join("..", "..", "..", filepath.FromSlash(r.pkg)))
			}
			for _, b := range []benchmark{r.measured(), r.beneath()} {
				name, _, _ := strings.Cut(b.name, "/")
				if b.name != "" && !strings.Contains(source[b.pkg], "func Benchmark"+name+"(b *testing.B)") {
					t.Errorf("%s: got no Benchmark%s, want it", b.pkg, name)
				}
			}
		}
	}
}

// A comparing aim needs a floor.
func TestEveryAimCanBeJudged(t *testing.T) {
	for _, s := range sections() {
		for _, r := range s.rows {
			if compares := r.aim.kind == multiple || r.aim.kind == surplus; compares && r.floor == "" || r.floor != "" && r.least == "" {
				t.Errorf("%s: %s: got floor %q described as %q, want both", s.title, r.what, r.floor, r.least)
			}
		}
	}
}

// tests is the text of a folder's test files.
func tests(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", dir, err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
