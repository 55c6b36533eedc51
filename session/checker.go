package session

import "parley/a2a"

// A Checker finds what is wrong with a record. It is given every record of a session
// in order, each before it is applied, with what the decoder made of it and the fold
// of the agent it belongs to, nil if it belongs to none. It returns all that is to be
// said of the record: the findings in u, with the severity that they have in the
// dialect, and its own. It must not write to u. It must cost time in proportion to the
// record.
type Checker interface {
	Check(r *a2a.Record, u *a2a.Update, known *a2a.Fold) []a2a.Finding
}

// found returns what the decoder and the rules found in an item.
func (s *State) found(it *Item) []a2a.Finding {
	var known *a2a.Fold
	if c := it.Record.Call; c != nil && s.agents[c.Agent] != nil {
		known = s.agents[c.Agent].fold
	}
	return findingsOf(s.rules, it, known)
}

// findingsOf returns what the decoder and the rules found in an item, before which so much
// of the agent's tasks was known.
func findingsOf(rules Checker, it *Item, known *a2a.Fold) []a2a.Finding {
	if rules == nil {
		return it.Update.Findings
	}
	return rules.Check(&it.Record, &it.Update, known)
}
