package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parley/internal/golden"
)

// packageGroups are the top level folders, in the order of docs/packages.md.
var packageGroups = []struct{ folder, title string }{
	{"a2a", "The protocol"},
	{"session", "What happened, without a screen"},
	{"themes", "Colours"},
	{"ui", "The screen"},
	{"internal", "The command line, and what the others share"},
	{"test", "Programs and tests that need the whole program"},
}

// longestPurpose is how many characters the first sentence of a package comment may have: a row
// of docs/packages.md.
const longestPurpose = 160

func TestTheManualNamesEveryPackage(t *testing.T) {
	golden.File(t, "docs/packages.md", packageMap(packagePurposes(t)))
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	purposes := packagePurposes(t)
	for _, pkg := range slices.Sorted(maps.Keys(purposes)) {
		if problem := purposeProblem(pkg, purposes[pkg]); problem != "" {
			t.Errorf("%s: %s", pkg, problem)
		}
	}
}

func TestPurposeProblem(t *testing.T) {
	long := "Package x " + strings.Repeat("long ", 32) + "line."
	for _, c := range []struct{ pkg, purpose, want string }{
		{"ui/x", "Package x draws a line.", ""},
		{"ui", "Package ui draws a screen.", ""},
		{"ui/x", "", "got no package comment, want one"},
		{"ui/x", "Package x draws a line:", `got "Package x draws a line:" as the first sentence, want one that ends with a full stop`},
		{"ui/x", "Package x.", `got "Package x." as the first sentence, want one that says what the package does`},
		{"ui/x", long, "got 175 characters in the first sentence, want at most 160"},
		{"tools/x", "Package x draws a line.", "got a folder that docs/packages.md has no group for, want it in packageGroups"},
	} {
		if got := purposeProblem(c.pkg, c.purpose); got != c.want {
			t.Errorf("%s, %q: got %q, want %q", c.pkg, c.purpose, got, c.want)
		}
	}
}

// packagePurposes returns the first sentence of each package's comment, by its path in the module.
func packagePurposes(t *testing.T) map[string]string {
	t.Helper()
	purposes := map[string]string{}
	for line := range strings.Lines(run(t, "go", "list", "-f", "{{.ImportPath}}\t{{.Doc}}", "./...")) {
		pkg, purpose, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if pkg = strings.TrimPrefix(strings.TrimPrefix(pkg, "parley"), "/"); pkg == "" {
			pkg = "."
		}
		purposes[pkg] = purpose
	}
	return purposes
}

// purposeProblem returns what a reader of docs/packages.md would miss in a package's row.
func purposeProblem(pkg, purpose string) string {
	words := strings.Fields(purpose)
	switch {
	case purpose == "":
		return "got no package comment, want one"
	case !strings.HasSuffix(purpose, "."):
		return fmt.Sprintf("got %q as the first sentence, want one that ends with a full stop", purpose)
	case len(words) < 4:
		return fmt.Sprintf("got %q as the first sentence, want one that says what the package does", purpose)
	case utf8.RuneCountInString(purpose) > longestPurpose:
		return fmt.Sprintf("got %d characters in the first sentence, want at most %d", utf8.RuneCountInString(purpose), longestPurpose)
	case pkg != "." && groupOf(pkg) < 0:
		return "got a folder that docs/packages.md has no group for, want it in packageGroups"
	}
	return ""
}

// groupOf returns the index of a package's group in packageGroups; -1 if it has none.
func groupOf(pkg string) int {
	folder, _, _ := strings.Cut(pkg, "/")
	for i, g := range packageGroups {
		if g.folder == folder {
			return i
		}
	}
	return -1
}

// packageMap returns the content of docs/packages.md.
func packageMap(purposes map[string]string) string {
	var b strings.Builder
	b.WriteString("# Packages\n\nGenerated from the first sentence of each package comment; `go test . -run Manual -update` writes it. " +
		"[architecture.md](architecture.md) says how the packages work together, and which may import which.\n\n" +
		purposes["."] + " Its package `main`, [main.go](../main.go), hands arguments, environment and streams to `internal/cli`.\n")
	link := regexp.MustCompile(`\[([\w.]+)\]`) // to a name of the package
	for i, g := range packageGroups {
		fmt.Fprintf(&b, "\n## %s/\n\n%s.\n\n| Package | Purpose |\n|---|---|\n", g.folder, g.title)
		for _, pkg := range slices.Sorted(maps.Keys(purposes)) {
			if pkg != "." && groupOf(pkg) == i {
				purpose := strings.ReplaceAll(link.ReplaceAllString(purposes[pkg], "`$1`"), "|", `\|`)
				fmt.Fprintf(&b, "| [%s](../%s) | %s |\n", pkg, pkg, purpose)
			}
		}
	}
	return b.String()
}
