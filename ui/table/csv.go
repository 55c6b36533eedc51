package table

import (
	"bytes"
	"strings"
)

const (
	// maxQuoted is the size, in bytes, of the longest quoted value. A quote that is not closed
	// within that is taken literally.
	maxQuoted = 64 << 10
	// maxSniffBytes is how much of the first line is read to detect the separator.
	maxSniffBytes = 4 << 10
)

// csv is text with one row per line (RFC 4180), or in one of its variants.
type csv struct {
	text  []byte
	mark  int // length of a byte order mark before the text
	comma byte
	at    []int // offsets of the rows
}

// CSV returns the table in a text whose first row contains the column names. comma is the
// separator; 0 means that it is detected from the first line. The result is false if there is
// no second row. The caller must not change the text.
func CSV(text []byte, comma byte) (*Table, bool) {
	size := len(text)
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if comma == 0 {
		comma = sniff(text)
	}
	c := &csv{text: text, mark: size - len(text), comma: comma}
	for at := 0; at < len(text); {
		if end := c.lineEnd(at); blankLine(text[at:end]) {
			at = end
			continue
		}
		c.at = append(c.at, at)
		at = c.end(at)
	}
	if len(c.at) < 2 {
		return nil, false
	}
	names := c.split(c.at[0])
	for i := 1; i < min(len(c.at), sampleRows) && len(names) < MaxColumns; i++ {
		for n := len(c.split(c.at[i])); len(names) < n; {
			names = append(names, "")
		}
	}
	c.at = c.at[1:]
	return newTable(columnNames(names[:min(len(names), MaxColumns)]), c), true
}

// sniff returns the most likely separator.
func sniff(text []byte) byte {
	line := text[:min(len(text), maxSniffBytes)]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	best, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = c, n
		}
	}
	return best
}

func blankLine(line []byte) bool { return len(bytes.TrimRight(line, "\r\n")) == 0 }

// lineEnd returns the end of the line that contains at, including its line feed.
func (c *csv) lineEnd(at int) int {
	if i := bytes.IndexByte(c.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(c.text)
}

// end returns the end of the row at an offset.
func (c *csv) end(at int) int {
	end := c.lineEnd(at)
	if bytes.IndexByte(c.text[at:end], '"') < 0 {
		return end
	}
	for at < len(c.text) {
		value, next, last := c.value(at)
		at = next
		if last || value == nil {
			break
		}
	}
	return at
}

// value returns the unchanged value at an offset, the offset of the next value or row, and
// whether the value is the last of its row.
func (c *csv) value(at int) (value []byte, next int, last bool) {
	from := at
	if at < len(c.text) && c.text[at] == '"' {
		if end := c.closingQuote(at + 1); end > 0 {
			at = end // behind the quote; text after it belongs to the value too
		}
	}
	i := bytes.IndexAny(c.text[at:], string([]byte{c.comma, '\n'}))
	if i < 0 {
		return c.text[from:], len(c.text), true
	}
	end := at + i
	if c.text[end] == '\n' {
		return bytes.TrimSuffix(c.text[from:end], []byte{'\r'}), end + 1, true
	}
	return c.text[from:end:end], end + 1, false
}

// closingQuote returns the offset behind the quote that closes a value at an offset, 0 if there
// is none.
func (c *csv) closingQuote(at int) int {
	limit := min(at+maxQuoted, len(c.text))
	for at < limit {
		i := bytes.IndexByte(c.text[at:limit], '"')
		if i < 0 {
			return 0
		}
		if at += i + 1; at >= len(c.text) || c.text[at] != '"' {
			return at
		}
		at++
	}
	return 0
}

// plain returns the content of a value: without its quotes, and with doubled quotes made
// single.
func plain(value []byte, most int) string {
	if most > 0 {
		value = value[:min(len(value), 2*most)]
	}
	s := string(value)
	if rest, ok := strings.CutPrefix(s, `"`); ok {
		if i := strings.LastIndexByte(rest, '"'); i >= 0 {
			s = rest[:i] + rest[i+1:]
		} else if most > 0 {
			s = rest // the closing quote was cut off
		}
		s = strings.ReplaceAll(s, `""`, `"`)
	}
	if most > 0 {
		s = s[:min(len(s), most)]
	}
	return s
}

// split returns the values of the row at an offset.
func (c *csv) split(at int) []string {
	var out []string
	for {
		value, next, last := c.value(at)
		out = append(out, plain(value, 0))
		if at = next; last || len(out) > MaxColumns {
			return out
		}
	}
}

func (c *csv) len() int { return len(c.at) }

func (c *csv) cells(i int, cells []Cell, most int) {
	at, done := c.at[i], false
	for j := range cells {
		if done {
			cells[j] = Cell{None: true}
			continue
		}
		value, next, last := c.value(at)
		if j == len(cells)-1 && !last { // the last column takes all surplus values
			value = bytes.TrimRight(c.text[at:c.end(at)], "\r\n")
		}
		text := plain(value, most)
		cells[j] = Cell{Text: text, Number: number(text)}
		at, done = next, last
	}
}

func (c *csv) span(i int) (from, to int) {
	from = c.at[i]
	return c.mark + from, c.mark + from + len(bytes.TrimRight(c.text[from:c.end(from)], "\r\n"))
}
