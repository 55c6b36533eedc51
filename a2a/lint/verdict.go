package lint

import "parley/a2a"

// A Verdict is what the findings about a card come to. Every place that judges a card says the same.
type Verdict struct {
	Score  int           // of 100
	Errors []a2a.Finding // those that make the card invalid
	Others []a2a.Finding
}

// costs are the points that a finding takes from a card's score.
var costs = [...]int{a2a.Info: 1, a2a.Warning: 5, a2a.Error: 20}

// Judge returns the verdict on a card by the findings in the record that holds it. Without any, perhaps because no
// record does, the rules read the card.
func Judge(c *a2a.Card, findings []a2a.Finding) Verdict {
	if findings == nil {
		findings = read(c)
	}
	v := Verdict{Score: 100}
	for i := range findings {
		f := &findings[i]
		v.Score -= costs[f.Severity]
		if f.Severity == a2a.Error {
			v.Errors = append(v.Errors, *f)
		} else {
			v.Others = append(v.Others, *f)
		}
	}
	v.Score = max(v.Score, 0)
	return v
}

// Valid reports whether the card has no errors.
func (v *Verdict) Valid() bool { return len(v.Errors) == 0 }

// read returns the findings about a card as the rules have them in a record from its address.
func read(c *a2a.Card) []a2a.Finding {
	call := a2a.Call{Op: a2a.OpCard, Endpoint: c.SourceURL}
	u := a2a.Decode(&call, a2a.Input{Body: c.Raw})
	return New().Check(&a2a.Record{Kind: a2a.KindBody, Dir: a2a.In, Call: &call, Raw: c.Raw}, &u, nil)
}
