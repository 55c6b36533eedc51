package chat

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A scrub shows an artifact as it was after one of its chunks, with what the chunk changed. The
// text is as the agent sent it, because an incomplete Markdown text would be rendered otherwise
// with every chunk.
type scrub struct {
	row    *row
	chunks []model.Chunk
	at     int
	line   int // of the body: the last one of the change
}

const (
	// scrubBytes is how much of a change, and of the text before and behind it, is drawn at most:
	// more than a window.
	scrubBytes = 32 << 10
	// scrubOld is how many lines of what was replaced are drawn.
	scrubOld = 5
)

// stepScrub shows the artifact under the cursor after the next chunk, or after the previous one if
// delta is -1. It begins with the chunk under the cursor.
func (p *Pane) stepScrub(delta int) Intent {
	a := p.chunkedText()
	if a == nil {
		return nil
	}
	if s := p.scrub; s != nil {
		if s.at+delta < 0 || s.at+delta >= len(s.chunks) {
			return nil
		}
		s.at += delta
		return p.showScrub(a)
	}
	_, _, _, exact := p.chunkAtCursor()
	record := p.Selected()
	s := &scrub{row: p.row, chunks: a.art.AllChunks()}
	for s.at = len(s.chunks) - 1; s.at > 0 && s.chunks[s.at].Record != record; s.at-- {
	}
	if exact { // its record is selected already
		if s.at+delta < 0 || s.at+delta >= len(s.chunks) {
			return nil
		}
		s.at += delta
	}
	p.scrub, a.scrub = s, s
	return p.showScrub(a)
}

// showScrub draws the chunk, and selects its record.
func (p *Pane) showScrub(a *artifact) Intent {
	p.dirty, p.chunk = true, chunkPosition{}
	p.out.redraw(p.row)
	p.out.invalidate()
	p.row.Lines(p.w)
	p.line = -1 // the words about the chunk …
	p.scrollToCursor()
	p.line = p.scrub.line // … and what it changed
	p.scrollToCursor()
	return RevealRecord{Record: p.Selected()}
}

// endScrub shows the artifact as it is, with the cursor where it was.
func (v *view) endScrub(w int) {
	s := v.scrub
	if s == nil {
		return
	}
	a := s.row.body.(*artifact)
	v.scrub, a.scrub = nil, nil
	v.out.redraw(s.row)
	v.out.invalidate()
	if v.row == s.row {
		s.row.Lines(w)
		c := s.chunks[s.at]
		v.line = max(0, a.content.lineAt(s.row.bodyLines, model.Anchor{Offset: min(c.From, len(a.art.Text))}))
		v.line = min(v.line, len(s.row.bodyLines)-1)
	}
}

// record returns the record of the chunk that is shown.
func (s *scrub) record() a2a.RecordID { return s.chunks[s.at].Record }

// about describes the chunk: chunk 3 of 12 · #107 · +28 B · 14:02:03.120 · +38 ms.
func (s *scrub) about(k *renderer) string {
	c, parts := &s.chunks[s.at], ""
	if n := len(c.Parts) - c.FromPart; n > 0 {
		parts = "+" + units.Plural(n, "part")
	}
	words := []string{"chunk " + strconv.Itoa(s.at+1) + " of " + strconv.Itoa(len(s.chunks)), "#" + strconv.FormatUint(uint64(c.Record), 10)}
	switch {
	case c.Old != nil:
		words = append(words, "replaced "+units.Bytes(int64(len(c.Old.Text)))+" by "+units.Bytes(int64(len(c.Text))), parts)
	case c.To > c.From:
		words = append(words, "+"+units.Bytes(int64(c.To-c.From)), parts)
	default:
		words = append(words, parts)
	}
	if at := k.recordTime(c.Record); !at.IsZero() {
		words = append(words, at.In(k.now.Location()).Format("15:04:05.000"))
		if s.at > 0 {
			if gap := at.Sub(k.recordTime(s.chunks[s.at-1].Record)); gap >= 0 {
				words = append(words, "+"+units.Duration(gap))
			}
		}
	}
	return k.join(words...)
}

// draw draws the content after the chunk in at most h lines of w cells: what came before the
// change, the change, marked, what it replaced, and its parts.
func (s *scrub) draw(k *renderer, w, h int) []string {
	c := &s.chunks[s.at]
	from := max(0, c.From-scrubBytes)
	if i := strings.IndexByte(string(c.Text[from:c.From]), '\n'); from > 0 && i >= 0 {
		from += i + 1
	}
	rows, starts, first, last := markedRows(k, string(c.Text[from:c.From]), string(c.Text[c.From:min(c.To, c.From+scrubBytes)]), string(c.Text[c.To:min(len(c.Text), c.To+scrubBytes)]), w)
	foot := s.old(k, w)
	for i := c.FromPart; i < len(c.Parts); i++ {
		foot = append(foot, k.chip(&c.Parts[i].Part, "", false, nil, w)...)
	}
	room := max(3, h-len(foot))
	if len(rows) > room {
		top := max(0, min(first, last+1-room))
		if last-first+1 > room {
			top = first
		}
		cut := from + starts[top]
		rows, last = rows[top:min(len(rows), top+room)], last-top
		if top > 0 {
			rows[0] = k.beginningNote(cut)
		}
	} else if from > 0 {
		rows = append([]string{k.beginningNote(from)}, rows...)
		last++
	}
	s.line = max(0, min(last, len(rows)-1))
	if len(rows) == 0 && len(foot) == 0 {
		rows = []string{""}
	}
	return append(rows, foot...)
}

// old draws what the chunk replaced.
func (s *scrub) old(k *renderer, w int) (out []string) {
	c := &s.chunks[s.at]
	if c.Old == nil {
		return nil
	}
	gone := c.Old.Text[min(c.From, len(c.Old.Text)) : len(c.Old.Text)-min(len(c.Text)-c.To, len(c.Old.Text)-min(c.From, len(c.Old.Text)))]
	if len(gone) > 0 {
		text, more := firstLines(string(gone), scrubOld)
		out = append(out, k.st.Faint.S(k.truncate("in place of "+units.Bytes(int64(len(gone))), w)))
		for _, line := range k.text(k.st.Dim, text, max(1, w-2)) {
			out = append(out, k.st.Failed.S(k.st.G[styles.Minus])+" "+line)
		}
		if more > 0 {
			out = append(out, k.more(more))
		}
	}
	if n := len(c.Old.Parts); n > 0 {
		out = append(out, k.st.Faint.S(k.truncate("in place of "+units.Plural(n, "part"), w)))
	}
	return out
}

// markedRows wraps three pieces of text, one behind the other, to w cells, with the one in the
// middle marked. It returns where in the text each row begins, and the first and the last row of
// the middle.
func markedRows(k *renderer, before, change, after string, w int) (rows []string, starts []int, first, last int) {
	before, change, after = canvas.Sanitize(before), canvas.Sanitize(change), canvas.Sanitize(after)
	text := before + change + after
	from, to := len(before), len(before)+len(change)
	at := 0 // in text
	first = -1
	for line := range strings.Lines(text) {
		rest := strings.TrimSuffix(line, "\n")
		end := at + len(line)
		for _, row := range canvas.Wrap(rest, max(w, 1)) {
			space := strings.Index(text[at:end], row) // where it was wrapped
			known := space >= 0                       // a character that is wider than w is drawn as another one
			at += max(0, space)
			starts = append(starts, at)
			begin, behind := max(from-at, 0), min(to-at, len(row))
			n := len(row)
			if begin < behind {
				if first < 0 {
					first = len(rows)
				}
				last = len(rows)
				if known {
					row = row[:begin] + k.st.Mark.S(row[begin:behind]) + row[behind:]
				}
			}
			rows = append(rows, row)
			at = min(at+n, end)
		}
		at = end
	}
	if first < 0 { // it has only line ends, or nothing
		first, last = max(0, len(rows)-1), max(0, len(rows)-1)
	}
	return rows, starts, first, last
}

// recordTime returns when a record came, the zero time if that is not known.
func (k *renderer) recordTime(id a2a.RecordID) time.Time {
	if k.timeOf == nil {
		return time.Time{}
	}
	return k.timeOf(id)
}
