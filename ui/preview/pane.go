package preview

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/jsonview"
	"parley/ui/media"
	"parley/ui/styles"
	"parley/ui/table"
)

// A File is a file to show.
type File struct {
	Name  string // as displayed
	About string // media type and size
	// Version names the version, if there are several.
	Version  string
	Form     media.Form
	Language string // of code and JSON, for highlighting
	// Data returns the content. It may take long and may be called in any goroutine. Its error
	// completes a sentence after "because".
	Data func() ([]byte, error)
	// Value identifies the file for the caller.
	Value any
}

// A Look is a way to show a file.
type Look uint8

// The looks.
const (
	AsTable Look = iota
	AsTree
	AsPicture
	AsMarkdown
	AsText // highlighted if it is code
	AsBytes
)

// String returns the look in words.
func (l Look) String() string {
	return [...]string{"table", "tree", "picture", "Markdown", "text", "bytes"}[l]
}

// An Intent is what the pane asks the root model to do, nil if nothing.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Copy asks to copy text. What names the text.
	Copy struct{ Text, What string }
	// Save asks to save the file, and to open it if Open is set.
	Save struct {
		File File
		Open bool
	}
	// Refused says why something is not possible.
	Refused struct{ Why string }
	// Close asks to close the pane.
	Close struct{}
)

func (Copy) intent()    {}
func (Save) intent()    {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane shows one file at a time. It is not safe for use by several goroutines.
type Pane struct {
	*action.Table[Intent]
	st    *styles.Styles
	clock func() time.Time // limits the time for highlighting
	w, h  int

	files []File
	at    int
	seq   uint64 // counts files, to drop results for an earlier one
	busy  bool   // a job is running
	read  *content
	look  int // index in read.looks

	grid   grid
	tree   *jsonview.View
	sheet  sheet
	bytes  *jsonview.Bytes
	search search
}

// A content is a file that was read, with the ways to show it.
type content struct {
	data  []byte
	why   string // why it could not be read
	looks []Look
	table *table.Table
}

// New returns an empty pane. The clock limits the time for highlighting.
func New(st *styles.Styles, clock func() time.Time) *Pane {
	p := &Pane{st: st, clock: clock, search: search{input: field.New(st, field.Options{Prompt: "/ "})}}
	p.Table = p.actions()
	return p
}

// Show shows file at of several versions, oldest first.
func (p *Pane) Show(files []File, at int) {
	p.files, p.at = files, min(max(at, 0), len(files)-1)
	p.begin()
}

// Clear drops the files, which may be large.
func (p *Pane) Clear() {
	p.files, p.at = nil, 0
	p.begin()
}

// begin resets the view for another file.
func (p *Pane) begin() {
	p.seq++
	p.read, p.look = nil, 0
	p.grid, p.sheet = grid{}, sheet{hit: -1}
	p.tree, p.bytes = nil, nil
	p.search.close()
}

// SetStyles changes the styles.
func (p *Pane) SetStyles(st *styles.Styles) {
	p.st = st
	p.search.input.SetStyles(st)
	p.sheet = sheet{top: p.sheet.top, hit: -1}
	if p.tree != nil {
		p.tree.SetStyles(st)
		p.bytes.SetStyles(st)
	}
}

// SetSize sets the size in cells.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = max(w, 0), max(h, 0)
	p.fit()
}

// fit sets the size of the current view.
func (p *Pane) fit() {
	if p.tree != nil {
		p.tree.SetSize(p.w, p.rows())
		p.bytes.SetSize(p.w, p.rows())
	}
}

// rows returns the number of lines for the file.
func (p *Pane) rows() int {
	if p.search.shown() {
		return max(p.h-1, 0)
	}
	return p.h
}

// Look returns how the file is shown; false until it is read, or if that failed.
func (p *Pane) Look() (Look, bool) {
	if p.read == nil || len(p.read.looks) == 0 {
		return 0, false
	}
	return p.read.looks[p.look], true
}

// Title returns the title of the frame.
func (p *Pane) Title() string {
	if len(p.files) == 0 {
		return "preview"
	}
	f := p.files[p.at]
	if f.Version != "" {
		return canvas.SanitizeLine(f.Name) + ", " + f.Version
	}
	return canvas.SanitizeLine(f.Name)
}

// Note returns the note of the frame.
func (p *Pane) Note() string {
	if len(p.files) == 0 {
		return ""
	}
	words := canvas.SanitizeLine(p.files[p.at].About)
	if look, ok := p.Look(); ok {
		words += ", as " + look.String()
		switch {
		case look == AsTable:
			words += " of " + units.Plural(p.read.table.Len(), "row")
			if name := p.read.table.Name(); name != "" {
				words += ", " + canvas.SanitizeLine(name)
			}
		case look == AsBytes && p.bytes.Hex():
			words += " in hexadecimal"
		}
	}
	return words
}

// Lines returns the rows of the pane: exactly its height, each exactly its width.
func (p *Pane) Lines() []string {
	p.fit()
	lines := canvas.Block(p.content(), p.w, p.rows())
	if p.search.shown() && p.h > 0 {
		lines = append(lines, canvas.Fit(p.search.line(p.st), p.w))
	}
	return lines
}

// content draws the file.
func (p *Pane) content() []string {
	look, ok := p.Look()
	switch {
	case p.read == nil:
		return p.words("reading" + p.st.G[styles.Ellipsis])
	case !ok:
		return p.words("This cannot be previewed, because " + p.read.why + ".")
	case look == AsTable:
		return p.gridLines()
	case look == AsTree:
		return p.tree.Lines()
	case look == AsBytes:
		return p.bytes.Lines()
	default:
		return p.sheetLines()
	}
}

// words draws a sentence in place of the file.
func (p *Pane) words(s string) []string {
	return canvas.WrapPainted(canvas.Sanitize(s), p.w, p.st.Dim)
}

// Cursor returns the terminal's cursor, nil unless the search is open.
func (p *Pane) Cursor() *tea.Cursor {
	if !p.search.typing {
		return nil
	}
	return p.search.input.Cursor(0, p.h-1, p.w, p.h)
}
