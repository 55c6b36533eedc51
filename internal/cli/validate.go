package cli

import (
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/signature"
)

// A verdict is the judgement of a card.
type verdict struct {
	errors, others []string // in words, each with its rule if there is one
	score          int      // of 100
}

// costs are the points that a finding takes from a card's score of 100.
var costs = [...]int{a2a.Info: 1, a2a.Warning: 5, a2a.Error: 20}

// newVerdict judges a card by the findings of the rules and by what could not be read.
func newVerdict(c *a2a.Card, findings []a2a.Finding) *verdict {
	v := &verdict{score: 100}
	for i := range findings {
		f := &findings[i]
		words := strings.TrimSpace(f.Severity.String()+" "+f.Rule+" "+f.Pointer) + ": " + strings.TrimSuffix(f.Message, ".")
		v.score -= costs[f.Severity]
		if f.Severity == a2a.Error {
			v.errors = append(v.errors, words)
		} else {
			v.others = append(v.others, words)
		}
	}
	_, unreadable, _ := a2a.ParseCard(c.Raw, c.SourceURL)
	for i := range unreadable {
		if f := &unreadable[i]; f.Severity == a2a.Error && !hasErrorAt(findings, f.Pointer) {
			v.errors, v.score = append(v.errors, "error "+strings.TrimSpace(f.Pointer+" "+f.Message)), v.score-costs[a2a.Error]
		}
	}
	v.score = max(v.score, 0)
	return v
}

// judgeSignatures adds what the signatures of the card say: a broken one is an error, and one in
// the form of an SDK is worth a remark.
func (v *verdict) judgeSignatures(results []signature.Result) {
	switch best, _ := signature.Best(results); best.Verdict {
	case signature.Broken:
		v.errors, v.score = append(v.errors, "error /signatures: "+strings.TrimSuffix(best.Why, ".")), max(0, v.score-costs[a2a.Error])
	case signature.Deviates:
		v.others, v.score = append(v.others, "warning /signatures: "+strings.TrimSuffix(best.Why, ".")), max(0, v.score-costs[a2a.Warning])
	}
}

// hasErrorAt reports whether a rule has a finding at a place of the card.
func hasErrorAt(findings []a2a.Finding, pointer string) bool {
	return slices.ContainsFunc(findings, func(f a2a.Finding) bool { return f.Severity == a2a.Error && f.Pointer == pointer })
}

// print writes the verdict above the card.
func (v *verdict) print(p *page) {
	word := "yes"
	if len(v.errors) > 0 {
		word = "no"
	}
	p.field("Valid", word)
	p.field("Score", fmt.Sprintf("%d of 100", v.score))
	for _, words := range slices.Concat(v.errors, v.others) {
		p.field("Finding", line(words))
	}
}

// tell writes to standard error what the document on standard output cannot contain.
func (v *verdict) tell(a *app) {
	a.note("Score", "%d of 100", v.score)
	for _, words := range v.others {
		a.note("Finding", "%s", line(words))
	}
}

// fault is the failure of a card that is not valid for its version.
func (v *verdict) fault() *fault {
	return &fault{code: codeCardInvalid, message: fmt.Sprintf("The card is not valid A2A (score %d of 100): %s.", v.score, line(strings.Join(v.errors, "; "))),
		hint: "Report it to the agent's author; the agent may still work."}
}
