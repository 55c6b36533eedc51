package composer

import (
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"parley/ui/action"
	"parley/ui/field"
	"parley/ui/styles"
)

// promptWidth is the width of the prompt glyph and the space behind it.
const promptWidth = 2

// A Composer holds the text of one message until it is sent. It is not safe for
// use by several goroutines.
type Composer struct {
	*action.Table[Intent]

	st   *styles.Styles
	area field.Area
	// folds are the pastes for which one rune stands in area.
	folds   folds
	draft   Draft  // without its text
	written bool   // the text area has text: kept, because it is asked for each frame
	cut     string // the text cut last by the word or to an end of the line
	chosen  bool   // the user set whether the draft is a secret
	slash   slash
	search  search
	queue   Queue
	beside  beside
	past    *History

	calm     bool // see [Composer.SetCalm]
	targets  []TargetChoice
	selected int
	ghost    string

	w, h      int
	focused   bool // area always has the focus: it would take no keys otherwise
	top       int  // the first row of the text in the window
	rendering rendering
	dirty     bool // the lines have to be rendered again
}

// rendering is the result of the last rendering.
type rendering struct {
	lines  []string
	cursor *tea.Cursor // relative to the text
}

// New returns an empty composer without a target.
func New(st *styles.Styles) *Composer {
	area := field.NewArea(st, promptWidth)
	area.DynamicHeight = true // as high as the text; textRows cuts the window
	area.SetValue("")         // so that it computes the height of an empty text
	c := &Composer{st: st, area: area, folds: folds{}, past: &History{}, dirty: true}
	c.Table = c.actions()
	return c
}

// SetStyles changes the styles.
func (c *Composer) SetStyles(st *styles.Styles) { c.st, c.dirty = st, true }

// SetSize sets the size in cells. [Composer.Height] returns the preferred height.
func (c *Composer) SetSize(w, h int) {
	if w, h = max(w, 0), max(h, 0); w == c.w && h == c.h {
		return
	}
	if w != c.w {
		c.area.SetWidth(w)
	}
	c.w, c.h, c.dirty = w, h, true
}

// Focus makes the composer show the cursor.
func (c *Composer) Focus() { c.focused, c.dirty = true, true }

// Blur hides the cursor. It preserves the text and accepts the result of a search.
func (c *Composer) Blur() {
	c.StopSearch(true)
	c.focused, c.dirty = false, true
}

// Focused reports whether the composer shows the cursor.
func (c *Composer) Focused() bool { return c.focused }

// SetGhost sets the suggestion that is shown if the text is empty or begins the suggestion;
// empty for none. It may come from the network.
func (c *Composer) SetGhost(text string) { c.setText(&c.ghost, text) }

// setText changes a text that the lines show.
func (c *Composer) setText(text *string, to string) {
	if *text != to {
		*text, c.dirty = to, true
	}
}

// SetHistory sets the history of the agent. The composer adds what the user sends and clears.
func (c *Composer) SetHistory(h *History) {
	c.StopSearch(true)
	h.stop()
	c.past, c.dirty = h, true
}

// Value returns the text exactly as it would be sent.
func (c *Composer) Value() string { return c.folds.decode(c.area.Value()) }

// Empty reports whether the draft has neither text nor parts.
func (c *Composer) Empty() bool { return len(c.draft.Parts) == 0 && c.blank() }

// blank reports whether the draft has no text.
func (c *Composer) blank() bool { return !c.written }

// SetValue replaces the text and moves the cursor to its end. It preserves the parts.
func (c *Composer) SetValue(s string) {
	c.area.Reset()
	clear(c.folds)
	c.insert(s)
}

// Paste inserts all of s at the cursor.
func (c *Composer) Paste(s string) {
	if c.search.on {
		c.setSearchWords(c.search.words + firstLine(s[:min(len(s), maxWords)]))
		return
	}
	c.insert(c.escapePaste(s))
}

func (c *Composer) insert(s string) {
	held := c.area.Value()
	c.folds.prune(held)
	s = c.folds.encode(s, utf8.RuneCountInString(held), strings.Count(held, "\n"))
	c.area.InsertString(s)
	c.dirty = true
	c.edited()
}

// edited follows a change of the text.
func (c *Composer) edited() {
	c.written = c.area.Value() != ""
	c.UpdateOffers()
}

// ghostRest returns the part of the suggestion that follows the text, if the text begins the
// suggestion and the cursor is at its end. There is none while nothing can be sent.
func (c *Composer) ghostRest() string {
	if c.draft.Secret && !c.Empty() { // the suggestion would reveal the secret
		return ""
	}
	if c.ghost == "" || c.why() != "" || c.isCommand() || len(c.queue.Waiting) > 0 || !c.atEnd() {
		return ""
	}
	rest, _ := strings.CutPrefix(c.ghost, c.Value())
	if rest == c.ghost && !c.Empty() {
		return ""
	}
	return rest
}

// takeGhost inserts the part of the suggestion that follows the text.
func (c *Composer) takeGhost() {
	rest := c.ghostRest()
	if c.blank() {
		rest = Escape(Draft{Text: rest, Secret: c.draft.Secret}).Text
	}
	c.insert(rest)
}

// atEnd reports whether the cursor is behind the last character.
func (c *Composer) atEnd() bool {
	if c.area.Line() != c.area.LineCount()-1 {
		return false
	}
	held := c.area.Value()
	last := held[strings.LastIndexByte(held, '\n')+1:]
	return c.area.Column() >= utf8.RuneCountInString(last)
}

// send handles the key that sends.
func (c *Composer) send() Intent {
	if c.isCommand() {
		return c.run()
	}
	if c.resumes() {
		return Resume{}
	}
	d, ghost := c.Draft(), false
	if d.Empty() && c.ghost != "" && len(c.queue.Waiting) == 0 {
		d.Text, ghost = c.ghost, true
		d.Secret = d.Secret && c.chosen // the agent wrote it, so it knows it
		d = Escape(d)
	}
	if len(d.Message()) == 0 {
		return nil
	}
	if why := c.why(); why != "" {
		return c.refused(why)
	}
	queued := c.targets[c.selected].Kind == TargetQueue
	c.past.Add(d)
	c.SetDraft(d.fresh())
	if !d.Secret && strings.HasPrefix(d.Text, literal) {
		d.Text = d.Text[1:]
	}
	return Send{Draft: d, Target: c.targets[c.selected].Target, Ghost: ghost, Queued: queued}
}
