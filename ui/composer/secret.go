package composer

import (
	"slices"
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// Hidden reports that the user made what is being written a secret, or no longer wants
// it to be one.
type Hidden struct{ On bool }

func (Hidden) intent() {}

// Secret reports whether what is being written is one: it stands there as dots, and who
// sends it has to see to it that it stands nowhere else.
func (c *Composer) Secret() bool { return c.draft.Secret }

// Hide makes what is being written a secret, or shows it again. That holds until it is
// sent or cleared, wherever the message goes.
func (c *Composer) Hide(on bool) {
	c.draft.Secret, c.chosen, c.dirty = on, true, true
	c.Reoffer()
}

// settle makes a draft a secret when it goes to who asks for one. A text that was written
// as a secret stays one when the target changes: it would stand there in clear.
func (c *Composer) settle() {
	asks := len(c.targets) > 0 && c.targets[c.selected].Secret
	switch {
	case c.chosen, c.search.on:
	case asks && !c.draft.Secret:
		c.draft.Secret, c.dirty = true, true
	case !asks && c.draft.Secret && c.Empty():
		c.draft.Secret, c.dirty = false, true
	}
}

// hidesCommand reports whether a text that begins with a slash is a secret and no command
// that there is. Enter runs a command also where secrets are written, but shows which
// there are only when its name is complete.
func (c *Composer) hidesCommand(text string) bool {
	word := strings.Fields(text + " ")
	return c.draft.Secret && (len(word) == 0 || !slices.ContainsFunc(c.slash.list(), func(k Command) bool { return "/"+k.Word == word[0] }))
}

// dots draws a row of the text of which nothing can be seen but how long it is. At is the
// cursor's column in it, -1 if it is in another row.
func (c *Composer) dots(row string, at int) string {
	n := max(canvas.Width(strings.TrimRight(row, " ")), at)
	return c.st.Text.S(strings.Repeat(c.st.G[styles.Bullet], n))
}

// hint says how a secret is shown.
func (c *Composer) hint() string { return "secret, " + c.keys.Hide.Help().Key + " shows it" }
