package signin

import (
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/styles"
)

// labelWidth is the width of the widest label with the space behind it.
const labelWidth = 15

// Title returns the title of the frame.
func (p *Pane) Title() string {
	name := p.content.Agent
	if pr := p.content.Progress; pr != nil {
		name = pr.Agent
	}
	if name == "" {
		return "sign in"
	}
	return "sign in to " + canvas.SanitizeLine(name)
}

// Note returns how many identities there are, for the right end of the frame's top edge.
func (p *Pane) Note() string {
	if p.content.Progress != nil {
		return "under way"
	}
	if n := len(p.content.Identities); n > 0 {
		return units.Count(n) + " signed in"
	}
	return "signed in nowhere"
}

// parts are the rows of the pane, from top to bottom.
type parts struct {
	head                   int // what is asked for, and a blank row
	waysTop, ways          int
	inputsTop, inputs      int
	firstInput             int // the first one in the window
	bodyTop, body          int // what the way does, or the details of an identity
	listTop, list, listGap int // the identities
}

// The most rows of each part.
const (
	maxHead = 4
	maxWays = 6
	maxList = 4
	maxBody = 14
)

// parts divides the height: the inputs come first, then a way and a demand, then the rest.
func (p *Pane) parts() (at parts) {
	left := p.H
	take := func(n int) int {
		n = max(0, min(n, left))
		left -= n
		return n
	}
	inputs := p.numInputs()
	if p.at == onIdentities {
		inputs = 0
	}
	if left > 1 {
		at.inputs = min(inputs, left-1)
		left -= at.inputs
	} else if p.at == onInputs {
		at.inputs = take(1)
	}
	at.ways = take(min(1, len(p.content.Ways)))
	head := p.head()
	at.head = take(min(1, len(head)))
	ids := len(p.content.Identities)
	if ids > 0 {
		at.list = take(1)
	}
	at.ways += take(min(len(p.content.Ways), maxWays) - at.ways)
	body := len(p.body())
	at.body = take(min(body, 3))
	at.head += take(min(len(head), maxHead) - at.head)
	at.list += take(min(ids, maxList) - at.list)
	gaps := 0
	for _, n := range []int{at.head, at.inputs + at.body, at.list} { // a blank row behind or before each
		if n > 0 && left > 0 {
			gaps += take(1)
		}
	}
	heading := 0
	if at.list > 0 {
		heading = take(1)
	}
	at.body += take(min(body, maxBody) - at.body)
	at.ways += take(min(len(p.content.Ways)-at.ways, left/2))
	return p.place(at, gaps, heading)
}

// place computes where the parts begin.
func (p *Pane) place(at parts, gaps, heading int) parts {
	y := at.head
	gap := func() {
		if gaps > 0 {
			gaps--
			y++
		}
	}
	if at.head > 0 {
		gap()
	}
	at.waysTop = y
	y += at.ways
	if at.inputs+at.body > 0 {
		gap()
	}
	at.inputsTop = y
	y += at.inputs
	at.firstInput = max(0, p.input-at.inputs+1)
	at.bodyTop = y
	y += at.body
	if at.list > 0 {
		gap()
		at.listGap = heading
		y += heading
	}
	at.listTop = y
	return at
}

// Lines renders the pane as exactly as many rows as its height, each exactly as wide as the pane.
func (p *Pane) Lines() []string {
	if p.content.Progress != nil {
		return canvas.Block(p.progress(), p.W, p.H)
	}
	at := p.parts()
	var out []string
	fill := func(to int, rows []string) {
		out = append(canvas.Block(out, p.W, max(to, 0)), rows...)
	}
	head := p.head()
	fill(0, head[:min(at.head, len(head))])
	fill(at.waysTop, rows(p, &p.ways, len(p.content.Ways), at.ways, p.at == onWays, p.wayRow))
	fill(at.inputsTop, nil)
	for i := at.firstInput; i < at.firstInput+at.inputs; i++ {
		out = append(out, p.inputRow(i))
	}
	body := p.body()
	fill(at.bodyTop, body[:min(at.body, len(body))])
	if at.list > 0 {
		fill(at.listTop-at.listGap, nil)
		if at.listGap > 0 {
			out = append(out, p.St.Bold.S("signed in"))
		}
		out = append(out, rows(p, &p.List, len(p.content.Identities), at.list, p.at == onIdentities, p.identityRow)...)
	}
	return canvas.Block(out, p.W, p.H)
}

// rows renders the visible ones of n rows of a list. One is selected only while the list has the focus.
func rows(p *Pane, c *list.Cursor, n, h int, focused bool, row func(i int) string) (out []string) {
	c.Reveal(n, h)
	for i := c.Top; i < min(n, c.Top+h); i++ {
		out = append(out, canvas.Entry(p.St, row(i), p.W, focused && i == c.At))
	}
	return out
}

// head returns what the agent asks for, and how the last sign-in ended.
func (p *Pane) head() (rows []string) {
	if p.content.Said != "" {
		paint, glyph := p.St.OK, p.St.G[styles.Done]
		if p.content.Bad {
			paint, glyph = p.St.Failed, p.St.G[styles.Failed]
		}
		for i, line := range canvas.Wrap(canvas.SanitizeLine(p.content.Said), max(1, p.W-2)) {
			mark := "  "
			if i == 0 {
				mark = paint.S(glyph) + " "
			}
			rows = append(rows, mark+p.St.Text.S(line))
		}
		rows = rows[:min(len(rows), 3)]
	}
	for _, s := range p.content.Demand {
		rows = append(rows, canvas.Paragraph(canvas.SanitizeLine(s), p.W, p.St.Text)...)
	}
	if p.content.Why != "" {
		rows = append(rows, canvas.Paragraph(p.content.Why, p.W, p.St.Waiting)...)
	}
	if p.content.Problem != "" {
		rows = append(rows, canvas.Paragraph(canvas.SanitizeLine(p.content.Problem), p.W, p.St.Failed)...)
	}
	return rows
}

// wayRow renders a way: whether it is chosen, its words, and who asks for it.
func (p *Pane) wayRow(i int) string {
	w := &p.content.Ways[i]
	mark, paint := p.St.G[styles.Idle], p.St.Text
	switch {
	case w.Why != "":
		mark, paint = p.St.G[styles.Canceled], p.St.Faint
	case i == p.ways.At:
		mark = p.St.G[styles.Online]
		if p.at != onWays {
			paint = p.St.Bold
		}
	}
	source := canvas.SanitizeLine(w.Source)
	room := max(8, p.W-2-canvas.Width(source)-2)
	if source == "" {
		room = max(8, p.W-2)
	}
	row := p.St.Accent.S(mark) + " " + paint.S(p.Cell(canvas.SanitizeLine(w.Words), room))
	if source != "" {
		row += "  " + p.St.Faint.S(source)
	}
	return row
}

// inputRow renders an input.
func (p *Pane) inputRow(i int) string {
	w := p.way()
	if w == nil || i >= len(w.Inputs) {
		return ""
	}
	paint := p.St.Faint
	if p.at == onInputs && p.input == i {
		paint = p.St.Accent
	}
	return paint.S(p.Cell(canvas.SanitizeLine(w.Inputs[i].Label), labelWidth)) + p.Well(&p.inputs[i], p.W-labelWidth)
}

// body returns what the chosen way does, or the details of the selected identity.
func (p *Pane) body() []string {
	if i := p.identity(); i != nil {
		return p.details(i)
	}
	w := p.way()
	switch {
	case w == nil:
		return nil
	case w.Why != "":
		return canvas.Paragraph(canvas.SanitizeLine("Not possible: "+w.Why), p.W, p.St.Waiting)
	}
	return canvas.Paragraph(canvas.SanitizeLine(w.Does), p.W, p.St.Faint)
}

// identityRow renders an identity on one row: who, for which agent, and until when.
func (p *Pane) identityRow(n int) string {
	i := &p.content.Identities[n]
	mark, paint := p.St.G[styles.Online], p.St.OK
	switch {
	case len(i.Doubts) > 0:
		mark, paint = p.St.G[styles.Flag], p.St.Waiting
	case !i.Here:
		mark, paint = p.St.G[styles.Idle], p.St.Dim
	}
	who := canvas.SanitizeLine(i.User)
	if who == "" {
		who = canvas.SanitizeLine(i.Kind)
	}
	valid := p.Ellipsize(canvas.SanitizeLine(i.Valid), max(8, p.W*2/5))
	room := max(8, p.W-4-canvas.Width(valid))
	text := p.St.Text.S(p.Ellipsize(who, max(8, room/2))) + "  " + p.St.Faint.S(canvas.SanitizeLine(i.Origin))
	return paint.S(mark) + " " + p.Cell(text, room) + "  " + p.St.Dim.S(valid)
}

// details renders everything that is known about an identity.
func (p *Pane) details(i *Identity) (rows []string) {
	for _, d := range i.Doubts {
		rows = append(rows, canvas.Paragraph(canvas.SanitizeLine(d), p.W, p.St.Waiting)...)
	}
	kind := canvas.SanitizeLine(i.Kind)
	if i.Issuer != "" {
		kind = p.Join(kind, canvas.SanitizeLine(i.Issuer))
	}
	for _, d := range []struct{ label, value string }{
		{"agent", i.Origin}, {"user", i.User}, {"token from", kind}, {"scopes", i.Scopes}, {"audience", i.For}, {"valid", i.Valid}, {"kept in", i.Kept},
	} {
		rows = append(rows, p.Detail(d.label, labelWidth, d.value, 1)...)
	}
	return rows
}

// progress renders a sign-in under way.
func (p *Pane) progress() (rows []string) {
	pr := p.content.Progress
	say := func(paint styles.Paint, text string) {
		rows = append(rows, canvas.Paragraph(canvas.SanitizeLine(text), p.W, paint)...)
	}
	if pr.URL == "" {
		say(p.St.Text, "Parley asks the authorization server: "+pr.Words+".")
		return append(rows, "", p.St.Faint.S(p.Cut(keys.Name(p.Of(cancel))+" cancels")))
	}
	if pr.Code != "" {
		say(p.St.Text, "Open this address on any device and enter the code there:")
	} else {
		say(p.St.Text, pr.Browser+" Sign in at "+pr.Host+", on this page:")
	}
	if p.field() != nil && p.H < 10 { // there is room for the field alone
		rows = rows[:min(len(rows), max(0, p.H-2))]
	} else {
		rows = append(rows, "")
	}
	if pr.Code != "" {
		rows = append(rows, p.St.Accent.S(p.Cut(canvas.SanitizeLine(pr.URL))), "", p.St.Bold.S(p.Cut("  "+canvas.SanitizeLine(pr.Code))), "")
		say(p.St.Faint, pr.Browser+" Parley waits until you have entered it.")
		return rows
	}
	return append(rows, p.pageRows(pr)...)
}

// pageRows renders the address of a page, and the field for that of the last one.
func (p *Pane) pageRows(pr *Progress) (rows []string) {
	field := p.St.Accent.S(canvas.Fit("last page", labelWidth)) + p.Well(&p.pasted, p.W-labelWidth)
	if p.H < 10 {
		return []string{field}
	}
	address := canvas.Paragraph(canvas.SanitizeLine(pr.URL), p.W, p.St.Accent)
	rows = append(rows, address[:min(len(address), max(1, p.H-9))]...)
	rows = append(rows, "")
	rows = append(rows, canvas.Paragraph("Parley waits for the browser at "+canvas.SanitizeLine(pr.Back)+". If it cannot come back, paste the address of the last page:", p.W, p.St.Faint)...)
	return append(rows, field)
}

// fieldTop returns the row of the focused input, -1 if there is none.
func (p *Pane) fieldTop() int {
	if p.content.Progress != nil {
		return len(p.progress()) - 1
	}
	at := p.parts()
	if at.inputs == 0 {
		return -1
	}
	return at.inputsTop + p.input - at.firstInput
}

// Cursor returns the terminal's cursor relative to the pane while an input has the focus, else nil.
func (p *Pane) Cursor() *tea.Cursor {
	in := p.field()
	if in == nil {
		return nil
	}
	y := p.fieldTop()
	if y < 0 || y >= p.H {
		return nil
	}
	return in.Cursor(labelWidth, y, p.W, p.H)
}
