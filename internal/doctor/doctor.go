// Package doctor holds the report of an examination: the steps on the way to an agent, and
// the facts about this machine. The command line prints it and the workbench shows it as a
// sheet; both get it from one [Doctor].
package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/units"
)

// A Doctor examines the way to agents, and this machine.
type Doctor interface {
	// Examine follows the way to an agent until a step fails or ctx ends. It calls report for each
	// step that has ended, and when one begins that takes time, as [connection.Running], from one
	// goroutine. The texts of steps have no control characters and no secrets.
	Examine(ctx context.Context, s Subject, report func(connection.Step))
	// Machine returns the facts about this machine. It reads files and contacts nobody.
	Machine() []Fact
}

// A Subject says whose way is examined, and how.
type Subject struct {
	// Ref is the reference of the agent, or the name under which it is saved.
	Ref string
	// Pins say how it is spoken to; nil leaves everything to the settings.
	Pins *a2a.Pins
	// Send also sends a message.
	Send bool
}

// A Fact is one line of the report about this machine.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// Hint says what to do if the value hinders Parley; empty otherwise.
	Hint string `json:"hint,omitempty"`
}

// Steps returns the names of the steps that every examination has, in their order. Others can be
// between them.
func Steps() []string {
	return []string{"address", "DNS", "TCP", "proxy", "TLS", "card", "rules", "signature", "interface", "version", "credentials", "requests", "message"}
}

// A Report is what an examination found so far.
type Report struct {
	// Of is the reference of the agent, without secrets; empty if only this machine is described.
	Of    string
	Steps []connection.Step
	Facts []Fact
}

// Put adds a step, or replaces the one that was running by what became of it.
func (r *Report) Put(s connection.Step) {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].Status == connection.Running {
		r.Steps[n-1] = s
		return
	}
	r.Steps = append(r.Steps, s)
}

// DropRunning removes the step that runs, if one does, so that it counts as one that has not begun.
func (r *Report) DropRunning() {
	if n := len(r.Steps); n > 0 && r.Steps[n-1].Status == connection.Running {
		r.Steps = r.Steps[:n-1]
	}
}

// Broken returns the step that failed, nil if none did.
func (r *Report) Broken() *connection.Step {
	for i := range r.Steps {
		if r.Steps[i].Status == connection.Failed {
			return &r.Steps[i]
		}
	}
	return nil
}

// Warnings returns how many steps warn.
func (r *Report) Warnings() (n int) {
	for i := range r.Steps {
		if r.Steps[i].Status == connection.Warning {
			n++
		}
	}
	return n
}

// Result says in one clause how an examination ended that no step broke, and whether everything is well.
func (r *Report) Result() (found string, well bool) {
	found = "the agent can be reached"
	if slices.ContainsFunc(r.Steps, func(s connection.Step) bool { return s.Guarded }) {
		return found + ", but wants credentials", false
	}
	if n := r.Warnings(); n > 0 {
		return found + ", with " + units.Plural(n, "warning"), false
	}
	return found, true
}

// Pending returns the names of the steps that have not begun.
func (r *Report) Pending() []string {
	begun := 0
	all := Steps()
	for i := range r.Steps {
		for at, name := range all {
			if name == r.Steps[i].Name {
				begun = max(begun, at+1)
			}
		}
	}
	return all[begun:]
}

// Took returns how long a step took in words, empty if that is not worth saying.
func Took(s *connection.Step) string {
	if ms := s.Took.Milliseconds(); ms > 0 {
		return fmt.Sprintf("%d ms", ms)
	}
	return ""
}

// Line returns the name of a step, what it found and how long it took, in one line.
func Line(s *connection.Step) string {
	text := s.Name + ": " + s.Found
	if took := Took(s); took != "" {
		text += " (" + took + ")"
	}
	return text
}

// Text returns the report for a bug report, a line for each step and fact.
func (r *Report) Text(now time.Time) string {
	var b strings.Builder
	if r.Of != "" {
		fmt.Fprintf(&b, "parley doctor %s, %s\n", r.Of, now.UTC().Format(time.RFC3339))
		for i := range r.Steps {
			s := &r.Steps[i]
			fmt.Fprintf(&b, "%-8s %s\n", s.Status, Line(s))
			if s.Remedy != "" {
				fmt.Fprintf(&b, "%-8s %s\n", "", s.Remedy)
			}
		}
		for _, name := range r.Pending() {
			fmt.Fprintf(&b, "%-8s %s\n", "not run", name)
		}
	}
	for _, f := range r.Facts {
		if b.Len() > 0 && f == r.Facts[0] {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n", f.Name, f.Value)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  %s\n", f.Hint)
		}
	}
	return b.String()
}
