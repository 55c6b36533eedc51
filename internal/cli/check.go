package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
	"parley/internal/units"
	"parley/session/export"
	"parley/session/journal"
	"parley/session/log"
)

// checkFlags are the flags of parley check and parley conformance.
type checkFlags struct {
	callFlags
	message string // that conformance sends, empty for parley check
}

func (a *app) checkCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] SESSION|FILE|REF",
		Short: "Check a recorded session, a card or an agent with the rules",
		Long: `Hold an agent, its card or a recording against the rules of A2A: parley doctor
examines the way to an agent, and parley conformance tests one with messages.

A recorded session is read. An agent's card is fetched and judged, and the
agent is asked for things that do not exist, which changes nothing: no message
is sent.

It exits with 10 if a rule finds an error or a probe gets a wrong answer;
--fail-on says otherwise. It exits with 4 if the agent wants credentials that
are not given.`,
		Example: `  parley check session.jsonl --sarif findings.sarif
  parley check http://localhost:9999 --junit report.xml
  parley check http://localhost:9999 --fail-on finding:warning`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := f.named(a, c, args, "parley check needs a session, a card file or an agent."); err != nil {
			return err
		}
		if path, err := a.sessionFile(f.ref); err != nil {
			return err
		} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && isSession(path) {
			return a.checkSession(&f, path)
		}
		return a.checkAgent("check", &f)
	}
	a.callFlags(c, &f.callFlags)
	f.gate.flags(c.Flags(), "finding:error")
	return c
}

func (a *app) conformanceCommand() *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "conformance [flags] REF",
		Short: "Check a live agent: its card, a message, and its errors",
		Long: `Test a live agent with probes and messages: parley check holds an agent or a
recording against the rules alone, and parley doctor examines the way to it.

The probes are those of parley check. The agent must answer a message, and
stream the answer if its card declares streams; the task must be found again.

It exits with 10 if a check fails or a rule finds an error; --fail-on says
otherwise. It exits with 4 if the agent wants credentials that are not given.`,
		Example: "  parley conformance http://localhost:9999\n  parley conformance http://localhost:9999 --message \"Book me a flight\"\n  parley conformance Desk --junit report.xml --fail-on finding:warning",
		Args:    cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if err := f.named(a, c, args, "parley conformance needs an agent."); err != nil {
			return err
		}
		return a.checkAgent("conformance", &f)
	}
	a.callFlags(c, &f.callFlags)
	f.gate.flags(c.Flags(), "finding:error")
	c.Flags().StringVar(&f.message, "message", "hello", "send this `text`")
	return c
}

// named takes the reference from the arguments or from --agent-card.
func (f *callFlags) named(a *app, c *cobra.Command, args []string, lack string) error {
	switch {
	case len(args) > 1:
		return usage("Only one can be named.")
	case len(args) == 1 && c.Flags().Changed("agent-card"):
		return usage("The agent is named twice: after the flags and by --agent-card.")
	case len(args) == 1:
		f.ref, a.dotenv.agent = args[0], ""
	case f.ref == "" && a.net.endpoint == "":
		return usage("%s", lack)
	}
	return nil
}

// isSession reports whether a file is one of a recorded session.
func isSession(path string) bool {
	recording, err := journal.Open(path)
	if err != nil {
		return false
	}
	_ = recording.Close() // it was only read
	return true
}

// checkSession applies the rules to a recorded session.
func (a *app) checkSession(f *checkFlags, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	rules, err := newFindings(f.findings)
	if err != nil {
		return err
	}
	rules.keep = f.gate.sarif != ""
	if err := f.gate.open(); err != nil {
		return err
	}
	bar := a.newProgress()
	defer a.env.collectEarly()()
	agents, records, faults, err := export.Check(a.ctx, export.Source{
		Path: path, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()}, Rules: func() log.Checker { return rules },
		Report: func(read, size int64) { bar.show("Reading", read, size) },
	})
	bar.erase()
	var cases []testCase
	if err == nil {
		for _, fault := range faults {
			a.note("Warning", "%s", fault)
		}
		rules.name = func(id a2a.AgentID) string {
			if agent := agents.Agent(id); agent != nil {
				return agent.Name()
			}
			return ""
		}
		cases = append(cases, testCase{class: "session", name: "the session can be read", output: fmt.Sprintf("%d records", records)})
		err = a.printChecks(cases, rules, "")
	} else {
		err = notOpened(path, err)
	}
	rules.quiet = true
	rules.report(a, f.verbose)
	if f.gate.junit != "" || f.gate.sarif != "" {
		rules.source = newSource(path, rules)
	}
	return f.gate.judge(a, "check", path, err, cases, rules)
}

// checkAgent checks a live agent.
func (a *app) checkAgent(command string, f *checkFlags) error {
	op, err := a.begin(&f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	op.command, op.rules.quiet, op.wantsCard = command, true, true
	if err := op.open(); err != nil {
		return op.judge(op.advise(err, nil), nil)
	}
	if err := op.reachable(); err != nil {
		return op.judge(op.advise(err, nil), nil)
	}
	op.cases = append(op.cases, op.cardCase())
	pr := &prober{op: op}
	probes := pr.readOnly()
	if f.message != "" {
		probes = append(pr.messages(f.message), probes...)
	}
	op.examines = true
	cases, err, incomplete := pr.askAll(probes)
	op.cases = append(op.cases, cases...)
	if err != nil {
		return op.judge(op.advise(err, nil), nil)
	}
	op.drain()
	again := "run it again, because " + mayBeOver
	if f.message != "" { // which would be sent again
		again = "something on the way may have answered."
	}
	if err = a.printChecks(op.cases, op.rules, again); err == nil && incomplete != nil {
		err = op.advise(incomplete, nil)
	}
	if !f.gate.checks {
		for i := range op.cases {
			op.cases[i].skipped, op.cases[i].failure = op.cases[i].failure, ""
		}
	}
	return op.judge(err, nil)
}

// cardCase is the check of the agent's card.
func (op *operation) cardCase() testCase {
	c := testCase{class: "card", name: "the card is valid"}
	card := op.card()
	if _, old := op.usedCard(); old != nil {
		c.skipped = line(sentence(old.Reason)) + ", so the card cannot be read now; what follows uses the card " + old.Value + "."
		return c
	}
	if card == nil {
		c.skipped = "There is no card; the agent was found without one."
		return c
	}
	v := newVerdict(card, op.cardFindings())
	c.output = fmt.Sprintf("score %d of 100", v.score)
	if len(v.errors) > 0 {
		c.failure = "The card is not valid: " + line(strings.Join(v.errors, "; ")) + "."
	}
	return c
}

// A checkDocument is the result as JSON.
type checkDocument struct {
	Checks   []checkLine   `json:"checks"`
	Findings []findingText `json:"findings"`
}

type checkLine struct {
	Name   string `json:"name"`
	Result string `json:"result"` // passed, failed or skipped
	Detail string `json:"detail,omitempty"`
}

type findingText struct {
	Rule     string       `json:"rule"`
	Severity string       `json:"severity"`
	Record   a2a.RecordID `json:"record"`
	Pointer  string       `json:"pointer"`
	Agent    string       `json:"agent,omitempty"`
	Count    int          `json:"count"`
	Message  string       `json:"message"`
	Fix      string       `json:"fix"`
}

// result returns the result of a check in one word, and what belongs to it.
func (c *testCase) result() (word, detail string) {
	switch {
	case c.failure != "":
		return "failed", c.failure
	case c.skipped != "":
		return "skipped", c.skipped
	default:
		return "passed", c.output
	}
}

// text returns the finding for a document.
func (r *ruleSummary) text() findingText {
	w := &r.worst
	return findingText{w.Rule, w.Severity.String(), r.record, w.Pointer, r.agent, r.count, w.Message, w.Fix}
}

// checks adds a line for each check, and one for those that were skipped one after the other for the same reason.
func (p *page) checks(cases []testCase) {
	for i := 0; i < len(cases); {
		word, detail := cases[i].result()
		text, next := cases[i].name, i+1
		for word == "skipped" && next < len(cases) && cases[next].skipped == detail && cases[next].failure == "" {
			next++
		}
		if more := next - i - 1; more > 0 {
			text += fmt.Sprintf(", and %d more", more)
		}
		if detail != "" {
			text += ": " + detail
		}
		if word == "passed" {
			word = "ok"
		}
		p.field(sentence(word), line(text))
		i = next
	}
}

// checkResult says in one line how a check ended and what to do first. The rules are those with warnings and
// errors, the gravest first.
func checkResult(cases []testCase, rules []*ruleSummary, again string) string {
	var failed, unsure, guarded, broken int
	first := ""
	for i := range cases {
		switch word, _ := cases[i].result(); {
		case word == "failed":
			if failed++; first == "" {
				first = "“" + cases[i].name + "”"
			}
		case cases[i].doubt:
			unsure++
		case cases[i].guarded:
			guarded++
		}
	}
	for _, r := range rules {
		if r.worst.Severity == a2a.Error {
			broken++
		}
	}
	if broken > 0 && first == "" {
		first = rules[0].worst.Rule + ": " + strings.TrimSuffix(rules[0].worst.Fix, ".")
	}
	switch {
	case first != "":
		var parts []string
		if failed > 0 {
			parts = append(parts, units.Plural(failed, "check")+" failed")
		}
		if broken > 0 {
			parts = append(parts, units.Plural(broken, "rule")+map[bool]string{true: " is", false: " are"}[broken == 1]+" broken")
		}
		return strings.Join(parts, ", ") + ": begin with " + first + "."
	case unsure > 0:
		return fmt.Sprintf("nothing wrong was found, but %s could not be made: %s", units.Plural(unsure, "check"), again)
	case guarded > 0:
		return fmt.Sprintf("nothing wrong was found, but for %s the agent wants credentials.", units.Plural(guarded, "check"))
	case len(rules) > 0:
		return fmt.Sprintf("nothing wrong was found, with %s; the first is %s: %s.", units.Plural(len(rules), "warning"), rules[0].worst.Rule, strings.TrimSuffix(rules[0].worst.Fix, "."))
	}
	return "nothing wrong was found."
}

// printChecks prints what was checked and found. Again says what to do if checks could not be made.
func (a *app) printChecks(cases []testCase, rules *findings, again string) error {
	doc := checkDocument{Checks: []checkLine{}, Findings: []findingText{}}
	var p page
	for i := range cases {
		word, detail := cases[i].result()
		doc.Checks = append(doc.Checks, checkLine{cases[i].name, word, detail})
	}
	p.checks(cases)
	var counts [a2a.Error + 1]int
	for _, r := range rules.sorted(a2a.Info) {
		counts[r.worst.Severity]++
		doc.Findings = append(doc.Findings, r.text())
		p.field("Finding", line(r.String()))
	}
	p.field("Rules", fmt.Sprintf("%d with errors, %d with warnings, %d with remarks", counts[a2a.Error], counts[a2a.Warning], counts[a2a.Info]))
	p.field("Result", line(checkResult(cases, rules.sorted(a2a.Warning), again)))
	if !a.json {
		return a.print(p.b.Bytes())
	}
	raw, err := json.Marshal(doc)
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		return internal("The result cannot be written as JSON.")
	}
	return a.print(append(raw, '\n'))
}
