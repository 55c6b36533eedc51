package jsonview

import (
	"charm.land/bubbles/v2/key"

	"parley/a2a/jsontok"
	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// inline is the size up to which a body is indexed at once, in a few
// milliseconds. A larger one is shown as bytes until its [Job] is done.
const inline = 1 << 20

// A Mark is a remark after the value at Offset of the body or, if Offset is negative, at the
// JSON pointer.
type Mark struct {
	Offset  int
	Pointer string
	Text    string
	Quiet   bool // for information; other marks are warnings
	Fresh   bool // no remark: the string there is what the body brought, and has the agent's colour
}

// A View shows a body as a tree. It is not safe for use by several goroutines.
type View struct {
	fold    key.Binding // folds and opens texts
	st      *styles.Styles
	w       int
	focused bool
	edge    edge // what precedes the lines
	prose   func(text string, w int) []string

	body       []byte
	marks      []Mark
	x          *index
	doc        jsontok.Doc // for bodies that are indexed at once
	seq        uint64      // counts bodies
	jobPending bool        // the index needs a Job

	// folds are the containers whose state differs from foldAll.
	folds   map[int]bool
	foldAll bool
	opened  map[int]openState // the opened scalars

	tail flow // the body after the tree
	win  window
	memo memo

	target *Mark // target of the cursor once the index exists
	find   canvas.Finder
	hit    int // offset of the last match, -1 for none
}

// An edge is what precedes the lines.
type edge uint8

const (
	edgeAll   edge = iota // line numbers and fold signs
	edgeFolds             // fold signs
	edgeNone
)

// New returns a view of an empty body.
func New(st *styles.Styles) *View {
	v := &View{st: st, tail: flow{st: st}}
	v.SetBody(nil, nil)
	return v
}

// NameFold sets the key that folds and opens texts, which a line names.
func (v *View) NameFold(fold key.Binding) { v.fold = fold }

// SetStyles changes the styles.
func (v *View) SetStyles(st *styles.Styles) {
	v.st, v.tail.st = st, st
	v.memo.insets = nil
	v.redraw()
}

// SetBody shows body from its start, unfolded. The body must not be changed afterwards.
func (v *View) SetBody(body []byte, marks []Mark) {
	v.body, v.marks = body, marks
	v.seq++
	v.folds, v.foldAll, v.opened = map[int]bool{}, false, map[int]openState{}
	v.win.top, v.win.at = place{}, place{}
	v.target, v.hit = nil, -1
	v.jobPending = len(body) > inline
	if v.jobPending {
		size := units.Bytes(int64(len(body)))
		v.show(&index{
			doc: new(jsontok.Doc), pending: true,
			sentence: "Reading " + size + " of JSON. Until the tree is there, these are its bytes:",
		})
		return
	}
	v.show(newIndex(&v.doc, body))
}

func (v *View) show(x *index) {
	v.x = x
	v.tail.src, v.tail.from = v.body, x.rest
	v.memo = memo{}
	v.memo.marks, v.memo.fresh = x.place(v.marks)
	v.redraw()
}

// SetMarks replaces the marks.
func (v *View) SetMarks(marks []Mark) {
	v.marks = marks
	v.memo.marks, v.memo.fresh = v.x.place(marks)
	v.redraw()
}

// SetSize sets the size in cells. The top line stays.
func (v *View) SetSize(w, h int) {
	if w = max(w, 0); w != v.w {
		v.w, v.tail.w = w, w
		v.memo.insets, v.memo.widths = nil, nil // a name has up to a third of the width
		v.redraw()
	}
	v.win.h = max(h, 0)
}

// HideNumbers hides the line numbers.
func (v *View) HideNumbers() {
	v.edge = edgeFolds
	v.redraw()
}

// SetFocused sets whether the cursor's line is highlighted.
func (v *View) SetFocused(on bool) { v.focused = on }

// Move moves the cursor by n lines.
func (v *View) Move(n int) { v.win.move(v, n) }

// Scroll moves the window by n lines; the cursor stays inside it.
func (v *View) Scroll(n int) { v.win.scroll(v, n) }

// Top moves the cursor to the first line.
func (v *View) Top() { v.win.jump(v, place{}) }

// Bottom moves the cursor to the last line.
func (v *View) Bottom() {
	if _, ok := v.first(); ok {
		v.win.jump(v, v.last())
	}
}

// Click moves the cursor to row y of the window; on the cursor's line it calls [View.Toggle].
func (v *View) Click(y int) {
	if y < 0 || !v.win.settle(v) {
		return
	}
	if at := step(v, v.win.top, y); at != v.win.at {
		v.win.at = at
		return
	}
	v.Toggle()
}

// Toggle folds or unfolds the tree under the cursor, opens or closes a shortened scalar, or
// opens more of a long text. On any other line it folds the surrounding tree.
func (v *View) Toggle() {
	i, ok := v.toggles()
	if !ok {
		return
	}
	if _, more := v.onMore(); more {
		v.open(i, openState{AsText, v.opened[i].pieces + 1})
		v.win.settle(v)
		return
	}
	switch {
	case v.x.isTree(i):
		v.folds[i] = !v.folds[i]
		v.redraw()
	case v.opened[i].format != Closed:
		v.open(i, openState{})
	default:
		v.open(i, openState{AsText, 1})
	}
	v.win.jump(v, place{row: i})
}

// CanToggle reports whether [View.Toggle] has an effect.
func (v *View) CanToggle() bool {
	_, ok := v.toggles()
	return ok
}

// toggles returns the token that [View.Toggle] changes.
func (v *View) toggles() (i int, ok bool) {
	if !v.win.settle(v) || v.win.at.row >= v.x.doc.Len() {
		return 0, false
	}
	i = v.win.at.row
	if v.x.isTree(i) || v.opened[i].format != Closed || v.openable(i) {
		return i, true
	}
	i = v.x.doc.Token(i).Parent
	return i, i > 0 || i == 0 && !v.x.hidesRoot()
}

// FoldAll folds or unfolds all trees and closes all texts.
func (v *View) FoldAll(fold bool) {
	v.folds, v.foldAll, v.opened = map[int]bool{}, fold, map[int]openState{}
	v.redraw()
	if v.win.settle(v) {
		v.win.reveal(v)
	}
}

// Height returns the number of lines, at most limit.
func (v *View) Height(limit int) int { return height(v, limit) }

// Selection returns the value under the cursor and its [View.Pointer]: the text of a string,
// the bytes of any other value. A string with invalid characters and the text after the tree
// are returned as bytes, too.
func (v *View) Selection() (text, pointer string) {
	if !v.win.settle(v) {
		return "", ""
	}
	i := v.win.at.row
	if i >= v.x.doc.Len() {
		return string(v.body[v.x.rest:]), ""
	}
	pointer = v.Pointer()
	n := v.x.doc.Node(i)
	if x, k, ok := v.inside(); ok {
		n = x.doc.Node(k)
	}
	if text, ok := exactText(n); ok {
		return text, pointer
	}
	return string(n.Raw()), pointer
}

// Cursor returns the row of the window with the cursor.
func (v *View) Cursor() int {
	if !v.win.settle(v) {
		return 0
	}
	y := 0
	for p, ok := v.win.top, true; ok && p.before(v.win.at); p, ok = v.next(p) {
		y++
	}
	return y
}

// Lines returns the rows of the view: exactly its height, each exactly its width.
func (v *View) Lines() []string {
	out := make([]string, 0, v.win.h)
	if v.w > 0 && v.win.settle(v) {
		for _, d := range v.visible() {
			line := canvas.HighlightHits(d.line, v.find, v.st.Mark)
			if v.focused && d.at == v.win.at {
				line = canvas.Select(line, v.st)
			}
			out = append(out, line)
		}
	}
	return append(out, canvas.Blank(v.w, v.win.h-len(out))...)
}

// Window returns the part of the tree that is in the window, in lines of the unfolded tree; none for
// what is no tree.
func (v *View) Window() canvas.Scroll {
	n := v.x.doc.Len()
	if v.w == 0 || n == 0 || !v.win.settle(v) || v.win.full.top.row >= n {
		return canvas.Scroll{}
	}
	top, end := v.number(v.win.full.top.row)-1, v.x.lines
	if _, more := v.next(v.win.full.bottom); more && v.win.full.bottom.row < n {
		end = v.number(v.win.full.bottom.row)
	}
	return canvas.Scroll{H: v.win.h, Top: top, Shown: end - top, All: v.x.lines}
}

// A Job builds the index of one large body.
type Job struct {
	view *View
	seq  uint64
	body []byte
}

// A Result is the result of a [Job].
type Result struct {
	view *View
	seq  uint64
	x    *index
}

// Job returns the pending job, once. Run it in its own goroutine and pass the result to
// [View.Apply].
func (v *View) Job() (Job, bool) {
	if !v.jobPending {
		return Job{}, false
	}
	v.jobPending = false
	return Job{v, v.seq, v.body}, true
}

// Run builds the index. It uses nothing of the view.
func (j Job) Run() Result { return Result{j.view, j.seq, newIndex(new(jsontok.Doc), j.body)} }

// Apply applies the result of a job and reports whether the view changed: not if the job
// belongs to another view or to an earlier body. The first visible byte stays visible.
func (v *View) Apply(d Result) bool {
	if d.view != v || d.seq != v.seq || d.x == nil {
		return false
	}
	offset := -1
	if top := v.win.top; top.row > v.x.doc.Len() {
		offset = top.sub
	}
	v.show(d.x)
	v.win.top = place{}
	if n := d.x.doc.At(offset); offset > 0 && n.Exists() {
		v.win.top = place{row: d.x.lineOf(n.Index())}
	}
	v.win.at = v.win.top
	v.win.settle(v)
	if m := v.target; m != nil {
		v.target = nil
		v.Go(m.Offset, m.Pointer)
	}
	return true
}
