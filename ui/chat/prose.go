package chat

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"

	"parley/ui/markdown"
	"parley/ui/styles"
)

// maxMarkdown is the size from which a text is drawn without rendering, which would take
// seconds.
const maxMarkdown = 1 << 20

// prose is text of an agent, drawn as Markdown or unchanged. When it grows, only what is new
// costs anything.
type prose struct {
	md     *markdown.Stream // nil for text that is drawn unchanged
	plain  plain
	fed    int    // bytes that md has
	resets uint64 // of the text that is drawn
}

// update sets the present text. resets grows when text does not continue the earlier text; live
// says that more may come.
func (p *prose) update(text []byte, resets uint64, live bool) {
	if len(text) > maxMarkdown && p.md != nil {
		p.md, p.resets = nil, resets
	}
	if p.md == nil {
		if resets != p.resets {
			p.plain = plain{}
		}
		p.plain.text, p.resets = text, resets
		return
	}
	if resets != p.resets {
		p.md.Reset(text)
	} else if p.fed < len(text) {
		p.md.Append(text[p.fed:])
	}
	p.fed, p.resets = len(text), resets
	if !live {
		p.md.Close()
	}
}

// lines returns the text in lines of at most w cells, valid until the next call.
func (p *prose) lines(k *renderer, w int) []string {
	if p.md != nil {
		return p.md.Lines(w)
	}
	return p.plain.lines(k, w)
}

// version implements partContent.
func (p *prose) version() int {
	if p.md == nil {
		return 0
	}
	return int(p.md.Version())
}

// mark returns the mark of the lines that were returned last.
func (p *prose) mark() markdown.Mark {
	if p.md == nil {
		return markdown.Mark{}
	}
	return p.md.Mark()
}

// restyle changes the styles.
func (p *prose) restyle(st *styles.Styles) {
	p.plain.w = 0
	if p.md != nil {
		p.md.Restyle(st)
	}
}

// hiddenBytes returns how many bytes before the lines are not drawn.
func (p *prose) hiddenBytes() int { return p.plain.from }

const (
	// maxPlainLine is the length from which an endless line is broken, so that a growing line
	// of megabytes is not wrapped from its beginning each time.
	maxPlainLine = 4 << 10
	// plainWindow is how much of the end of a text is drawn at most; half of it is dropped when
	// there is more.
	plainWindow = 256 << 10
)

// plain wraps a growing text. Lines that have ended are wrapped once.
type plain struct {
	text []byte
	w    int
	from int      // what comes before is not drawn
	at   int      // where the first line begins that is not in rows
	rows []string // of the lines that have ended
	ends []ending // of those lines
}

// An ending is the end of a wrapped line: in the text, and in the rows.
type ending struct{ at, row int }

// shorten drops the beginning of the text. The remaining rows stay if there are any.
func (p *plain) shorten() {
	from := len(p.text) - plainWindow/2
	i := sort.Search(len(p.ends), func(i int) bool { return p.ends[i].at >= from })
	if i == len(p.ends) {
		p.from = from + bytes.IndexByte(p.text[from:], '\n') + 1
		p.w = 0
		return
	}
	gone := p.ends[i].row
	p.from, p.rows, p.ends = p.ends[i].at, slices.Clone(p.rows[gone:]), slices.Clone(p.ends[i+1:])
	for j := range p.ends {
		p.ends[j].row -= gone
	}
}

// wrapped adds the rows of a line, or of a piece of one, that ends at an offset.
func (p *plain) wrapped(rows []string, at int) {
	p.rows, p.at = append(p.rows, rows...), at
	p.ends = append(p.ends, ending{at, len(p.rows)})
}

func (p *plain) lines(k *renderer, w int) []string {
	if len(p.text)-p.from > plainWindow {
		p.shorten()
	}
	if w != p.w {
		p.w, p.at, p.rows, p.ends = w, p.from, nil, nil
	}
	for {
		open := p.text[p.at:]
		end := bytes.IndexByte(open[:min(len(open), maxPlainLine)], '\n')
		switch {
		case end >= 0:
			p.wrapped(k.text(k.st.Text, string(bytes.TrimSuffix(open[:end], []byte{'\r'})), w), p.at+end+1)
		case len(open) > maxPlainLine:
			end = maxPlainLine
			for !utf8.RuneStart(open[end]) && end > maxPlainLine-utf8.UTFMax {
				end--
			}
			p.wrapped(k.text(k.st.Text, string(open[:end]), w), p.at+end)
		case len(open) == 0:
			return p.rows
		default:
			return append(p.rows, k.text(k.st.Text, string(open), w)...)
		}
	}
}
