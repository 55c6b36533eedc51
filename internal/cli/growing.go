package cli

import (
	"cmp"
	"strings"

	"parley/a2a"
	lifecycle "parley/session/task"
)

// A growing printer prints the chunks of artifacts as one text, and the pieces of a text that an agent
// sends in status messages: a heading, then the text as it comes, and a heading again only after
// something else came in between.
type growing struct {
	artifact string         // under the newest heading, by task and key; empty after something else
	said     lifecycle.Text // in status messages
	status   *a2a.Event     // of the open message, whose task and state are printed behind it
	open     bool           // a block of text is open
	start    bool           // its next piece begins a line
	held     string         // the carriage return at its end, whose line feed may come next
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
		g.add(p, part.Text)
	}
}

// message writes a status with a message that continues the open one, or may be continued, and reports whether it
// did: what any other event brings is printed by itself.
func (g *growing) message(p *page, ev *a2a.Event) bool {
	continues := g.said.Continues(ev)
	text, spoken := lifecycle.Spoken(ev)
	if !continues && (!spoken || !lifecycle.IsWord(text)) {
		return false
	}
	if !continues || g.status == nil {
		g.end(p)
		p.field("Message", cmp.Or(ev.Status.Message.Role.String(), "agent"))
	}
	copied := *ev
	g.status = &copied
	g.add(p, text)
	return true
}

// add writes a piece of text in a block, which it opens.
func (g *growing) add(p *page, text string) {
	if !g.open {
		p.add("Text:\n")
		g.open, g.start = true, true
	}
	text, g.held = g.held+text, ""
	if strings.HasSuffix(text, "\r") {
		text, g.held = text[:len(text)-1], "\r"
	}
	g.start = p.lines(text, g.start)
}

// end ends the artifact or the message: what comes next has a heading.
func (g *growing) end(p *page) {
	g.endBlock(p)
	g.artifact = ""
	if ev := g.status; ev != nil {
		g.status = nil
		p.ids(ev.TaskID, ev.ContextID, ev.Status)
	}
}

func (g *growing) endBlock(p *page) {
	if !g.open {
		return
	}
	p.endBlock(p.lines(g.held, g.start))
	g.open, g.held = false, ""
}
