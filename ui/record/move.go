package record

// Scroll moves the window of what is shown n lines.
func (v *View) Scroll(n int) {
	switch v.shows() {
	case showTree:
		v.hold()
		v.tree.Scroll(n)
	case showBytes:
		v.hold()
		v.raw.Scroll(n)
	case showSheet:
		v.sheet.fill(v)
		v.sheet.scroll(n, v.h-1)
	}
}

// Move moves the cursor n lines where there is one, else the window.
func (v *View) Move(n int) {
	if v.shows() == showTree {
		v.hold()
		v.tree.Move(n)
		return
	}
	v.Scroll(n)
}

// End goes to the first line or the last.
func (v *View) End(last bool) {
	switch how := v.shows(); {
	case how == showTree && last:
		v.hold()
		v.tree.Bottom()
	case how == showTree:
		v.hold()
		v.tree.Top()
	case how == showBytes && last:
		v.hold()
		v.raw.Bottom()
	case how == showBytes:
		v.hold()
		v.raw.Top()
	case how == showSheet && last:
		v.Scroll(len(v.sheet.rows))
	case how == showSheet:
		v.Scroll(-len(v.sheet.rows))
	}
}
