package composer

import (
	"strings"

	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// Hidden reports that the user made the draft a secret, or revealed it.
type Hidden struct{ On bool }

func (Hidden) intent() {}

// Secret reports whether the draft is a secret: it is masked on the screen, and the caller must
// not store it elsewhere.
func (c *Composer) Secret() bool { return c.draft.Secret }

// Hide makes the draft a secret, or reveals it, until it is sent or cleared, whatever its
// target is.
func (c *Composer) Hide(on bool) {
	c.draft.Secret, c.chosen, c.dirty = on, true, true
	c.UpdateOffers()
}

// updateSecret makes the draft a secret if its target asks for one. A draft that is a secret stays
// one when the target changes, so that its text does not become readable.
func (c *Composer) updateSecret() {
	asks := len(c.targets) > 0 && c.targets[c.selected].Secret
	switch {
	case c.chosen, c.search.on:
	case asks && !c.draft.Secret:
		c.draft.Secret, c.dirty = true, true
	case !asks && c.draft.Secret && c.Empty():
		c.draft.Secret, c.dirty = false, true
	}
}

// hidesCommand reports whether a text that begins with a slash is a secret and not the name of
// a command. In a secret, enter runs a command only if its name is complete, and no completions
// are shown.
func (c *Composer) hidesCommand(text string) bool {
	word, _ := cutWord(strings.TrimPrefix(text, "/"))
	return c.draft.Secret && find(c.slash.list(), word) == nil
}

// maskRow renders a row of a masked text, which reveals only its length. at is the column of the
// cursor in the row, -1 if it is in another row.
func (c *Composer) maskRow(row string, at int) string {
	n := max(canvas.Width(strings.TrimRight(row, " ")), at)
	return c.st.Text.S(strings.Repeat(c.st.G[styles.Bullet], n))
}

// hint says how the user can reveal a secret.
func (c *Composer) hint() string { return "secret, " + keys.Name(c.Of(HideText)) + " shows it" }
