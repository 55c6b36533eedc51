package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every threat in docs/security.md names a test that guards it, and every test that it names exists.
func TestEveryThreatIsGuardedByATest(t *testing.T) {
	page, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	there := testFunctions(t)
	rows := 0
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.HasPrefix(cells[0], " Threat") || strings.HasPrefix(cells[0], " ---") {
			continue
		}
		rows++
		named := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`").FindAllStringSubmatch(cells[2], -1)
		if len(named) == 0 {
			t.Errorf("%s: got no test, want one that guards it", strings.TrimSpace(cells[0]))
		}
		for _, m := range named {
			if !there[m[1]] {
				t.Errorf("%s: got %s, want a test that exists", strings.TrimSpace(cells[0]), m[1])
			}
		}
	}
	if rows < 30 {
		t.Errorf("got %d threats, want at least 30", rows)
	}
}

// testFunctions are the names of all tests of the repository.
func testFunctions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, path := range textFiles(t) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
	}
	return names
}
