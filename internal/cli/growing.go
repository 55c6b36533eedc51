package cli

import (
	"strings"

	"parley/a2a"
)

// A growing printer prints the chunks of artifacts as one text: a heading, then the text as it
// comes, and a heading again only after something else came in between.
type growing struct {
	artifact string // under the newest heading, by task and key; empty after something else
	open     bool   // a block of text is open
	start    bool   // its next piece begins a line
	held     string // the carriage return at its end, whose line feed may come next
}

// chunk writes one event of an artifact. known is its name in earlier events, empty for a new one.
func (g *growing) chunk(p *page, ev *a2a.Event, known string) {
	key := ev.TaskID + "\x00" + ev.Artifact.Key
	if g.artifact != key || !ev.Append {
		g.end(p)
		p.change(ev, known)
		g.artifact = key
	}
	for i := range ev.Artifact.Parts {
		part := &ev.Artifact.Parts[i]
		if part.Kind != a2a.PartText {
			g.endBlock(p)
			p.content(part)
			continue
		}
		if !g.open {
			p.add("Text:\n")
			g.open, g.start = true, true
		}
		text := g.held + part.Text
		g.held = ""
		if strings.HasSuffix(text, "\r") {
			text, g.held = text[:len(text)-1], "\r"
		}
		g.start = p.lines(text, g.start)
	}
}

// end ends the artifact: what comes next has a heading.
func (g *growing) end(p *page) {
	g.endBlock(p)
	g.artifact = ""
}

func (g *growing) endBlock(p *page) {
	if !g.open {
		return
	}
	p.endBlock(p.lines(g.held, g.start))
	g.open, g.held = false, ""
}
