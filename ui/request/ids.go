package request

import (
	"strconv"

	"parley/a2a"
)

// A request that is sent again has ids of its own, so that agents and rules tell it from
// the one before; a user who wants to see what an agent makes of old ids keeps them.

// renewed returns a request with new ids.
func (p *Pane) renewed(r a2a.RawRequest) a2a.RawRequest {
	if p.newID == nil {
		return r
	}
	return r.WithFreshIDs(p.newID)
}

// identified reports whether the request that a draft was made from has ids.
func (d *Draft) identified() bool {
	return d.Request.From != 0 && d.ids != a2a.RequestIDs{}
}

// switchIDs puts the ids of the captured request into the text, or new ones.
func (p *Pane) switchIDs() Intent {
	put := p.renewed
	if !p.draft.kept {
		put = func(r a2a.RawRequest) a2a.RawRequest { return r.WithIDs(p.draft.ids) }
	}
	if !p.putIDs(put) {
		return Refused{"The body has no ids: agents cannot read it as a request."}
	}
	p.draft.kept = !p.draft.kept
	return nil
}

// putIDs changes the ids in the text, and nothing else there; it reports whether there
// are any.
func (p *Pane) putIDs(put func(a2a.RawRequest) a2a.RawRequest) bool {
	if p.seen != p.edit.Version {
		p.readAll()
	}
	before := p.parsed.request
	if p.exact == p.edit.Version {
		before = p.draft.Request
	}
	if (before.IDs() == a2a.RequestIDs{}) {
		return false
	}
	exact, row, col := p.exact == p.edit.Version, p.edit.Row, p.edit.Col
	if exact {
		p.draft.Request = put(before)
		p.edit.Replace(format(&p.draft.Request))
		p.exact = p.edit.Version
	} else {
		lines := p.edit.Lines[:p.parsed.bodyRow:p.parsed.bodyRow]
		after := put(before)
		p.edit.Replace(joined(lines, after.Body))
	}
	p.edit.GoTo(row, col)
	p.read()
	return true
}

// origin says which request a draft was made from, and whose ids it has; empty for one
// that was made from none.
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
	case !d.identified():
	case d.kept:
		words += ", with its ids"
	default:
		words += ", with new ids"
	}
	return words
}
