// Package start is the pane of what can be opened when Parley starts without an agent. Its
// sections are agents and sessions to go on with, recordings, ways to an agent, and the demo.
//
// A [Pane] gets them as [Section] values and returns what the user asks for as an [Intent]. Each
// character that the user types is text, which filters the rows; a pasted address is opened. Rows may
// come later: the selected one stays selected.
package start

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sahilm/fuzzy"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Open opens the row with this value.
	Open struct{ Value any }
	// OpenAddress opens an agent by an address that was pasted.
	OpenAddress struct{ Text string }
	// Close closes the pane.
	Close struct{}
)

func (Open) intent()        {}
func (OpenAddress) intent() {}
func (Close) intent()       {}

// A Sign says what a row is, by the glyph in front of it.
type Sign uint8

// The signs.
const (
	Action      Sign = iota // something to do, which has none
	Known                   // an agent that has not been asked
	Running                 // an agent that answers
	Waiting                 // a session with a task that waits for an answer
	Working                 // a session with a task that still worked
	Interrupted             // a session that was interrupted
)

// A Row is something to open. Its texts are sanitized when they are drawn.
type Row struct {
	ID         string // what tells it from all others
	Name, Note string
	Sign       Sign
	Fill       string    // what completes a text to it, empty for its name
	Time       time.Time // of its last use, zero if unknown
	Value      any       // for [Open]

	Outcome a2a.State // of a recording, unknown if there is none
	Records int       // in a recording
}

// A Section is some rows under a heading, and what can be said about them. One without both is
// not shown.
type Section struct {
	Title string
	Rows  []Row
	Hint  string // beside the title
	Right bool   // in the right one of two columns, where there is room for two
}

// A Pane lists what can be opened. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	input    field.Field
	sections []Section
	address  *Row // opens what was typed, nil if that is no address
	title    string
	intro    string // beside the title
	nothing  string // says that no row has the text
	now      time.Time
	selected string   // the ID of the row that the user selected, empty for the first
	shown    page     // at the last change
	mark     []string // drawn in the styles, nil until it is needed
	dirty    bool
	touched  bool // since the size or the sections were new: nothing moves any more
	isLink   func(string) bool
}

// New returns an empty pane. The function isAddress reports whether a text can be the address of an
// agent.
func New(st *styles.Styles, isAddress func(string) bool) *Pane {
	p := &Pane{isLink: isAddress, dirty: true}
	p.Table = p.actions()
	p.input = field.New(st, field.Options{Glyph: true, Hint: "an address, a card file, or words", Limit: 2000})
	p.Base = sheet.New(st, &p.input)
	p.input.Focus()
	return p
}

// Begin forgets what was typed and selected.
func (p *Pane) Begin() {
	p.clear()
	p.selected, p.dirty, p.touched, p.List = "", true, false, list.Cursor{}
}

// SetSections replaces the sections.
func (p *Pane) SetSections(sections []Section) { p.sections, p.dirty = sections, true }

// SetWords sets the title, the words beside it, and those that stand in place of the rows if none has
// the text.
func (p *Pane) SetWords(title, intro, nothing string) {
	p.title, p.intro, p.nothing, p.dirty = title, intro, nothing, true
}

// SetAddress shows a row that opens what was typed; nil shows none.
func (p *Pane) SetAddress(row *Row) { p.address, p.dirty = row, true }

// SetNow sets the time from which ages are counted.
func (p *Pane) SetNow(now time.Time) { p.now = now }

// SetStyles sets the styles of the pane and its input.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.dirty, p.mark = true, nil
	p.Base.SetStyles(st)
}

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	if w != p.W || h != p.H {
		p.dirty, p.touched = true, false
	}
	p.Base.SetSize(w, h)
}

// Text returns what was typed.
func (p *Pane) Text() string { return strings.TrimSpace(p.input.Value()) }

// clear forgets what was typed, and reports whether there was anything.
func (p *Pane) clear() bool {
	had := p.input.Value() != ""
	p.address, p.dirty = nil, true
	p.input.Reset()
	return had
}

// Paste opens a pasted address; other text filters.
func (p *Pane) Paste(msg tea.PasteMsg) Intent {
	p.touch()
	if text := strings.TrimSpace(msg.Content); p.Text() == "" && p.isLink(text) {
		return OpenAddress{text}
	}
	if p.input.Paste(msg.Content) {
		p.edited()
	}
	return nil
}

// edited follows a change of the text: the best row is selected.
func (p *Pane) edited() {
	p.selected, p.dirty = "", true
	if p.Text() == "" {
		p.address = nil
	}
}

// rows returns the rows that are listed, in their order: one column after the other.
func (p *Pane) rows() (out []*Row) {
	for _, column := range p.page().columns {
		for _, l := range column {
			if l.row != nil {
				out = append(out, l.row)
			}
		}
	}
	return out
}

// at returns the index of the selected row.
func (p *Pane) at(rows []*Row) int {
	if i := slices.IndexFunc(rows, func(r *Row) bool { return r.ID == p.selected }); i >= 0 {
		return i
	}
	return p.best(rows)
}

// best returns the row that matches the text best, the first without a text.
func (p *Pane) best(rows []*Row) int {
	if p.Text() == "" || p.address != nil {
		return 0
	}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
	}
	if found := fuzzy.Find(p.Text(), names); len(found) > 0 {
		return found[0].Index
	}
	return 0
}

// move selects the row that is some rows further down.
func (p *Pane) move(by int) {
	if rows := p.rows(); len(rows) > 0 {
		p.selected = rows[max(0, min(p.at(rows)+by, len(rows)-1))].ID
	}
}

// beside selects the row of the other column that is nearest to the selected one.
func (p *Pane) beside(by int) {
	columns, from, at := p.page().columns, 0, 0
	chosen := p.chosen()
	for c := range columns {
		if i := slices.IndexFunc(columns[c], func(l line) bool { return l.row != nil && l.row == chosen }); i >= 0 {
			from, at = c, i
		}
	}
	if from += by; from < 0 || from >= len(columns) {
		return
	}
	var nearest *Row
	least := 0
	for i, l := range columns[from] {
		if far := max(i-at, at-i); l.row != nil && (nearest == nil || far < least) {
			nearest, least = l.row, far
		}
	}
	if nearest != nil {
		p.selected = nearest.ID
	}
}

// chosen returns the selected row, nil if there are no rows.
func (p *Pane) chosen() *Row {
	if rows := p.rows(); len(rows) > 0 {
		return rows[p.at(rows)]
	}
	return nil
}

// open opens the selected row.
func (p *Pane) open() Intent {
	if r := p.chosen(); r != nil {
		return Open{r.Value}
	}
	return nil
}

// Mouse handles a click or a turn of the wheel at x, y: a click selects a row, one on the selected
// row opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, x, y int) Intent {
	p.touch()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		p.move(keys.Wheel(msg))
	case tea.MouseClickMsg:
		if msg.Button != tea.MouseLeft || y < 0 {
			return nil
		}
		r := p.page().at(x, p.List.Top, y)
		if r != nil && p.chosen() == r {
			return p.open()
		}
		if r != nil {
			p.selected = r.ID
		}
	}
	return nil
}

// matching returns the rows of a section that match a text in lower case, and how many more there are.
func matching(s *Section, text string, most int) (rows []Row, more int) {
	if text == "" {
		n := len(s.Rows)
		if n > most+1 { // one more takes no more room than saying so
			n = most
		}
		return s.Rows[:n], len(s.Rows) - n
	}
	type match struct{ row, score int }
	var found []match
	for i := range s.Rows {
		r := &s.Rows[i]
		best, ok := 0, false
		for _, m := range fuzzy.Find(text, []string{begin(r.Name), begin(r.Note)}) {
			best, ok = max(best, m.Score), true
		}
		if ok {
			found = append(found, match{i, best})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	for _, m := range found {
		rows = append(rows, s.Rows[m.row])
	}
	return rows, 0
}

// begin returns the beginning of a text, in lower case: no more of it is searched.
func begin(text string) string {
	const most = 200
	return strings.ToLower(canvas.SanitizeLine(strings.ToValidUTF8(text[:min(len(text), most)], "")))
}
