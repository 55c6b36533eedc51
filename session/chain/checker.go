package chain

import (
	"slices"

	"parley/a2a"
	"parley/a2a/lint"
)

// A Checker applies the rules of [lint] and those about hops. It is a log.Checker: give it every
// record once and in order. It is not safe for concurrent use.
type Checker struct {
	rules  *lint.Linter
	joiner *Joiner
}

// NewChecker returns a checker without any history.
func NewChecker() *Checker { return &Checker{lint.New(), New()} }

// severalAgents is the rule about a credential that two agents got; how it came to the second one
// is said by [ruleCredential] if it is known.
const severalAgents = "CLNT-015"

// Check returns the findings of a record, as [lint.Linter.Check] does, and those about hops.
func (c *Checker) Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding {
	found := c.rules.Check(r, u, known)
	hops := c.joiner.Add(r, u)
	if len(hops) == 0 {
		return found
	}
	found = slices.Clone(found)
	if slices.ContainsFunc(hops, func(f a2a.Finding) bool { return f.Rule == ruleCredential }) {
		found = slices.DeleteFunc(found, func(f a2a.Finding) bool { return f.Rule == severalAgents })
	}
	return append(found, hops...)
}
