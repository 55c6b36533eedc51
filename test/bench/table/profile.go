package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// profileOfProgram is the path prefix for the profiles of programs that a benchmark runs: see
// test/bench/profiled.
const profileOfProgram = "PARLEY_BENCH_PROFILE"

// missed explains missed aims: in words if the reason is known, and by the profile of another
// run.
func (t *table) missed() string {
	var b strings.Builder
	var missed []benchmark
	reasons := map[benchmark]string{}
	for _, s := range t.sections {
		for _, r := range s.rows {
			if t.result(r).meets(r.aim) {
				continue
			}
			if reasons[r.measured()] == "" {
				missed = append(missed, r.measured())
			}
			if math.IsNaN(t.result(r).ours) {
				r.why = "There is no figure: the benchmark failed."
			}
			reasons[r.measured()] += strings.TrimSpace(fmt.Sprintf("* **%s: %s.** %s", s.name(), r.what, r.why)) + "\n"
		}
	}
	if len(missed) == 0 {
		return "\nNothing is missed.\n"
	}
	b.WriteString("\n### Missed, and why\n")
	for _, m := range missed {
		b.WriteString("\n" + reasons[m] + "\n")
		p, err := t.profile(m)
		if err != nil {
			why, _, _ := strings.Cut(err.Error(), "\n")
			p = fmt.Sprintf("There is no profile: %s\n", why)
		}
		b.WriteString(p)
	}
	return b.String()
}

// profile runs a benchmark once more and returns where the time was spent: by the program that
// it runs, if there is one.
func (t *table) profile(b benchmark) (string, error) {
	dir, err := os.MkdirTemp(t.dir, "profile-")
	if err != nil {
		return "", err
	}
	own := filepath.Join(dir, "own")
	if _, err := t.run(b, []string{profileOfProgram + "=" + filepath.Join(dir, "program-")}, "-test.cpuprofile", own); err != nil {
		return "", err
	}
	who, files := "the benchmark", []string{own}
	if programs, _ := filepath.Glob(filepath.Join(dir, "program-*")); programs != nil {
		who, files = "the program", programs
	}
	out, err := exec.Command("go", append([]string{"tool", "pprof", "-top", "-nodefraction", "0"}, files...)...).Output()
	if err != nil {
		return "", fmt.Errorf("go tool pprof: %w", err)
	}
	all := spent(string(out))
	byPackage := map[string]float64{}
	for _, f := range all {
		byPackage[f.pkg()] += f.percent
	}
	var text strings.Builder
	fmt.Fprintf(&text, "<details><summary>Where %s spends its time: %s</summary>\n\n| Function | Itself | With what it calls |\n|---|--:|--:|\n", who, largest(byPackage, 5))
	for _, f := range all[:min(len(all), 10)] {
		fmt.Fprintf(&text, "| `%s` | %.1f %% | %.1f %% |\n", f.name, f.percent, f.total)
	}
	return text.String() + "\n</details>\n", nil
}

// A function with its share of the time, alone and with its callees.
type function struct {
	name           string
	percent, total float64
}

// pkg is the package of a function.
func (f function) pkg() string {
	slash := strings.LastIndexByte(f.name, '/') + 1
	name, _, _ := strings.Cut(f.name[slash:], ".")
	return f.name[:slash] + name
}

// spent parses the output of pprof: below a line that begins with flat, one function per line,
// the most expensive first.
func spent(out string) (all []function) {
	_, lines, _ := strings.Cut(out, "cum%\n")
	for line := range strings.Lines(lines) {
		// flat flat% sum% cum cum% name
		f := strings.Fields(line)
		if len(f) < 6 {
			continue
		}
		percent, err := strconv.ParseFloat(strings.TrimSuffix(f[1], "%"), 64)
		total, err2 := strconv.ParseFloat(strings.TrimSuffix(f[4], "%"), 64)
		if err == nil && err2 == nil {
			all = append(all, function{f[5], percent, total})
		}
	}
	return all
}

// largest formats the n largest shares.
func largest(shares map[string]float64, n int) string {
	names := slices.SortedFunc(maps.Keys(shares), func(a, b string) int {
		return cmp.Or(cmp.Compare(shares[b], shares[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names[:min(n, len(names))] {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name, shares[name]))
	}
	return strings.Join(parts, ", ")
}
