package form

import (
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/sheet"
	"parley/ui/styles"
)

const (
	footRows  = 4  // the description of a field, including the rule
	mostRows  = 14 // most rows of the list in the preferred height
	leastRows = 4
)

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if p.asJSON {
		return "form, as JSON"
	}
	return "form"
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

// Height returns the preferred height in rows.
func (p *Pane) Height() int {
	if p.asJSON {
		return max(mostRows, min(p.raw.LineCount()+1, 2*mostRows)) + footRows
	}
	return max(leastRows, min(len(p.rows)+1, mostRows)) + footRows
}

// listHeight returns the number of rows of the list.
func (p *Pane) listHeight() int { return max(min(p.H, 1), p.H-footRows) }

// labelWidth returns the width of the column of names.
func (p *Pane) labelWidth() int {
	const most = 30
	return max(4, min(most, p.W/3))
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the
// pane.
func (p *Pane) Lines() []string {
	at := sheet.Parts{List: p.listHeight()}
	at.Foot = p.H - at.List
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
	return p.Stack(at, nil, rows, p.foot())
}

// row renders a node, or the row that sends.
func (p *Pane) row(i int) string {
	st := p.St
	if i == len(p.rows) {
		return canvas.Entry(st, st.Accent.S(canvas.Fit(st.G[styles.Send]+" send", p.W)), p.W, i == p.List.At)
	}
	f := p.rows[i]
	name, paint := p.label(f), st.Dim
	if f.parent != nil && f.parent.kind == kindList && f.title() == "" {
		name = f.name
	}
	mark := "  "
	if f.problem != "" {
		mark = st.Failed.S(st.G[styles.Failed]) + " "
	}
	if i == p.List.At {
		paint = st.Accent
	}
	wide := p.labelWidth()
	name = strings.Repeat("  ", min(f.depth-1+max(0, 1-f.depth), 6)) + name
	if f.required && (f.parent == nil || f.parent.kind != kindList) {
		name = p.Ellipsize(name, wide-2) + " *"
	}
	label := mark + paint.S(p.Cell(name, wide)) + " "
	room := max(1, p.W-wide-3)
	if i == p.List.At && isTyped(f) {
		p.input.SetWidth(room)
		return label + p.input.View()
	}
	return canvas.Entry(st, label+p.value(f, room), p.W, i == p.List.At)
}

// value renders the value of a node.
func (p *Pane) value(f *node, room int) string {
	st := p.St
	fit := func(s string) string { return p.Ellipsize(canvas.SanitizeLine(s), room) }
	switch f.kind {
	case kindChoice:
		count := "  " + units.Count(len(f.choices))
		if f.pick < 0 {
			return st.Faint.S(fit("space chooses" + count))
		}
		return st.Text.S(fit(f.label(f.pick))) + st.Faint.S("  "+strconv.Itoa(f.pick+1)+" of"+count[1:])
	case kindGroup:
		if f.open {
			return st.Faint.S(st.G[styles.Unfolded])
		}
		return st.Faint.S(fit(st.G[styles.Folded] + " space edits it"))
	case kindList:
		if len(f.children) == 0 {
			return st.Faint.S(fit("empty, space adds an item"))
		}
		return st.Faint.S(fit(units.Plural(len(f.children), "item") + ", " + p.keys.Add.Help().Key + " adds one"))
	default:
		if f.text == "" {
			return st.Faint.S(fit(strings.Join(f.limits(), ", ")))
		}
		if f.secret {
			return st.Text.S(strings.Repeat(st.G[styles.Bullet], min(room, canvas.Width(canvas.SanitizeLine(f.text)))))
		}
		return st.Text.S(fit(inLine.Replace(f.text)))
	}
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
		say(st.Text, line(p.from.About))
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
		if len(out) == 0 {
			say(st.Faint, line(p.from.About))
		}
	}
	return out
}

// Cursor returns the terminal's cursor relative to the pane, nil if nothing is typed.
func (p *Pane) Cursor() *tea.Cursor {
	switch {
	case p.W == 0 || p.H == 0:
	case p.asJSON:
		cur := p.raw.Cursor()
		if cur == nil || cur.Y >= p.listHeight() {
			return nil
		}
		cur.X = min(max(cur.X, 0), p.W-1)
		return cur
	case isTyped(p.current()):
		return p.input.Cursor(p.labelWidth()+3, p.List.At-p.List.Top, p.W, p.H)
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
