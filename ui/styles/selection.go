package styles

import (
	"strings"

	"parley/themes"
)

// Lifts reports whether [Styles.Lift] changes anything.
func (st *Styles) Lifts() bool {
	return len(st.selection) > 0 || st.Band.On != "" || st.Theme.Depth == themes.Indexes16
}

// Lift returns a Select Graphic Rendition sequence as it is drawn on the selected row, where some
// colours of the theme would be too close to the background. One that sets a background of its own
// stays, except that of a band.
func (st *Styles) Lift(seq string) string {
	params, ok := strings.CutPrefix(seq, "\x1b[")
	if !ok || !st.Lifts() {
		return seq
	}
	if seq == st.Band.On {
		return ""
	}
	params = strings.TrimSuffix(params, "m")
	if st.Theme.Depth == themes.Indexes16 {
		return flat(seq, params)
	}
	if to := st.selection[params]; to != "" {
		return "\x1b[" + to + "m"
	}
	changed, list := false, strings.Split(params, ";")
	for i := 0; i < len(list); i++ {
		n := colourLength(list[i:])
		if list[i] == "48" {
			return seq
		}
		if to := st.selection[strings.Join(list[i:i+n], ";")]; to != "" {
			changed, list[i] = true, to
			clear(list[i+1 : i+n])
		}
		i += n - 1
	}
	if !changed {
		return seq
	}
	return sgr(list...)
}

// colourLength returns how many parameters the first colour takes, 1 for what is none.
func colourLength(params []string) int {
	if len(params) > 1 && (params[0] == "38" || params[0] == "48") {
		switch params[1] {
		case "2":
			return min(5, len(params))
		case "5":
			return min(3, len(params))
		}
	}
	return 1
}

// flat returns a sequence without its effect if it sets a text colour but no background: then the
// text has the colour of the selection.
func flat(seq, params string) string {
	for i, list := 0, strings.Split(params, ";"); i < len(list); i++ {
		p := list[i]
		if p == "" || p == "0" || p == "48" || len(p) == 2 && p[0] == '4' && p[1] < '8' || strings.HasPrefix(p, "10") && len(p) == 3 {
			return seq
		}
		i += colourLength(list[i:]) - 1
	}
	return ""
}

// OnSelection returns a paint as it is drawn on the selection's background.
func (st *Styles) OnSelection(p Paint) Paint {
	var b strings.Builder
	for seq := range strings.SplitAfterSeq(p.On, "m") { // a paint consists of nothing else
		b.WriteString(st.Lift(seq))
	}
	return st.Selected.And(Paint{On: b.String()})
}
