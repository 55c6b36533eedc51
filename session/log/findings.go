package log

import (
	"cmp"
	"maps"
	"slices"

	"parley/a2a"
)

// Findings is the index of the findings in a log: how often each rule fired and where, and
// which rules the user muted. A muted rule's findings remain; they are not counted and not
// shown.
type Findings struct {
	rules map[string]*RuleCount
	muted map[string]bool
	// version grows with every change of what is shown, mutes with every mute and unmute.
	version, mutes uint64
}

// Counts are numbers of findings, indexed by [a2a.Severity].
type Counts [a2a.Error + 1]int

// A RuleCount says how often a rule fired and in which records.
type RuleCount struct {
	Rule string
	// Counts are the findings by severity, indexed by [a2a.Severity], and Of those of each agent, 0 for none.
	Counts Counts
	Of     map[a2a.AgentID]*Counts
	// Records are those that have such findings, in order, without repetitions.
	Records []a2a.RecordID
	Muted   bool
	// First is the first of the findings, for its text.
	First a2a.Finding
}

// Worst returns the gravest severity with which the rule fired.
func (c *RuleCount) Worst() a2a.Severity {
	for s := a2a.Error; s > a2a.Info; s-- {
		if c.Counts[s] > 0 {
			return s
		}
	}
	return a2a.Info
}

// add adds the findings of a record of an agent.
func (f *Findings) add(id a2a.RecordID, agent a2a.AgentID, found []a2a.Finding) {
	for i := range found {
		c := f.rules[found[i].Rule]
		if c == nil {
			c = &RuleCount{Rule: found[i].Rule, First: found[i], Muted: f.muted[found[i].Rule], Of: map[a2a.AgentID]*Counts{}}
			f.rules[c.Rule] = c
		}
		of := c.Of[agent]
		if of == nil {
			of = &Counts{}
			c.Of[agent] = of
		}
		severity := min(found[i].Severity, a2a.Error)
		c.Counts[severity]++
		of[severity]++
		if n := len(c.Records); n == 0 || c.Records[n-1] != id {
			c.Records = append(c.Records, id)
		}
		f.version++
	}
}

// Version changes whenever a finding is added or a rule is muted or unmuted.
func (f *Findings) Version() uint64 { return f.version }

// Rules returns the rules that fired, the gravest first, then by name. The values must not be
// changed.
func (f *Findings) Rules() []*RuleCount {
	return slices.SortedFunc(maps.Values(f.rules), func(a, b *RuleCount) int {
		return cmp.Or(cmp.Compare(b.Worst(), a.Worst()), cmp.Compare(a.Rule, b.Rule))
	})
}

// Count returns how many findings of a severity there are, without the muted rules'.
func (f *Findings) Count(s a2a.Severity) int {
	n := 0
	for _, c := range f.rules {
		if !c.Muted {
			n += c.Counts[s]
		}
	}
	return n
}

// CountOf returns how many findings of a severity an agent has, without the muted rules'.
func (f *Findings) CountOf(agent a2a.AgentID, s a2a.Severity) int {
	n := 0
	for _, c := range f.rules {
		if of := c.Of[agent]; of != nil && !c.Muted {
			n += of[s]
		}
	}
	return n
}

// Mute mutes a rule, or unmutes it.
func (f *Findings) Mute(rule string, on bool) {
	f.muted[rule] = on
	if c := f.rules[rule]; c != nil {
		c.Muted = on
	}
	f.version++
	f.mutes++
}

// Mutes changes whenever a rule is muted or unmuted, which changes what is shown of earlier
// records.
func (f *Findings) Mutes() uint64 { return f.mutes }

// Muted reports whether a rule is muted.
func (f *Findings) Muted(rule string) bool { return f.muted[rule] }

// Shown returns the findings of an item without those of muted rules. The slice must not be
// changed.
func (f *Findings) Shown(it *Item) []a2a.Finding {
	muted := func(x a2a.Finding) bool { return f.muted[x.Rule] }
	if !slices.ContainsFunc(it.Findings, muted) {
		return it.Findings
	}
	return slices.DeleteFunc(slices.Clone(it.Findings), muted)
}

// Flag returns the gravest severity among the findings of an item that are shown; ok
// is false if there are none.
func (f *Findings) Flag(it *Item) (worst a2a.Severity, ok bool) {
	for i := range it.Findings {
		if x := &it.Findings[i]; !f.muted[x.Rule] {
			worst, ok = max(worst, x.Severity), true
		}
	}
	return worst, ok
}
