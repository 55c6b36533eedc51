package composer

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/field"
	"parley/ui/styles"
)

// searched is how much of a message the search looks at: nobody looks for what is
// deeper in, and every key looks at all messages.
const searched = 16 << 10

// maxWords is how much of a long text is looked for, or shown in a line, in bytes.
const maxWords = 200

// A search goes through the history as a shell does: what is found stands in the text
// while the words that are looked for are written.
type search struct {
	on    bool
	words string
	at    int   // what is found, an index of the history; len if nothing is
	saved Draft // what was being written
}

// Searching reports whether the history is being searched.
func (c *Composer) Searching() bool { return c.search.on }

// Search begins to look for words in the history.
func (c *Composer) Search(words string) {
	if !c.search.on {
		c.search = search{on: true, at: len(c.past.all), saved: c.Draft()}
	}
	c.look(canvas.Typed(words))
}

// look looks for other words, from the newest on.
func (c *Composer) look(words string) {
	c.search.words, c.search.at = words, len(c.past.all)
	c.dirty = true
	if words == "" {
		c.show(c.search.saved)
		return
	}
	c.older()
}

// older goes to the next older message that has the words and is not what is there.
func (c *Composer) older() { c.seek(-1) }

// seek goes to the next message that has the words, or any if there are none.
func (c *Composer) seek(step int) {
	s := &c.search
	words, now := strings.ToLower(s.words), ""
	if s.at < len(c.past.all) {
		now = c.past.all[s.at].Text
	}
	for i := s.at + step; i >= 0 && i < len(c.past.all); i += step {
		if d := c.past.all[i]; d.Text != now && has(d.Text, words) {
			s.at = i
			c.show(d)
			return
		}
	}
	if now == "" {
		c.show(s.saved)
	}
}

// has reports whether a text has lower-case words in it. Commands are passed over: to
// search the history is one itself.
func has(text, words string) bool {
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, literal) {
		return false
	}
	return strings.Contains(strings.ToLower(text[:min(len(text), searched)]), words)
}

// show puts a draft into the composer for as long as the search stands there.
func (c *Composer) show(d Draft) {
	c.SetDraft(d)
	c.slash.hidden = true
}

// found counts the messages that have the words, and how many of them are as new as the
// one that is there. Those that say the same are one.
func (c *Composer) found() (nth, of int) {
	seen := map[string]bool{}
	words := strings.ToLower(c.search.words)
	for i := range slices.Backward(c.past.all) {
		text := c.past.all[i].Text
		if seen[text] || !has(text, words) {
			continue
		}
		seen[text] = true
		of++
		if i >= c.search.at {
			nth++
		}
	}
	return nth, of
}

// StopSearch ends the search: with what was found, from where the walk through the
// history goes on, or with what was there before.
func (c *Composer) StopSearch(take bool) {
	s := c.search
	if !s.on {
		return
	}
	c.search, c.dirty = search{}, true
	switch {
	case !take:
		c.show(s.saved)
	case s.at < len(c.past.all):
		c.past.at, c.past.kept = s.at, s.saved
	}
}

// searchKey takes a key while the history is searched, and reports whether that was all:
// keys that move the cursor take what was found first.
func (c *Composer) searchKey(msg tea.KeyPressMsg) bool {
	s := &c.search
	switch {
	case key.Matches(msg, c.keys.Search), key.Matches(msg, c.keys.Previous):
		c.older()
	case key.Matches(msg, c.keys.Next):
		c.seek(1)
	case key.Matches(msg, c.keys.Close):
		c.StopSearch(false)
	case key.Matches(msg, c.keys.Send):
		c.StopSearch(true)
	case key.Matches(msg, c.area.KeyMap.DeleteCharacterBackward):
		words := []rune(s.words)
		before, _ := field.Cluster(s.words, len(words))
		c.look(string(words[:len(words)-before]))
	case msg.Text != "":
		c.look(s.words + canvas.Typed(msg.Text))
	default:
		c.StopSearch(true)
		return false
	}
	return true
}

// searchLine stands in the place of the target while the history is searched.
func (c *Composer) searchLine() string {
	line := c.st.Accent.S("history "+c.st.G[styles.Prompt]+" ") + c.st.Text.S(c.search.words)
	nth, of := c.found()
	var about string
	switch {
	case len(c.past.all) == 0:
		about = "no messages yet"
	case of == 0:
		about = "no match"
	case nth == 0:
		about = units.Plural(of, "message")
	default:
		about = units.Count(nth) + " of " + units.Count(of)
	}
	line = c.with(line, "  ", about)
	sep := " " + c.st.G[styles.Separator] + " "
	return c.with(line, sep, c.keys.Search.Help().Key+" older"+sep+"enter takes"+sep+"esc back")
}

// searchColumn is where in that line the words end.
func (c *Composer) searchColumn() int {
	return canvas.Width("history "+c.st.G[styles.Prompt]+" ") + canvas.Width(c.search.words)
}

// hit finds the words that are looked for in what is drawn.
func (c *Composer) hit(text []byte) (from, to int) {
	words := strings.ToLower(c.search.words)
	low := strings.ToLower(string(text))
	if words == "" || len(low) != len(text) { // a letter of another size
		return -1, -1
	}
	i := strings.Index(low, words)
	return i, i + len(words)
}
