package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A recipe is a section of CONTRIBUTING.md with the script that does what it says.
type recipe struct {
	title    string
	commands [][]string // in the order of the section
	script   script
}

// check says why a recipe cannot be tried; nil if it can.
func (r recipe) check() error {
	switch {
	case r.script.name == "":
		return errors.New("got no script in test/recipes/testdata, want one that does what the recipe says")
	case len(r.commands) == 0:
		return errors.New("got no command of go test in the recipe, want one that shows whether it was followed")
	case slices.Contains(r.commands[len(r.commands)-1], "-update"):
		return errors.New("got a last command that updates files, want one that checks")
	}
	return nil
}

// readRecipes returns the recipes of a module. Each script must be of a recipe.
func readRecipes(module string) ([]recipe, error) {
	text, err := os.ReadFile(path(module, "CONTRIBUTING.md"))
	if err != nil {
		return nil, err
	}
	scripts, err := readScripts(path(module, "test/recipes/testdata"))
	if err != nil {
		return nil, err
	}
	var all []recipe
	for _, s := range sections(string(text)) {
		all = append(all, recipe{title: s.title, commands: commands(s.text), script: scripts[s.title]})
		delete(scripts, s.title)
	}
	for title, s := range scripts {
		return nil, fmt.Errorf("%s: got the title %q, want that of a recipe in CONTRIBUTING.md", s.name, title)
	}
	return all, nil
}

// A section is a part of a document below a heading.
type section struct{ title, text string }

// sections returns the recipes of CONTRIBUTING.md.
func sections(document string) (all []section) {
	_, rest, _ := strings.Cut(document, "\n## Recipes\n")
	rest, _, _ = strings.Cut(rest, "\n## ")
	for _, part := range strings.Split("\n"+rest, "\n### ")[1:] {
		title, text, _ := strings.Cut(part, "\n")
		all = append(all, section{title, text})
	}
	return all
}

// inCode is a command of go test in a section.
var inCode = regexp.MustCompile("`(go test [^`]+)`")

// commands returns the commands of go test in a section, as words.
func commands(text string) (all [][]string) {
	for _, m := range inCode.FindAllStringSubmatch(text, -1) {
		all = append(all, words(m[1]))
	}
	return all
}

// words splits a command line at spaces outside of single quotes.
func words(line string) (all []string) {
	quoted := false
	for _, f := range strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return !quoted && (r == ' ' || r == '\n')
	}) {
		all = append(all, strings.ReplaceAll(f, "'", ""))
	}
	return all
}

// readScripts returns the scripts in a folder by the title of their recipe.
func readScripts(dir string) (map[string]script, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	all := map[string]script{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s, err := parse(filepath.Base(file), text)
		if err != nil {
			return nil, err
		}
		if other, twice := all[s.title]; twice {
			return nil, fmt.Errorf("%s: got the title of %s, want one of its own", s.name, other.name)
		}
		all[s.title] = s
	}
	return all, nil
}
