// Package sessions is the pane of the recorded sessions: a row for each, what is known of the
// selected one, a filter by name and a search in the records of all.
//
// A [Pane] shows the sessions that it is given, reads no file, and returns what the user asks for
// as an [Intent]. What is known of a session may arrive later than its row; no row moves then.
package sessions

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"parley/session/annotation"
	"parley/session/catalog"
	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/list"
	"parley/ui/sheet"
	"parley/ui/styles"
)

// An Intent is what the user asked for.
type Intent interface{ intent() }

// The intents of the pane.
type (
	// Open opens the recording of a session.
	Open struct{ Path string }
	// Resume goes on with a session; the user has confirmed it if that ends this one.
	Resume struct{ Path string }
	// Annotate changes what the user added to a session.
	Annotate struct {
		Path   string
		Change func(*annotation.Content) error
	}
	// Delete deletes a session; the user has confirmed it.
	Delete struct{ Path string }
	// Search finds a text in the records of all sessions; an empty one ends the search.
	Search struct{ Text string }
	// Copy copies the path of a session.
	Copy struct{ Text string }
	// Refused says why an action is not possible.
	Refused struct{ Why string }
	// Close closes the pane.
	Close struct{}
)

func (Open) intent()     {}
func (Resume) intent()   {}
func (Annotate) intent() {}
func (Delete) intent()   {}
func (Search) intent()   {}
func (Copy) intent()     {}
func (Refused) intent()  {}
func (Close) intent()    {}

// A search is the search in the records.
type search struct {
	text    string
	running bool
	hits    map[string][]catalog.Hit // by path; a session without hits may be there by its name
}

// A question says about which session, by its path, the user is asked: whether to delete it, or to
// end this one for it. Empty are the questions that are not asked.
type question struct{ remove, leave string }

// A Pane lists sessions. It is not safe for use by several goroutines.
type Pane struct {
	sheet.Base
	*action.Table[Intent]
	own    string // the file of this session, empty if there is none
	dir    string
	home   string
	all    []catalog.Session
	loaded bool
	size   int64 // of all files
	todo   int   // how many files have not been read
	now    time.Time

	filter  sheet.Filter
	search  search
	input   field.Field
	editing edited

	question question // that the next key press answers
	asked    question // that this key press answers
	ends     bool     // going on with another session ends this one
	left     string   // says what that leaves behind

	shown   []int  // indexes of the rows that pass filter and search
	shownBy string // the filter's words that shown follows from
	stale   bool   // shown must be computed again
	sel     string // the path of the selected session
}

// New returns an empty pane.
func New(st *styles.Styles) *Pane {
	p := &Pane{filter: sheet.NewFilter(st), input: field.New(st, field.Options{})}
	p.Table = p.actions()
	p.Base = sheet.New(st, p.filter.Input(), &p.input)
	p.SetFilter(&p.filter)
	return p
}

// SetFolder says where the sessions are, which of them is this one, and which folder is the
// user's home.
func (p *Pane) SetFolder(dir, own, home string) { p.dir, p.own, p.home = dir, own, home }

// SetNow sets the time, for ages.
func (p *Pane) SetNow(now time.Time) { p.now = now }

// SetEnds says whether going on with another session ends one here, and what that leaves behind.
func (p *Pane) SetEnds(ends bool, left string) { p.ends, p.left = ends, left }

// Begin empties the pane before its sessions are known.
func (p *Pane) Begin() {
	p.filter.Clear()
	p.search, p.question, p.sel, p.List = search{}, question{}, "", list.Cursor{}
	p.stopEditing()
	p.SetSessions(nil)
	p.loaded = false
}

// SetSessions sets the sessions, the newest first. The selected one stays selected.
func (p *Pane) SetSessions(all []catalog.Session) {
	p.all, p.loaded, p.stale, p.size, p.todo = all, true, true, 0, 0
	for i := range all {
		p.size += all[i].Size
		if all[i].Summary == nil {
			p.todo++
		}
	}
	p.restore()
}

// Update replaces what is known of a session.
func (p *Pane) Update(s catalog.Session) {
	i := slices.IndexFunc(p.all, func(old catalog.Session) bool { return old.Path == s.Path })
	if i < 0 {
		return
	}
	if p.all[i].Summary == nil && s.Summary != nil {
		p.todo--
	}
	p.all[i] = s
	p.stale = p.stale || p.filter.Words() != ""
}

// Remove removes a session that was deleted.
func (p *Pane) Remove(path string) {
	at := p.List.At
	p.SetSessions(slices.DeleteFunc(slices.Clone(p.all), func(s catalog.Session) bool { return s.Path == path }))
	p.List.Go(at, len(p.rows()))
	p.keepSelection()
}

// SetSearch begins a search in the records; an empty text ends it.
func (p *Pane) SetSearch(text string) {
	p.search, p.stale = search{text: text, running: text != "", hits: map[string][]catalog.Hit{}}, true
	p.restore()
}

// Found adds a session in which the text occurs, with the places in its records.
func (p *Pane) Found(path string, hits []catalog.Hit) {
	if p.search.text == "" {
		return
	}
	p.search.hits[path], p.stale = hits, true
	p.restore()
}

// EndSearch says that all files were searched.
func (p *Pane) EndSearch() { p.search.running = false }

// Typing reports whether the user types, so that letters are text.
func (p *Pane) Typing() bool { return p.filter.Typing() || p.editing != nothing }

// Paste inserts the pasted text.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if p.filter.Typing() {
		p.filter.Paste(msg)
		return
	}
	p.input.Paste(msg.Content)
}

// rows returns the indexes of the sessions that pass the filter and the search: those that
// contain the words of the filter; if there are none, those that are like them, the likest first.
func (p *Pane) rows() []int {
	words := p.filter.Words()
	if !p.stale && p.shownBy == words {
		return p.shown
	}
	p.stale, p.shownBy, p.shown = false, words, p.shown[:0]
	var names []string
	var at []int
	for i := range p.all {
		if p.search.text != "" {
			if _, ok := p.search.hits[p.all[i].Path]; !ok {
				continue
			}
		}
		name := nameOf(&p.all[i])
		if p.filter.Matches(name) {
			p.shown = append(p.shown, i)
		}
		names, at = append(names, name), append(at, i)
	}
	if len(p.shown) == 0 && words != "" {
		for _, m := range fuzzy.Find(words, names) {
			p.shown = append(p.shown, at[m.Index])
		}
	}
	return p.shown
}

// maxNamed is how many bytes of a name are compared.
const maxNamed = 300

// nameOf returns everything that names a session.
func nameOf(s *catalog.Session) string {
	all := append([]string{s.Title(), s.Name()}, s.Annotations.Tags...)
	if s.Summary != nil {
		all = append(append(all, s.Summary.Agents...), s.Summary.Prompt, s.Summary.TaskWords())
	}
	name := strings.Join(append(all, s.Annotations.Note), " ")
	return name[:min(len(name), maxNamed)]
}

// selected returns the selected session, nil if there is none.
func (p *Pane) selected() *catalog.Session {
	if rows := p.rows(); p.List.At < len(rows) {
		return &p.all[rows[p.List.At]]
	}
	return nil
}

// keepSelection remembers the selected session, which stays selected when rows come and go.
func (p *Pane) keepSelection() {
	if p.sel = ""; p.selected() != nil {
		p.sel = p.selected().Path
	}
}

// restore moves the cursor to the selected session; at first to the newest but this one.
func (p *Pane) restore() {
	rows := p.rows()
	if i := slices.IndexFunc(rows, func(i int) bool { return p.all[i].Path == p.sel || p.sel == "" && p.all[i].Path != p.own }); i >= 0 {
		p.List.At = i
	}
	p.List.Go(p.List.At, len(rows))
	p.keepSelection()
}

// Mouse handles a click or a turn of the wheel at row y. A click selects a session; a click on
// the selected session opens it.
func (p *Pane) Mouse(msg tea.MouseMsg, _, y int) Intent {
	at := p.parts()
	switch p.List.Mouse(msg, y-at.Head, len(p.rows()), at.List) {
	case list.HitSelected:
		return p.open()
	case list.HitNone:
	default:
		p.keepSelection()
	}
	return nil
}
