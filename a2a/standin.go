package a2a

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley/a2a/jsontok"
)

// subscripts are the digits of stand-ins. No id or address has them by chance, so that a digit which
// follows a stand-in is not taken for its end.
const subscripts = "₀₁₂₃₄₅₆₇₈₉"

// standIn returns the mask with a number, "•••₁", that takes the place of a secret in an id, a cursor
// or an address. Equal secrets have equal numbers, different ones different numbers, so that ids can be
// compared as they are shown; [Secrets.Restore] puts the secret in again before something is sent. The
// number is the order in which secrets came, and tells nothing about them.
func (s *Secrets) standIn(original string) (shown string, number int) {
	if s == nil || original == "" {
		return Mask, 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n, known := s.numbers[original]
	if !known {
		if len(s.numbers) == maxStandIns {
			return Mask, 0
		}
		if s.numbers == nil {
			s.numbers, s.originals = map[string]int{}, map[int]string{}
		}
		s.last++
		n = s.last
		s.numbers[original], s.originals[n] = n, original
	}
	return Mask + inSubscripts(n), n
}

// Reserve keeps numbers up to the last one from being given: those of a session that an earlier run of
// the program recorded, whose secrets are not known.
func (s *Secrets) Reserve(last int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, last)
}

// Shown returns the text in the place of the original.
func (r *Redaction) Shown() string {
	if r.Number == 0 {
		return Mask
	}
	return Mask + inSubscripts(r.Number)
}

// CutMask slices a text around its first mask, of which the number of a stand-in is a part.
func CutMask(text string) (before, after string, found bool) {
	before, after, found = strings.Cut(text, Mask)
	_, length := fromSubscripts(after)
	return before, after[length:], found
}

// SplitMasks slices a text into what stands between its masks.
func SplitMasks(text string) (pieces []string) {
	for {
		before, after, found := CutMask(text)
		pieces = append(pieces, before)
		if !found {
			return pieces
		}
		text = after
	}
}

// PlainMasks returns a text with masks in place of its stand-ins. Their numbers belong to one run, so that
// texts of several runs are compared without them.
func PlainMasks(text string) string { return strings.Join(SplitMasks(text), Mask) }

// isMask reports whether a text is a mask or a stand-in and nothing else.
func isMask(text string) bool {
	rest, is := strings.CutPrefix(text, Mask)
	_, length := fromSubscripts(rest)
	return is && length == len(rest)
}

// hasMask reports whether a text has a mask, perhaps as escapes of JSON.
func hasMask(text []byte) bool {
	return bytes.Contains(text, []byte(Mask)) || bytes.Contains(text, []byte(`\u2022`))
}

// maxStandIns is how many secrets have numbers. The others share one mask.
const maxStandIns = 4096

// inside reports whether a span lies in another one.
func (s span) inside(in span) bool { return in.off <= s.off && s.end <= in.end }

// inSubscripts writes a number in subscript digits.
func inSubscripts(n int) string {
	digits := []rune(subscripts)
	var b strings.Builder
	for _, d := range strconv.Itoa(n) {
		b.WriteRune(digits[d-'0'])
	}
	return b.String()
}

// maxNumber limits the number of a stand-in that is read.
const maxNumber = 1 << 30

// fromSubscripts reads the number at the beginning of a text, 0 if there is none.
func fromSubscripts(text string) (n, length int) {
	digits := []rune(subscripts)
	for i, r := range text {
		d := slices.Index(digits, r)
		if d < 0 {
			return n, i
		}
		n = min(10*n+d, maxNumber)
	}
	return n, len(text)
}

// Restore returns a text as it is sent: with the secrets for which stand-ins are in it. It reports false
// if a mask is left, whose secret is unknown: one of an earlier run of the program, or one that is not
// in an id or address.
func (s *Secrets) Restore(text string) (string, bool) {
	return s.restore(text, func(original string) string { return original })
}

// restore is Restore with a function that writes a secret as the text needs it.
func (s *Secrets) restore(text string, write func(original string) string) (string, bool) {
	if !strings.Contains(text, Mask) {
		return text, true
	}
	var b strings.Builder
	whole := true
	for {
		before, after, found := strings.Cut(text, Mask)
		b.WriteString(before)
		if !found {
			return b.String(), whole
		}
		n, length := fromSubscripts(after)
		if original, known := s.original(n); known {
			b.WriteString(write(original))
		} else {
			b.WriteString(Mask + after[:length])
			whole = false
		}
		text = after[length:]
	}
}

// original returns the secret of a number.
func (s *Secrets) original(n int) (string, bool) {
	if s == nil {
		return "", false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	original, known := s.originals[n]
	return original, known
}

// identities returns the positions of strings in a body that are ids, cursors or addresses, without
// their quotes.
func identities(body []byte) []span {
	var found []span
	var doc jsontok.Doc
	_ = doc.Parse(body) // of an incomplete body, what is there
	var visit func(n jsontok.Node, name string)
	visit = func(n jsontok.Node, name string) {
		switch n.Kind() {
		case jsontok.Object:
			for member, value := range n.Members() {
				visit(value, member)
			}
		case jsontok.Array:
			for e := range n.Elems() {
				visit(e, name)
			}
		case jsontok.String:
			if raw := n.Raw(); identityName(name) && len(raw) > 2 && raw[len(raw)-1] == '"' {
				found = append(found, span{off: n.Offset() + 1, end: n.Offset() + len(raw) - 1})
			}
		}
	}
	visit(doc.Root(), "")
	return found
}

// idLines returns the positions of the ids in the raw lines of an event.
func idLines(raw []byte) (found []span) {
	at := 0
	for line := range bytes.Lines(raw) {
		if bytes.HasPrefix(line, []byte("id:")) {
			found = append(found, span{off: at + len("id:"), end: at + len(bytes.TrimRight(line, "\r\n"))})
		}
		at += len(line)
	}
	return found
}

// identityName reports whether a member of that name holds an id, a cursor or an address.
func identityName(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "id", "ids", "url", "uri", "urls", "uris", "cursor", "tenant", "href", "endpoint", "issuer":
		return true
	case "token":
		return len(words) > 1 && slices.Contains(secretEnds["token"], words[len(words)-2])
	}
	return false
}

// standIn describes a secret of an address, of which all is masked.
func (m *masker) standIn(name, original string) (shown string, gone Redaction) {
	gone = m.redaction(name, original)
	shown, gone.Number = m.vault.standIn(original)
	return shown, gone
}

// numbered merges spans and gives those in identities their stand-ins. Quoted is set if the text is
// JSON, in which secrets are escaped.
func (m *masker) numbered(spans, identities []span, text []byte, quoted bool) []span {
	if len(spans) == 0 {
		return spans
	}
	spans = mergeSpans(spans)
	for i := range spans {
		s := &spans[i]
		from := 0
		if i > 0 {
			from = spans[i-1].end
		}
		*s = s.widened(text, from)
		if s.as != "" || !s.foreign && !slices.ContainsFunc(identities, s.inside) {
			continue
		}
		original := string(text[s.off:s.end])
		if quoted {
			original = string(unescaped(text[s.off:s.end]))
		}
		s.as, s.number = m.vault.standIn(original)
	}
	return spans
}

// subscriptsLength returns how many bytes at the beginning of a text are subscript digits, also as
// escapes of JSON.
func subscriptsLength(text []byte) (length int) {
	for length < len(text) {
		r, size := readRune(text[length:])
		if r < '₀' || r > '₉' {
			break
		}
		length += size
	}
	return length
}

// unescaped returns the text of a part of a string of JSON.
func unescaped(raw []byte) []byte {
	plain := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); {
		r, size := readEscape(raw[i:])
		plain = appendEscaped(plain, raw[i], r, size)
		i += size
	}
	return plain
}

// writtenMask names a mask that another party wrote.
const writtenMask = "a mask that was written"

// foreignMasks appends the positions of masks that another party wrote: with a number anywhere, and
// without one in identities. They get stand-ins too, so that [Secrets.Restore] returns what came, and
// nobody can ask for a secret by its number.
func foreignMasks(spans, identities []span, text []byte) []span {
	if !hasMask(text) {
		return spans
	}
	for i := 0; i < len(text); {
		length, bullets := bulletsLength(text[i:])
		if bullets == 0 {
			_, size := readEscape(text[i:])
			i += size
			continue
		}
		s := span{off: i, end: i + length, name: writtenMask, foreign: true}
		i = s.end
		numbered := subscriptsLength(text[s.end:]) > 0
		if bullets >= utf8.RuneCountInString(Mask) && (numbered || slices.ContainsFunc(identities, s.inside)) {
			spans = append(spans, s)
		}
	}
	return spans
}

// bulletsLength returns how many bytes at the beginning of a text are bullets, also as escapes of JSON,
// and how many bullets there are.
func bulletsLength(text []byte) (length, count int) {
	for length < len(text) {
		r, size := readRune(text[length:])
		if r != '•' {
			break
		}
		length, count = length+size, count+1
	}
	return length, count
}

// readRune reads a character of a text, which may be an escape of JSON.
func readRune(text []byte) (r rune, size int) {
	if r, size = readEscape(text); size == 1 {
		return utf8.DecodeRune(text)
	}
	return r, size
}

// widened returns a span with the bullets before it and the subscript digits after it: beside a mask
// they would be read as a part of it. It begins at from at the earliest.
func (s span) widened(text []byte, from int) span {
	for {
		before := text[from:max(s.off, from)]
		switch {
		case bytes.HasSuffix(before, []byte("•")):
			s.off -= len("•")
		case bytes.HasSuffix(before, []byte(`\u2022`)) && !endsEscaped(before[:len(before)-len(`\u2022`)]):
			s.off -= len(`\u2022`)
		default:
			s.end += subscriptsLength(text[s.end:])
			return s
		}
	}
}

// endsEscaped reports whether a backslash at the end of a text escapes what follows.
func endsEscaped(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}
