package wire

import (
	"charm.land/bubbles/v2/key"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/filter"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A search goes from one record to the next that has a text in it: in its bytes, in the
// words of its row, in its head. Unlike a filter it hides nothing.
//
// The log is searched in the background, from the selected record on. Who asks for the
// next match before it is known goes there as soon as it is.
type search struct {
	input  field.Field
	typing bool
	bad    string // what is wrong with the query
	note   string // what came of the newest step
	past   past

	find canvas.Finder        // nil while nothing is looked for
	has  func(*log.Item) bool // the same for a record
	hits set                  // the records that have it, as far as they were searched
	scan scan

	dir  int          // where to go as soon as it is known: 1, -1, or 0 to stay
	from a2a.RecordID // where that step begins

	accept, leave key.Binding
}

// maxSought is how many letters a search may have; the line is drawn for every key.
const maxSought = 10_000

func newSearch(st *styles.Styles) search {
	in := field.New(st, field.Options{Prompt: "find ", Limit: maxSought})
	return search{input: in, accept: keys.Bind("enter", "find"), leave: keys.Bind("esc", "end search")}
}

// on reports whether the search takes a line: it is being typed or it has a text.
func (s *search) on() bool { return s.typing || s.find != nil }

// end forgets what was looked for.
func (s *search) end() {
	s.input.Reset()
	s.look("", 0, 0)
	s.close()
}

func (s *search) close() {
	s.typing, s.past.at = false, 0
	s.input.Blur()
}

// look looks for another text in the first known records, beginning at one of them.
// Text between slashes is a regular expression.
func (s *search) look(text string, from a2a.RecordID, known int) {
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

// step wants to go to the next match from a record on, or to the one before. The match
// is looked for behind the record, not in it.
func (s *search) step(dir int, from a2a.RecordID) { s.dir, s.from, s.note = dir, from, "" }

// arrived returns the record that the search goes to, 0 as long as it is not known or
// there is none. listed are the records that may be gone to.
func (s *search) arrived(listed *set) a2a.RecordID {
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
	case id == 0: // which the words say anyhow
	case wrapped && dir > 0:
		s.note = "wrapped to the first"
	case wrapped:
		s.note = "wrapped to the last"
	}
	return id
}

// words tell how the search stands; listed are the matches that may be gone to.
func (s *search) words(listed *set, sel a2a.RecordID, g *styles.Glyphs) string {
	sep := "  " + g[styles.Separator] + " "
	done, all := s.scan.progress()
	out := units.Plural(listed.len(), "record")
	switch {
	case listed.len() == 0 && done == all:
		return "no record contains this"
	case listed.has(sel):
		out = units.Count(listed.below(sel)+1) + " of " + units.Count(listed.len())
	}
	if done < all {
		out += sep + "searched " + units.Count(done) + " of " + units.Count(all)
	}
	if s.note != "" {
		out += sep + s.note
	}
	return out
}
