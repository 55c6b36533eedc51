package record

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/styles"
)

// A Tab is one way to look at a record.
type Tab uint8

// The tabs.
const (
	Pretty Tab = iota
	Raw
	Headers
	Findings
)

var tabNames = [...]string{"pretty", "raw", "headers", "findings"}

// A show is what fills the detail.
type show uint8

const (
	showNothing show = iota
	showTree
	showBytes
	showSheet
)

// A View shows one record. It is not safe for use by several goroutines.
type View struct {
	st   *styles.Styles
	keys KeyMap
	log  *session.Log
	it   *session.Item // nil for none
	tab  Tab           // as chosen; a record may not have it

	tree *jsonview.View
	raw  *jsonview.Bytes
	id   a2a.RecordID // that tree and raw hold

	sheet sheet
	w, h  int
}

// New returns a view of no record.
func New(st *styles.Styles) *View {
	return &View{st: st, keys: DefaultKeyMap(), tree: jsonview.New(st), raw: jsonview.NewBytes(st)}
}

// SetStyles changes the looks.
func (v *View) SetStyles(st *styles.Styles) {
	v.st = st
	v.tree.SetStyles(st)
	v.raw.SetStyles(st)
	v.sheet.stale = true
}

// SetLog shows records of another log, for now none.
func (v *View) SetLog(log *session.Log) {
	v.log, v.it, v.id, v.sheet.stale = log, nil, 0, true
}

// Show shows a record of the log, nil for none.
func (v *View) Show(it *session.Item) { v.it = it }

// SetSize sets the size in cells, the rule included.
func (v *View) SetSize(w, h int) {
	if w != v.w || h != v.h {
		v.w, v.h = w, h
		v.tree.SetSize(w, h-1)
		v.raw.SetSize(w, h-1)
	}
}

// Job returns the index that the body shown waits for because it is large, once.
// Run it in a goroutine of its own and give the result to [View.Apply]; until then
// the body is shown as bytes. It need not have been drawn yet.
func (v *View) Job() (jsonview.Job, bool) {
	if v.h <= 0 || v.shows() != showTree {
		return jsonview.Job{}, false
	}
	v.hold()
	return v.tree.Job()
}

// Apply takes the result of a job and reports whether anything changed.
func (v *View) Apply(d jsonview.Done) bool { return v.tree.Apply(d) }

// Tab returns the tab that is shown of a record: the chosen one if it has it.
func (v *View) Tab() Tab {
	if v.tab == Findings && (v.it == nil || len(v.it.Findings) == 0) {
		return Pretty
	}
	return v.tab
}

// pick chooses a tab of a record; n counts from 0 and goes round.
func (v *View) pick(n int) {
	count := int(Findings)
	if v.it != nil && len(v.it.Findings) > 0 {
		count++
	}
	v.tab = Tab((n%count + count) % count)
}

// shows returns what a record fills the detail with.
func (v *View) shows() show {
	switch {
	case v.it == nil:
		return showNothing
	case v.Tab() == Pretty && len(v.it.Record.Raw) > 0 && v.it.Record.Kind != a2a.KindEnd:
		return showTree
	case v.Tab() == Raw && len(v.it.Record.Raw) > 0:
		return showBytes
	default:
		return showSheet
	}
}

// hold makes tree and raw those of the record.
func (v *View) hold() {
	if r := &v.it.Record; r.ID != v.id {
		v.id = r.ID
		v.tree.SetBody(r.Payload(), marks(v.it))
		v.raw.SetBody(r.Raw)
	}
}

// marks are the remarks inside the tree: findings that say where, and masks.
func marks(it *session.Item) []jsonview.Mark {
	var out []jsonview.Mark
	for _, f := range it.Findings {
		if f.Offset >= 0 || f.Pointer != "" {
			out = append(out, jsonview.Mark{Offset: f.Offset, Pointer: f.Pointer, Text: f.Rule})
		}
	}
	if it.Record.Data != nil {
		return out // masks count from the begin of the bytes, not of the payload
	}
	for _, m := range it.Record.Redactions {
		if m.Length > 0 {
			out = append(out, jsonview.Mark{Offset: m.Offset, Text: masked(m.Size), Quiet: true})
		}
	}
	return out
}

// Lines draws the detail.
func (v *View) Lines(reading bool) []string {
	if v.h <= 0 {
		return nil
	}
	w, h := v.w, v.h-1
	out := append(make([]string, 0, v.h), canvas.Fit(v.rule(reading), w))
	switch v.shows() {
	case showTree:
		v.hold()
		out = append(out, v.pretty(reading, h)...)
	case showBytes:
		v.hold()
		out = append(out, v.raw.Lines()...)
	case showSheet:
		v.sheet.fill(v)
		out = append(out, v.sheet.window(h)...)
	}
	return append(out, canvas.Blank(w, v.h-len(out))...)
}

// pretty draws the fields of a stream frame, the tree, and below it what was
// found, in h rows.
func (v *View) pretty(reading bool, h int) []string {
	out := v.frameFields(&v.it.Record)
	if len(out) > h/3 {
		out = out[:h/3]
	}
	room := h - len(out)
	notes := v.notes()
	if most := room / 2; len(notes) > most {
		notes = notes[:most]
	}
	v.tree.SetSize(v.w, room)
	if tree := v.tree.Height(room); len(notes) > 0 {
		gap := min(1, room-len(notes)-1)
		v.tree.SetSize(v.w, max(min(tree, room-len(notes)-gap), 1))
		notes = append(canvas.Blank(v.w, gap), notes...)
	}
	v.tree.SetFocused(reading)
	return append(append(out, v.tree.Lines()...), notes...)
}

// treeRow returns the row of the tree's window that stands in row y of the
// detail.
func (v *View) treeRow(y int) int {
	fields := len(v.frameFields(&v.it.Record))
	return y - 1 - min(fields, (v.h-1)/3)
}

// frameFields are what a stream frame says beside its data.
func (v *View) frameFields(r *a2a.Record) []string {
	if r.SSE == nil {
		return nil
	}
	var out []string
	for _, f := range []struct{ name, value string }{{"event", r.SSE.Event}, {"id", r.SSE.ID}, {"retry", r.SSE.Retry}} {
		if f.value != "" {
			line := v.st.Faint.S(canvas.Fit(f.name, 6)) + v.st.Text.S(canvas.SanitizeLine(f.value))
			out = append(out, canvas.Fit(line, v.w))
		}
	}
	return out
}

// rule draws the line above the detail: the record's number and the tabs.
func (v *View) rule(reading bool) string {
	line, number := v.st.Hairline, v.st.Bold
	if reading {
		line, number = v.st.Focus, v.st.Title
	}
	dash := v.st.G[styles.Horizontal]
	if v.it == nil {
		return line.S(strings.Repeat(dash, v.w))
	}
	var b strings.Builder
	b.WriteString(line.S(dash+dash) + " " + number.S(strconv.FormatUint(uint64(v.it.Record.ID), 10)))
	used := 3 + len(strconv.FormatUint(uint64(v.it.Record.ID), 10))
	for _, s := range v.spans() {
		paint := v.st.Faint
		if s.tab == v.Tab() {
			paint = v.st.Accent.Bold()
		}
		b.WriteString(strings.Repeat(" ", s.from-used) + paint.S(s.text))
		used = s.to
	}
	if rest := v.w - used - 1; rest > 0 {
		b.WriteString(" " + line.S(strings.Repeat(dash, rest)))
	}
	return b.String()
}

// A tabSpan says where in the rule a tab's name stands.
type tabSpan struct {
	tab      Tab
	text     string
	from, to int
}

func (v *View) spans() []tabSpan {
	x := 3 + len(strconv.FormatUint(uint64(v.it.Record.ID), 10)) + 1
	var out []tabSpan
	for i, name := range tabNames {
		if Tab(i) == Findings {
			n := len(v.it.Findings)
			if n == 0 {
				break
			}
			name += " " + strconv.Itoa(n)
		}
		out = append(out, tabSpan{Tab(i), name, x, x + len(name)})
		x += len(name) + 2
	}
	return out
}

// copied returns what copying takes: in the tree the value under the cursor, else
// all of what is shown, exactly.
func (v *View) copied(reading bool) Copy {
	what := "record " + strconv.FormatUint(uint64(v.it.Record.ID), 10)
	switch how := v.shows(); {
	case how == showTree && reading:
		v.hold()
		text, pointer := v.tree.Selection()
		if pointer != "" {
			what = canvas.SanitizeLine(pointer)
		}
		return Copy{Text: text, What: what}
	case len(v.it.Record.Raw) > 0 && (!reading || how != showSheet):
		return Copy{Text: string(v.it.Record.Raw), What: what}
	default:
		v.sheet.fill(v)
		return Copy{Text: v.sheet.text, What: what}
	}
}

// Click puts the cursor where x, y of the view was clicked; on its own line it folds,
// and on the rule it chooses a tab.
func (v *View) Click(x, y int) {
	switch {
	case v.it == nil:
	case y > 0 && v.shows() == showTree:
		v.tree.Click(v.treeRow(y))
	case y == 0:
		for _, s := range v.spans() {
			if x >= s.from && x < s.to {
				v.tab = s.tab
			}
		}
	}
}
