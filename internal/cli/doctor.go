package cli

import (
	"encoding/json"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/units"
)

// doctorFlags are the flags of parley doctor.
type doctorFlags struct {
	callFlags
	signatureFlags
	message string
	send    bool
}

// doctorMessage is what the doctor sends unless the user chooses another text.
const doctorMessage = "hello"

func (a *app) doctorCommand() *cobra.Command {
	var f doctorFlags
	c := &cobra.Command{
		Use:   "doctor [flags] [REF]",
		Short: "Find what is wrong with the way to an agent, or with this machine",
		Long: `Examine the way to an agent: parley check holds an agent or a recording against
the rules of A2A, and parley conformance tests a live agent with messages.

Follow the way to an agent step by step: address, DNS, TCP, proxy, TLS, card,
signature, interface, version, credentials, and read-only requests. The first
step that fails says what to do. No message is sent without --send.

Without REF it reports the terminal, the settings and the network for a bug
report, without secrets.`,
		Example: `  parley doctor
  parley doctor http://localhost:9999
  parley doctor https://agents.example/a --send`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 && f.ref == "" && a.net.endpoint == "" {
			return a.reportEnvironment(&f.callFlags)
		}
		if err := f.named(a, c, args, ""); err != nil {
			return err
		}
		return a.doctor(&f)
	}
	a.callFlags(c, &f.callFlags)
	f.signatureFlags.flags(c.Flags())
	c.Flags().BoolVar(&f.send, "send", false, "also send a message, and wait for the answer; if its stream brings nothing, once more without a stream")
	c.Flags().StringVar(&f.message, "message", doctorMessage, "the `text` that --send sends")
	return c
}

// doctor examines the way to an agent and prints the steps, as text while they end.
func (a *app) doctor(f *doctorFlags) error {
	if err := f.read(now); err != nil {
		return err
	}
	var broken error // the write error of standard output
	e := &examination{app: a, flags: f}
	e.put = func(s connection.Step) {
		if s.Status != connection.Running && !a.json && broken == nil {
			broken = a.printStep(&s)
		}
	}
	e.run()
	switch {
	case broken != nil:
		return broken
	case a.json:
		return e.printJSON()
	}
	if err := e.printEnd(); err != nil || e.fault == nil {
		return err
	}
	return e.fault
}

// printStep prints a step.
func (a *app) printStep(s *connection.Step) error {
	var p page
	p.field(sentence(s.Status.String()), doctor.Line(s))
	if s.Status == connection.Warning {
		p.field("Hint", s.Remedy)
	}
	return a.print(p.b.Bytes())
}

// findings returns the rules of which the records of the examination have warnings and errors.
func (e *examination) findings() []*ruleSummary {
	if e.op == nil {
		return nil
	}
	return e.op.rules.sorted(a2a.Warning)
}

// printEnd prints what the rules found, and how it went unless a fault says so.
func (e *examination) printEnd() error {
	var p page
	rules := e.findings()
	for _, r := range rules {
		p.field("Finding", line(r.String()))
	}
	if e.fault == nil {
		result, well := e.report.Result()
		switch n := units.Plural(len(rules), "finding"); {
		case len(rules) == 0:
		case well:
			result += ", with " + n
		default:
			result += " and " + n
		}
		p.field("Result", result)
	}
	return e.app.print(p.b.Bytes())
}

// printJSON writes the steps as one document.
func (e *examination) printJSON() error {
	type stepLine struct {
		Name   string  `json:"name"`
		Status string  `json:"status"`
		Found  string  `json:"found"`
		Remedy string  `json:"remedy,omitempty"`
		MS     float64 `json:"ms"`
	}
	doc := struct {
		Reached  bool          `json:"reached"`
		Steps    []stepLine    `json:"steps"`
		Findings []findingText `json:"findings"`
	}{Reached: e.fault == nil || e.report.Broken() == nil, Steps: []stepLine{}, Findings: []findingText{}}
	for _, r := range e.findings() {
		doc.Findings = append(doc.Findings, r.text())
	}
	for _, s := range e.report.Steps {
		doc.Steps = append(doc.Steps, stepLine{s.Name, s.Status.String(), s.Found, s.Remedy, float64(s.Took) / float64(time.Millisecond)})
	}
	raw, err := json.Marshal(doc)
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		return internal("The result cannot be written as JSON.")
	}
	if err := e.app.print(append(raw, '\n')); err != nil || e.fault == nil {
		return err
	}
	return exitStatus(asFault(e.fault).exit()) // the document says why
}
