package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/internal/outlet"
	"parley/session/chain"
)

// maxFindingLines is how many rules are named on standard error.
const maxFindingLines = 12

// findings collects the findings of the rules in a command's records: the same rules, with the
// same severities, as in the workbench. It is the log.Checker of the command's state. Its
// size grows with the number of rules, not of records.
type findings struct {
	rules  *chain.Checker
	byRule map[string]*ruleSummary
	file   *findingsFile // nil without --findings
	quiet  bool          // standard error does not name them, because the result does
	keep   bool          // all keeps every finding, for a SARIF file
	all    []foundAt
	source *source                  // the session file with the records, nil if there is none
	name   func(a2a.AgentID) string // names an agent of a session; nil where the command names the only one
}

// A ruleSummary has the worst finding of one rule and their number.
type ruleSummary struct {
	worst  a2a.Finding
	record a2a.RecordID // of the first of the worst
	id     a2a.AgentID  // the agent of that record
	agent  string       // its name, empty where the command names the only one
	count  int
}

// newFindings returns an empty collection that also writes to a file if path is not empty.
func newFindings(path string) (*findings, error) {
	f := &findings{rules: chain.NewChecker(), byRule: map[string]*ruleSummary{}}
	if path == "" {
		return f, nil
	}
	file, err := outlet.Overwrite(path)
	if err != nil {
		return nil, unwritten("findings", path, err)
	}
	f.file = &findingsFile{file: file, out: bufio.NewWriter(file)}
	return f, nil
}

// Check checks one record, given the agent's tasks before it.
func (f *findings) Check(record *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	all := f.rules.Check(record, u, known)
	for i := range all {
		f.add(record, &all[i])
	}
	return all
}

func (f *findings) add(record *a2a.Record, found *a2a.Finding) {
	r := f.byRule[found.Rule]
	if r == nil {
		r = &ruleSummary{worst: *found, record: record.ID, id: agentIn(record)}
		f.byRule[found.Rule] = r
	}
	if r.count++; found.Severity > r.worst.Severity {
		r.worst, r.record, r.id = *found, record.ID, agentIn(record)
	}
	if f.keep && len(f.all) < maxResults {
		f.all = append(f.all, foundAt{*found, record.ID})
	}
	if f.file != nil {
		f.file.write(record, found)
	}
}

// agentIn returns the agent of a record, 0 if it has none.
func agentIn(r *a2a.Record) a2a.AgentID {
	if r.Call == nil {
		return 0
	}
	return r.Call.Agent
}

// sorted returns the rules with findings of a severity or a higher one, the gravest first.
func (f *findings) sorted(least a2a.Severity) []*ruleSummary {
	var list []*ruleSummary
	for _, r := range f.byRule {
		if f.name != nil && r.id != 0 {
			r.agent = f.name(r.id)
		}
		if r.worst.Severity >= least {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *ruleSummary) int {
		return cmp.Or(cmp.Compare(b.worst.Severity, a.worst.Severity), cmp.Compare(a.record, b.record), strings.Compare(a.worst.Rule, b.worst.Rule))
	})
	return list
}

// report names the findings on standard error, and closes the file. Infos are left to
// --verbose.
func (f *findings) report(a *app, verbose bool) {
	least := a2a.Warning
	if verbose {
		least = a2a.Info
	}
	list := f.sorted(least)
	if f.quiet {
		list = nil
	}
	for _, r := range list[:min(len(list), maxFindingLines)] {
		a.note("Finding", "%s", r)
	}
	if more := len(list) - maxFindingLines; more > 0 {
		a.note("Finding", "%d more rules have findings; --findings FILE writes all of them.", more)
	}
	if f.file == nil {
		return
	}
	if err := f.file.close(); err != nil {
		a.note("Warning", "the file of --findings is incomplete: %s.", err)
	}
}

// String says what a rule found, where, and what to do.
func (r *ruleSummary) String() string {
	where := fmt.Sprintf("record %d", r.record)
	if r.agent != "" {
		where += " of " + r.agent
	}
	if r.worst.Pointer != "" {
		where += " at " + r.worst.Pointer
	}
	again := ""
	if r.count > 1 {
		again = fmt.Sprintf(" (%d times)", r.count)
	}
	return fmt.Sprintf("%s %s in %s%s: %s. %s.", r.worst.Severity, r.worst.Rule, where, again,
		strings.TrimSuffix(r.worst.Message, "."), strings.TrimSuffix(r.worst.Fix, "."))
}

// A findingsFile is a file of JSON lines, one for each finding.
type findingsFile struct {
	file *os.File
	out  *bufio.Writer
	err  error // the first write error
}

// A findingLine is one line of the file.
type findingLine struct {
	Rule      string         `json:"rule"`
	Severity  string         `json:"severity"` // error, warning or info
	Record    a2a.RecordID   `json:"record"`   // as --debug and --record number them
	Kind      a2a.RecordKind `json:"kind"`
	Exchange  a2a.ExchangeID `json:"exchange"`
	Operation a2a.Op         `json:"operation,omitempty"`
	Dialect   string         `json:"dialect,omitempty"` // of the call
	Pointer   string         `json:"pointer"`           // JSON pointer, empty for the whole record
	Offset    int            `json:"offset"`            // of a byte in the payload, -1 if unknown
	Message   string         `json:"message"`
	Fix       string         `json:"fix"`
	Section   string         `json:"section,omitempty"` // of the specification
}

func (f *findingsFile) write(r *a2a.Record, found *a2a.Finding) {
	l := findingLine{
		Rule: found.Rule, Severity: found.Severity.String(), Record: r.ID, Kind: r.Kind, Exchange: r.Exchange,
		Pointer: found.Pointer, Offset: found.Offset, Message: found.Message, Fix: found.Fix,
	}
	if r.Call != nil {
		l.Operation, l.Dialect = r.Call.Op, string(r.Call.Dialect)
	}
	if rule, ok := lint.Lookup(found.Rule); ok {
		l.Section = rule.Section
	}
	raw, err := json.Marshal(&l)
	if err == nil {
		_, err = f.out.Write(append(raw, '\n'))
	}
	if f.err == nil {
		f.err = err
	}
}

// close writes what is buffered and returns the first error there was.
func (f *findingsFile) close() error {
	return cmp.Or(f.err, f.out.Flush(), f.file.Close())
}
