package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/session/card"
)

// severityNames are the values of --only.
var severityNames = []string{card.Security.String(), card.Address.String(), card.Other.String()}

// cardDiffFlags are the flags of parley card diff.
type cardDiffFlags struct {
	callFlags
	exitCode bool
	only     []string
}

func (a *app) cardDiffCommand() *cobra.Command {
	var f cardDiffFlags
	c := &cobra.Command{
		Use:   "diff [flags] [REF [REF]]",
		Short: "Compare a card with the approved one, or two cards",
		Long: `Compare an agent's card with the one that you approved, member by member, or
the cards of two references. Each difference has a severity: security (which
credentials are asked for, who signed), address (where messages go) or other.
Differences of security and addresses have to be approved before a command
sends anything to the agent.`,
		Example: `  parley card diff https://agent.example
  parley card diff https://agent.example --exit-code --only security,address
  parley card diff before.json https://agent.example -o json`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) > 2 {
			return usage("parley card diff takes one or two references.")
		}
		if len(args) > 0 {
			if c.Flags().Changed("agent-card") {
				return usage("The agent is named twice: after the flags and by --agent-card.")
			}
			f.ref, a.dotenv.agent = args[0], ""
		}
		for _, word := range f.only {
			if !slices.Contains(severityNames, word) {
				return usage("A value of --only is none of %s.", strings.Join(severityNames, ", "))
			}
		}
		return a.cardDiff(&f, args)
	}
	a.callFlags(c, &f.callFlags)
	c.Flags().BoolVar(&f.exitCode, "exit-code", false, "exit with status 1 if there is a difference")
	c.Flags().StringSliceVar(&f.only, "only", nil, "list and count only differences of these `severities`: security, address, other")
	return c
}

// look gets the card of a reference, and nothing else.
func (a *app) look(f callFlags, ref string) (op *operation, c *a2a.Card, err error) {
	f.ref = ref
	op, err = a.begin(&f)
	if err != nil {
		return nil, nil, err
	}
	op.wantsCard, op.approval.looks, op.rules.quiet = true, true, true
	if err = op.open(); err != nil {
		err = op.advise(err, nil)
	} else if c = op.card(); c == nil {
		err = op.advise(op.cardless(), nil)
	}
	op.end()
	return op, c, err
}

// unapproved is the failure of a command about an agent without a baseline.
func unapproved(ref string) *fault {
	f := misnamed("No card of %s was approved.", line(a2a.MaskReference(ref)))
	f.hint = "parley card trust " + shellReference(ref) + " approves its card as it is now; the workbench does so when it first opens an agent."
	return f
}

// cardDiff runs the command.
func (a *app) cardDiff(f *cardDiffFlags, refs []string) error {
	if len(refs) == 0 {
		refs = []string{f.ref}
	}
	op, now, err := a.look(f.callFlags, refs[len(refs)-1])
	if err != nil {
		return err
	}
	r := cardDiffResult{Card: a2a.MaskReference(refs[len(refs)-1])}
	if len(refs) == 2 {
		other := f.callFlags
		other.record, other.findings = recordFile{}, "" // one file is for one agent
		before, was, err := a.look(other, refs[0])
		if err != nil {
			return err
		}
		r.Against = a2a.MaskReference(refs[0])
		r.Differences = card.Mask(card.Mask(card.Drift(was, now, nil), op.engine.Mask), before.engine.Mask)
	} else {
		op.approval.mu.Lock()
		defer op.approval.mu.Unlock()
		if !op.approval.known {
			return unapproved(refs[0])
		}
		r.Against, r.Differences = "approved", op.approval.drift
		r.Approved = op.approval.baseline.Approved.Format(time.RFC3339)
	}
	if len(f.only) > 0 {
		r.Differences = slices.DeleteFunc(slices.Clone(r.Differences), func(d card.Difference) bool { return !slices.Contains(f.only, d.Severity.String()) })
	}
	if err := a.printCardDiff(&r); err != nil {
		return err
	}
	if f.exitCode && len(r.Differences) > 0 {
		return exitStatus(1)
	}
	return nil
}

// A cardDiffResult is what the command prints.
type cardDiffResult struct {
	Card        string            `json:"card"`
	Against     string            `json:"against"` // a reference, or "approved"
	Approved    string            `json:"approved,omitempty"`
	Differences []card.Difference `json:"differences"`
}

func (a *app) printCardDiff(r *cardDiffResult) error {
	if a.json {
		if r.Differences == nil {
			r.Differences = []card.Difference{}
		}
		return a.printJSON(r)
	}
	var p page
	if r.Approved != "" {
		p.field("Approved", r.Approved)
	} else {
		p.field("Against", line(r.Against))
	}
	for i := range r.Differences {
		p.field(sentence(r.Differences[i].Severity.String()), line(r.Differences[i].Sentence()))
	}
	if len(r.Differences) == 0 {
		p.field("Result", "no differences")
	} else if n := card.Asking(r.Differences); n > 0 && r.Approved != "" {
		p.field("Result", fmt.Sprintf("%s, of which %s to be approved: parley card trust %s", units.Plural(len(r.Differences), "difference"), has(n), shellWord(r.Card)))
	} else {
		p.field("Result", units.Plural(len(r.Differences), "difference"))
	}
	return a.print(p.b.Bytes())
}

// has returns a number with its verb.
func has(n int) string {
	if n == 1 {
		return "1 has"
	}
	return units.Count(n) + " have"
}

// printJSON prints a document.
func (a *app) printJSON(v any) error {
	raw, err := json.Marshal(v)
	if err == nil {
		raw, err = indent(raw)
	}
	if err != nil {
		return internal("The result cannot be written as JSON.")
	}
	return a.print(append(raw, '\n'))
}

// cardTrustFlags are the flags of parley card trust.
type cardTrustFlags struct {
	callFlags
	list, forget bool
}

func (a *app) cardTrustCommand() *cobra.Command {
	var f cardTrustFlags
	c := &cobra.Command{
		Use:   "trust [flags] [REF]",
		Short: "Approve an agent's card; list and forget approved ones",
		Long: `Approve an agent's card as it is now. Later commands compare the card with it:
they warn of changes, and send nothing to an agent whose card has changed in
security or addresses before you approve it again. An agent whose card was
never approved is used as it is.`,
		Example: `  parley card trust https://agent.example
  parley card trust --list
  parley card trust --forget https://agent.example`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case f.list && f.forget:
			return usage("--list and --forget contradict each other.")
		case len(args) > 1 || f.list && len(args) > 0:
			return usage("parley card trust takes one reference, and none with --list.")
		case len(args) == 1 && c.Flags().Changed("agent-card"):
			return usage("The agent is named twice: after the flags and by --agent-card.")
		case len(args) == 1:
			f.ref, a.dotenv.agent = args[0], ""
		}
		file := a.baselines()
		switch {
		case file == nil:
			return internal("No folder for approved cards is known: set XDG_STATE_HOME or HOME.")
		case f.list:
			return a.listApproved(file)
		case f.forget:
			return a.forgetApproved(file, f.ref)
		}
		return a.cardTrust(file, &f)
	}
	a.callFlags(c, &f.callFlags)
	c.Flags().BoolVar(&f.list, "list", false, "list the approved cards; nobody is contacted")
	c.Flags().BoolVar(&f.forget, "forget", false, "forget the approved card; nobody is contacted")
	return c
}

// cardTrust approves a card.
func (a *app) cardTrust(file *trust.File, f *cardTrustFlags) error {
	op, now, err := a.look(f.callFlags, f.ref)
	if err != nil {
		return err
	}
	ref := op.agentRef()
	if err := file.Approve(ref, 0, now); err != nil {
		return internal("The card was not approved: %s.", line(err.Error()))
	}
	op.approval.mu.Lock()
	defer op.approval.mu.Unlock()
	r := cardDiffResult{Card: trust.Reference(ref, now), Against: "nothing", Differences: op.approval.drift}
	if op.approval.known {
		r.Against = "approved"
	}
	if b, known, _ := file.Find(ref, 0, now); known {
		r.Approved = b.Approved.Format(time.RFC3339)
	}
	if a.json {
		return a.printCardDiff(&r)
	}
	var p page
	for i := range r.Differences {
		p.field(sentence(r.Differences[i].Severity.String()), line(r.Differences[i].Sentence()))
	}
	p.field("Approved", fmt.Sprintf("the card of %s at %s", line(orNone(now.Name)), line(r.Card)))
	return a.print(p.b.Bytes())
}

// agentRef returns the address of the operation's agent.
func (op *operation) agentRef() string {
	if saved, ok := op.app.savedAgent(op.flags.ref); ok {
		return saved.Ref
	}
	return op.flags.ref
}

// listApproved lists the approved cards.
func (a *app) listApproved(file *trust.File) error {
	list, err := file.Baselines()
	if err != nil {
		a.note("Warning", "not every approved card could be read: %s: %s.", line(file.Path()), line(err.Error()))
	}
	type entry struct {
		Ref      string `json:"ref"`
		Index    int    `json:"index"`
		Name     string `json:"name"`
		Approved string `json:"approved"`
	}
	entries := []entry{}
	var p page
	for i := range list {
		b := &list[i]
		entries = append(entries, entry{b.Ref, b.Index, b.Name, b.Approved.Format(time.RFC3339)})
		p.field("Card", fmt.Sprintf("%s, %s, %s %s", line(orNone(b.Name)), line(b.Ref), b.How.Label(), b.Approved.Format(time.RFC3339)))
	}
	if a.json {
		return a.printJSON(entries)
	}
	if len(list) == 0 && err == nil {
		a.note("Note", "no card was approved yet: parley card trust REF approves one.")
	}
	return a.print(p.b.Bytes())
}

// forgetApproved removes the approved cards of a reference.
func (a *app) forgetApproved(file *trust.File, ref string) error {
	if ref == "" {
		return usage("--forget needs the reference of an agent; --list shows those of the approved cards.")
	}
	address := ref
	if saved, ok := a.savedAgent(ref); ok {
		address = saved.Ref
	}
	key := trust.Reference(address, nil)
	list, _ := file.Baselines() // the change reports what is wrong with the file
	gone := 0
	for i := range list {
		if list[i].Ref != key {
			continue
		}
		if err := file.Forget(key, list[i].Index); err != nil {
			return internal("The card was not forgotten: %s.", line(err.Error()))
		}
		gone++
	}
	if gone == 0 {
		return unapproved(ref)
	}
	return a.print([]byte("The card of " + line(a2a.MaskReference(ref)) + " is approved no longer.\n"))
}
