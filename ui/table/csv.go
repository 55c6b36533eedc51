package table

import (
	"bytes"
	"strings"
)

const (
	// maxQuoted is how long a value in quotes can be. A quote that is not closed within
	// that is one that somebody forgot, and stands for itself.
	maxQuoted = 64 << 10
	// maxSniffed is how much of the first line tells what stands between values.
	maxSniffed = 4 << 10
)

// csv is text with a row on each line (RFC 4180), and what else goes by that name.
type csv struct {
	text  []byte
	mark  int // bytes of a byte order mark in front of it
	comma byte
	at    []int // where rows begin
}

// CSV returns the table that a text is whose first row has the names of the columns.
// comma stands between values; it is looked for in the first line if it is 0. The result
// is false if there is no row below the first. The text must not change.
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
	for i := 1; i < min(len(c.at), sampled) && len(names) < MaxColumns; i++ {
		for n := len(c.split(c.at[i])); len(names) < n; {
			names = append(names, "")
		}
	}
	c.at = c.at[1:]
	return newTable(named(names[:min(len(names), MaxColumns)]), c), true
}

// sniff returns what most likely stands between values.
func sniff(text []byte) byte {
	line := text[:min(len(text), maxSniffed)]
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

// lineEnd returns where the line ends that holds at, with its line feed.
func (c *csv) lineEnd(at int) int {
	if i := bytes.IndexByte(c.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(c.text)
}

// end returns where the row at an offset ends.
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

// value returns the value that begins at an offset as it stands there, where the next one
// or the next row begins, and whether it is the row's last.
func (c *csv) value(at int) (value []byte, next int, last bool) {
	from := at
	if at < len(c.text) && c.text[at] == '"' {
		if end := c.closing(at + 1); end > 0 {
			at = end // behind the quote; what stands there still belongs to the value
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

// closing returns the offset behind the quote that closes what begins at an offset, 0 if
// there is none.
func (c *csv) closing(at int) int {
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

// plain returns what a value says: without its quotes, and with one for two in it.
func plain(value []byte, most int) string {
	if most > 0 {
		value = value[:min(len(value), 2*most)]
	}
	s := string(value)
	if rest, ok := strings.CutPrefix(s, `"`); ok {
		if i := strings.LastIndexByte(rest, '"'); i >= 0 {
			s = rest[:i] + rest[i+1:]
		} else if most > 0 {
			s = rest // the closing one is further behind
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
		if j == len(cells)-1 && !last { // and all that no column is for
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
