package record

// A need is the height that a record needs, with all that it was computed from.
type need struct {
	of       frameKey
	w, limit int
	tab      Tab
	h        int
}

// Need returns the height at which all of the record is visible in w cells, at most limit. It is
// cached: a pane asks for it in every frame.
func (v *View) Need(w, limit int) int {
	if v.it == nil || limit <= 0 {
		return 0
	}
	if w != v.w {
		v.SetSize(w, v.h)
	}
	now := need{of: v.key(false), w: w, limit: limit, tab: v.Tab(), h: v.need.h}
	if now != v.need {
		now.h = min(1+v.bodyHeight(limit), limit)
		v.need = now
	}
	return v.need.h
}

// bodyHeight returns the number of rows below the rule, at least limit if there are more.
func (v *View) bodyHeight(limit int) int {
	switch v.shows() {
	case showTree:
		v.load()
		n := len(v.frameFields(&v.it.Record)) + v.tree.Height(limit)
		if notes := len(v.notes()); notes > 0 {
			n += 1 + notes
		}
		return n
	case showBytes:
		v.load()
		return v.raw.Height(limit) + len(v.incomplete())
	default:
		v.sheet.fill(v)
		return v.sheet.len()
	}
}
