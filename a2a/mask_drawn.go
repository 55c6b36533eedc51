package a2a

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"parley/a2a/patterns"
	"parley/a2a/plaintext"
)

// DrawnSecrets finds the secrets of a session in text that is about to be shown, after everything that may
// bring a secret together: Markdown, several parts and artifacts, and rows that break it. What crossed the
// wire was masked before, so that mostly nothing is found. It is immutable, and nil finds nothing.
type DrawnSecrets struct {
	match   *patterns.Set
	spelled *plaintext.Finder
	longest int           // bytes of the longest spelling
	found   *secretFinder // what it was made of
	known   *knownSecrets
}

// Drawn returns what finds the secrets that are known now: the same value until there are others, and nil
// as long as there are none. Secrets of letters alone are not among them, because the words of Parley are drawn
// too.
func (s *Secrets) Drawn() *DrawnSecrets {
	if s == nil {
		return nil
	}
	found, known := s.finder(), s.all()
	if d := s.drawn.Load(); d != nil && d.found == found && d.known == known {
		return d.orNil()
	}
	var all []string
	s.mu.Lock()
	for _, v := range slices.Concat(s.values, s.recent) {
		if !lettersAlone(v) {
			all = append(all, echoSpellings(v)...)
		}
	}
	s.mu.Unlock()
	if known != nil {
		for i := range known.words {
			if w := &known.words[i]; !w.whole && !w.entire && !lettersAlone(string(w.text)) {
				all = append(all, string(w.text))
			}
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	d := &DrawnSecrets{match: patterns.New(all), spelled: plaintext.NewFinder(all, nil, shortestSecret), found: found, known: known}
	for _, text := range all {
		d.longest = max(d.longest, len(text))
	}
	s.drawn.Store(d)
	return d.orNil()
}

// Longest returns how many bytes the longest secret has in the longest of the spellings that no renderer undoes, such as
// base64 and percent encoding.
func (d *DrawnSecrets) Longest() int { return d.longest }

// orNil returns nil for nothing.
func (d *DrawnSecrets) orNil() *DrawnSecrets {
	if d.match == nil {
		return nil
	}
	return d
}

// lettersAlone reports whether a text is a word.
func lettersAlone(text string) bool {
	for _, r := range text {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return true
}

// Spans returns where secrets are in a text, in order and without overlap.
func (d *DrawnSecrets) Spans(text []byte) (all [][2]int) {
	if d == nil {
		return nil
	}
	d.match.Find(text, func(pattern, from int) { all = append(all, [2]int{from, from + d.match.Length(pattern)}) })
	d.spelled.Find(text, func(from, to int) { all = append(all, [2]int{from, to}) })
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s[0] < out[n-1][1] {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

// Mask returns a text without the secrets in it.
func (d *DrawnSecrets) Mask(text string) string {
	spans := d.Spans([]byte(text))
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	from := 0
	for _, s := range spans {
		b.WriteString(text[from:s[0]] + Mask)
		from = s[1]
	}
	return b.String() + text[from:]
}

// drawnWindow is how many bytes at the end of a written text wait for the next ones, because a secret may begin
// there, or as many as the longest secret has. drawnBlock is how many more are searched at once.
const drawnWindow, drawnBlock = plaintext.Longest, 64 << 10

// A DrawnWriter writes a text without the secrets in it.
type DrawnWriter struct {
	w      io.Writer
	by     *DrawnSecrets
	markup bool
	text   []byte // not yet written
}

// Writer returns a writer of a text, which its Close completes. In markup, the tags inside a secret stay.
func (d *DrawnSecrets) Writer(w io.Writer, markup bool) *DrawnWriter {
	return &DrawnWriter{w: w, by: d, markup: markup}
}

// Write implements [io.Writer].
func (d *DrawnWriter) Write(b []byte) (int, error) {
	if d.by == nil {
		return d.w.Write(b)
	}
	d.text = append(d.text, b...)
	window := max(drawnWindow, d.by.longest)
	if len(d.text) < window+drawnBlock {
		return len(b), nil
	}
	if err := d.flush(len(d.text) - window); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Close writes the end of the text. It does not close what it writes to.
func (d *DrawnWriter) Close() error { return d.flush(len(d.text)) }

// flush writes the text up to an offset, or up to the secret around it.
func (d *DrawnWriter) flush(end int) error {
	clean, from := make([]byte, 0, end), 0
	for _, s := range d.by.Spans(d.text) {
		if s[0] >= end {
			break
		}
		clean = append(append(clean, d.text[from:s[0]]...), Mask...)
		if from = s[1]; d.markup {
			for _, tag := range tags.FindAll(d.text[s[0]:s[1]], -1) {
				clean = append(clean, tag...)
			}
		}
		end = max(end, from)
	}
	clean = append(clean, d.text[from:end]...)
	d.text = append(d.text[:0], d.text[end:]...)
	_, err := d.w.Write(clean)
	return err
}

// tags are those of HTML.
var tags = regexp.MustCompile(`<[^<>]*>`)
