package cli

import (
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/lint"
)

// A verdict is the judgement of a card in words.
type verdict struct {
	errors, others []string // each with its rule
	score          int      // of 100
}

// newVerdict judges a card by the findings of the rules alone.
func newVerdict(c *a2a.Card, findings []a2a.Finding) *verdict {
	judged := lint.Judge(c, findings)
	return &verdict{errors: findingWords(judged.Errors), others: findingWords(judged.Others), score: judged.Score}
}

// findingWords names findings with their members.
func findingWords(findings []a2a.Finding) (words []string) {
	for i := range findings {
		f := &findings[i]
		words = append(words, strings.TrimSpace(f.Severity.String()+" "+f.Rule+" "+f.Pointer)+": "+strings.TrimSuffix(f.Message, "."))
	}
	return words
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
