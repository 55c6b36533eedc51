package wire

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"

	"parley/a2a"
	"parley/session"
	"parley/ui/keys"
	"parley/ui/styles"
)

// A match decides whether a record is listed.
type match func(*session.Item) bool

// A filter is the line that says which records are listed.
type filter struct {
	input textinput.Model
	open  bool
	text  string // as applied
	match match  // nil lists everything
	// before is the record that was selected when the filter was opened.
	before a2a.RecordID

	accept, clear key.Binding
}

func newFilter(st *styles.Styles) filter {
	in := textinput.New()
	in.Prompt = "/ "
	in.SetVirtualCursor(false)
	in.SetStyles(st.Input())
	in.KeyMap.Paste.Unbind()             // would read the clipboard of this machine, not the terminal's
	in.KeyMap.DeleteWordForward.Unbind() // panics on the last character
	in.KeyMap.NextSuggestion.Unbind()
	in.KeyMap.PrevSuggestion.Unbind()
	in.KeyMap.AcceptSuggestion.Unbind()
	return filter{
		input:  in,
		accept: keys.Bind("enter", "keep filter"),
		clear:  keys.Bind("esc", "clear filter"),
	}
}

func (f *filter) help() []key.Binding { return []key.Binding{f.accept, f.clear} }

// on reports whether the filter takes a line: it is being typed or it is set.
func (f *filter) on() bool { return f.open || f.match != nil }

// apply takes over what was typed. It returns the records to list and whether
// that is not simply all of them.
func (f *filter) apply(text string, r *rows) (hits []a2a.RecordID, filtered bool) {
	narrower := f.match != nil && strings.Contains(strings.ToLower(text), strings.ToLower(f.text))
	f.text, f.match = text, nil
	if text == "" {
		return nil, false
	}
	f.match = contains(text)
	hits = []a2a.RecordID{}
	if narrower {
		for id := range r.hits.all() {
			if f.match(r.log.At(id)) {
				hits = append(hits, id)
			}
		}
		return hits, true
	}
	for id := a2a.RecordID(1); int(id) <= r.known; id++ {
		if f.match(r.log.At(id)) {
			hits = append(hits, id)
		}
	}
	return hits, true
}

// contains matches records that have text in their bytes or in their description,
// whatever its case.
func contains(text string) match {
	needle := strings.ToLower(text)
	return func(it *session.Item) bool {
		return it != nil && (holds(it.Record.Raw, needle) || holds([]byte(session.Describe(it)), needle))
	}
}

// holds reports whether s has needle, which is in lower case, in it.
func holds(s []byte, needle string) bool {
	for i := range len(needle) {
		if needle[i] >= utf8.RuneSelf {
			return bytes.Contains(bytes.ToLower(s), []byte(needle))
		}
	}
	return indexFold(s, needle) >= 0
}

// indexFold returns where s has needle, ASCII in lower case, in any case; -1 if
// it does not. It looks for the first letter only, which is what makes a session
// of many megabytes searchable between two key presses.
func indexFold(s []byte, needle string) int {
	if needle == "" {
		return 0
	}
	lower, upper := needle[0], needle[0]
	if lower >= 'a' && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	nextLower, nextUpper := -1, -1
	for i := 0; i+len(needle) <= len(s); i++ {
		if nextLower < i {
			nextLower = seek(s, i, lower)
		}
		if nextUpper < i {
			nextUpper = seek(s, i, upper)
		}
		i = min(nextLower, nextUpper)
		if i+len(needle) > len(s) {
			break
		}
		if sameFold(s[i:i+len(needle)], needle) {
			return i
		}
	}
	return -1
}

// seek returns where c next is from i on, or the length of s.
func seek(s []byte, i int, c byte) int {
	if n := bytes.IndexByte(s[i:], c); n >= 0 {
		return i + n
	}
	return len(s)
}

func sameFold(s []byte, lower string) bool {
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}
