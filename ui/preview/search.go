package preview

import (
	"github.com/charmbracelet/x/ansi"

	"parley/session/filter"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// maxSought is how many bytes of rows one search reads, because it blocks the screen.
const maxSought = 64 << 20

// A search is a case-insensitive search for text in the file.
type search struct {
	input  field.Field
	typing bool
	query  string
	note   string // the result, until the next key
}

func (s *search) shown() bool { return s.typing || s.note != "" }

// open lets the user type what to search for.
func (s *search) open() {
	s.typing = true
	s.input.Reset()
	s.input.Focus()
}

func (s *search) close() {
	s.typing, s.note, s.query = false, "", ""
	s.input.Reset()
	s.input.Blur()
}

// line draws the row of the search.
func (s *search) line(st *styles.Styles) string {
	if !s.typing {
		return st.Faint.S(canvas.SanitizeLine(s.note))
	}
	return s.input.View()
}

// finder returns the finder of the query, nil if there is none.
func (s *search) finder() canvas.Finder {
	if s.query == "" {
		return nil
	}
	return filter.NewText(s.query).Index
}

// Typing reports whether the search is open, so that letters are text.
func (p *Pane) Typing() bool { return p.search.typing }

// Paste inserts text into the open search.
func (p *Pane) Paste(text string) {
	if p.search.typing {
		p.search.input.Paste(text)
	}
}

// find ends the typing and goes to the first match.
func (p *Pane) find() {
	p.search.typing = false
	p.search.query = p.search.input.Value()
	p.search.input.Blur()
	p.sheet.hit = -1
	p.seek(1, true)
}

// seek goes to the next match, or to the previous one. If here is set, the cursor's place
// counts, too.
func (p *Pane) seek(dir int, here bool) {
	find := p.search.finder()
	look, ok := p.Look()
	if find == nil || !ok {
		return
	}
	found := false
	switch look {
	case AsTable:
		from := p.grid.At
		if !here {
			from += dir
		}
		found = p.seekRow(find, from, dir)
	case AsTree:
		p.tree.SetFinder(find)
		found = p.tree.Seek(dir < 0)
	case AsBytes:
		p.bytes.SetFinder(find)
		found = p.bytes.Seek(dir < 0)
	default:
		found = p.seekLine(find, dir)
	}
	if !found {
		p.search.note = "There is no match for \"" + p.search.query + "\"."
		if dir < 0 {
			p.search.note = "There is no earlier match for \"" + p.search.query + "\"."
		}
	}
}

// seekRow goes to the next matching row from a row on.
func (p *Pane) seekRow(find canvas.Finder, from, dir int) bool {
	p.grid.one = false
	for i, looked := from, 0; i >= 0 && i < p.read.table.Len() && looked < maxSought; i += dir {
		begin, end := p.read.table.Span(i)
		looked += end - begin
		if a, _ := find(p.read.data[begin:end]); a >= 0 {
			p.grid.At = i
			return true
		}
	}
	return false
}

// seekLine goes to the next matching line after the last match, or from the first visible line
// on.
func (p *Pane) seekLine(find canvas.Finder, dir int) bool {
	from := p.sheet.top
	if p.sheet.hit >= 0 {
		from = p.sheet.hit + dir
	}
	for i := from; i >= 0 && i < len(p.sheet.lines); i += dir {
		if a, _ := find([]byte(ansi.Strip(p.sheet.lines[i]))); a >= 0 {
			p.sheet.hit, p.sheet.top = i, max(i-p.rows()/3, 0)
			return true
		}
	}
	return false
}
