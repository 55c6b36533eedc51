package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/sheet"
	"parley/ui/styles"
)

const (
	footRows  = 4  // the description of a field, including the rule
	leastRows = 3  // of the list, for which the question leaves room
	wellWidth = 60 // most cells of an input
	markWidth = 2  // a problem's sign, left of the names
)

// Title returns the title of the frame: who asks.
func (p *Pane) Title() string {
	title := "message with the card's form"
	switch who := canvas.SanitizeLine(p.ask.Agent); {
	case p.ask.Question != "" || p.ask.Task:
		title = who + " asks"
	case who != "":
		title = "message to " + who
	}
	if p.asJSON {
		return title + ", answered as JSON"
	}
	return title
}

// Note returns how many required values are missing, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	left := 0
	for _, f := range p.rows {
		if f.required && !f.present() && f.kind != kindGroup {
			left++
		}
	}
	switch {
	case p.asJSON:
		return "sent as written"
	case p.cut:
		return "too many fields: edit the rest as JSON"
	case left > 0:
		return units.Count(left) + " required left"
	}
	return ""
}

// question renders what the agent asks, above the fields.
func (p *Pane) question() []string {
	const most = 8
	if q := &p.asked; q.st == p.St && q.w == p.W {
		return q.rows
	}
	p.asked = asked{st: p.St, w: p.W}
	rows := &p.asked.rows
	for i, words := range []string{p.ask.Question, p.from.About} {
		words = strings.TrimSpace(canvas.Sanitize(strings.ToValidUTF8(words[:min(len(words), 10*maxWords)], "")))
		if words != "" && (i == 0 || words != strings.TrimSpace(p.ask.Question)) {
			*rows = append(*rows, canvas.Paragraph(words, p.W, p.St.Text)...)
		}
	}
	if len(*rows) > most {
		*rows = append((*rows)[:most-1], canvas.Ellipsize(canvas.Fit((*rows)[most-1], p.W)+" ", p.W, p.St.G[styles.Ellipsis]))
	}
	return *rows
}

// asked is the question as rows, with its inputs.
type asked struct {
	st   *styles.Styles
	w    int
	rows []string
}

// parts returns the heights of the question, the fields and the foot.
func (p *Pane) parts() (at sheet.Parts, question []string) {
	question = p.question()
	head := len(question)
	if head > 0 {
		head++ // the rule
	}
	if head = max(0, min(head, p.H-leastRows)); head < 2 {
		head = 0
	}
	n := len(p.rows) + 1
	if p.asJSON {
		n = p.H
	}
	at = p.SplitFor(n, head, footRows, leastRows)
	if cut := at.Head - 1; cut >= 0 && cut < len(question) {
		question = question[:cut]
	}
	return at, question
}

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int {
	at, _ := p.parts()
	return at.List
}

// labelWidth returns the width of the column of names.
func (p *Pane) labelWidth() int {
	const most = 30
	return max(4, min(most, p.W/3))
}

// wellWidth returns the width of the column of values.
func (p *Pane) wellWidth() int { return max(1, min(wellWidth, p.W-markWidth-p.labelWidth()-1)) }

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at, question := p.parts()
	var rows []string
	if p.asJSON {
		p.raw.SetHeight(max(1, at.List))
		rows = strings.Split(p.raw.View(), "\n")
	} else {
		p.List.Reveal(len(p.rows)+1, at.List)
		for i := p.List.Top; i <= len(p.rows) && len(rows) < at.List; i++ {
			rows = append(rows, p.row(i))
		}
	}
	return p.Stack(at, question, rows, p.foot())
}

// row renders a node, or the row that sends.
func (p *Pane) row(i int) string {
	st, here := p.St, i == p.List.At
	if i == len(p.rows) {
		return canvas.Entry(st, st.Accent.S(st.G[styles.Send]+" send"), p.W, here)
	}
	f := p.rows[i]
	name, paint := p.label(f), st.Dim
	if f.parent != nil && f.parent.kind == kindList && f.title() == "" {
		name = f.name
	}
	mark := strings.Repeat(" ", markWidth)
	if here {
		paint = st.Accent.Bold()
		mark = st.Accent.S(st.G[styles.Bar]) + " "
	}
	if f.problem != "" {
		mark = st.Failed.S(st.G[styles.Failed]) + " "
	}
	wide := p.labelWidth()
	name = strings.Repeat("  ", min(f.depth-1+max(0, 1-f.depth), 6)) + name
	if f.required && (f.parent == nil || f.parent.kind != kindList) {
		name = p.Ellipsize(name, wide-2) + " *"
	}
	return mark + paint.S(p.Cell(name, wide)) + " " + p.value(f, here, p.wellWidth())
}

// value renders the value of a node: what is typed or chosen in a well, the rest plain.
func (p *Pane) value(f *node, here bool, room int) string {
	st := p.St
	fit := func(s string) string { return p.Ellipsize(canvas.SanitizeLine(s), room) }
	well := func(s string) string { return canvas.Highlight(canvas.Fit(s, room), st.Well) }
	switch {
	case f.isSwitch():
		return p.checkbox(f)
	case f.kind == kindChoice:
		return p.choice(f, room)
	case f.kind == kindGroup && f.open:
		return st.Faint.S(st.G[styles.Unfolded])
	case f.kind == kindGroup:
		return st.Faint.S(fit(st.G[styles.Folded] + " " + keys.Name(p.Of(changeValue)) + " adds it"))
	case f.kind == kindList && len(f.children) == 0:
		return st.Faint.S(fit("empty, " + keys.Name(p.Of(changeValue)) + " adds an item"))
	case f.kind == kindList:
		return st.Faint.S(fit(units.Plural(len(f.children), "item") + ", " + keys.Name(p.Of(addItem)) + " adds one"))
	case here && isTyped(f):
		return p.Well(&p.input, room)
	case f.text == "":
		return well(st.Dim.S(fit(strings.Join(f.limits(), ", "))))
	case f.secret:
		return well(st.Text.S(strings.Repeat(st.G[styles.Bullet], min(room, canvas.Width(canvas.SanitizeLine(f.text))))))
	}
	return well(st.Text.S(fit(inLine.Replace(f.text))))
}

// checkbox renders a boolean.
func (p *Pane) checkbox(f *node) string {
	st := p.St
	switch f.pick {
	case yes:
		return st.Text.S("[x] yes")
	case no:
		return st.Text.S("[ ] no")
	}
	return st.Text.S("[ ]") + st.Faint.S(" not answered")
}

// choice renders the chosen one of several values, and which of them it is.
func (p *Pane) choice(f *node, room int) string {
	st := p.St
	before, after := st.Accent.S(st.G[styles.Earlier])+" ", " "+st.Accent.S(st.G[styles.Later])
	words, count := st.Dim.S(canvas.Fit("choose", min(6, max(0, room-4)))), units.Plural(len(f.choices), "choice")
	if f.pick >= 0 {
		count = units.Count(f.pick+1) + " of " + units.Count(len(f.choices))
		words = st.Text.S(p.Ellipsize(f.label(f.pick), max(1, room-5-canvas.Width(count))))
	}
	return canvas.Highlight(canvas.Fit(before+words+after+" "+st.Dim.S(count), room), st.Well)
}

// foot renders what the agent and the schema say about the current node.
func (p *Pane) foot() []string {
	st, f := p.St, p.current()
	var out []string
	say := func(paint styles.Paint, text string) {
		if text != "" {
			out = append(out, canvas.Paragraph(text, p.W, paint)...)
		}
	}
	switch {
	case p.asJSON:
		say(st.Faint, p.why)
		say(st.Faint, "This is sent if it is JSON, even if the schema does not match.")
	case f == nil:
		say(st.Faint, p.root.about())
	default:
		if f.problem != "" {
			say(st.Failed, p.label(f)+" "+f.problem+".")
		}
		say(st.Text, f.about())
		if f.note != "" {
			say(st.Faint, "Written as JSON: "+f.note+".")
		}
		if f.secret {
			say(st.Faint, "A secret: it is masked everywhere.")
		}
		if hint := strings.Join(f.limits(), ", "); hint != "" {
			say(st.Faint, hint)
		}
	}
	return out
}

// Cursor returns the terminal's cursor relative to the pane, nil if nothing is typed.
func (p *Pane) Cursor() *tea.Cursor {
	at, _ := p.parts()
	switch {
	case p.W == 0 || p.H == 0:
	case p.asJSON:
		cur := p.raw.Cursor()
		if cur == nil || cur.Y >= at.List {
			return nil
		}
		cur.X = min(max(cur.X, 0), p.W-1)
		cur.Y += at.Head
		return cur
	case isTyped(p.current()):
		return p.input.Cursor(p.labelWidth()+markWidth+1, at.Head+p.List.At-p.List.Top, p.W, p.H)
	}
	return nil
}

// label returns the name of a node.
func (p *Pane) label(f *node) string {
	switch title := f.title(); {
	case title != "":
		return title
	case f.name == "":
		return "The value"
	case f.parent != nil && f.parent.kind == kindList:
		return p.label(f.parent) + " " + f.name
	default:
		return line(f.name)
	}
}

// Masked reports whether what is typed is masked.
func (p *Pane) Masked() bool { return !p.asJSON && isTyped(p.current()) && p.input.Masked() }
