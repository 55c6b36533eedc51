package composer

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// beside is the state of the rows below the text.
type beside struct {
	inputModes  []string // media types that the agent accepts, nil if unknown
	unsupported string   // names the send options that the dialect has no member for, empty if none
	drop        string   // names the files of a pasted path, empty if there are none
}

// Attach attaches the files that a pasted text names (see [Composer.SetDrop]), or else files
// that the user selects.
type Attach struct{}

// Change opens the ways to send part Index, -1 if there are several and the user has to select
// one first.
type Change struct{ Index int }

func (Attach) intent() {}
func (Change) intent() {}

// SetInputModes sets the media types that the agent accepts, as returned by [a2a.Card.InputModes];
// nil if unknown. Parts of other types are flagged and still sent.
func (c *Composer) SetInputModes(modes []string) {
	if !slices.Equal(modes, c.beside.inputModes) {
		c.beside.inputModes, c.dirty = modes, true
	}
}

// SetDrop offers to attach the files that a pasted text names instead of sending the text;
// words describes them, empty ends the offer.
func (c *Composer) SetDrop(words string) { c.setText(&c.beside.drop, words) }

// Replace replaces part i if there is such a part.
func (c *Composer) Replace(i int, p a2a.Part) {
	if i < 0 || i >= len(c.draft.Parts) {
		return
	}
	c.draft.Parts = slices.Clone(c.draft.Parts)
	c.draft.Parts[i] = p
	c.dirty = true
}

// dropRow renders the offer to attach the files that a pasted text names.
func (c *Composer) dropRow() []string {
	if c.beside.drop == "" {
		return nil
	}
	words := keys.Name(c.Of(AttachFile)) + " attaches " + canvas.SanitizeLine(c.beside.drop)
	more, room := " instead of its name", c.w-4
	if canvas.Width(words+more) <= room {
		words += more
	}
	return []string{"  " + c.st.Chip.S(c.st.G[styles.File]) + " " + c.st.Accent.S(canvas.Ellipsize(words, max(0, room), c.st.G[styles.Ellipsis]))}
}

// modeWarning returns a warning if the agent's card does not accept a part, else "".
func (c *Composer) modeWarning(p *a2a.Part) string {
	if a2a.Takes(c.beside.inputModes, p) {
		return ""
	}
	return "not among the agent's input modes"
}

// Modes returns media types as text, sanitized and short enough for a line.
func Modes(modes []string) string {
	const few = 6
	var words []string
	for i, m := range modes {
		if i == few {
			words = append(words, "…")
			break
		}
		words = append(words, canvas.SanitizeLine(m[:min(len(m), 100)]))
	}
	return strings.Join(words, ", ")
}
