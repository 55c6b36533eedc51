package wire

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/jsonview"
	"parley/ui/styles"
)

// A tab is one way to look at a record.
type tab uint8

const (
	tabPretty tab = iota
	tabRaw
	tabHeaders
	tabFindings
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

// A detail shows one record below the rows.
type detail struct {
	st  *styles.Styles
	log *session.Log
	tab tab // as chosen; a record may not have it

	tree *jsonview.View
	raw  *jsonview.Bytes
	id   a2a.RecordID // that tree and raw hold

	sheet sheet
	w, h  int
}

func newDetail(st *styles.Styles) detail {
	return detail{st: st, tree: jsonview.New(st), raw: jsonview.NewBytes(st)}
}

func (d *detail) setStyles(st *styles.Styles) {
	d.st = st
	d.tree.SetStyles(st)
	d.raw.SetStyles(st)
	d.sheet.stale = true
}

// setSize sets the size in cells, the rule included.
func (d *detail) setSize(w, h int) {
	if w != d.w || h != d.h {
		d.w, d.h = w, h
		d.tree.SetSize(w, h-1)
		d.raw.SetSize(w, h-1)
	}
}

// current returns the tab that is shown of a record: the chosen one if it has it.
func (d *detail) current(it *session.Item) tab {
	if d.tab == tabFindings && (it == nil || len(it.Findings) == 0) {
		return tabPretty
	}
	return d.tab
}

// pick chooses a tab of a record; n counts from 0 and goes round.
func (d *detail) pick(it *session.Item, n int) {
	count := int(tabFindings)
	if it != nil && len(it.Findings) > 0 {
		count++
	}
	d.tab = tab((n%count + count) % count)
}

// shows returns what a record fills the detail with.
func (d *detail) shows(it *session.Item) show {
	switch {
	case it == nil:
		return showNothing
	case d.current(it) == tabPretty && len(it.Record.Raw) > 0 && it.Record.Kind != a2a.KindEnd:
		return showTree
	case d.current(it) == tabRaw && len(it.Record.Raw) > 0:
		return showBytes
	default:
		return showSheet
	}
}

// hold makes tree and raw those of the record.
func (d *detail) hold(it *session.Item) {
	if r := &it.Record; r.ID != d.id {
		d.id = r.ID
		d.tree.SetBody(r.Payload(), marks(it))
		d.raw.SetBody(r.Raw)
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

// lines draws the detail.
func (d *detail) lines(it *session.Item, reading bool) []string {
	if d.h <= 0 {
		return nil
	}
	w, h := d.w, d.h-1
	out := append(make([]string, 0, d.h), canvas.Fit(d.rule(it, reading), w))
	switch d.shows(it) {
	case showTree:
		d.hold(it)
		out = append(out, d.pretty(it, reading, h)...)
	case showBytes:
		d.hold(it)
		out = append(out, d.raw.Lines()...)
	case showSheet:
		d.sheet.fill(d, it)
		out = append(out, d.sheet.window(h)...)
	}
	return append(out, canvas.Blank(w, d.h-len(out))...)
}

// pretty draws the fields of a stream frame, the tree, and below it what was
// found, in h rows.
func (d *detail) pretty(it *session.Item, reading bool, h int) []string {
	out := d.frameFields(&it.Record)
	if len(out) > h/3 {
		out = out[:h/3]
	}
	room := h - len(out)
	notes := d.notes(it)
	if most := room / 2; len(notes) > most {
		notes = notes[:most]
	}
	d.tree.SetSize(d.w, room)
	if tree := d.tree.Height(room); len(notes) > 0 {
		gap := min(1, room-len(notes)-1)
		d.tree.SetSize(d.w, max(min(tree, room-len(notes)-gap), 1))
		notes = append(canvas.Blank(d.w, gap), notes...)
	}
	d.tree.SetFocused(reading)
	return append(append(out, d.tree.Lines()...), notes...)
}

// treeRow returns the row of the tree's window that stands in row y of the
// detail.
func (d *detail) treeRow(it *session.Item, y int) int {
	fields := len(d.frameFields(&it.Record))
	return y - 1 - min(fields, (d.h-1)/3)
}

// frameFields are what a stream frame says beside its data.
func (d *detail) frameFields(r *a2a.Record) []string {
	if r.SSE == nil {
		return nil
	}
	var out []string
	for _, f := range []struct{ name, value string }{{"event", r.SSE.Event}, {"id", r.SSE.ID}, {"retry", r.SSE.Retry}} {
		if f.value != "" {
			line := d.st.Faint.S(canvas.Fit(f.name, 6)) + d.st.Text.S(canvas.SanitizeLine(f.value))
			out = append(out, canvas.Fit(line, d.w))
		}
	}
	return out
}

// rule draws the line above the detail: the record's number and the tabs.
func (d *detail) rule(it *session.Item, reading bool) string {
	line, number := d.st.Hairline, d.st.Bold
	if reading {
		line, number = d.st.Focus, d.st.Title
	}
	dash := d.st.G[styles.Horizontal]
	if it == nil {
		return line.S(strings.Repeat(dash, d.w))
	}
	var b strings.Builder
	b.WriteString(line.S(dash+dash) + " " + number.S(strconv.FormatUint(uint64(it.Record.ID), 10)))
	used := 3 + len(strconv.FormatUint(uint64(it.Record.ID), 10))
	for _, s := range d.spans(it) {
		paint := d.st.Faint
		if s.tab == d.current(it) {
			paint = d.st.Accent.Bold()
		}
		b.WriteString(strings.Repeat(" ", s.from-used) + paint.S(s.text))
		used = s.to
	}
	if rest := d.w - used - 1; rest > 0 {
		b.WriteString(" " + line.S(strings.Repeat(dash, rest)))
	}
	return b.String()
}

// A tabSpan says where in the rule a tab's name stands.
type tabSpan struct {
	tab      tab
	text     string
	from, to int
}

func (d *detail) spans(it *session.Item) []tabSpan {
	x := 3 + len(strconv.FormatUint(uint64(it.Record.ID), 10)) + 1
	var out []tabSpan
	for i, name := range tabNames {
		if tab(i) == tabFindings {
			n := len(it.Findings)
			if n == 0 {
				break
			}
			name += " " + strconv.Itoa(n)
		}
		out = append(out, tabSpan{tab(i), name, x, x + len(name)})
		x += len(name) + 2
	}
	return out
}

// copied returns what copying takes: in the tree the value under the cursor, else
// all of what is shown, exactly.
func (d *detail) copied(it *session.Item, reading bool) Copy {
	what := "record " + strconv.FormatUint(uint64(it.Record.ID), 10)
	switch how := d.shows(it); {
	case how == showTree && reading:
		d.hold(it)
		text, pointer := d.tree.Selection()
		if pointer != "" {
			what = canvas.SanitizeLine(pointer)
		}
		return Copy{Text: text, What: what}
	case len(it.Record.Raw) > 0 && (!reading || how != showSheet):
		return Copy{Text: string(it.Record.Raw), What: what}
	default:
		d.sheet.fill(d, it)
		return Copy{Text: d.sheet.text, What: what}
	}
}

// scroll moves the window of what is shown n lines.
func (d *detail) scroll(it *session.Item, n int) {
	switch d.shows(it) {
	case showTree:
		d.hold(it)
		d.tree.Scroll(n)
	case showBytes:
		d.hold(it)
		d.raw.Scroll(n)
	case showSheet:
		d.sheet.fill(d, it)
		d.sheet.scroll(n, d.h-1)
	}
}

// move moves the cursor n lines where there is one, else the window.
func (d *detail) move(it *session.Item, n int) {
	if d.shows(it) == showTree {
		d.hold(it)
		d.tree.Move(n)
		return
	}
	d.scroll(it, n)
}

// end goes to the first line or the last.
func (d *detail) end(it *session.Item, last bool) {
	switch how := d.shows(it); {
	case how == showTree && last:
		d.hold(it)
		d.tree.Bottom()
	case how == showTree:
		d.hold(it)
		d.tree.Top()
	case how == showBytes && last:
		d.hold(it)
		d.raw.Bottom()
	case how == showBytes:
		d.hold(it)
		d.raw.Top()
	case how == showSheet && last:
		d.scroll(it, len(d.sheet.rows))
	case how == showSheet:
		d.scroll(it, -len(d.sheet.rows))
	}
}
