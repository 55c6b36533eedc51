package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/signature"
	"parley/session/problem"
)

// cardFlags are the flags of parley card get.
type cardFlags struct {
	callFlags
	signatureFlags
	validate bool
	extended bool
}

func (a *app) cardCommand() *cobra.Command {
	c := group("card", "Show, compare and approve agents' cards")
	c.Example = "  parley card get https://agent.example\n  parley card diff https://agent.example\n  parley card trust https://agent.example"
	c.AddCommand(a.cardGetCommand(), a.cardDiffCommand(), a.cardTrustCommand())
	return c
}

func (a *app) cardGetCommand() *cobra.Command {
	var f cardFlags
	c := &cobra.Command{
		Use:   "get [flags] [REF]",
		Short: "Print an agent's card",
		Example: `  parley card get -a http://localhost:9999
  parley card get ./card.json --validate
  parley card get -a https://agent.example --extended -o json`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) > 1:
			return usage("Only one agent can be named.")
		case len(args) == 1 && c.Flags().Changed("agent-card"):
			return usage("The agent is named twice: after the flags and by --agent-card.")
		case len(args) == 1:
			f.ref, a.dotenv.agent = args[0], ""
		}
		return a.cardGet(&f)
	}
	a.callFlags(c, &f.callFlags)
	f.signatureFlags.flags(c.Flags())
	c.Flags().BoolVar(&f.validate, "validate", false, "say whether the card is valid, with a score and the findings of the rules; an error is a failure")
	c.Flags().BoolVar(&f.extended, "extended", false, "print the card that the agent shows to authenticated callers")
	return c
}

// cardGet runs the command.
func (a *app) cardGet(f *cardFlags) error {
	if err := f.read(now); err != nil {
		return err
	}
	op, err := a.begin(&f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	op.wantsCard, op.rules.quiet = true, f.validate // the verdict names the findings
	op.approval.looks = !f.extended
	if err := op.open(); err != nil {
		return op.advise(err, nil)
	}
	card := op.card()
	if card == nil {
		return op.advise(op.cardless(), nil)
	}
	if f.extended {
		if card, err = op.extendedCard(); err != nil {
			return op.advise(err, nil)
		}
	}
	if n := len(op.state.Agents); n > 1 {
		a.note("Note", "The address returned %d cards; this is the first.", n)
	}
	results := op.verifySignatures(card, &f.signatureFlags)
	if f.validate {
		return op.showVerdict(card, results)
	}
	op.showCard(card, nil, results)
	return cmp.Or(brokenCard(results), op.broken)
}

// cardless is the failure of an agent without a usable card: an unreadable or undeliverable
// card is not a missing one.
func (op *operation) cardless() *fault {
	lack, class := "There is no agent card here: every address that was tried answers that there is none.", a2a.ClassNoCard
	if agent := op.state.Agent(op.agent); agent != nil {
		switch at := agent.CardTrouble(); {
		case at == nil:
		case agent.CardFault() == at:
			lack = fmt.Sprintf("The agent cannot deliver its card now: %s.", strings.TrimSuffix(at.Sentence, "."))
		case at.Class == a2a.ClassBadCard:
			lack, class = sentence(at.Sentence)+".", at.Class
		default:
			what, _, _ := strings.Cut(at.Sentence, ". ")
			what, _, _ = strings.Cut(what, ": ") // its advice is for an unknown address
			lack = "There is no agent card here: " + strings.TrimSuffix(what, ".") + "."
		}
	}
	known := "according to probes"
	if op.openSignal.Profile != nil && !op.openSignal.Profile.Proven() {
		known = "according to you"
		if _, old := op.usedCard(); old != nil {
			known = "according to the card " + old.Value
		}
	}
	return faultOf(class, lack+" But the address is an endpoint, "+known+": use parley send.", nil)
}

// showVerdict prints a card with its verdict, and fails if that is an error.
func (op *operation) showVerdict(card *a2a.Card, results []signature.Result) error {
	v := newVerdict(card, op.cardFindings())
	if op.app.json {
		if len(v.errors) > 0 {
			return v.fault()
		}
		v.tell(op.app)
	}
	op.showCard(card, v, results)
	if len(v.errors) > 0 {
		return v.fault()
	}
	return cmp.Or(brokenCard(results), op.broken)
}

// cardFindings returns the findings of the rules in the card that is printed.
func (op *operation) cardFindings() []a2a.Finding {
	record := op.answer.cardRecord
	if agent := op.state.Agent(op.agent); record == 0 && agent != nil {
		record = agent.CardRecord
	}
	if record == 0 {
		return nil
	}
	return op.state.Log.At(record).Findings
}

// showCard prints a card, after its verdict if there is one.
func (op *operation) showCard(c *a2a.Card, v *verdict, results []signature.Result) {
	if op.app.json {
		op.app.tellSignatures(results)
		op.document("", a2a.EncodeV1Card(c))
		return
	}
	p := page{verbose: op.flags.verbose}
	if v != nil {
		v.print(&p)
	}
	p.card(c, *op.openSignal.Profile)
	p.signatures(results)
	p.field("Approval", op.approval.words())
	op.print(&p)
}

// extendedCard returns the card for authenticated callers. It must be declared, and credentials
// go where a declared scheme says.
func (op *operation) extendedCard() (*a2a.Card, error) {
	if err := op.reachable(); err != nil {
		return nil, err
	}
	if op.card().Capabilities.ExtendedAgentCard != a2a.True {
		f := internal("The card declares no extended card.")
		f.hint = "Omit --extended to print the public card, the only one that the agent offers."
		return nil, f
	}
	sig, err := op.run(func() a2a.TurnID { return op.engine.ExtendedCard(op.agent) })
	switch {
	case err != nil:
		return nil, err
	case op.answer.card != nil && sig.Class != problem.ClassRPC:
		return op.answer.card, nil
	}
	f := asFault(op.failure(sig, nil))
	if f.rpcCode != 0 && f.code != codeCredentialsMissing && !op.engine.Authenticated(op.agent) {
		f.hint = "No credentials are set, and the agent may show the card only to authenticated callers. " + credentialHint(op.card(), op.flags.ref)
	}
	return nil, f
}
