// Package palette is the finder: one input over agents, conversations, prompts and commands.
//
// The root model gives it [Entry] values and carries out the chosen one, which comes back as an
// [Intent]. A text finds the entries that have each of its words; github.com/sahilm/fuzzy finds scattered
// letters where nothing has them.
package palette

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Entry is one thing to find.
type Entry struct {
	Group string // agent, conversation, task, skill, command
	Name  string
	Note  string // drawn behind the name: a key, a state, the agent's name
	Word  string // its slash word, empty if it has none
	// Also are other texts that find it: what else it is called, and the address of an agent.
	Also   []string
	First  bool // it needs the user: it stands before recent entries
	Hidden bool // it is listed only if a text finds it
	// Why says why it is not possible now, empty if it is.
	Why string
	// Value is returned when the entry is chosen.
	Value any
}

// A List is what the finder shows, and what it does with a text that matches nothing.
type List struct {
	Title   string
	Entries []Entry
	Hint    string // says what can be typed
	Text    string // the text in the input at first
	// Typed returns the entry that does something with the text itself, such as opening an
	// address. It stands before all but exact matches if the text can mean nothing else. Nil if
	// there is none.
	Typed func(text string) (e Entry, sure, ok bool)
	// Else says what enter does with a text that matches nothing: "saves it". If it reports
	// false, enter does nothing, and the words say which texts are accepted.
	Else  func(text string) (words string, ok bool)
	Value any // returned with such a text
}

// An Intent is what the user asked for: [Choose], [Typed] or [Close].
type Intent interface{ intent() }

// The intents of the palette.
type (
	// Choose is the intent to carry out an entry. Arg is the text behind its slash word.
	Choose struct {
		Entry Entry
		Arg   string
	}
	// Typed is the intent to use a text that matches no entry. Value is that of the list.
	Typed struct {
		Text  string
		Value any
	}
	// Close closes the finder.
	Close struct{}
)

func (Choose) intent() {}
func (Typed) intent()  {}
func (Close) intent()  {}

// Palette is the pane of the finder.
type Palette struct {
	sheet.Base
	*action.Table[Intent]
	input field.Field
	shown List
	texts []text // of the entries
	found []match
	words []string // of the text, for the highlights
	near  []match  // the most similar entries if nothing matches
	arg   string   // the text behind a slash word
	other string   // what enter does if nothing matches
	taken bool     // enter has an effect in that case
	// refused is why the entry that was chosen is not possible now, empty if none was.
	refused string
	used    map[use]int // the number of the last choice of an entry
	uses    int         // how many entries were chosen
}

// New returns an empty finder.
func New(st *styles.Styles) *Palette {
	p := &Palette{used: map[use]int{}, input: field.New(st, field.Options{Glyph: true})}
	p.Base = sheet.New(st, &p.input)
	p.Table = p.actions()
	return p
}

// Open shows a list.
func (p *Palette) Open(l List) {
	p.shown = l
	p.index()
	p.input.SetHint(l.Hint)
	p.input.Reset()
	p.input.Focus()
	p.Type(l.Text)
}

// index takes over what the entries are searched by.
func (p *Palette) index() {
	p.texts = make([]text, len(p.shown.Entries))
	for i := range p.shown.Entries {
		p.texts[i] = textOf(&p.shown.Entries[i])
	}
}

// SetEntries replaces the entries, such as by more of them that were read meanwhile. The text stays,
// and so does the entry that is selected, if it is found still.
func (p *Palette) SetEntries(entries []Entry) {
	var at use
	moved := p.List.At > 0 && p.List.At < len(p.found)
	if moved {
		e := p.found[p.List.At].entry
		at = use{e.Group, e.Name}
	}
	refused := p.refused
	p.shown.Entries = entries
	p.index()
	p.find()
	p.refused = refused
	for i := range p.found {
		if e := p.found[i].entry; moved && (use{e.Group, e.Name}) == at {
			p.List.At = i
			return
		}
	}
}

// Type replaces the text of the input.
func (p *Palette) Type(text string) {
	p.input.SetValue(text)
	p.hide()
	p.find()
}

// Found returns the entries that the text finds, in their order.
func (p *Palette) Found() []Entry {
	var out []Entry
	for _, m := range p.found {
		out = append(out, *m.entry)
	}
	return out
}

// Shows reports whether a list with this value is shown.
func (p *Palette) Shows(value any) bool { return p.shown.Value == value }

// Text returns the text of the input.
func (p *Palette) Text() string { return p.input.Value() }

// Title returns the title of the frame.
func (p *Palette) Title() string { return p.shown.Title }

// Paste inserts text at the cursor; line breaks become spaces.
func (p *Palette) Paste(msg tea.PasteMsg) {
	p.edit(p.input.Paste(msg.Content))
}

func (p *Palette) edit(changed bool) {
	if changed {
		p.hide()
		p.find()
	}
}

// hide masks the input while it has a token of a known shape.
func (p *Palette) hide() {
	text := p.input.Value()
	p.input.SetMasked(a2a.MaskText(text) != text)
}

// Masked reports whether the input is masked.
func (p *Palette) Masked() bool { return p.input.Masked() }

func (p *Palette) choose() Intent {
	if p.List.At < len(p.found) {
		e := p.found[p.List.At].entry
		if e.Why != "" { // the text stays, and what is typed next is not lost
			p.refused = e.Why
			return nil
		}
		p.uses++
		p.used[use{e.Group, e.Name}] = p.uses
		return Choose{Entry: *e, Arg: p.arg}
	}
	if text := strings.TrimSpace(p.input.Value()); text != "" && p.taken {
		return Typed{Text: text, Value: p.shown.Value}
	}
	return nil
}

// Mouse handles a click or a turn of the wheel at column x, row y.
func (p *Palette) Mouse(msg tea.MouseMsg, _, y int) Intent {
	switch p.List.Mouse(msg, y-headRows, len(p.found), p.rows()) {
	case list.HitRow, list.HitSelected:
		return p.choose()
	}
	return nil
}

// headRows is the number of rows above the list: the input and a rule.
const headRows = 2

// maxRefusal is how many lines say why an entry is not possible.
const maxRefusal = 3

// rows returns how many entries fit.
func (p *Palette) rows() int { return max(1, p.H-headRows-len(p.refusal())) }

// refusal returns the lines that say why the chosen entry is not possible now.
func (p *Palette) refusal() []string {
	if p.refused == "" {
		return nil
	}
	lines := canvas.Wrap("Not possible now: "+canvas.SanitizeLine(p.refused), p.W)
	return lines[:max(0, min(len(lines), maxRefusal, p.H-headRows-1))]
}

// Cursor returns the position of the terminal's cursor in the finder.
func (p *Palette) Cursor() *tea.Cursor { return p.input.Cursor(0, 0, p.W, p.H) }

// Lines draws the finder.
func (p *Palette) Lines() []string {
	rows := p.Listed(headRows, len(p.found), p.rows(), func(i int) string { return p.draw(p.found[i]) })
	out := append([]string{p.input.View(), canvas.Rule(p.St, p.W)}, rows...)
	if lines := p.refusal(); len(lines) > 0 {
		out = out[:min(len(out), headRows+p.rows())]
		for _, line := range lines {
			out = append(out, p.St.Text.S(line))
		}
	}
	if len(p.found) == 0 && p.input.Value() != "" {
		for _, line := range canvas.Wrap(p.nothing(), p.W) {
			out = append(out, p.St.Faint.S(line))
		}
	}
	return canvas.Block(out, p.W, p.H)
}

func (p *Palette) draw(m match) string {
	e, st := m.entry, p.St
	const group, gap = 13, 2
	name := p.highlight(e, p.at(m))
	most := min(p.W/2, max(p.W/4, p.W-group-gap-canvas.Width(name))) // it gives way to the name, but keeps a quarter of the row
	note := p.Ellipsize(canvas.SanitizeLine(e.Note), most)
	if e.Why != "" {
		note = canvas.EllipsizeWords(canvas.SanitizeLine(e.Why), most, st.G[styles.Ellipsis])
	}
	room := p.W - group - canvas.Width(note) - gap
	name = p.Cell(name, max(0, room))
	return st.Faint.S(canvas.Fit(canvas.SanitizeLine(e.Group), group)) + name + strings.Repeat(" ", gap) + st.Faint.S(note)
}

// at returns the offsets of the matched characters in the name of a match that is drawn.
func (p *Palette) at(m match) []int {
	if m.rank < rankWords || m.rank == rankScattered {
		return m.at
	}
	return marked(m.entry.Name, p.words)
}

// highlight paints the matched characters.
func (p *Palette) highlight(e *Entry, at []int) string {
	paint := p.St.Text
	if e.Why != "" {
		paint = p.St.Faint
	}
	name := canvas.SanitizeLine(e.Name)
	if len(at) == 0 || name != e.Name {
		return paint.S(name)
	}
	var b strings.Builder
	last := 0
	for _, i := range at {
		end := i + 1
		for end < len(name) && name[end]&0xC0 == 0x80 {
			end++
		}
		b.WriteString(paint.S(name[last:i]))
		b.WriteString(p.St.Accent.S(name[i:end]))
		last = end
	}
	b.WriteString(paint.S(name[last:]))
	return b.String()
}
