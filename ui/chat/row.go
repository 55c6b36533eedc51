package chat

import (
	"strings"

	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// edgeWidth is the width of the bar at the left and the space behind it.
const edgeWidth = 2

// A gap is the space between a row and the one above.
type gap uint8

const (
	tight  gap = iota // nothing
	inside            // a line with the bar: same block
	apart             // a line without: another turn or block
)

// A drawing is a drawn body: lines without the bar, in order head, body, foot.
type drawing struct {
	head, body, foot []string
	// rule is painted in front of each line of body; it is ruleWidth cells wide.
	rule      string
	ruleWidth int
	// insets are the insets in body.
	insets []insetLines
	// live marks the last line of body as a growing end.
	live bool
	// card is the paint of the edge of a card, on a ground of its own: what somebody must act on. Empty for
	// others.
	card styles.Paint
	// mark belongs to body if all of it is one rendered text.
	mark markdown.Mark
}

// A body is the content of a row.
type body interface {
	// draw draws the body for lines of w cells.
	draw(k *renderer, w int) drawing
	// record returns the record that built it, 0 if there is none.
	record() a2a.RecordID
	// copyText returns the text to copy.
	copyText() string
	// facts returns further properties, for the details.
	facts() []fact
	// fold returns the switch that unfolds more of the body, nil if all is shown.
	fold() *bool
}

// plainBody is embedded in a body without text to copy, details or a fold.
type plainBody struct{}

func (plainBody) copyText() string { return "" }
func (plainBody) facts() []fact    { return nil }
func (plainBody) fold() *bool      { return nil }

// An entryBody is the body of an entry of a block. Blocks move their entries when they grow, so
// pointers to them are not kept.
type entryBody struct {
	plainBody
	block *model.Block
	i     int
}

func (p entryBody) entry() *model.Entry  { return &p.block.Entries[p.i] }
func (p entryBody) record() a2a.RecordID { return p.entry().Record }

// A row is one selectable thing in the conversation.
type row struct {
	body body
	turn *model.Turn
	// block and entry are indexes as in a [model.Anchor]; entry is -1 in the
	// head of a block, both are -1 in a turn's own message.
	block, entry int
	index        int // among all rows

	renderer *renderer
	edge     styles.Paint
	gap      gap
	rev      uint64 // unique among all rows of the pane
	stamp    uint64 // version of the content
	count    int    // of entries and chunks, to tell how many are new
	// detail is set while the facts are shown.
	detail bool

	w         int
	drawnRev  uint64 // rev for which out was drawn
	out       []string
	bodyLines []string      // the body's lines as they were when out was drawn
	mark      markdown.Mark // of bodyLines
	insets    []insetLines  // in bodyLines
	bodyStart int           // index in out of the first line of the body
	start     int           // index in out of the first line below the gap
}

// Version implements list.Item.
func (r *row) Version() uint64 { return r.rev }

// Lines implements list.Item.
func (r *row) Lines(w int) []string {
	if r.drawnRev == r.rev && r.w == w {
		return r.out
	}
	d := r.body.draw(r.renderer, max(w-edgeWidth, 1))
	r.insets = d.insets
	if r.detail {
		for _, fact := range r.renderer.facts(r.body.facts(), max(w-edgeWidth-d.ruleWidth, 1)) {
			if r.byLine() { // its end may be far below
				d.head = append(d.head, d.rule+fact)
			} else {
				d.foot = append(d.foot, fact)
			}
		}
		if r.byLine() {
			d.head = append(d.head, d.rule)
		}
	}
	keep := r.unchangedLines(d, w)
	r.decorate(d, w, keep)
	r.w, r.drawnRev = w, r.rev
	return r.out
}

// unchangedLines returns how many lines of the body are already drawn.
func (r *row) unchangedLines(d drawing, w int) int {
	above := len(d.head) + r.blanks()
	if w != r.w || r.bodyStart != above {
		return 0
	}
	n := min(len(r.bodyLines), len(d.body))
	same := min(d.mark.Unchanged(r.mark), n)
	for same < n && r.bodyLines[same] == d.body[same] {
		same++
	}
	if same == len(r.bodyLines) || d.live && same == len(d.body) {
		same-- // its last line may have had, or get, the block cursor
	}
	return max(same, 0)
}

// decorate draws bar, gap and rule around d. The first keep lines of the body stay as they are.
func (r *row) decorate(d drawing, w, keep int) {
	edge, ground := r.edge, styles.Paint{}
	if d.card.On != "" {
		edge, ground = d.card, r.renderer.st.Band
		if r.renderer.st.Theme.Colorless() { // an underlined bar is none
			edge = r.renderer.st.Bold
		}
	} else if _, own := r.body.(*userMessage); own {
		ground = r.renderer.st.Band
	}
	bar := edge.S(r.renderer.st.G[styles.Bar])
	line := func(s string) string { return canvas.Highlight(canvas.Fit(bar+" "+s, w), ground) }
	marked := func(s string) string { return line(r.renderer.truncate(s, w-edgeWidth)) }
	if keep > 0 {
		r.out = r.out[:0] // the kept lines stay where they are
	} else {
		r.out = make([]string, 0, 1+len(d.head)+len(d.body)+len(d.foot))
	}
	for range r.blanks() {
		if r.gap == apart {
			r.out = append(r.out, canvas.Fit("", w))
		} else {
			r.out = append(r.out, line(""))
		}
	}
	r.start = len(r.out)
	for _, s := range d.head {
		r.out = append(r.out, marked(s))
	}
	r.bodyStart = len(r.out)
	r.out = r.out[:r.bodyStart+keep]
	for i, s := range d.body[keep:] {
		if d.live && keep+i == len(d.body)-1 {
			s = r.withCursor(s, w-edgeWidth-d.ruleWidth)
		}
		r.out = append(r.out, line(d.rule+s))
	}
	r.bodyLines, r.mark = append(r.bodyLines[:keep], d.body[keep:]...), d.mark
	for _, s := range d.foot {
		r.out = append(r.out, marked(s))
	}
}

// withCursor returns the last line of a growing text with the block cursor behind it.
func (r *row) withCursor(s string, w int) string {
	s = canvas.Ellipsize(strings.TrimRight(s, " "), max(w-1, 0), "")
	return s + r.renderer.st.Cursor.S(" ")
}

// streamer is a body with Markdown to render.
type streamer interface {
	restyle(*styles.Styles)
	// streams calls yield with each stream and the width it is drawn at.
	streams(w int, yield func(*markdown.Stream, int))
}
