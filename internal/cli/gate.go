package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/outlet"
)

// statusGate is the exit status of a command that did its job, if --fail-on names its outcome.
const statusGate exitStatus = 10

// A gate makes outcomes failures for continuous integration. Without its flags, the exit status
// says only whether the command did its job (A2A CLI specification 0.2 §6.6).
type gate struct {
	failOn       []string
	junit, sarif string

	states    []a2a.State
	atLeast   a2a.Severity // of the findings that fail, if findings is set
	findings  bool
	checks    bool // a failed check fails
	began     time.Time
	junitFile *os.File // nil without --junit
	sarifFile *os.File // nil without --sarif
}

// gateStates are the states that --fail-on can name.
var gateStates = []a2a.State{a2a.StateFailed, a2a.StateRejected, a2a.StateCanceled, a2a.StateInputRequired, a2a.StateAuthRequired}

// gateSeverities are the severities of findings that --fail-on can name.
var gateSeverities = []a2a.Severity{a2a.Error, a2a.Warning, a2a.Info}

// flags defines the flags. failOn is what fails by default.
func (g *gate) flags(fs *pflag.FlagSet, failOn ...string) {
	fs.StringSliceVar(&g.failOn, "fail-on", failOn, "exit with 10 after one of these `outcomes`: failed, rejected, canceled, input-required, auth-required, finding:error, finding:warning, finding:info; none for no outcome")
	fs.StringVar(&g.junit, "junit", "", "write the outcome as a JUnit report to `FILE`")
	fs.StringVar(&g.sarif, "sarif", "", "write the findings of the rules as SARIF to `FILE`")
}

// check reads the values of the flags.
func (g *gate) check() error {
	for _, word := range g.failOn {
		word = strings.TrimSpace(word)
		severity, finding := strings.CutPrefix(word, "finding:")
		i := slices.IndexFunc(gateStates, func(s a2a.State) bool { return s.String() == word })
		n := slices.IndexFunc(gateSeverities, func(s a2a.Severity) bool { return s.String() == severity })
		switch {
		case word == "none" && len(g.failOn) == 1:
			return nil
		case finding && n >= 0:
			if !g.findings || gateSeverities[n] < g.atLeast {
				g.atLeast = gateSeverities[n]
			}
			g.findings = true
		case i >= 0:
			g.states = append(g.states, gateStates[i])
		default:
			return usage("A value of --fail-on is none of failed, rejected, canceled, input-required, auth-required, finding:error, finding:warning and finding:info.")
		}
	}
	g.checks = true
	return nil
}

// open creates the files, so that a wrong name is told before anything is sent.
func (g *gate) open() (err error) {
	g.began = now()
	for _, f := range []struct {
		flag, path string
		file       **os.File
	}{{"junit", g.junit, &g.junitFile}, {"sarif", g.sarif, &g.sarifFile}} {
		if f.path == "" {
			continue
		}
		if *f.file, err = outlet.Overwrite(f.path); err != nil {
			return unwritten(f.flag, f.path, err)
		}
	}
	return nil
}

// fails reports whether a state is one that fails.
func (g *gate) fails(s a2a.State) bool { return slices.Contains(g.states, s) }

// failsFinding reports whether findings of a severity fail.
func (g *gate) failsFinding(s a2a.Severity) bool { return g.findings && s >= g.atLeast }

// judge writes the reports and returns the error of a command: its own, or the exit status of the
// gate. ref is the agent or the file, command its name.
func (g *gate) judge(a *app, command, ref string, err error, cases []testCase, rules *findings) error {
	for _, r := range rules.sorted(a2a.Info) {
		c := g.ruleCase(r)
		if n := rules.source.line(r.record); n > 0 {
			c.file, c.line = rules.source.path, n
		}
		cases = append(cases, c)
	}
	var failed []string
	for i := range cases {
		if cases[i].failure != "" && !slices.Contains(failed, cases[i].failure) {
			failed = append(failed, cases[i].failure)
		}
	}
	if g.junitFile != nil {
		a.wrote("junit", writeJUnit(g.junitFile, junitSuite(command, ref, cases, g.began, now())))
	}
	if g.sarifFile != nil {
		a.wrote("sarif", writeSARIF(g.sarifFile, ref, rules))
	}
	g.junitFile, g.sarifFile = nil, nil
	switch {
	case err != nil:
		return err
	case len(failed) == 0:
		return nil
	}
	a.note("Gate", "%s", strings.Join(failed[:min(len(failed), maxFindingLines)], " "))
	return statusGate
}

// ruleCase is the test case of a rule with findings.
func (g *gate) ruleCase(r *ruleSummary) testCase {
	c := testCase{class: "rule", name: r.worst.Rule, output: r.String()}
	if g.failsFinding(r.worst.Severity) {
		c.failure = fmt.Sprintf("Rule %s has a finding of severity %s.", r.worst.Rule, r.worst.Severity)
	}
	return c
}

// wrote reports that a report is incomplete.
func (a *app) wrote(flag string, err error) {
	if err != nil {
		a.note("Warning", "the file of --%s is incomplete: %s.", flag, causeOf(err))
	}
}

// judge gives the result of a command to its gate. t is its task, nil if there is none.
func (op *operation) judge(err error, t *a2a.Task) error {
	g := &op.flags.gate
	if op.judged {
		return err
	}
	op.judged = true
	call := testCase{class: "call", name: "the agent answers"}
	if err != nil {
		f := asFault(err)
		call.fault, call.output = f.code, f.message
	}
	cases := []testCase{call}
	if t != nil {
		c := testCase{class: "outcome", name: "the state of the task", output: stateWord(&t.Status)}
		if g.fails(t.Status.State) {
			c.failure = fmt.Sprintf("The task is %s.", t.Status.State)
		}
		cases = append(cases, c)
	}
	return g.judge(op.app, op.command, a2a.MaskReference(op.flags.ref, op.app.net.public...), err, append(cases, op.cases...), op.rules)
}
