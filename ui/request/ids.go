package request

import (
	"strconv"

	"parley/a2a"
)

// A request that is sent again gets new ids, so that agents and rules tell it from the first
// one. The user can keep the old ids to see how the agent reacts.

// withFreshIDs returns a request with new ids.
func (p *Pane) withFreshIDs(r a2a.RawRequest) a2a.RawRequest {
	if p.newID == nil {
		return r
	}
	return r.WithFreshIDs(p.newID)
}

// hasIDs reports whether the request of which the draft is a copy has ids.
func (d *Draft) hasIDs() bool {
	return d.Request.From != 0 && d.ids != a2a.RequestIDs{}
}

// switchIDs switches the text between the ids of the captured request and new ones.
func (p *Pane) switchIDs() Intent {
	put := p.withFreshIDs
	if !p.draft.keepIDs {
		put = func(r a2a.RawRequest) a2a.RawRequest { return r.WithIDs(p.draft.ids) }
	}
	if !p.putIDs(put) {
		return Refused{"The body has no ids: agents cannot read it as a request."}
	}
	p.draft.keepIDs = !p.draft.keepIDs
	return nil
}

// putIDs changes only the ids in the text and reports whether it has any.
func (p *Pane) putIDs(put func(a2a.RawRequest) a2a.RawRequest) bool {
	p.readAll()
	before := p.parsed.request
	if p.exactVersion == p.edit.Version {
		before = p.draft.Request
	}
	if (before.IDs() == a2a.RequestIDs{}) {
		return false
	}
	exact, row, col := p.exactVersion == p.edit.Version, p.edit.Row, p.edit.Col
	if exact {
		p.draft.Request = put(before)
		p.edit.Replace(format(&p.draft.Request))
		p.exactVersion = p.edit.Version
	} else {
		lines := p.edit.Lines[:p.parsed.bodyRow:p.parsed.bodyRow]
		after := put(before)
		p.edit.Replace(joinBody(lines, after.Body))
	}
	p.edit.GoTo(row, col)
	p.read()
	return true
}

// origin describes which request the draft is a copy of, and whose ids it has; empty if it is
// no copy.
func (p *Pane) origin(edited bool) string {
	d := &p.draft
	if d.Request.From == 0 {
		if edited {
			return ""
		}
		return "unchanged"
	}
	words := "unchanged from #"
	if edited {
		words = "edited from #"
	}
	words += strconv.FormatUint(uint64(d.Request.From), 10)
	switch {
	case !d.hasIDs():
	case d.keepIDs:
		words += ", with its ids"
	default:
		words += ", with new ids"
	}
	return words
}
