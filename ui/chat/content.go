package chat

import (
	"slices"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/styles"
)

// content is the content of an artifact: its text, with the other parts in order of arrival. The
// cost of a chunk depends only on its length, because only the last run grows.
type content struct {
	runs       []run
	partRuns   int // of the artifact's parts, how many have a run
	contents   partContents
	closedRuns int    // of the runs, how many will never grow
	resets     uint64 // of the artifact that the runs show
	art        *model.Artifact
	plain      bool          // a text that only its ends mark as JSON is shown unchanged
	mark       markdown.Mark // of the lines that were drawn last, if they are one text
	insets     []insetLines  // in those lines
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
	tracer     tracer // of the lines in the run's text
	traceFrom  int    // offset in the artifact's text from which the tracer counts
}

// A chip is the drawing of a part, which never changes by itself.
type chip struct {
	lines      []string
	w          int
	open       bool
	version    int  // of its content
	downloaded bool // the content comes from the part's address
}

// A doc is a text that is shown as a table or a tree.
type doc struct {
	inset      inset
	size       int // of the text that it was made of, whether it is one or not
	grew       bool
	undeclared bool // neither a type nor a name declares it
	shown      bool // it was drawn, and not the text
}

// update adds what is new in the artifact.
func (c *content) update(k *renderer, art *model.Artifact) {
	c.art = art
	if c.resets != art.Reset {
		c.begin(art)
	}
	for ; c.partRuns < len(art.Parts); c.partRuns++ {
		at := art.Parts[c.partRuns].Offset
		c.write(k, at)
		c.close(at)
		c.runs = append(c.runs, run{part: c.partRuns, from: at})
		c.closedRuns = len(c.runs)
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
	c.runs, c.partRuns, c.closedRuns, c.resets = first, 0, 0, art.Reset
	if len(first) > 0 && len(art.Parts) > 0 && art.Parts[0].Offset == 0 {
		c.runs = nil
	}
}

// write shows the text up to an offset.
func (c *content) write(k *renderer, to int) {
	from := 0
	if n := len(c.runs); n > 0 {
		from = c.runs[n-1].from
	}
	if n := len(c.runs); n == 0 || c.runs[n-1].text == nil {
		if to == from {
			return
		}
		f, language := media.Of(c.art.MediaType, c.art.Name)
		c.runs = append(c.runs, run{text: k.newProse(f, language, c.resets), from: from})
	}
	r := &c.runs[len(c.runs)-1]
	r.text.update(c.art.Text[r.from:to], c.resets, true)
}

// close marks the end of the last stretch of text, at an offset.
func (c *content) close(to int) {
	if n := len(c.runs); n > c.closedRuns && c.runs[n-1].text != nil {
		r := &c.runs[n-1]
		r.text.update(c.art.Text[r.from:to], c.resets, false)
	}
}

// lines draws the content. The result is valid until the next call.
func (c *content) lines(k *renderer, open bool, w int) []string {
	var out []string
	c.mark, c.insets = markdown.Mark{}, c.insets[:0]
	for i := range c.runs {
		r := &c.runs[i]
		r.line, r.skip = len(out), 0
		if r.text == nil {
			out = append(out, c.part(k, r, open, w)...)
			continue
		}
		if r.doc.shown = c.document(k, i) && !(r.doc.undeclared && c.plain); r.doc.shown {
			lines := r.doc.inset.lines(k, w)
			c.insets = append(c.insets, insetLines{r.doc.inset, r.line, len(lines)})
			out = append(out, lines...)
			if r.doc.undeclared {
				out = append(out, k.originalNote(w))
			}
			continue
		}
		lines := r.text.lines(k, w)
		if skipped := r.text.hiddenBytes(); skipped > 0 {
			r.skip = 1
			out = append(out, k.beginningNote(skipped))
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
func (c *content) part(k *renderer, r *run, open bool, w int) []string {
	in, version := c.contents.ofArtifact(k, open, c.art.Parts, r.part), 0
	if in != nil {
		version = in.version()
	}
	p := &c.art.Parts[r.part].Part
	came := k.downloadOf(p) != nil
	if r.chip.lines == nil || r.chip.w != w || r.chip.open != open || r.chip.version != version || r.chip.downloaded != came {
		r.chip = chip{k.chip(p, "", open, in, w), w, open, version, came}
	}
	c.insets = addInset(c.insets, in, r.line+1, len(r.chip.lines)-1)
	return r.chip.lines
}

// document reports whether the text of run i is complete and a table or a tree.
func (c *content) document(k *renderer, i int) bool {
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
		r.doc.undeclared = f != media.JSON && f != media.CSV && f != media.Code && looksJSON(text)
		if r.doc.undeclared {
			f = media.JSON
		}
		r.doc.inset, r.doc.size = insetOf(k.st, text, f), size
	}
	return r.doc.inset != nil
}

// undeclaredJSON reports whether some text is, or could be, shown as JSON although nothing
// declares it as such.
func (c *content) undeclaredJSON() bool {
	return slices.ContainsFunc(c.runs, func(r run) bool { return r.doc.undeclared && r.doc.inset != nil })
}

func (c *content) restyle(st *styles.Styles) {
	for i := range c.runs {
		c.runs[i].chip = chip{}
		if c.runs[i].text != nil {
			c.runs[i].text.restyle(st)
		}
	}
	c.contents.restyle(st)
}

func (c *content) streams(w int, yield func(*markdown.Stream, int)) {
	for i := range c.runs {
		if t := c.runs[i].text; t != nil && t.md != nil && !c.runs[i].doc.shown {
			yield(t.md, w)
		}
	}
	c.contents.streams(w, yield)
}

// recordAt returns the record that brought the content of a drawn line, 0 if there is none.
func (c *content) recordAt(lines []string, line int) a2a.RecordID {
	i := c.runAt(line)
	if i < 0 {
		return 0
	}
	r := &c.runs[i]
	if r.text == nil {
		return c.art.Parts[r.part].Record
	}
	at, ok := c.lineOffset(lines, line)
	if !ok {
		at = r.from
	}
	return c.art.RecordAt(at)
}

// trace returns the positions in the artifact's text of the lines of run i, and the offset from
// which they count.
func (c *content) trace(lines []string, i int) (shown []lineTrace, from int) {
	r := &c.runs[i]
	end := len(lines)
	if i+1 < len(c.runs) {
		end = min(c.runs[i+1].line, end)
	}
	from = r.from + r.text.hiddenBytes()
	if from != r.traceFrom {
		r.tracer, r.traceFrom = tracer{}, from
	}
	return r.tracer.trace(lines[min(r.line+r.skip, end):end], c.art.Text[from:]), from
}

// lineAt returns the drawn line of an anchor.
func (c *content) lineAt(lines []string, at model.Anchor) int {
	found := 0
	at.Offset = firstWordOffset(c.art, at.Offset)
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
			found = r.line + insetAt(c.insets, r.line).lineOf(at.Offset-r.from)
			continue
		}
		shown, from := c.trace(lines, i)
		for j := range shown {
			if shown[j].covers(at.Offset - from) {
				return r.line + r.skip + j
			}
			if j == 0 || shown[j].from+from <= at.Offset {
				found = r.line + r.skip + j
			}
		}
	}
	return found
}
