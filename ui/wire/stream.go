package wire

import (
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// summary tells how a stream went in w cells, for the row below its end; empty for
// an exchange that was no stream. What is told first gives way last.
func summary(s *session.Stream, g *styles.Glyphs, w int) string {
	if s.Events == 0 {
		return ""
	}
	var head, artifact string
	sep := " " + g[styles.Separator] + " "
	if s.Head >= 0 {
		head = "ttfb " + units.Duration(s.Head) + sep
	}
	if s.FirstArtifact >= 0 {
		artifact = "artifact " + units.Duration(s.FirstArtifact) + sep
	}
	rule, gap := g[styles.Horizontal]+g[styles.Horizontal]+" ", "gap max "+units.Duration(s.Gaps.Max)
	for _, s := range []string{head + artifact + gap, head + gap} {
		if canvas.Width(rule+s) <= w {
			return rule + s
		}
	}
	return rule + gap
}
