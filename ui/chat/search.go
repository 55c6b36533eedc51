package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// A search searches for a text in the conversation, in any case.
type search struct {
	input  field.Field
	typing bool   // the input has the keys
	query  string // the query for n and N
	note   string // its result, until the next key
}

func newSearch(st *styles.Styles) search {
	return search{input: field.New(st, field.Options{Prompt: "/ "})}
}

// OpenSearch opens the search of the conversation. It reports false if there is nothing to search.
func (p *Pane) OpenSearch() bool {
	if len(p.out.rows) == 0 {
		return false
	}
	p.search.start()
	p.dirty = true
	return true
}

func (s *search) start() {
	s.typing = true
	s.input.Reset()
	s.input.Focus()
}

func (s *search) close() {
	s.typing, s.note = false, ""
	s.input.Blur()
}

// Typing reports whether letters are text for the pane, so that they must not trigger anything
// else.
func (p *Pane) Typing() bool { return p.search.typing }

// Paste inserts text where the pane takes text.
func (p *Pane) Paste(text string) {
	if p.search.typing {
		p.search.input.Paste(text)
		p.dirty = true
	}
}

// Cursor returns the terminal's cursor relative to the pane, nil when the pane
// takes no text.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.search.typing {
		return nil
	}
	return p.search.input.Cursor(0, p.h-1, p.w, p.h)
}

// searchLine is the line at the bottom while a search is typed or failed.
func (p *Pane) searchLine() string {
	if !p.search.typing {
		return p.renderer.st.Faint.S(canvas.SanitizeLine(p.search.note))
	}
	return p.search.input.View()
}

// seek moves the cursor to the next place that contains the query, or to the previous one, and
// wraps around the ends.
func (p *Pane) seek(dir int) Intent {
	query := strings.ToLower(p.search.query)
	p.search.note = ""
	if query == "" || len(p.out.rows) == 0 {
		return nil
	}
	n, from := len(p.out.rows), 0
	if p.row != nil && p.isListed(p.row) {
		from = p.row.index
		if line, ok := p.row.find(query, p.w, p.line+dir, dir); ok && p.row.byLine() {
			p.line = line
			return p.showCursor()
		}
	}
	for step := 1; step <= n; step++ {
		r := p.out.rows[((from+dir*step)%n+n)%n]
		start := -1
		if r.byLine() && dir < 0 {
			start = p.lastLine(r)
		}
		if line, ok := r.find(query, p.w, start, dir); ok {
			p.row, p.line = r, line
			return p.showCursor()
		}
	}
	p.search.note = "Nothing here contains \"" + p.search.query + "\"."
	return nil
}

// find returns the first line of the row from one on, in a direction, that contains query,
// which is in lower case. A row that is selected as a whole is line -1.
func (r *row) find(query string, w, from, dir int) (line int, ok bool) {
	if !r.byLine() {
		return -1, strings.Contains(strings.ToLower(r.body.copyText()), query)
	}
	r.Lines(w)
	for line = from; line >= -1 && line < len(r.bodyLines); line += dir {
		text := ""
		if line >= 0 {
			text = r.bodyLines[line]
		} else if r.bodyStart > r.start {
			text = r.out[r.start]
		}
		if strings.Contains(strings.ToLower(ansi.Strip(text)), query) {
			return line, true
		}
	}
	return 0, false
}
