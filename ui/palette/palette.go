// Package palette is the finder: one input over agents, conversations, prompts and commands.
//
// The root model gives it [Entry] values and carries out the chosen one, which comes back as an
// [Intent]. github.com/sahilm/fuzzy ranks the entries.
package palette

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
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
	// Else says what enter does with a text that matches nothing: "enter opens it as an agent".
	// If it reports false, enter does nothing, and the words say which texts are accepted.
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

// KeyMap has the finder's keys.
type KeyMap struct {
	list.Keys
	Choose, Close key.Binding
}

// DefaultKeyMap returns the keys of the finder. All other keys type.
func DefaultKeyMap() KeyMap {
	return KeyMap{
		Keys: list.Keys{
			Up:       keys.Bind("up", "previous", "up", "ctrl+k", "shift+tab"),
			Down:     keys.Bind("down", "next", "down", "ctrl+j", "tab"),
			PageUp:   keys.Bind("pgup", "page up"),
			PageDown: keys.Bind("pgdown", "page down"),
		},
		Choose: keys.Bind("enter", "choose"),
		Close:  keys.Bind("esc", "close", "esc", "ctrl+p", "ctrl+c"),
	}
}

// Palette is the pane of the finder.
type Palette struct {
	sheet.Base
	keys  KeyMap
	input field.Field
	shown List
	found []match
	arg   string // the text behind a slash word
	other string // what enter does if nothing matches
	taken bool   // enter has an effect in that case
}

type match struct {
	entry int
	at    []int // byte offsets of the matched characters in the entry's name
}

// New returns an empty finder.
func New(st *styles.Styles) *Palette {
	p := &Palette{keys: DefaultKeyMap(), input: field.New(st, field.Options{Glyph: true})}
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open shows a list.
func (p *Palette) Open(l List) {
	p.shown = l
	p.input.SetHint(l.Hint)
	p.input.Reset()
	p.input.Focus()
	p.Type(l.Text)
}

// Type replaces the text of the input.
func (p *Palette) Type(text string) {
	p.input.SetValue(text)
	p.hide()
	p.find()
}

// Text returns the text of the input.
func (p *Palette) Text() string { return p.input.Value() }

// Title returns the title of the frame.
func (p *Palette) Title() string { return p.shown.Title }

// ShortHelp returns the keys for the footer.
func (p *Palette) ShortHelp() []key.Binding {
	return []key.Binding{p.keys.Up, p.keys.Down, p.keys.Choose, p.keys.Close}
}

// FullHelp returns all keys of the finder.
func (p *Palette) FullHelp() [][]key.Binding {
	k := p.keys
	return [][]key.Binding{{k.Up, k.Down, k.PageUp, k.PageDown, k.Choose, k.Close}}
}

// Key handles a key press.
func (p *Palette) Key(msg tea.KeyPressMsg) Intent {
	switch {
	case key.Matches(msg, p.keys.Close):
		return Close{}
	case key.Matches(msg, p.keys.Choose):
		return p.choose()
	case p.List.Key(msg, &p.keys.Keys, len(p.found), p.rows()):
	default:
		p.edit(p.input.Key(msg))
	}
	return nil
}

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

func (p *Palette) choose() Intent {
	if p.List.At < len(p.found) {
		if e := p.shown.Entries[p.found[p.List.At].entry]; e.Why == "" {
			return Choose{Entry: e, Arg: p.arg}
		}
		return nil
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

// source makes entries searchable by fuzzy.
type source []Entry

func (s source) String(i int) string { return s[i].Name }
func (s source) Len() int            { return len(s) }

func (p *Palette) find() {
	p.List = list.Cursor{}
	p.found, p.arg, p.other, p.taken = p.found[:0], "", "", true
	text := strings.TrimSpace(p.input.Value())
	if text == "" {
		for i := range p.shown.Entries {
			p.found = append(p.found, match{entry: i})
		}
		return
	}
	if p.findWord(text); len(p.found) > 0 {
		return
	}
	for _, m := range fuzzy.FindFrom(text, source(p.shown.Entries)) {
		p.found = append(p.found, match{entry: m.Index, at: m.MatchedIndexes})
	}
	if len(p.found) == 0 && p.shown.Else != nil {
		p.other, p.taken = p.shown.Else(text)
	}
}

// findWord finds entries by a slash word: the one with exactly that word, else those whose word
// begins with it.
func (p *Palette) findWord(text string) {
	text, ok := strings.CutPrefix(text, "/")
	if !ok {
		return
	}
	word, arg, more := strings.Cut(text, " ")
	for i := range p.shown.Entries {
		switch e := &p.shown.Entries[i]; {
		case e.Word == "":
		case e.Word == word:
			p.found, p.arg = []match{{entry: i}}, strings.TrimSpace(arg)
			return
		case !more && strings.HasPrefix(e.Word, word):
			p.found = append(p.found, match{entry: i})
		}
	}
}

// headRows is the number of rows above the list: the input and a rule.
const headRows = 2

// rows returns how many entries fit.
func (p *Palette) rows() int { return max(1, p.H-headRows) }

// Cursor returns the position of the terminal's cursor in the finder.
func (p *Palette) Cursor() *tea.Cursor { return p.input.Cursor(0, 0, p.W, p.H) }

// Lines draws the finder.
func (p *Palette) Lines() []string {
	rows := p.List.Rows(p.St, p.W, len(p.found), p.rows(), func(i int) string { return p.draw(p.found[i]) })
	out := append([]string{p.input.View(), canvas.Rule(p.St, p.W)}, rows...)
	if len(p.found) == 0 && p.input.Value() != "" {
		words := "no match"
		if p.other != "" {
			words += "; " + p.other
		}
		out = append(out, p.St.Faint.S(p.Cut(words)))
	}
	return canvas.Block(out, p.W, p.H)
}

func (p *Palette) draw(m match) string {
	e, st := p.shown.Entries[m.entry], p.St
	note := e.Note
	if e.Why != "" {
		note = e.Why
	}
	note = p.Ellipsize(canvas.SanitizeLine(note), p.W/2)
	const group = 13
	room := p.W - group - canvas.Width(note) - 1
	name := p.highlight(e, m.at)
	name = p.Cell(name, max(0, room))
	return st.Faint.S(canvas.Fit(canvas.SanitizeLine(e.Group), group)) + name + " " + st.Faint.S(note)
}

// highlight paints the matched characters.
func (p *Palette) highlight(e Entry, at []int) string {
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
