package page

import (
	"encoding/base64"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/model"
)

// conversations writes the left side of the page.
func (p *page) conversations() {
	p.tag(`<section id="talk" tabindex="-1"><h2>conversation</h2>`, "\n")
	for _, c := range p.excerpt.Conversations {
		p.tag(`<article><h3>`)
		if name := c.Name(); name != "" {
			p.line(name)
		} else {
			p.tag("Conversation")
		}
		p.tag(`</h3><p class="dim">`)
		p.line(c.Agent.Name())
		if d := c.Agent.Profile.Dialect; d != "" {
			p.tag(" · ")
			p.line(string(d))
		}
		if c.ContextID != "" {
			p.tag(" · context ")
			p.line(c.ContextID)
		}
		p.tag("</p>\n")
		for _, t := range c.Turns {
			if p.err != nil {
				return
			}
			p.places.turns[t.ID] = true
			p.turn(t)
			p.advance()
		}
		p.tag("</article>\n")
	}
	if len(p.excerpt.Conversations) == 0 {
		p.tag(`<p class="dim">There is no conversation here.</p>`)
	}
	p.tag("</section>\n")
}

// link writes a link to a record, unless the page lacks that record.
func (p *page) link(id a2a.RecordID) {
	if id == 0 {
		return
	}
	if !p.excerpt.Has(id) {
		p.tag(`<span class="rec">`)
		p.number(id)
		p.tag("</span>")
		return
	}
	p.tag(`<a class="rec" href="#r`)
	p.number(id)
	p.tag(`" title="the record that brought this">`)
	p.number(id)
	p.tag("</a>")
}

// time writes a time of day.
func (p *page) time(t time.Time) {
	p.tag(`<time>`, t.UTC().Format("15:04:05"), "</time>")
}

// turn writes a message of the user and what answers it.
func (p *page) turn(t *model.Turn) {
	s := spot{t.ID, -1, -1}
	p.places.entries[s] = nil
	p.tag(`<div class="say you" id="`, s.id(), `"><p class="who"><b>you</b> `)
	p.time(t.Time)
	if t.Message == nil { // the lines of a message have links of their own
		p.link(t.Record)
	}
	p.tag("</p>\n")
	switch {
	case t.Message != nil:
		for i := range t.Message.Parts {
			p.message(&t.Message.Parts[i], false, s, t.Record)
		}
	case t.Written != "":
		p.tag("<p>A request written by hand: <code>")
		p.line(t.Written)
		p.tag("</code></p>")
	}
	p.tag("</div>\n")
	for i, b := range t.Blocks {
		p.block(t, i, b)
	}
	for _, a := range t.Asides {
		p.tag(`<p class="aside">Not part of this answer: `, units.Plural(a.Events, "event"))
		if a.TaskID != "" {
			p.tag(" of task ")
			p.line(a.TaskID)
		}
		if a.Text != "" {
			p.tag(": ")
			p.line(a.Text)
		}
		p.link(a.First)
		p.tag("</p>\n")
	}
	if t.Pending {
		p.tag(`<p class="aside">The agent is still working.</p>`, "\n")
	}
}

// block writes the answer of a task.
func (p *page) block(t *model.Turn, at int, b *model.Block) {
	p.tag(`<div class="say agent"><p class="who"><b>`)
	p.line(t.AgentName())
	p.tag("</b>")
	if b.Task != nil {
		p.tag(` <span class="dim">task `)
		p.line(units.ID(b.Task.ID))
		p.tag("</span>")
	}
	p.tag("</p>\n")
	open := false
	for i := range b.Entries {
		e, s := &b.Entries[i], spot{t.ID, at, i}
		if e.Replaced {
			continue
		}
		if state := e.Kind == model.EntryState; state != open {
			if open = state; open {
				p.tag(`<p class="states">`)
			} else {
				p.tag("</p>\n")
			}
		}
		p.places.entries[s] = nil
		p.entry(e, s)
	}
	if open {
		p.tag("</p>\n")
	}
	p.tag("</div>\n")
}

// entry writes one thing that a block contains.
func (p *page) entry(e *model.Entry, s spot) {
	switch {
	case e.Kind == model.EntryState:
		p.tag(`<span class="state `, tone(e.State.State), `" id="`, s.id(), `">`)
		if word := e.State.State.String(); word != "" && e.State.State != a2a.StateOther {
			p.line(word)
		} else {
			p.line(e.State.Word)
		}
		p.link(e.Record)
		p.tag("</span> ")
	case e.Message != nil:
		p.tag(`<div class="msg" id="`, s.id(), `">`)
		for i := range e.Message.Parts {
			p.message(&e.Message.Parts[i], true, s, e.Record)
		}
		p.tag("</div>\n")
	case e.Artifact != nil:
		p.artifact(e.Artifact, s)
	case e.Problem != nil:
		p.tag(`<p class="problem" id="`, s.id(), `">`)
		p.text(e.Problem.Sentence)
		p.link(e.Record)
		p.tag("</p>\n")
	case e.Gap != nil:
		p.tag(`<p class="problem" id="`, s.id(), `">Events may be missing here.`)
		p.link(e.Record)
		p.tag("</p>\n")
	case len(e.Raw) > 0:
		p.tag(`<div id="`, s.id(), `">`)
		p.link(e.Record)
		p.json(e.Raw)
		p.tag("</div>\n")
	default:
		p.tag(`<p class="dim" id="`, s.id(), `">The answer was a known task without anything new.`)
		p.link(e.Record)
		p.tag("</p>\n")
	}
}

// tone returns the class of a state's colour.
func tone(s a2a.State) string {
	switch {
	case s == a2a.StateCompleted:
		return "ok"
	case s == a2a.StateFailed || s == a2a.StateRejected:
		return "failed"
	case s == a2a.StateInputRequired || s == a2a.StateAuthRequired:
		return "waiting"
	default:
		return "dim"
	}
}

// message writes an excerpt of a message. An agent's text is Markdown.
func (p *page) message(part *a2a.Part, agent bool, s spot, record a2a.RecordID) {
	at := func(int) a2a.RecordID { return record }
	switch part.Kind {
	case a2a.PartText:
		if agent && isProse(part.MediaType) {
			p.markdown([]byte(part.Text), s, at)
		} else {
			p.lines([]byte(part.Text), s, at)
		}
	default:
		p.other(part, s, record)
	}
}

// artifact writes an artifact, each line with the record that brought it.
func (p *page) artifact(a *model.Artifact, s spot) {
	name := a.Name
	if name == "" {
		name = a.Key
	}
	p.tag(`<div class="artifact" id="`, s.id(), `"><p class="name"><b>`)
	p.line(name)
	p.tag(`</b> <span class="dim">`, strings.Join(a.Facts(), " · "), "</span></p>\n")
	if len(strings.TrimSpace(string(a.Text[:min(len(a.Text), 64)]))) > 0 || len(a.Text) > 64 {
		if isProse(a.MediaType) {
			p.markdown(a.Text, s, a.RecordAt)
		} else {
			p.lines(a.Text, s, a.RecordAt)
		}
	}
	for i := range a.Parts {
		p.other(&a.Parts[i].Part, s, a.Parts[i].Record)
	}
	p.tag("</div>\n")
}

// isProse reports whether text of a media type may be Markdown.
func isProse(media string) bool {
	return media == "" || media == "text/plain" || strings.HasPrefix(media, "text/markdown")
}

// The pictures that a page shows; what could contain a script or a reference is not among them.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// maxPicture is the largest picture that a page contains.
const maxPicture = 4 << 20

// other writes an excerpt that is not text.
func (p *page) other(part *a2a.Part, s spot, record a2a.RecordID) {
	p.tag(`<div class="part">`)
	p.gutter(s, record)
	if part.Kind == a2a.PartData {
		p.json(part.Data)
		p.tag("</div>\n")
		return
	}
	p.tag(`<p class="file"><b>`)
	switch {
	case part.Filename != "":
		p.line(part.Filename)
	case part.URL == "":
		p.tag("a file")
	}
	p.tag("</b>")
	for _, word := range []string{part.MediaType, a2a.MaskURL(part.URL)} {
		if word != "" {
			p.tag(" · ")
			p.line(word)
		}
	}
	if n := part.Size(); n > 0 {
		p.tag(" · ", units.Bytes(n))
	}
	p.tag("</p>")
	if media := strings.ToLower(visible.Line(part.MediaType)); pictures[media] && part.Size() <= maxPicture {
		if content, err := part.Bytes(); err == nil && len(content) > 0 {
			p.tag(`<img alt="" src="data:`, media, ";base64,", base64.StdEncoding.EncodeToString(content), `">`)
		}
	}
	p.tag("</div>\n")
}

// lines writes plain text, each line with the record that brought its beginning.
func (p *page) lines(text []byte, s spot, at func(int) a2a.RecordID) {
	p.tag(`<div class="code"><pre>`)
	last, offset := a2a.RecordID(0), 0
	for line := range strings.Lines(string(text)) {
		if id := at(offset); id != last {
			last = id
			p.gutter(s, id)
		}
		p.text(line)
		offset += len(line)
	}
	p.tag("</pre></div>\n")
}

// gutter writes the link from a line to its record, at the edge.
func (p *page) gutter(s spot, id a2a.RecordID) {
	if id == 0 {
		return
	}
	p.tag(`<span class="gutter"`)
	if p.places.add(s, id) {
		p.tag(` id="`, lineID(id), `"`)
	}
	p.tag(">")
	p.link(id)
	p.tag("</span>")
}
