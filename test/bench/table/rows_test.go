package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Benchmarks that are renamed would be missed only when the table is made.
func TestEveryBenchmarkOfTheTableExists(t *testing.T) {
	source := map[string]string{}
	for _, r := range rows {
		if r.pkg == "" {
			continue
		}
		if source[r.pkg] == "" {
			source[r.pkg] = tests(t, filepath.Join("..", "..", "..", filepath.FromSlash(r.pkg)))
		}
		ours, floor := r.pair()
		for _, b := range []benchmark{ours, floor} {
			name, _, _ := strings.Cut(b.name, "/")
			if !strings.Contains(source[b.pkg], "func Benchmark"+name+"(b *testing.B)") {
				t.Errorf("%s has no Benchmark%s", b.pkg, name)
			}
		}
	}
}

// tests is the text of a folder's test files.
func tests(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s holds no tests: %v", dir, err)
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
