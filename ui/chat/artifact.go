package chat

import (
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// artifact is an output of a task: a document with a name line and a thin rule,
// or a single chip when it is one part that is no text.
type artifact struct {
	place
	art       *session.Artifact
	newStream func() *markdown.Stream
	text      *prose
	open      bool // parts that are no text show their content
	revisions bool // what was replaced is shown
	offsets   []int
	aligned   int // lines for which offsets was made
}

// ruleWidth is the width of the thin rule and the space behind it.
const ruleWidth = 2

// bare reports whether the artifact is nothing but one part that is no text.
func (a *artifact) bare() bool {
	return len(a.art.Text) == 0 && len(a.art.Parts) == 1 && len(a.art.Revisions) == 0
}

func (a *artifact) draw(k *ink, w int) drawn {
	a.aligned = -1
	name := a.art.Name
	if name == "" && !(a.bare() && a.art.Parts[0].Part.Filename != "") {
		name = a.art.Key
	}
	if a.bare() {
		return drawn{body: k.chip(&a.art.Parts[0].Part, name, a.open, w)}
	}
	rule := func(g styles.Glyph) string { return k.st.Hairline.S(k.st.G[g]) + " " }
	inner := max(w-ruleWidth, 1)
	d := drawn{rule: rule(styles.DocSide), ruleWidth: ruleWidth, live: a.art.Live}
	title := k.st.Bold.S(k.word(name)) + "  " + k.st.Faint.S(a.about(k))
	d.head = []string{rule(styles.DocTop) + k.cut(title, inner)}
	d.body = a.prose().lines(k, inner)
	if skipped := a.text.skipped(); skipped > 0 {
		d.head = append(d.head, rule(styles.DocSide)+k.skipped(skipped))
	}
	if a.art.Live && len(d.body) == 0 {
		d.body = []string{""}
	}
	for i := range a.art.Parts {
		for _, line := range k.chip(&a.art.Parts[i].Part, "", a.open, inner) {
			d.foot = append(d.foot, rule(styles.DocSide)+line)
		}
	}
	if a.revisions {
		for _, line := range a.drawRevisions(k, inner) {
			d.foot = append(d.foot, rule(styles.DocSide)+line)
		}
	}
	d.foot = append(d.foot, rule(styles.DocBottom))
	return d
}

// about returns what the name line says: 3 chunks · 147 B · sealed.
func (a *artifact) about(k *ink) string {
	state, replaced := "", ""
	switch {
	case a.art.Live:
		state = "live"
	case a.art.Sealed:
		state = "sealed"
	}
	if n := len(a.art.Revisions); n > 0 {
		replaced = "replaced " + units.Plural(n, "time")
	}
	return k.dots(units.Plural(a.art.Chunks, "chunk"), units.Bytes(a.art.Bytes), state, replaced)
}

// prose returns the artifact's text, fed with what is new.
func (a *artifact) prose() *prose {
	if a.text == nil {
		a.text = &prose{}
		if markdownText(a.art.MediaType, a.art.Name) {
			a.text.md = a.newStream()
		}
	}
	a.text.update(a.art.Text, a.art.Reset, a.art.Live)
	return a.text
}

func (a *artifact) drawRevisions(k *ink, w int) []string {
	var out []string
	for i := range a.art.Revisions {
		rev := &a.art.Revisions[i]
		out = append(out, k.st.Faint.S("until it was replaced, "+units.Bytes(int64(len(rev.Text)))))
		text, hidden := firstLines(string(rev.Text), maxJSONLines)
		out = append(out, k.text(k.st.Dim, text, w)...)
		if hidden > 0 {
			out = append(out, k.more(hidden))
		}
		for j := range rev.Parts {
			out = append(out, k.chip(&rev.Parts[j].Part, "", a.open, w)...)
		}
	}
	return out
}

func (a *artifact) restyle(st *styles.Styles) {
	if a.text != nil {
		a.text.restyle(st)
	}
}

func (a *artifact) streams(w int, yield func(*markdown.Stream, int) bool) bool {
	if a.text == nil || a.text.md == nil || a.bare() {
		return true
	}
	return yield(a.text.md, max(w-ruleWidth, 1))
}

// offset returns where in the text the drawn line of the body begins.
func (a *artifact) offset(lines []string, line int) int {
	if a.aligned != len(lines) {
		from := a.text.skipped()
		a.offsets, a.aligned = align(lines, a.art.Text[from:]), len(lines)
		for i := range a.offsets {
			a.offsets[i] += from
		}
	}
	if line < 0 || line >= len(a.offsets) {
		return 0
	}
	return a.offsets[line]
}

// line returns which drawn line of the body shows the byte of the text at offset.
func (a *artifact) line(lines []string, offset int) int {
	a.offset(lines, 0)
	line := 0
	for i, at := range a.offsets {
		if at <= offset {
			line = i
		}
	}
	return line
}

// record returns the record that brought the artifact first; which chunk brought
// a line is asked of the row, which knows the lines.
func (a *artifact) record() a2a.RecordID {
	if len(a.art.Spans) == 0 && len(a.art.Parts) > 0 {
		return a.art.Parts[len(a.art.Parts)-1].Record
	}
	return a.entry().Record
}

func (a *artifact) copied() string {
	var b strings.Builder
	b.Write(a.art.Text)
	for i := range a.art.Parts {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(copiedParts([]a2a.Part{a.art.Parts[i].Part}))
	}
	return b.String()
}

func (a *artifact) facts() []fact {
	facts := []fact{
		{name: "artifact", value: a.art.Key},
		{name: "description", value: a.art.Description},
		{name: "media type", value: a.art.MediaType},
		{name: "metadata", data: a.art.Metadata},
	}
	for i := range a.art.Parts {
		facts = append(facts, partFacts(&a.art.Parts[i].Part)...)
	}
	return facts
}

func (a *artifact) fold() *bool {
	if len(a.art.Parts) == 0 {
		return nil
	}
	return &a.open
}
