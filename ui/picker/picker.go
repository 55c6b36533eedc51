// Package picker is the pane in which the user selects files, one folder at a time, narrowed by
// the typed text.
//
// A [Pane] reads no folder. It asks for one by [Enter], gets its entries by [Pane.SetListing],
// and returns the selected paths in [Choose].
package picker

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"parley/internal/attach"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// A Listing is the content of a folder.
type Listing struct {
	Dir     string // absolute
	Entries []attach.Entry
	More    bool   // the folder has more entries than listed
	Why     string // reason why nothing is listed, a sentence; empty if something is
}

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Enter asks for the entries of a folder. Its path is absolute.
	Enter struct{ Dir string }
	// Choose returns the paths of the selected files. A typed path may be relative to the
	// folder on the screen or, by a tilde, to the home directory.
	Choose struct {
		Dir   string // the folder on the screen
		Paths []string
	}
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Enter) intent()   {}
func (Choose) intent()  {}
func (Refused) intent() {}
func (Close) intent()   {}

// A Pane shows a folder. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	input     field.Field
	folder    Listing
	requested string          // the requested folder, empty once it is listed
	marks     map[string]bool // by path
	accepts   func(media string) bool
	hidden    bool // hidden files are listed too
	rows      []row
}

// row is the index of a listed entry; above is the parent folder.
type row struct {
	entry int
	at    []int // byte offsets of the matched characters in the name
}

const parentRow = -1

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{marks: map[string]bool{}, accepts: func(string) bool { return true }}
	p.Table = p.actions()
	p.input = field.New(st, field.Options{Glyph: true, Hint: "type a part of the name, or a path"})
	p.Base = sheet.New(st, &p.input)
	return p
}

// Open starts in the folder of the last use, at first in dir, and asks for its entries. wanted
// reports whether the agent accepts a media type.
func (p *Pane) Open(dir string, wanted func(media string) bool) Intent {
	if p.folder.Dir != "" && p.folder.Why == "" {
		dir = p.folder.Dir
	}
	return p.OpenAt(dir, wanted)
}

// OpenAt starts in dir and asks for its entries.
func (p *Pane) OpenAt(dir string, wanted func(media string) bool) Intent {
	clear(p.marks)
	p.accepts = wanted
	p.input.Focus()
	return p.enter(dir)
}

// enter asks for the entries of a folder.
func (p *Pane) enter(dir string) Intent {
	p.requested = filepath.Clean(dir)
	p.input.Reset()
	return Enter{Dir: p.requested}
}

// SetListing shows a folder if it is the one requested last.
func (p *Pane) SetListing(l Listing) {
	if l.Dir != p.requested {
		return
	}
	from := p.folder.Dir
	p.folder, p.requested = l, ""
	p.find()
	if filepath.Dir(from) == l.Dir && from != l.Dir { // the user left that folder
		p.List.At = max(0, slices.IndexFunc(p.rows, func(r row) bool {
			return r.entry != parentRow && l.Entries[r.entry].Name == filepath.Base(from)
		}))
	}
}

// find lists the entries whose name matches the typed text, the best match first.
func (p *Pane) find() {
	text := strings.TrimSpace(p.input.Value())
	p.rows, p.List = p.rows[:0], list.Cursor{}
	for i := range p.folder.Entries {
		if p.hidden || strings.HasPrefix(text, ".") || !p.folder.Entries[i].Hidden() {
			p.rows = append(p.rows, row{entry: i})
		}
	}
	if text == "" {
		if filepath.Dir(p.folder.Dir) != p.folder.Dir {
			p.rows = slices.Insert(p.rows, 0, row{entry: parentRow})
			p.List.At = min(1, len(p.rows)-1)
		}
		return
	}
	all := slices.Clone(p.rows)
	names := make([]string, len(all))
	for i, r := range all {
		names[i] = p.folder.Entries[r.entry].Name
	}
	p.rows = p.rows[:0]
	for _, f := range fuzzy.Find(text, names) {
		p.rows = append(p.rows, row{all[f.Index].entry, f.MatchedIndexes})
	}
}

// selected returns the entry at the cursor, nil if there is none.
func (p *Pane) selected() *attach.Entry {
	if p.List.At >= len(p.rows) || p.rows[p.List.At].entry == parentRow {
		return nil
	}
	return &p.folder.Entries[p.rows[p.List.At].entry]
}

func (p *Pane) path(e *attach.Entry) string { return filepath.Join(p.folder.Dir, e.Name) }

// accept opens the folder at the cursor, or selects the marked files, else the file at the
// cursor, else the typed path.
func (p *Pane) accept() Intent {
	text := strings.TrimSpace(p.input.Value())
	e := p.selected()
	switch {
	case p.requested != "":
		return nil
	case text != "" && (len(p.rows) == 0 || filepath.IsAbs(text) || strings.HasPrefix(text, "~")):
		return p.choose(text)
	case e == nil:
		return p.up()
	case e.Folder:
		return p.enter(p.path(e))
	case len(p.marks) > 0:
		return p.choose(slices.Sorted(maps.Keys(p.marks))...)
	default:
		return p.choose(p.path(e))
	}
}

func (p *Pane) choose(paths ...string) Intent {
	p.input.Reset()
	return Choose{Dir: p.folder.Dir, Paths: paths}
}

// up asks for the parent folder.
func (p *Pane) up() Intent {
	dir := filepath.Dir(p.folder.Dir)
	if dir == p.folder.Dir {
		return Refused{"There is no folder above " + canvas.SanitizeLine(dir) + "."}
	}
	return p.enter(dir)
}

// mark marks or unmarks the file at the cursor and moves to the next row.
func (p *Pane) mark() Intent {
	if path := p.path(p.selected()); p.marks[path] {
		delete(p.marks, path)
	} else {
		p.marks[path] = true
	}
	p.List.Move(1, len(p.rows))
	return nil
}

// Paste inserts the pasted text into the input. Line ends become spaces.
func (p *Pane) Paste(msg tea.PasteMsg) {
	p.narrow(p.input.Paste(msg.Content))
}

// narrow updates the list if the typed text changed.
func (p *Pane) narrow(changed bool) {
	if changed {
		p.find()
	}
}
