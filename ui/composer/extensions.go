package composer

import (
	"slices"
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// Extend has the message ask for these extensions alone; nil has it ask for what all
// requests to the agent do.
func (c *Composer) Extend(uris []string) {
	c.draft.Options.Extensions, c.dirty = slices.Clone(uris), true
}

// Extensions returns those that the message asks for alone, nil if it asks for what all
// requests do. They must not be changed.
func (c *Composer) Extensions() []string { return c.draft.Options.Extensions }

// extensionRows says which extensions the message asks for, where that is its own matter.
func (c *Composer) extensionRows() []string {
	uris := c.draft.Options.Extensions
	if uris == nil {
		return nil
	}
	words := "requests no extension"
	if len(uris) > 0 {
		words = "requests " + strings.Join(uris, ", ")
	}
	words = canvas.Ellipsize(canvas.SanitizeLine(words), max(0, c.w-4), c.st.G[styles.Ellipsis])
	return []string{"  " + c.st.Chip.S("+") + " " + c.st.Faint.S(words)}
}
