// Package page replaces the sections of docs/performance.md that programs write. The results
// of the benchmarks and of the soak stand between two lines that name their command.
package page

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// end is the line after every section.
const end = "<!-- end of what was measured -->\n"

// begin is the line before the section of a command.
func begin(command string) string {
	return "<!-- measured: " + command + " writes what follows -->\n"
}

// Replace replaces the section of a command, such as "make bench", in a file. It fails if the
// file has none.
func Replace(file, command, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(old), begin(command))
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s has no place for what %s finds out: it needs the lines %q and %q", file, command, begin(command), end)
	}
	return os.WriteFile(file, []byte(head+begin(command)+text+end+tail), 0o644)
}

// Machine describes where and when figures were measured.
func Machine() string {
	cpu := "an unknown processor"
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %s/%s, %d cores of %s, %s", runtime.Version(), runtime.GOOS, runtime.GOARCH,
		runtime.NumCPU(), cpu, time.Now().UTC().Format(time.DateOnly))
}
