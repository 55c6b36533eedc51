// Package longtext keeps long texts out of what encodes and formats JSON, and puts them into the document
// afterwards. An encoder grows its buffer as it goes, which takes several times the memory of a text of megabytes.
package longtext

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// least is the length in bytes from which a text is kept out.
const least = 64 << 10

// Texts are the texts that were kept out of a document. The zero Texts are empty.
type Texts struct {
	name string // that no text contains
	all  []text
}

// A text is the inside of a JSON string, or what is to be one.
type text struct {
	plain   string
	encoded []byte // nil for a plain one
}

// Keep returns what the encoder gets in place of a text: the text itself if it is short, or if t is nil.
func (t *Texts) Keep(s string) string {
	if t == nil || len(s) < least {
		return s
	}
	return t.add(text{plain: s})
}

// add returns what stands for a text.
func (t *Texts) add(kept text) string {
	if t.name == "" {
		t.name = "long-" + rand.Text() + "-"
	}
	t.all = append(t.all, kept)
	return t.name + strconv.Itoa(len(t.all)-1) + "."
}

// Cut returns a document without its long strings, which t keeps: they share the memory of the document.
func (t *Texts) Cut(doc []byte) []byte {
	var out []byte
	rest := doc
	for at := 0; at < len(rest); {
		begin := bytes.IndexByte(rest[at:], '"')
		if begin < 0 {
			break
		}
		begin += at + 1
		end := begin + closing(rest[begin:])
		if end-begin >= least {
			out = append(append(out, rest[:begin]...), t.add(text{encoded: rest[begin:end:end]})...)
			rest, at = rest[end:], 1
			continue
		}
		at = end + 1
	}
	if out == nil {
		return doc
	}
	return append(out, rest...)
}

// closing returns where the quotation mark that ends a JSON string is, at the end without one.
func closing(s []byte) int {
	for at := 0; ; {
		n := bytes.IndexAny(s[at:], `"\\`)
		switch {
		case n < 0:
			return len(s)
		case s[at+n] == '"':
			return at + n
		}
		at = min(at+n+2, len(s)) // past what is escaped
	}
}

// Insert returns a document with the texts in place of what [Texts.Keep] returned for them, encoded as
// encoding/json does without escapes for HTML.
func (t *Texts) Insert(doc []byte) []byte {
	if len(t.all) == 0 {
		return doc
	}
	size := len(doc)
	for i := range t.all {
		n := len(t.all[i].plain) + len(t.all[i].encoded)
		size += n + n/16 // for escapes
	}
	out := make([]byte, 0, size)
	put := func(piece []byte) { out = append(out, piece...) }
	t.Pieces(doc, put, put)
	return out
}

// Pieces passes on a document with the texts, as [Texts.Insert] returns it: what is around the texts, and the texts
// in pieces that do not divide a character or an escape. A piece is valid until the function returns.
func (t *Texts) Pieces(doc []byte, around, inside func(piece []byte)) {
	for len(t.all) > 0 {
		before, after, found := bytes.Cut(doc, []byte(t.name))
		if !found {
			break
		}
		around(before)
		number, rest, _ := bytes.Cut(after, []byte("."))
		if i, err := strconv.Atoi(string(number)); err == nil && i < len(t.all) {
			t.all[i].pieces(inside)
		}
		doc = rest
	}
	around(doc)
}

// pieces passes on the inside of a JSON string.
func (t *text) pieces(put func([]byte)) {
	for s := t.encoded; len(s) > 0; {
		n := whole(s)
		put(s[:n])
		s = s[n:]
	}
	var piece bytes.Buffer
	encoder := json.NewEncoder(&piece)
	encoder.SetEscapeHTML(false)
	for s := t.plain; len(s) > 0; {
		n := min(len(s), least)
		for n < len(s) && n > least-utf8.UTFMax && !utf8.RuneStart(s[n]) {
			n--
		}
		piece.Reset()
		_ = encoder.Encode(s[:n]) // a string cannot fail
		put(bytes.TrimSuffix(piece.Bytes(), []byte("\"\n"))[1:])
		s = s[n:]
	}
}

// whole returns the length of a piece of an encoded string that ends before a character, and before or after an
// escape.
func whole(s []byte) int {
	if len(s) <= least {
		return len(s)
	}
	n := least
	for n > least-utf8.UTFMax && !utf8.RuneStart(s[n]) {
		n--
	}
	const escape = len(`\u0000`)
	for at := max(0, n-2*escape); at < n; at++ { // a surrogate pair is two escapes
		if s[at] == '\\' && backslashes(s[:at])%2 == 0 {
			return at
		}
	}
	return n
}

// backslashes returns how many there are at the end of s.
func backslashes(s []byte) int { return len(s) - len(bytes.TrimRight(s, `\`)) }
