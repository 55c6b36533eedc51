package jsonview

// The places of a View: rows below the number of tokens are tokens of the tree, and sub counts
// the lines of opened text. The next row is the sentence that explains the end of the tree, and
// the rows of the flow follow it.

func (v *View) first() (place, bool) {
	if n := v.x.doc.Len(); n > 0 {
		if v.x.hidesRoot() {
			return place{row: v.x.lineOf(1)}, true
		}
		return place{}, true
	}
	return v.afterTree()
}

// afterTree returns the first line after the tree.
func (v *View) afterTree() (place, bool) {
	if v.x.sentence == "" {
		return place{}, false
	}
	return place{row: v.x.doc.Len()}, true
}

func (v *View) fromFlow(p place) place { return place{v.x.doc.Len() + 1 + p.row, p.sub} }
func (v *View) toFlow(p place) place   { return place{p.row - v.x.doc.Len() - 1, p.sub} }

func (v *View) last() place {
	if _, ok := v.tail.first(); ok {
		return v.fromFlow(v.tail.last())
	}
	if p, ok := v.afterTree(); ok {
		p.sub = len(v.sentence()) - 1
		return p
	}
	return v.treeEnd()
}

// treeEnd returns the last line of the tree.
func (v *View) treeEnd() place {
	return v.end(v.x.doc.Len()-1, -1)
}

// end returns the last visible line of token i inside the container above: its own, or that of
// a folded tree around it.
func (v *View) end(i, above int) place {
	if len(v.folds) == 0 && !v.foldAll {
		return place{i, v.more(i)}
	}
	seen := i
	for a := v.x.doc.Token(i).Parent; a != above && a >= 0; a = v.x.doc.Token(a).Parent {
		if v.folded(a) {
			seen = a
		}
	}
	return place{seen, v.more(seen)}
}

func (v *View) next(p place) (place, bool) {
	n := v.x.doc.Len()
	switch {
	case p.row > n:
		q, ok := v.tail.next(v.toFlow(p))
		return v.fromFlow(q), ok
	case p.row == n:
		if p.sub+1 < len(v.sentence()) {
			return place{n, p.sub + 1}, true
		}
		q, ok := v.tail.first()
		return v.fromFlow(q), ok
	case p.sub < v.more(p.row):
		return place{p.row, p.sub + 1}, true
	}
	i := v.x.doc.Token(p.row).Next
	if v.x.isTree(p.row) && !v.folded(p.row) {
		i = p.row + 1
	}
	if i < n {
		return place{row: v.x.lineOf(i)}, true
	}
	return v.afterTree()
}

func (v *View) prev(p place) (place, bool) {
	n := v.x.doc.Len()
	switch {
	case p.row > n:
		if q, ok := v.tail.prev(v.toFlow(p)); ok {
			return v.fromFlow(q), true
		}
		return place{n, len(v.sentence()) - 1}, true
	case p.sub > 0:
		return place{p.row, p.sub - 1}, true
	case p.row == n:
		if n == 0 {
			return p, false
		}
		return v.treeEnd(), true
	}
	start := p.row
	if key := v.x.key(p.row); key >= 0 {
		start = key
	}
	parent := v.x.doc.Token(p.row).Parent
	switch {
	case parent < 0, start-1 == 0 && v.x.hidesRoot():
		return p, false
	case start-1 == parent:
		return place{row: parent}, true
	}
	return v.end(start-1, parent), true
}

func (v *View) fix(p place) place {
	n := v.x.doc.Len()
	switch {
	case p.row > n:
		if _, ok := v.tail.first(); ok {
			return v.fromFlow(v.tail.fix(v.toFlow(p)))
		}
		return v.last()
	case p.row == n:
		if v.x.sentence == "" {
			return v.last()
		}
		return place{n, min(p.sub, len(v.sentence())-1)}
	}
	if p.row <= 0 && v.x.hidesRoot() {
		return place{row: v.x.lineOf(1)}
	}
	i := v.x.lineOf(max(p.row, 0))
	if q := v.end(i, -1); q.row != i {
		return place{row: q.row}
	}
	return place{i, min(p.sub, v.more(i))}
}

// folded reports whether token i is a folded tree.
func (v *View) folded(i int) bool {
	return v.x.isTree(i) && v.folds[i] != v.foldAll && (i > 0 || !v.x.hidesRoot())
}

// more returns the number of lines of the opened text of token i.
func (v *View) more(i int) int {
	if v.opened[i].format == Closed {
		return 0
	}
	return v.inset(i).len()
}

// lineOf returns the token on whose line token i is shown: a name is shown with its value.
func (x *index) lineOf(i int) int {
	if !x.isLine(i) && i+1 < x.doc.Len() {
		return i + 1
	}
	return i
}
