package card

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// maxCompared is the largest card, in bytes, that is compared line by line.
const maxCompared = 1 << 20

// difference shows the difference between the JSON of two cards line by line. The order of
// members means nothing and is made the same.
func (b *builder) difference(from, to *a2a.Card) {
	b.row(b.st.Faint.S("difference from the public card; members are sorted"))
	b.gap()
	if len(from.Raw) > maxCompared || len(to.Raw) > maxCompared {
		b.row(b.st.Dim.S("the cards are too large to compare line by line"))
		return
	}
	old, ok1 := sortJSON(from.Raw)
	now, ok2 := sortJSON(to.Raw)
	if !ok1 || !ok2 {
		b.row(b.st.Dim.S("one of the cards is not valid JSON, so they cannot be compared"))
		return
	}
	text, err := udiff.ToUnified("public", "extended", old, udiff.Lines(old, now), 2)
	if err != nil || text == "" {
		b.row(b.st.Dim.S("the cards are equal"))
		return
	}
	_, text, _ = strings.Cut(text, "\n") // the names
	_, text, _ = strings.Cut(text, "\n")
	first := true
	for l := range strings.Lines(text) {
		b.changed(strings.TrimSuffix(l, "\n"), first)
		first = false
	}
}

// changed shows a line of a difference, whose first character is its kind.
func (b *builder) changed(l string, first bool) {
	if l == "" || l[0] == '\\' { // about the end of the file, which a card does not have
		return
	}
	paint := b.st.Dim
	switch l[0] {
	case '@':
		if !first {
			b.row(b.st.Faint.S(b.st.G[styles.Ellipsis]))
		}
		return
	case '+':
		paint = b.st.OK
	case '-':
		paint = b.st.Failed
	}
	mark := l[:1] + " "
	for _, text := range canvas.Wrap(canvas.SanitizeLine(l[1:]), max(8, b.w-2)) {
		b.row(paint.S(mark + text))
		mark = "  "
	}
}

// sortJSON returns JSON indented, with sorted members and unchanged numbers. It reports false for
// invalid JSON.
func sortJSON(raw []byte) (string, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return "", false
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if e.Encode(v) != nil {
		return "", false
	}
	return out.String(), true
}
