package composer

import (
	"slices"
	"strings"

	"parley/internal/units"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// maxSearched is the number of bytes of a message that are searched. Each key press searches all
// messages, so the search skips what is deeper in a message.
const maxSearched = 16 << 10

// maxWords is the number of bytes of a long text that are searched for, or shown in a line.
const maxWords = 200

// A search is an incremental search through the history, as in a shell: the text area shows the
// match while the user types the search words.
type search struct {
	on    bool
	words string
	at    int   // index of the match in the history; its length if there is none
	saved Draft // the user's draft
}

// Searching reports whether the user searches the history.
func (c *Composer) Searching() bool { return c.search.on }

// Search starts to search the history for words.
func (c *Composer) Search(words string) {
	if !c.search.on {
		c.search = search{on: true, at: len(c.past.all), saved: c.Draft()}
	}
	c.setSearchWords(canvas.SanitizeTyped(words))
}

// setSearchWords changes the search words and searches from the newest entry on.
func (c *Composer) setSearchWords(words string) {
	c.search.words, c.search.at = words, len(c.past.all)
	c.dirty = true
	if words == "" {
		c.show(c.search.saved)
		return
	}
	c.seek(-1)
}

// seek goes to the next match in the direction of step, or to any entry if there are no search
// words.
func (c *Composer) seek(step int) {
	s := &c.search
	words, now := strings.ToLower(s.words), ""
	if s.at < len(c.past.all) {
		now = c.past.all[s.at].Text
	}
	for i := s.at + step; i >= 0 && i < len(c.past.all); i += step {
		if d := c.past.all[i]; d.Text != now && matches(d.Text, words) {
			s.at = i
			c.show(d)
			return
		}
	}
	if now == "" {
		c.show(s.saved)
	}
}

// matches reports whether a text contains words, which are in lower case. It ignores commands,
// because the search is a command too.
func matches(text, words string) bool {
	if strings.HasPrefix(text, "/") && !strings.HasPrefix(text, literal) {
		return false
	}
	return strings.Contains(strings.ToLower(text[:min(len(text), maxSearched)]), words)
}

// show sets the draft without completions for as long as the search is on.
func (c *Composer) show(d Draft) {
	c.SetDraft(d)
	c.slash.hidden = true
}

// countMatches returns the number of matches, and the position of the current match from the newest.
// Matches with the same text count once.
func (c *Composer) countMatches() (nth, of int) {
	seen := map[string]bool{}
	words := strings.ToLower(c.search.words)
	for i := range slices.Backward(c.past.all) {
		text := c.past.all[i].Text
		if seen[text] || !matches(text, words) {
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

// StopSearch ends the search. If take is set the match becomes the draft and the position in
// the history is there; otherwise the user's draft returns.
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
		c.past.at, c.past.saved = s.at, s.saved
	}
}

// searchLine renders the search words and the number of matches, in place of the target.
func (c *Composer) searchLine() string {
	line := c.st.Accent.S("history "+c.st.G[styles.Prompt]+" ") + c.st.Text.S(c.search.words)
	nth, of := c.countMatches()
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
	return c.with(line, sep, keys.Name(c.Of(SearchHistory))+" older"+sep+keys.Name(c.Of(SendMessage))+" accepts"+sep+keys.Name(c.Of(closeList))+" back")
}

// searchColumn returns the column behind the search words in the search line.
func (c *Composer) searchColumn() int {
	return canvas.Width("history "+c.st.G[styles.Prompt]+" ") + canvas.Width(c.search.words)
}

// hit finds the search words in a rendered line.
func (c *Composer) hit(text []byte) (from, to int) {
	words := strings.ToLower(c.search.words)
	low := strings.ToLower(string(text))
	if words == "" || len(low) != len(text) { // a letter whose lower case has another size
		return -1, -1
	}
	i := strings.Index(low, words)
	return i, i + len(words)
}
