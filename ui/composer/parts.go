package composer

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// beside is what is known of the things that go with the text.
type beside struct {
	takes  []string // media types that the agent takes, nil if that is not known
	unsaid string   // what of the way it is sent the agent will not be told, empty for nothing
	drop   string   // what files a pasted text names, empty if it names none
}

// Attach asks for something to go with the text: what a pasted text names, if the
// composer was told of that, else whatever the user chooses.
type Attach struct{}

// Change asks for another way to send the part of that index, -1 if there are several
// and none is meant.
type Change struct{ Index int }

func (Attach) intent() {}
func (Change) intent() {}

// SetTakes sets which media types the agent takes, as [a2a.Card.InputModes] has them; nil
// if that is not known. Nothing is kept from being sent.
func (c *Composer) SetTakes(modes []string) {
	if !slices.Equal(modes, c.beside.takes) {
		c.beside.takes, c.dirty = modes, true
	}
}

// SetDrop offers to attach the files that a pasted text names instead of sending their
// names; words says which, empty ends the offer.
func (c *Composer) SetDrop(words string) {
	if words != c.beside.drop {
		c.beside.drop, c.dirty = words, true
	}
}

// Replace puts a part in the place of the one of that index, if there is one.
func (c *Composer) Replace(i int, p a2a.Part) {
	if i < 0 || i >= len(c.draft.Parts) {
		return
	}
	c.draft.Parts = slices.Clone(c.draft.Parts)
	c.draft.Parts[i] = p
	c.dirty = true
}

// partKey takes the keys about what goes with the text, and reports whether msg was one.
func (c *Composer) partKey(msg tea.KeyPressMsg) (Intent, bool) {
	switch {
	case key.Matches(msg, c.keys.Detach):
		return c.takeAway(), true
	case key.Matches(msg, c.keys.Attach):
		return Attach{}, true
	case key.Matches(msg, c.keys.Options):
		return OpenOptions{}, true
	case key.Matches(msg, c.keys.Parts):
		switch len(c.draft.Parts) {
		case 0:
			return Refused{Why: "The message has no attachment: " + c.keys.Attach.Help().Key + " attaches a file."}, true
		case 1:
			return Change{}, true
		}
		return Change{Index: -1}, true
	}
	return nil, false
}

// dropRow offers to attach what was pasted by its name.
func (c *Composer) dropRow() []string {
	if c.beside.drop == "" {
		return nil
	}
	words := c.keys.Attach.Help().Key + " attaches " + canvas.SanitizeLine(c.beside.drop)
	more, room := " instead of its name", c.w-4
	if canvas.Width(words+more) <= room {
		words += more
	}
	return []string{"  " + c.st.Chip.S(c.st.G[styles.File]) + " " + c.st.Accent.S(canvas.Ellipsize(words, max(0, room), c.st.G[styles.Ellipsis]))}
}

// unwanted says that the agent does not take a part by what its card says, empty if it
// does.
func (c *Composer) unwanted(p *a2a.Part) string {
	if a2a.Takes(c.beside.takes, p) {
		return ""
	}
	return "not among the agent's input modes"
}

// Modes are media types as they can be shown, few enough for a line.
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
