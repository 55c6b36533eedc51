package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/a2a/grpc"
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
		Long: `Check with the rules. A recorded session is read. An agent's card is fetched and
judged, and the agent is asked for things that do not exist, which changes
nothing: no message is sent.

It exits with 10 if a rule finds an error or a probe gets a wrong answer;
--fail-on says otherwise.`,
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
		Long: `Check a live agent as parley check does, and send it a message: it must answer,
and stream if its card says so; the task must be found again.

It exits with 10 if a check fails or a rule finds an error; --fail-on says
otherwise.`,
		Example: "  parley conformance http://localhost:9999\n  parley conformance http://localhost:9999 --message \"Book me a flight\"",
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
	state, faults, err := export.Read(a.ctx, export.Source{
		Path: path, Formats: map[a2a.Binding]a2a.Format{a2a.BindingGRPC: grpc.NewFormat()}, Rules: func() log.Checker { return rules },
		Report: func(read, size int64) { bar.show("Reading", read, size) },
	})
	bar.erase()
	var cases []testCase
	if err == nil {
		for _, fault := range faults {
			a.note("Warning", "%s", fault)
		}
		cases = append(cases, testCase{class: "session", name: "the session can be read", output: fmt.Sprintf("%d records", state.Log.Len())})
		err = a.printChecks(cases, rules)
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
	probes := op.probes()
	if f.message != "" {
		probes = append(op.messageChecks(f.message), probes...)
	}
	for _, p := range probes {
		c, err := op.probe(p)
		if err != nil {
			return op.judge(op.advise(err, nil), nil)
		}
		op.cases = append(op.cases, c)
	}
	op.drain()
	err = a.printChecks(op.cases, op.rules)
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

// printChecks prints what was checked and found.
func (a *app) printChecks(cases []testCase, rules *findings) error {
	doc := checkDocument{Checks: []checkLine{}, Findings: []findingText{}}
	var p page
	for i := range cases {
		word, detail := cases[i].result()
		doc.Checks = append(doc.Checks, checkLine{cases[i].name, word, detail})
		text := cases[i].name
		if detail != "" {
			text += ": " + detail
		}
		p.field(sentence(word), line(text))
	}
	var counts [a2a.Error + 1]int
	for _, r := range rules.sorted(a2a.Info) {
		w := &r.worst
		counts[w.Severity]++
		doc.Findings = append(doc.Findings, findingText{w.Rule, w.Severity.String(), r.record, w.Pointer, r.count, w.Message, w.Fix})
		p.field("Finding", line(r.String()))
	}
	p.field("Rules", fmt.Sprintf("%d with errors, %d with warnings, %d with remarks", counts[a2a.Error], counts[a2a.Warning], counts[a2a.Info]))
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
