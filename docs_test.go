package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every requirement has a reason, and there are few.
func TestEveryDirectRequirementIsJustified(t *testing.T) {
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
	}
	if err := json.Unmarshal([]byte(run(t, "go", "mod", "edit", "-json")), &mod); err != nil {
		t.Fatal(err)
	}
	var required []string
	for _, r := range mod.Require {
		if !r.Indirect {
			required = append(required, r.Path)
		}
	}
	text, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	var justified []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$").FindAllSubmatch(text, -1) {
		module := string(m[1])
		justified = append(justified, module)
		named := strings.Split(string(m[4]), ", ")
		slices.Sort(named)
		if found := licences(t, module); !slices.Equal(named, found) {
			t.Errorf("%s: got licence %q, want %q as in docs/dependencies.md", module, found, named)
		}
	}
	slices.Sort(required)
	slices.Sort(justified)
	if !slices.Equal(required, justified) {
		t.Errorf("got requirements\n%q\nin go.mod, want those of docs/dependencies.md\n%q", required, justified)
	}
	if len(required) > 40 {
		t.Errorf("got %d direct requirements, want at most 40", len(required))
	}
}

// licences returns the names of the licences in the files of a module, sorted.
func licences(t *testing.T, module string) []string {
	t.Helper()
	dir := strings.TrimSpace(run(t, "go", "list", "-m", "-f", "{{.Dir}}", module))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatalf("%s is not in the module cache: %v", module, err)
	}
	words := ""
	for _, e := range entries {
		if name := strings.ToLower(e.Name()); !strings.HasPrefix(name, "licen") && !strings.HasPrefix(name, "copying") && !strings.HasPrefix(name, "epl-") && !strings.HasPrefix(name, "edl-") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		words += " " + strings.Join(strings.Fields(string(text)), " ")
	}
	var found []string
	for name, sentence := range map[string]string{
		"Apache-2.0":   "Apache License Version 2.0",
		"BSD-3-Clause": "Neither the name of",
		"EPL-2.0":      "Eclipse Public License - v 2.0",
		"MIT":          "Permission is hereby granted, free of charge",
	} {
		if strings.Contains(words, sentence) {
			found = append(found, name)
		}
	}
	if strings.Contains(words, "Redistribution and use in source and binary forms") && !slices.Contains(found, "BSD-3-Clause") {
		found = append(found, "BSD-2-Clause")
	}
	slices.Sort(found)
	return found
}

// The links between the documents are valid.
func TestLinksLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("got no documents in docs: ", err)
	}
	for _, file := range append(files, "README.md", "CHANGELOG.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		for _, m := range link.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), string(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			}
		}
	}
}

// CONTRIBUTING.md names only existing files. Names with capitals are placeholders.
func TestContributingNamesFilesThatExist(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([a-z0-9_.*-]*/[a-z0-9_./*-]+|[a-z0-9_]+\\.(?:go|md))`")
	for _, m := range name.FindAllSubmatch(text, -1) {
		found, err := filepath.Glob(string(m[1]))
		if err != nil || len(found) == 0 {
			t.Errorf("got %s in CONTRIBUTING.md, want only files that exist", m[1])
		}
	}
}

// docs/architecture.md stays an introduction: docs/packages.md names the packages, and package
// comments have the reasons.
func TestTheArchitectureIsShort(t *testing.T) {
	text, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(text), "\n"); lines > 80 {
		t.Errorf("docs/architecture.md: got %d lines, want at most 80", lines)
	}
	if !strings.Contains(string(text), "(packages.md)") {
		t.Error("docs/architecture.md: got no link to packages.md, want one")
	}
}

// The glossary names only existing declarations.
func TestTheGlossaryNamesDeclarationsThatExist(t *testing.T) {
	text, err := os.ReadFile(glossary)
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string][]string{} // the folders of packages by their last element
	for pkg := range moduleImports(t) {
		dirs[path.Base(pkg)] = append(dirs[path.Base(pkg)], pkg)
	}
	declared := map[string]bool{} // in the packages that were parsed
	for _, m := range regexp.MustCompile("`([a-z0-9]+)\\.([A-Za-z]+)(?:\\.([A-Za-z]+))?`").FindAllSubmatch(text, -1) {
		pkg, name, member := string(m[1]), string(m[2]), string(m[3])
		if pkg == "tea" || pkg == "key" { // Bubble Tea's
			continue
		}
		for _, dir := range dirs[pkg] {
			declarations(t, dir, declared)
		}
		if !declared[pkg+"."+name] {
			t.Errorf("%s: got %s.%s, want only declared names", glossary, pkg, name)
		}
		if member != "" && !declared[pkg+"."+name+"."+member] {
			t.Errorf("%s: got %s.%s.%s, want only declared names", glossary, pkg, name, member)
		}
	}
}

// declarations adds the names that a package declares to all, as package.Name and
// package.Type.Method.
func declarations(t *testing.T, dir string, all map[string]bool) {
	t.Helper()
	if all[dir] {
		return
	}
	all[dir] = true
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			for _, name := range namesOf(d) {
				all[path.Base(dir)+"."+name] = true
			}
		}
	}
}

// namesOf returns the names that a declaration declares, a method as Type.Method.
func namesOf(d ast.Decl) (names []string) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Recv == nil {
			return []string{f.Name.Name}
		}
		receiver := f.Recv.List[0].Type
		if pointer, ok := receiver.(*ast.StarExpr); ok {
			receiver = pointer.X
		}
		if named, ok := receiver.(*ast.Ident); ok {
			names = append(names, named.Name+"."+f.Name.Name)
		}
		return names
	}
	for _, spec := range d.(*ast.GenDecl).Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			names = append(names, spec.Name.Name)
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
