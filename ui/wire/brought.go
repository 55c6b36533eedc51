package wire

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A content is what a row says about its record, safe to draw.
type content struct {
	what, tail string       // see [log.Words]
	paint      styles.Paint // of both
	brought    string       // painted: what the record brought
	gain       string       // how much it adds to an artifact, in place of the record's size
	ditto      bool         // it goes on where the row before it ends, so only what is new is said
}

// content returns what the row of a record says, for w cells.
func (p *Pane) content(it *log.Item, w int) content {
	c := p.recordContent(it, w)
	if p.Comment(it.Record.ID) != "" {
		c.what = p.st.G[styles.Comment] + " " + c.what
	}
	return c
}

// recordContent is content without what the user wrote.
func (p *Pane) recordContent(it *log.Item, w int) content {
	c := content{paint: p.paint(it)}
	c.what, c.tail = p.words(it)
	switch e, ok := log.Extends(it); {
	case ok:
		c.gain, c.tail = units.Bytes(e.Bytes), ""
		c.ditto = p.Comment(it.Record.ID) == "" && p.continues(it, e)
		if c.what = p.st.G[styles.File] + " " + p.clean(e.Name); c.ditto {
			c.what = ""
		}
		if brought := log.Brought(it, bytesFor(w)); brought != e.Name { // a file of that name
			c.brought = p.oneLine(brought, p.st.Agent)
		}
		if p.rows.isNewChunk(it.Record.ID) {
			c.brought = canvas.Highlight(c.brought, p.st.NewChunk)
		}
	case it.Record.Kind == a2a.KindRequest:
		c.brought = p.oneLine(log.Brought(it, bytesFor(w)), p.st.User)
	case it.Record.Kind == a2a.KindEvent || it.Record.Kind == a2a.KindBody:
		c.what = strings.TrimPrefix(c.what, a2a.EventStatus.String()+" ")
		said := log.Brought(it, bytesFor(w))
		if said != "" && strings.HasPrefix(c.what, a2a.EventMessage.String()+" ") { // the words say less of the same
			c.what = a2a.EventMessage.String()
		}
		c.brought = p.oneLine(said, p.st.Text)
	}
	return c
}

// continues reports whether an extension follows that in the row of its exchange before it.
func (p *Pane) continues(it *log.Item, e log.Extension) bool {
	before := p.before(&it.Record)
	if before == 0 || !p.rows.listed.has(before) {
		return false
	}
	last, ok := log.Extends(p.rows.log.At(before))
	return ok && e.Continues(last)
}

// bytesFor returns how many bytes of a text are enough for w cells: a character has at most a few, and one that
// takes no cell is spelled out or left out.
func bytesFor(w int) int { return 8*max(w, 0) + 64 }

// oneLine draws a text in one row: line ends and the spaces at its ends are visible.
func (p *Pane) oneLine(text string, paint styles.Paint) string {
	if text == "" {
		return ""
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	body := strings.TrimLeft(text, " ")
	lead := len(text) - len(body)
	text = strings.TrimRight(body, " ")
	trail := len(body) - len(text)
	space, end := p.st.G[styles.Space], p.st.Faint.S(p.st.G[styles.Newline])
	var b strings.Builder
	b.WriteString(p.st.Faint.S(strings.Repeat(space, lead)))
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteString(end)
		}
		b.WriteString(paint.S(canvas.SanitizeLine(line)))
	}
	b.WriteString(p.st.Faint.S(strings.Repeat(space, trail)))
	return b.String()
}

// text draws a content in w cells: the words, and behind them what the record brought. Where both have no room,
// the name of an artifact is shortened; any other words stay whole.
func (p *Pane) text(c content, w int) string {
	dots := p.st.G[styles.Ellipsis]
	if c.brought == "" {
		return c.paint.S(p.shortenWords(c.what, c.tail, w))
	}
	if c.ditto {
		return canvas.Ellipsize(c.brought, w, dots)
	}
	what := c.what + c.tail
	left := w - canvas.Width(what) - len(nearGap)
	if c.gain != "" { // a name gives way to what is new
		if least := min(canvas.Width(c.brought), w/2); left < least {
			what = canvas.Ellipsize(what, w-least-len(nearGap), dots)
		}
	} else if left < leastBrought {
		return c.paint.S(p.shortenWords(c.what, c.tail, w))
	}
	return canvas.Ellipsize(c.paint.S(what)+nearGap+c.brought, w, dots)
}

// leastBrought is how many cells of what a record brought are worth showing.
const leastBrought = 6

// nearGap separates the words of a row from what its record brought.
const nearGap = "  "

// Gaps that are conspicuous in a row: longer than nearly all others of their stream, by far, and long
// enough for somebody to notice. Fewer than usualGaps tell nothing of what is usual: there only a [longPause]
// is one.
const (
	mostGaps   = 0.95
	gapFactor  = 2 // of the median
	leastNoted = 100 * time.Millisecond
	leastGap   = time.Millisecond // that has a bar
	usualGaps  = 3
)

// gapBar draws how long nothing came before a record, beside the gaps of its stream: that of a steady stream is
// half as high as its row.
func (p *Pane) gapBar(r *a2a.Record) string {
	from, ok := p.origin(r, sincePrevious)
	gap := r.Time.Sub(from)
	if !ok || r.Dir != a2a.In || gap < leastGap {
		return ""
	}
	s := p.rows.log.Stream(r.Exchange)
	if s == nil || s.Gaps.Count == 0 {
		return ""
	}
	top, noted := gapFactor*s.Gaps.Quantile(0.5), leastNoted
	if s.Gaps.Count < usualGaps {
		top, noted = leastNoted, longPause
	}
	top = max(top, s.Gaps.Quantile(mostGaps), leastGap)
	paint := p.st.Faint
	if gap >= max(top, noted) {
		paint = p.st.Waiting
	}
	return paint.S(p.st.G.Spark(int(gap/time.Microsecond), int(top/time.Microsecond)))
}
