package wire

import (
	"parley/a2a"
	"parley/ui/styles"
)

// checkResult says what the folded checks of a stream found: the check itself, because nobody
// asked for it, has no row.
func (p *Pane) checkResult(checks []a2a.ExchangeID) string {
	g, log := &p.st.G, p.rows.log
	result := g[styles.Done] + " checked"
	for _, x := range checks {
		s := log.Stream(x)
		switch why := log.Unchecked(x); {
		case s.Open():
			return g[styles.Folded] + " checking"
		case why != "":
			return g[styles.Folded] + " not checked: " + why
		}
		if log.Differs(x) {
			result = g[styles.Flag] + " differs from the task"
		}
	}
	return result
}

// worstOf returns the gravest severity among the findings of exchanges; ok is false if there are
// none.
func (p *Pane) worstOf(exchanges []a2a.ExchangeID) (worst a2a.Severity, ok bool) {
	for _, x := range exchanges {
		if s := p.summaries[x]; s != nil {
			if w, flagged := s.flags.worst(p.rows.log.Findings()); flagged {
				worst, ok = max(worst, w), true
			}
		}
	}
	return worst, ok
}
