package wire

import (
	"parley/a2a"
	"parley/internal/units"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// A search goes from match to match of a text in a record's bytes, head or row. Unlike a filter
// it hides nothing.
//
// The log is scanned in the background, from the selected record on. A step to a match that is
// not known yet is taken as soon as it is.
type search struct {
	input   field.Field
	typing  bool
	bad     string // the syntax error of the query
	note    string // the result of the last step
	history lineHistory

	find canvas.Finder        // nil without a query
	has  func(*log.Item) bool // whether a record matches
	hits set                  // the matches found so far
	scan scan

	dir  int          // direction of the pending step: 1, -1, or 0 for none
	from a2a.RecordID // record from which the pending step starts
}

// maxQueryLength is the limit of the query in characters; each key redraws the line.
const maxQueryLength = 10_000

func newSearch(st *styles.Styles) search {
	in := field.New(st, field.Options{Prompt: "find ", Limit: maxQueryLength})
	return search{input: in}
}

// on reports whether the search takes a row: it is open or has a query.
func (s *search) on() bool { return s.typing || s.find != nil }

// end clears the search.
func (s *search) end() {
	s.input.Reset()
	s.start("", 0, 0)
	s.close()
}

func (s *search) close() {
	s.typing, s.history.at = false, 0
	s.input.Blur()
}

// start starts a search for text in the first known records, at the record from. Text between
// slashes is a regular expression.
func (s *search) start(text string, from a2a.RecordID, known int) {
	s.find, s.has, s.bad, s.note, s.dir = nil, nil, "", "", 0
	s.hits.clear()
	s.scan.stop()
	if text == "" {
		return
	}
	if len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/' {
		f, err := filter.Parse(text)
		if err != nil {
			s.bad = err.Error()
			return
		}
		s.find, s.has = pattern(text[1:len(text)-1]), func(it *log.Item) bool { return f.Match(it, &filter.Env{}) }
	} else {
		t := filter.NewText(text)
		s.find, s.has = t.Index, t.InRecord
	}
	s.scan.start(from, known)
}

// step requests a step to the next match after a record, or before it if dir is negative.
func (s *search) step(dir int, from a2a.RecordID) { s.dir, s.from, s.note = dir, from, "" }

// stepTarget returns the target of the pending step; 0 while it is not known, or if there is none.
// listed are the matches that have a row.
func (s *search) stepTarget(listed *set) a2a.RecordID {
	if s.dir == 0 {
		return 0
	}
	id, wrapped, sure := s.scan.nearest(listed, s.from, s.dir)
	if !sure {
		return 0
	}
	dir := s.dir
	s.dir = 0
	switch {
	case id == 0: // words says that there is no match
	case wrapped && dir > 0:
		s.note = "wrapped to the first"
	case wrapped:
		s.note = "wrapped to the last"
	}
	return id
}

// words describes the state of the search; listed are the matches that have a row.
func (s *search) words(listed *set, sel a2a.RecordID, g *styles.Glyphs) string {
	sep := "  " + g[styles.Separator] + " "
	done, all := s.scan.progress()
	out := units.Plural(listed.len(), "record")
	switch {
	case listed.len() == 0 && done == all:
		return "no record contains this"
	case listed.has(sel):
		out = units.Count(listed.rank(sel)+1) + " of " + units.Count(listed.len())
	}
	if done < all {
		out += sep + "searched " + units.Count(done) + " of " + units.Count(all)
	}
	if s.note != "" {
		out += sep + s.note
	}
	return out
}
