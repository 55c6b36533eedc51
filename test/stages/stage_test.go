package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryStageIsATarget(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range slices.Concat(gate.all(), nightly) {
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(s.target()) + `:`).Match(text) {
			t.Errorf("%s: the Makefile has no target %s", s.name, s.target())
		}
		for _, v := range s.variables {
			if name, _, _ := strings.Cut(v, "="); name != "PACKAGES" && !strings.Contains(string(text), "$("+name+")") {
				t.Errorf("%s: the Makefile has no variable %s", s.name, name)
			}
		}
	}
	for _, s := range nightly {
		if seen[s.name] {
			t.Errorf("two nightly stages are named %s, so that they share a stamp", s.name)
		}
		seen[s.name] = true
	}
}

// What is divided over several stages has no part that none of them runs.
func TestPartsOfAStageAreTheWhole(t *testing.T) {
	t.Parallel()
	packages := map[string]int{}
	for _, s := range nightly {
		for _, v := range s.variables {
			if patterns, ok := strings.CutPrefix(v, "PACKAGES="); ok && s.target() == "stress" {
				for _, p := range goList(t, strings.Fields(patterns)...) {
					packages[p]++
				}
			}
		}
	}
	for _, p := range goList(t, "./...") {
		if packages[p] != 1 {
			t.Errorf("%s is in %d stages of stress, want 1", p, packages[p])
		}
	}
}

func goList(t *testing.T, patterns ...string) []string {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list"}, patterns...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}
