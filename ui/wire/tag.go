package wire

import (
	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// tagged reports whether each row names its agent: the rows of several are listed.
func (p *Pane) tagged() bool { return p.rows.scope.kind() == OfAll && len(p.filter.facts.agents) > 1 }

// tag draws the tag of a record's agent, with its name where there is room.
func (p *Pane) tag(id a2a.RecordID, c columns) string {
	agent := p.rows.log.Owner(id).Agent
	if c.tag == 0 || agent == 0 || p.rows.tag == nil {
		return ""
	}
	out := looks.Tag(p.st, agent).S(canvas.Fit(p.rows.tag(agent), tagCells))
	if c.tag > tagCells && p.filter.name != nil {
		name := canvas.SanitizeLine(p.filter.name(agent))
		out += " " + p.st.Faint.S(canvas.Ellipsize(name, c.tag-tagCells-1, p.st.G[styles.Ellipsis]))
	}
	return out
}

// names reports whether an agent gets a name with a record, or there is one more agent: rows that have no tag yet get it.
func names(it *log.Item) bool {
	n := it.Record.Note
	return n != nil && (n.Type == log.NoteOpening || n.Type == log.NoteOpened || n.Type == log.NoteNamed)
}
