package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A target is a fuzz target: the folder of its package, with slashes, and its name.
type target struct{ pkg, name string }

func (t target) String() string { return "./" + t.pkg + " " + t.name }

// declaration matches the declaration of a fuzz target.
var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w*)\(`)

// find returns the targets of the module in dir, sorted by package and name. Modules and test data
// below it have none.
func find(dir string) ([]target, error) {
	var all []target
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != dir && other(name, e.Name()) {
			return filepath.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		in, err := filepath.Rel(dir, filepath.Dir(name))
		for _, m := range declaration.FindAllSubmatch(text, -1) {
			all = append(all, target{filepath.ToSlash(in), string(m[1])})
		}
		return err
	})
	slices.SortFunc(all, func(a, b target) int { return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.name, b.name)) })
	return all, err
}

// other reports whether a folder belongs to no package of the module.
func other(name, base string) bool {
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")
}

// choose returns four targets that the last commit's hash picks, then the others of packages that
// changed. The order of each is by that hash too: where time ends the run, another commit begins with
// other targets.
func (p plan) choose(all []target) ([]target, error) {
	commit, err := git(p.dir, "rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	changed, err := p.changed()
	if err != nil {
		return nil, err
	}
	shuffled := slices.Clone(all)
	slices.SortFunc(shuffled, func(a, b target) int {
		return bytes.Compare(rank(commit, a.pkg+" "+a.name), rank(commit, b.pkg+" "+b.name))
	})
	first := min(atLeast, len(shuffled))
	chosen, rest := shuffled[:first:first], shuffled[first:]
	slices.SortStableFunc(rest, func(a, b target) int { return bytes.Compare(rank(commit, a.pkg), rank(commit, b.pkg)) })
	for _, t := range rest {
		if changed[t.pkg] {
			chosen = append(chosen, t)
		}
	}
	return chosen, nil
}

// rank is the place of a name in the order that a commit gives.
func rank(commit, name string) []byte {
	sum := sha256.Sum256([]byte(commit + name))
	return sum[:]
}

// changed returns the folders with files that differ from the commit p.since commits ago, or from the
// oldest one that this clone has. Test data counts for the package above it.
func (p plan) changed() (map[string]bool, error) {
	commits, err := git(p.dir, "rev-list", "--first-parent", "--max-count="+strconv.Itoa(p.since+1), "HEAD")
	if err != nil {
		return nil, err
	}
	all := strings.Fields(commits)
	files, err := git(p.dir, "diff", "--name-only", all[len(all)-1])
	if err != nil {
		return nil, err
	}
	changed := map[string]bool{}
	for name := range strings.Lines(files) {
		folder, _, _ := strings.Cut(path.Dir(strings.TrimSpace(name)), "/testdata")
		changed[folder] = true
	}
	return changed, nil
}

// git returns what a git command prints, without the space around it.
func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
