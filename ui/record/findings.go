package record

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/a2a/lint"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// findings adds the findings of the record: in brief, or as the findings tab, with muted rules
// at the end.
func (w *writer) findings(v *View, whole bool) {
	muted := v.log.Findings().Muted
	some := false
	for _, f := range bySeverity(v.it.Findings) {
		if muted(f.Rule) {
			continue
		}
		if some && whole {
			w.blank()
		}
		some = true
		w.finding(f, whole)
	}
	if !whole {
		return
	}
	for _, f := range bySeverity(v.it.Findings) {
		if muted(f.Rule) {
			if some {
				w.blank()
			}
			some = true
			w.mutedFinding(f)
		}
	}
}

// bySeverity returns findings by severity, the highest first, else in their order.
func bySeverity(found []a2a.Finding) []*a2a.Finding {
	out := make([]*a2a.Finding, len(found))
	for i := range found {
		out[i] = &found[i]
	}
	slices.SortStableFunc(out, func(a, b *a2a.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return out
}

// finding adds one finding.
func (w *writer) finding(f *a2a.Finding, whole bool) {
	letter, paint := looks.Severity(w.st, f.Severity)
	if !whole {
		w.hang(label{w.st.G[styles.Flag] + " " + letter + " " + f.Rule, paint}, w.st.Text, 4, f.Message)
		if f.Fix != "" {
			w.line(w.st.Faint, 4, f.Fix)
		}
		return
	}
	w.entry.finding = f
	w.hang(label{w.st.G[styles.Flag] + " " + letter + " " + f.Rule, paint}, w.st.Text, 4, f.Message)
	rule, _ := lint.Lookup(f.Rule)
	for _, part := range []struct{ name, text string }{{"must", rule.Checks}, {"fix", f.Fix}, {"by", rule.Section}, {"at", spot(f)}} {
		if part.text != "" {
			w.part(part.name, part.text)
		}
	}
	w.entry = entry{}
}

// part adds a named line below a finding.
func (w *writer) part(name, text string) {
	const indent, names = 4, 6
	room := max(w.w-indent-names, 1)
	text = canvas.Sanitize(text)
	w.text.WriteString(name + " " + text + "\n")
	for i, line := range canvas.Wrap(text, room) {
		if i > 0 {
			name = ""
		}
		w.put(strings.Repeat(" ", indent) + w.st.Faint.S(canvas.Fit(name, names)) + w.st.Dim.S(line))
	}
}

// mutedFinding adds a finding of a muted rule.
func (w *writer) mutedFinding(f *a2a.Finding) {
	letter, _ := looks.Severity(w.st, f.Severity)
	w.entry.finding = f
	w.hang(label{"  " + letter + " " + f.Rule, w.st.Faint}, w.st.Faint, 4, "muted: "+f.Message)
	w.entry = entry{}
}

// spot describes the place in the payload that a finding concerns.
func spot(f *a2a.Finding) string {
	at := f.Pointer
	if f.Offset >= 0 {
		if at != "" {
			at += ", "
		}
		at += "byte " + strconv.Itoa(f.Offset)
	}
	return at
}

// Go moves the cursor to offset in the record's payload or, if offset is negative, to the JSON
// pointer. It reports whether the place exists.
func (v *View) Go(offset int, pointer string) bool {
	if v.it == nil || len(v.it.Record.Raw) == 0 {
		return false
	}
	v.invalidate()
	v.tab = Pretty
	if v.shows() != showTree {
		return false
	}
	v.load()
	return v.tree.Go(offset, pointer)
}

// toFinding goes to the place that a finding concerns.
func (v *View) toFinding(f *a2a.Finding) Intent {
	if f.Offset < 0 && f.Pointer == "" {
		return Say{f.Rule + " concerns the whole record."}
	}
	// The offset is where the decoder was; a pointer that exists is more precise.
	if f.Pointer != "" && v.Go(-1, f.Pointer) || v.Go(f.Offset, f.Pointer) {
		return nil
	}
	return Say{"The place of " + f.Rule + " is not in this body: " + canvas.SanitizeLine(spot(f))}
}

// ToFinding goes to the place that the first finding of a rule concerns. If it has none, the
// finding itself is shown.
func (v *View) ToFinding(rule string) {
	if v.it == nil {
		return
	}
	i := slices.IndexFunc(v.it.Findings, func(f a2a.Finding) bool { return f.Rule == rule })
	if i < 0 || v.toFinding(&v.it.Findings[i]) == nil {
		return
	}
	v.SetTab(Findings)
	v.sheet.fill(v)
	for row := range v.sheet.rows {
		if v.sheet.rows[row].entry.finding == &v.it.Findings[i] {
			v.sheet.move(row-v.sheet.cursor.At, v.h-1)
			return
		}
	}
}

// mute mutes or unmutes the rule of a finding.
func (v *View) mute(f *a2a.Finding) Intent {
	on := !v.log.Findings().Muted(f.Rule)
	v.log.Findings().Mute(f.Rule, on)
	if on {
		return Say{canvas.SanitizeLine(f.Rule) + " is muted: its findings are neither counted nor flagged"}
	}
	return Say{canvas.SanitizeLine(f.Rule) + " is unmuted"}
}
