package composer

import (
	"slices"
	"strings"

	"parley/ui/canvas"
	"parley/ui/styles"
)

// SetExtensions sets the extensions that the message requests instead of those that all requests to
// the agent request; nil if it requests the same.
func (c *Composer) SetExtensions(uris []string) {
	c.draft.Options.Extensions, c.dirty = slices.Clone(uris), true
}

// Extensions returns the extensions set by [Composer.SetExtensions]. The caller must not change them.
func (c *Composer) Extensions() []string { return c.draft.Options.Extensions }

// extensionRows describes the extensions that the message requests, if they are its own.
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
