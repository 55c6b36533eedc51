package wire

import (
	"parley/a2a"
	"parley/ui/record"
)

// SelectFinding selects a record because of what a rule found in it, and shows the
// place that the finding is about. The keys act in the record from then on.
func (p *Pane) SelectFinding(id a2a.RecordID, rule string) {
	p.Select(id)
	p.reading = p.rows.sel != 0
	p.arrange()
	p.detail.ToFinding(rule)
}

// asked does what the record's view asks for, or asks it of the pane's user.
func (p *Pane) asked(in record.Intent) Intent {
	switch in := in.(type) {
	case record.Copy:
		return Copy(in)
	case record.Save:
		return Save(in)
	case record.Say:
		return Say(in)
	case record.Select:
		p.Select(in.Record)
	}
	return nil
}

// recordActions returns what can be done with the selected record by name.
func (p *Pane) recordActions() []Action {
	var out []Action
	for _, a := range p.detail.Actions(p.reading) {
		out = append(out, Action{a.Key, a.Name, a.Why, func() Intent { return p.asked(a.Do()) }})
	}
	return out
}
