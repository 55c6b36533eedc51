package lint

import (
	"slices"

	"parley/a2a"
)

// An Obligation is a sentence of a specification that a rule enforces. A rule reports
// an error only in the dialects that have one; elsewhere the same is a warning.
type Obligation struct {
	Dialects string // as in Rule
	Section  string // "1.0 §9.3", "RFC 8259 §10"
	// Sentence is the text of the section, shortened with “…”. After a dash comes a remark:
	// which member the sentence defines, or that the compatibility kit makes a plain statement
	// a requirement.
	Sentence string
	// TCK names the requirement in the protocol's Technology Compatibility Kit, empty if the
	// kit has none.
	TCK string
}

// An obligation is an Obligation of one rule, with its dialects as a set.
type obligation struct {
	rule     string
	in       scope
	section  string
	sentence string
	tck      string
}

// obligations returns every obligation by group.
func obligations() [][]obligation {
	return [][]obligation{envelopeObligations[:], cardObligations[:], objectObligations[:], streamObligations[:]}
}

// obligationsOf returns the obligations of one rule, in the order of the table.
func obligationsOf(rule string) (all []obligation) {
	for _, group := range obligations() {
		for _, o := range group {
			if o.rule == rule {
				all = append(all, o)
			}
		}
	}
	return all
}

func (o *obligation) public() Obligation {
	return Obligation{Dialects: o.in.String(), Section: o.section, Sentence: o.sentence, TCK: o.tck}
}

// An index of mandatory dialects by rule.
type mandatory map[string]scope

func newMandatory() mandatory {
	m := mandatory{}
	for _, group := range obligations() {
		for _, o := range group {
			m[o.rule] |= o.in
		}
	}
	return m
}

// cap lowers an error of a rule to a warning in a dialect without an obligation.
func (m mandatory) cap(rule string, in scope, s a2a.Severity) a2a.Severity {
	if s == a2a.Error && m[rule]&in == 0 {
		return a2a.Warning
	}
	return s
}

// judge returns findings of the decoder with their severity in a dialect. The slice is the
// given one if nothing changes.
func (m mandatory) judge(in scope, found []a2a.Finding) []a2a.Finding {
	copied := false
	for i := range found {
		s := m.cap(found[i].Rule, in, found[i].Severity)
		if s == found[i].Severity {
			continue
		}
		if !copied {
			found, copied = slices.Clone(found), true
		}
		found[i].Severity = s
	}
	return found
}
