package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"parley/a2a"
	"parley/internal/signature"
	"parley/internal/trust"
	"parley/internal/units"
	"parley/session/card"
	"parley/session/journal"
)

// baselines returns the file of approved cards, nil if there is no folder for it.
func (a *app) baselines() *trust.File {
	dir, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if err != nil {
		return nil
	}
	return trust.Open(filepath.Join(filepath.Dir(dir), "approved-cards.json"), now)
}

// An approval compares the cards of a command's agent with those that the user has approved.
type approval struct {
	file  *trust.File // nil if there is no folder for it
	looks bool        // the command only looks at the card: it sends the agent nothing
	// mask masks the secrets of the command, which the approved card may hold.
	mask func(string) string

	mu       sync.Mutex // the engine calls hold from a goroutine of its own
	baseline trust.Baseline
	known    bool
	drift    []card.Difference
	trouble  error // with the file
}

// hold says why an agent is not used, empty if it is. A command makes no baseline.
func (p *approval) hold(ref string, index int, c *a2a.Card) string {
	if p.file == nil {
		return ""
	}
	b, known, err := p.file.Find(ref, index, c)
	p.mu.Lock()
	defer p.mu.Unlock()
	if index == 0 { // the agent of the command
		p.baseline, p.known, p.trouble, p.drift = b, known, err, nil
	}
	if !known {
		return ""
	}
	drift := card.Mask(b.Drift(c, nil), p.mask)
	if index == 0 {
		p.drift = drift
	}
	if n := card.Asking(drift); n > 0 && !p.looks {
		return heldSentence(&b, n)
	}
	return ""
}

// heldSentence says why an agent is not used. n is how many of its differences have to be
// approved.
func heldSentence(b *trust.Baseline, n int) string {
	return fmt.Sprintf("The card of %s has %s of security or addresses %s", line(b.Name), units.Plural(n, "change"), b.How.Since(units.Date(b.Approved)))
}

// checkApproval warns of what the card of an operation's agent has otherwise than the approved
// one, and returns the failure of a command whose agent is not used before the user approves.
func (op *operation) checkApproval() error {
	p := &op.approval
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.trouble != nil {
		op.app.note("Warning", "not every approved card could be read: %s: %s.", line(p.file.Path()), line(p.trouble.Error()))
	}
	n := card.Asking(p.drift)
	if p.looks || !p.known || len(p.drift) == 0 {
		return nil
	}
	if n > 0 {
		for i := range p.drift[:min(n, maxDriftLines)] {
			op.app.note("Changed", "%s", p.drift[i].Sentence())
		}
		ref := shellReference(op.flags.ref)
		return &fault{
			code: codeAuthFailed, message: heldSentence(&p.baseline, n) + ": nothing was sent to it.",
			hint: fmt.Sprintf("parley card diff %s shows what has changed, and parley card trust %s approves it.", ref, ref),
		}
	}
	for i := range p.drift[:min(len(p.drift), maxDriftLines)] {
		op.app.note("Warning", "the card has changed %s: %s.", p.baseline.How.Since(units.Date(p.baseline.Approved)), strings.TrimSuffix(p.drift[i].Sentence(), "."))
	}
	if more := len(p.drift) - maxDriftLines; more > 0 {
		op.app.note("Warning", "the card has %s; parley card diff shows all of it.", units.Plural(more, "other change"))
	}
	return nil
}

// isKnown reports whether a card of the agent was approved.
func (p *approval) isKnown() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.known
}

// words says what is known about the card, empty if none was approved.
func (p *approval) words() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch date := units.Date(p.baseline.Approved); {
	case !p.known:
		return ""
	case len(p.drift) == 0:
		return p.baseline.How.As(date)
	default:
		return fmt.Sprintf("changed %s: parley card diff shows %s", p.baseline.How.Since(date), units.Plural(len(p.drift), "difference"))
	}
}

// maxDriftLines is how many differences a command that does something else names.
const maxDriftLines = 5

// approvedDifference returns the first member in which a card differs from the approved one, for
// a card whose signature is broken; empty if there is none.
func (op *operation) approvedDifference(c *a2a.Card) string {
	op.approval.mu.Lock()
	defer op.approval.mu.Unlock()
	if !op.approval.known {
		return ""
	}
	return op.approval.baseline.FirstDifference(c)
}

// approvedElsewhere says how cards are approved where nobody sees a screen.
const approvedElsewhere = "parley card diff shows them, and parley card trust approves them"

// keptCards holds the agents of the workbench whose cards differ from the approved ones.
type keptCards struct {
	file *trust.File
	keys func() *signature.Keys // those that the user trusts
	// remedy says in a clause how the cards are approved; empty where /trust does it.
	remedy string
}

// hold says why an agent is not used. The first card of an agent that the user opens becomes its
// baseline, unless its signature is broken.
func (k *keptCards) hold(ref string, index int, c *a2a.Card) string {
	first, keys := k.file.Meet, k.keys() // the sheet says what is wrong with the file
	if judge := trust.Judge(keys); judge != nil && judge(c) == card.Broken {
		first = k.file.Find
	}
	b, known, _ := first(ref, index, c)
	if !known {
		return ""
	}
	if n := card.Asking(b.Drift(c, keys)); n > 0 {
		return heldSentence(&b, n) + ": " + cmp.Or(k.remedy, "/trust shows and approves them")
	}
	return ""
}
