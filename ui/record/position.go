package record

import (
	"parley/a2a"
	"parley/ui/jsonview"
	"parley/ui/list"
)

// A Position is where a reader is in a record.
type Position struct {
	record    a2a.RecordID
	tab       Tab
	tree, raw jsonview.Position
	sheet     list.Cursor
}

// Position returns where the reader is.
func (v *View) Position() Position {
	at := Position{tab: v.tab, tree: v.tree.Position(), raw: v.raw.Position(), sheet: v.sheet.cursor}
	if v.it != nil {
		at.record = v.it.Record.ID
	}
	return at
}

// Return goes back to a position if the record is still shown.
func (v *View) Return(at Position) {
	if v.it == nil || v.it.Record.ID != at.record {
		return
	}
	v.tab = at.tab
	v.load()
	v.sheet.fill(v)
	v.sheet.cursor = at.sheet
	v.tree.Return(at.tree)
	v.raw.Return(at.raw)
	v.invalidate()
}
