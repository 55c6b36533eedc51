package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "../.."

// Every recipe has a script whose anchors occur in the files of the module. Whether the recipe ends
// green is for go run ./test/recipes.
func TestEveryRecipeCanBeApplied(t *testing.T) {
	recipes, err := readRecipes(module)
	if err != nil {
		t.Fatal(err)
	}
	if len(recipes) < 8 {
		t.Errorf("got %d recipes in CONTRIBUTING.md, want at least 8", len(recipes))
	}
	for _, r := range recipes {
		t.Run(r.title, func(t *testing.T) {
			if err := r.check(); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, c := range r.script.changes {
				if err := copyFile(path(module, c.file), path(dir, c.file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
			}
			if err := r.script.apply(dir); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSectionsAreTheRecipes(t *testing.T) {
	got := sections("# A\n\n## Recipes\n\n### One\n\n1. `go test ./a -run 'B|C' -update`, then\n   `go test ./a\n   ./b`.\n\n### Two\n\nx `make x`\n\n## Style\n\n### Three\n")
	if len(got) != 2 || got[0].title != "One" || got[1].title != "Two" {
		t.Fatalf("got sections %q, want One and Two", got)
	}
	found := commands(got[0].text)
	want := [][]string{{"go", "test", "./a", "-run", "B|C", "-update"}, {"go", "test", "./a", "./b"}}
	if len(found) != 2 || !slices.Equal(found[0], want[0]) || !slices.Equal(found[1], want[1]) {
		t.Errorf("got commands %q, want %q", found, want)
	}
	if found := commands(got[1].text); len(found) > 0 {
		t.Errorf("got commands %q, want none", found)
	}
}

func TestARecipeNeedsAScriptAndACheck(t *testing.T) {
	s := script{name: "x.txtar"}
	green, update := []string{"go", "test", "./a"}, []string{"go", "test", "./a", "-update"}
	for name, c := range map[string]struct {
		r    recipe
		want string
	}{
		"whole":       {recipe{script: s, commands: [][]string{update, green}}, ""},
		"no script":   {recipe{commands: [][]string{green}}, "got no script"},
		"no command":  {recipe{script: s}, "got no command"},
		"only update": {recipe{script: s, commands: [][]string{green, update}}, "got a last command that updates"},
	} {
		got := ""
		if err := c.r.check(); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAScriptWritesAndEditsFiles(t *testing.T) {
	const text = "A recipe\nabout it\n-- new/a.txt --\nhello\n\\-- b --\n-- edit old.txt --\n@ after\ntwo\n@ add\nbetween\n\\@ add\n@ replace\nfour\nfive\n@ by\n\n4\n\nfive\n"
	s, err := parse("x.txtar", []byte(text))
	if err != nil || s.title != "A recipe" {
		t.Fatalf("got %+v (%v), want a script of “A recipe”", s, err)
	}
	dir := t.TempDir()
	write(t, path(dir, "old.txt"), "one\nline two here\nthree\nfour\nfive\n")
	if err := s.apply(dir); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"new/a.txt": "hello\n-- b --\n",
		"old.txt":   "one\nline two here\nbetween\n@ add\nthree\n\n4\n\nfive\n",
	} {
		if got, err := os.ReadFile(path(dir, file)); err != nil || string(got) != want {
			t.Errorf("%s: got %q (%v), want %q", file, got, err, want)
		}
	}
	if err := s.apply(dir); err == nil || !strings.Contains(err.Error(), "new/a.txt: got a file that exists") {
		t.Errorf("a second time: got %v, want an error about new/a.txt", err)
	}
}

func TestAWrongScriptIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "got no title",
		"A\n":                              "got no title or no file",
		"A\n-- edit f --\n":                "got no edits",
		"A\n-- edit f --\nx\n":             `got "x"`,
		"A\n-- edit f --\n@ after\nx\n":    "got no @ add",
		"A\n-- edit f --\n@ after\n@ by\n": `got "@ by"`,
	} {
		if _, err := parse("x", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want an error with %q", text, err, want)
		}
	}
	for text, e := range map[string]edit{"a\na\n": {anchor: "a"}, "b\n": {anchor: "a"}, "c\n": {}} {
		if got, err := e.apply(text); err == nil {
			t.Errorf("%q: got %q, want an error about the anchor %q", text, got, e.anchor)
		}
	}
}

func TestAMirrorHasWhatIsNotCommitted(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for _, args := range [][]string{{"init", "-q"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = from
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("git cannot make a repository: %v\n%s", err, out)
		}
	}
	write(t, path(from, ".gitignore"), "bin\n")
	write(t, path(from, "a/b.txt"), "one")
	write(t, path(from, "bin"), "ignored")
	for range 2 {
		if err := mirror(context.Background(), from, to); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path(to, "a/b.txt")); err != nil || string(got) != "one" {
			t.Errorf("got %q (%v), want the file of the module", got, err)
		}
		for _, name := range []string{"bin", "left.txt"} {
			if _, err := os.Stat(path(to, name)); err == nil {
				t.Errorf("got %s in the copy, want it without", name)
			}
		}
		write(t, path(to, "a/b.txt"), "changed by a recipe")
		write(t, path(to, "left.txt"), "of a recipe")
	}
	other := t.TempDir()
	write(t, path(other, "mine.txt"), "mine")
	if err := mirror(context.Background(), from, other); err == nil {
		t.Error("got a copy over the files of another folder, want an error")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
