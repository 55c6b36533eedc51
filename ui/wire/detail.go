package wire

import (
	"parley/a2a"
	"parley/ui/record"
)

// SelectFinding selects a record and shows the place in it that the first finding of a rule
// concerns. The record gets the keys.
func (p *Pane) SelectFinding(id a2a.RecordID, rule string) {
	p.Select(id)
	p.reading = p.rows.sel != 0
	p.arrange()
	p.detail.ToFinding(rule)
}

// onRecordIntent runs an intent of the record's view, or converts it to one of the pane's.
func (p *Pane) onRecordIntent(in record.Intent) Intent {
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
