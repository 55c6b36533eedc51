package compare

import (
	"cmp"
	"slices"

	"parley/a2a"
)

// findings compares the findings of the sides by rule.
func (c *comparison) findings() {
	all := map[string]*Finding{}
	for n, side := range c.sides {
		for _, counted := range side.findings() {
			f := all[counted.Rule]
			if f == nil {
				f = &Finding{Rule: counted.Rule, Severity: counted.Severity, Message: counted.Message}
				all[f.Rule] = f
			}
			f.Severity = max(f.Severity, counted.Severity)
			if n == 0 {
				f.First, f.FirstAt = counted.First, counted.FirstAt
			} else {
				f.Second, f.SecondAt = counted.First, counted.FirstAt
			}
		}
	}
	for _, f := range all {
		c.result.Findings = append(c.result.Findings, *f)
	}
	slices.SortFunc(c.result.Findings, func(x, y Finding) int {
		return cmp.Or(-cmp.Compare(x.Severity, y.Severity), cmp.Compare(x.Rule, y.Rule))
	})
}

// findings counts the findings of a side by rule, as those of a first side.
func (s *Side) findings() map[string]*Finding {
	all := map[string]*Finding{}
	if s.whole {
		for _, r := range s.State.Log.Findings().Rules() {
			n := 0
			for _, count := range r.Counts {
				n += count
			}
			all[r.Rule] = &Finding{Rule: r.Rule, Severity: r.Worst(), Message: r.First.Message, First: n, FirstAt: r.Records[0]}
		}
		return all
	}
	items := s.State.Log.View().Scan()
	for _, id := range s.records() {
		it := items.At(id)
		if it == nil {
			continue
		}
		for i := range it.Findings {
			found := &it.Findings[i]
			if all[found.Rule] == nil {
				all[found.Rule] = &Finding{Rule: found.Rule, Message: found.Message, FirstAt: id}
			}
			f := all[found.Rule]
			f.First++
			f.Severity = max(f.Severity, found.Severity)
		}
	}
	return all
}

// records returns the records of a part of a session, in order: those of its turns, and of an
// agent also those of its card.
func (s *Side) records() (ids []a2a.RecordID) {
	of := map[a2a.TurnID]bool{}
	for _, turns := range s.turns {
		for _, t := range turns {
			of[t.ID] = true
		}
	}
	for _, x := range s.State.Log.Streams() {
		if x.Call != nil && (of[x.Call.Turn] || s.agent && x.Call.Agent == s.agents[0].ID) {
			ids = append(ids, s.State.Log.Exchange(x.Exchange)...)
		}
	}
	slices.Sort(ids)
	return ids
}
