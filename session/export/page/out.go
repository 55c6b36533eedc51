package page

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/visible"
)

// An out writes HTML. Its tag writes what this package says, and its text what anybody else
// says.
type out struct{ *bufio.Writer }

func newOut(w io.Writer) *out { return &out{bufio.NewWriterSize(w, 256<<10)} }

// tag writes HTML as it is.
func (o *out) tag(all ...string) {
	for _, s := range all {
		o.WriteString(s)
	}
}

// text writes text of any origin: markup is escaped, and what controls or hides text is visible.
func (o *out) text(s string) { escape(o.Writer, s, true) }

// raw is text for bytes.
func (o *out) raw(b []byte) { escape(o.Writer, string(b), true) }

// line is text in one line.
func (o *out) line(s string) { o.text(visible.Line(s)) }

// number writes the number of a record.
func (o *out) number(id a2a.RecordID) {
	o.Write(strconv.AppendUint(o.AvailableBuffer(), uint64(id), 10))
}

// escapes are the bytes that a text cannot contain as they are.
var escapes = func() (t [256]bool) {
	for c := range 256 {
		t[c] = c < ' ' && c != '\n' && c != '\t' || c == 0x7f || c >= utf8.RuneSelf
	}
	for _, c := range []byte(`&<>"'`) {
		t[c] = true
	}
	return t
}()

// escape writes text as HTML, or HTML that was made of a text without what is unsafe.
func escape(w *bufio.Writer, s string, markup bool) {
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if !escapes[c] || !markup && c < utf8.RuneSelf && c >= ' ' && c != 0x7f {
			i++
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			if r, size = utf8.DecodeRuneInString(s[i:]); !visible.IsUnsafe(r) && (r != utf8.RuneError || size > 1) {
				i += size
				continue
			}
		}
		w.WriteString(s[from:i])
		i += size
		from = i
		switch {
		case r == '&':
			w.WriteString("&amp;")
		case r == '<':
			w.WriteString("&lt;")
		case r == '>':
			w.WriteString("&gt;")
		case r == '"':
			w.WriteString("&#34;")
		case r == '\'':
			w.WriteString("&#39;")
		case r == '\r':
			if i == len(s) || s[i] != '\n' { // a line end of its own
				w.WriteByte('\n')
			}
		case r < ' ':
			w.WriteString(string('␀' + r))
		case r == utf8.RuneError:
			w.WriteString("\ufffd")
		default:
			fmt.Fprintf(w, "⟨U+%04X⟩", r)
		}
	}
	w.WriteString(s[from:])
}
