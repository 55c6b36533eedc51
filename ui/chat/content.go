package chat

import (
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/styles"
)

// content is the content of an artifact: its text, with the other parts where they came. A
// chunk costs its own length: only the last run grows.
type content struct {
	runs   []run
	placed int // of the artifact's parts, how many have a run
	album  album
	closed int    // of the runs, how many will never grow
	resets uint64 // of the artifact that the runs show
	art    *model.Artifact
	plain  bool          // a text that only its ends mark as JSON is shown unchanged
	mark   markdown.Mark // of the lines that were drawn last, if they are one text
	sets   []set         // in those lines
}

// A run is a stretch of text, or one part that is not text.
type run struct {
	text *prose // nil for a part
	doc  doc    // that the text is, once it is complete
	part int    // index among the artifact's parts
	from int    // in the artifact's text
	chip chip   // of a part, as it was drawn last
	// Where it was drawn: its lines begin at line, and the first skip of them describe what is
	// not shown.
	line, skip int
	tracing    tracer // of the lines in the run's text
	traced     int    // offset in the artifact's text from which that counts
}

// A chip is the drawing of a part, which never changes by itself.
type chip struct {
	lines   []string
	w       int
	open    bool
	version int  // of what stands in it
	came    bool // from its address
}

// A doc is a text that is shown as a table or a tree.
type doc struct {
	inset inset
	size  int // of the text that it was made of, whether it is one or not
	grew  bool
	found bool // neither a type nor a name announced it
	shown bool // it was drawn, and not the text
}

// update takes what is new in the artifact.
func (c *content) update(k *ink, art *model.Artifact) {
	c.art = art
	if c.resets != art.Reset {
		c.begin(art)
	}
	for ; c.placed < len(art.Parts); c.placed++ {
		at := art.Parts[c.placed].Offset
		c.write(k, at)
		c.close(at)
		c.runs = append(c.runs, run{part: c.placed, from: at})
		c.closed = len(c.runs)
	}
	c.write(k, len(art.Text))
	if !art.Live {
		c.close(len(art.Text))
	}
}

// begin drops the runs because the text was replaced. The first stretch of text stays, so that
// it remains visible until the new one is rendered.
func (c *content) begin(art *model.Artifact) {
	first := c.runs[:0]
	if len(c.runs) > 0 && c.runs[0].text != nil {
		first = c.runs[:1]
		first[0].from, first[0].doc = 0, doc{}
	}
	clear(c.runs[len(first):])
	c.runs, c.placed, c.closed, c.resets = first, 0, 0, art.Reset
	if len(first) > 0 && len(art.Parts) > 0 && art.Parts[0].Offset == 0 {
		c.runs = nil
	}
}

// write shows the text up to an offset.
func (c *content) write(k *ink, to int) {
	from := 0
	if n := len(c.runs); n > 0 {
		from = c.runs[n-1].from
	}
	if n := len(c.runs); n == 0 || c.runs[n-1].text == nil {
		if to == from {
			return
		}
		f, language := media.Of(c.art.MediaType, c.art.Name)
		c.runs = append(c.runs, run{text: k.prose(f, language, c.resets), from: from})
	}
	r := &c.runs[len(c.runs)-1]
	r.text.update(c.art.Text[r.from:to], c.resets, true)
}

// close marks the end of the last stretch of text, at an offset.
func (c *content) close(to int) {
	if n := len(c.runs); n > c.closed && c.runs[n-1].text != nil {
		r := &c.runs[n-1]
		r.text.update(c.art.Text[r.from:to], c.resets, false)
	}
}

// lines draws the content. The result is valid until the next call.
func (c *content) lines(k *ink, open bool, w int) []string {
	var out []string
	c.mark, c.sets = markdown.Mark{}, c.sets[:0]
	for i := range c.runs {
		r := &c.runs[i]
		r.line, r.skip = len(out), 0
		if r.text == nil {
			out = append(out, c.part(k, r, open, w)...)
			continue
		}
		if r.doc.shown = c.document(k, i) && !(r.doc.found && c.plain); r.doc.shown {
			lines := r.doc.inset.lines(k, w)
			c.sets = append(c.sets, set{r.doc.inset, r.line, len(lines)})
			out = append(out, lines...)
			if r.doc.found {
				out = append(out, k.asItCame(w))
			}
			continue
		}
		lines := r.text.lines(k, w)
		if skipped := r.text.skipped(); skipped > 0 {
			r.skip = 1
			out = append(out, k.skipped(skipped))
		}
		if len(c.runs) == 1 && r.skip == 0 {
			c.mark = r.text.mark()
			return lines
		}
		out = append(out, lines...)
	}
	return out
}

// part draws the run of a part.
func (c *content) part(k *ink, r *run, open bool, w int) []string {
	in, version := c.album.placed(k, open, c.art.Parts, r.part), 0
	if in != nil {
		version = in.version()
	}
	p := &c.art.Parts[r.part].Part
	came := k.came(p) != nil
	if r.chip.lines == nil || r.chip.w != w || r.chip.open != open || r.chip.version != version || r.chip.came != came {
		r.chip = chip{k.chip(p, "", open, in, w), w, open, version, came}
	}
	c.sets = addSet(c.sets, in, r.line+1, len(r.chip.lines)-1)
	return r.chip.lines
}

// document reports whether the text of run i is complete and a table or a tree.
func (c *content) document(k *ink, i int) bool {
	r, to := &c.runs[i], len(c.art.Text)
	if i+1 < len(c.runs) {
		to = c.runs[i+1].from
	} else if c.art.Live {
		return false
	}
	if size := to - r.from; r.doc.size != size {
		// A text that continued although it was complete is not examined again with every
		// chunk.
		if r.doc.grew = r.doc.grew || r.doc.size > 0; r.doc.grew && c.art.Streaming() {
			r.doc.inset, r.doc.size = nil, -1
			return false
		}
		f, _ := media.Of(c.art.MediaType, c.art.Name)
		text := c.art.Text[r.from:to:to]
		r.doc.found = f != media.JSON && f != media.CSV && f != media.Code && looksJSON(text)
		if r.doc.found {
			f = media.JSON
		}
		r.doc.inset, r.doc.size = insetOf(k.st, text, f), size
	}
	return r.doc.inset != nil
}

// found reports whether some text is shown as JSON that nothing announced, or could be.
func (c *content) found() bool {
	return slices.ContainsFunc(c.runs, func(r run) bool { return r.doc.found && r.doc.inset != nil })
}

func (c *content) restyle(st *styles.Styles) {
	for i := range c.runs {
		c.runs[i].chip = chip{}
		if c.runs[i].text != nil {
			c.runs[i].text.restyle(st)
		}
	}
	c.album.restyle(st)
}

func (c *content) streams(w int, yield func(*markdown.Stream, int)) {
	for i := range c.runs {
		if t := c.runs[i].text; t != nil && t.md != nil && !c.runs[i].doc.shown {
			yield(t.md, w)
		}
	}
	c.album.streams(w, yield)
}

// recordAt returns the record that brought the content of a drawn line, 0 if there is none.
func (c *content) recordAt(lines []string, line int) a2a.RecordID {
	i := c.run(line)
	if i < 0 {
		return 0
	}
	r := &c.runs[i]
	if r.text == nil {
		return c.art.Parts[r.part].Record
	}
	at, ok := c.offset(lines, line)
	if !ok {
		at = r.from
	}
	return c.art.RecordAt(at)
}

// trace returns the positions in the artifact's text of the lines of run i, and the offset from
// which they count.
func (c *content) trace(lines []string, i int) (shown []tracedLine, from int) {
	r := &c.runs[i]
	end := len(lines)
	if i+1 < len(c.runs) {
		end = min(c.runs[i+1].line, end)
	}
	from = r.from + r.text.skipped()
	if from != r.traced {
		r.tracing, r.traced = tracer{}, from
	}
	return r.tracing.trace(lines[min(r.line+r.skip, end):end], c.art.Text[from:]), from
}

// line returns the drawn line of an anchor.
func (c *content) line(lines []string, at model.Anchor) int {
	found := 0
	at.Offset = firstWord(c.art, at.Offset)
	for i := range c.runs {
		r := &c.runs[i]
		switch {
		case at.Part > 0 && r.text == nil && r.part == at.Part-1:
			return r.line
		case r.from > at.Offset:
			return found
		case r.text == nil:
			continue
		case r.doc.shown:
			found = r.line + setAt(c.sets, r.line).lineOf(at.Offset-r.from)
			continue
		}
		shown, from := c.trace(lines, i)
		for j := range shown {
			if shown[j].shows(at.Offset - from) {
				return r.line + r.skip + j
			}
			if j == 0 || shown[j].from+from <= at.Offset {
				found = r.line + r.skip + j
			}
		}
	}
	return found
}
