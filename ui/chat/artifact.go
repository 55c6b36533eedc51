package chat

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// artifact is an output of a task: a document with a name line and a thin rule, or a single
// chip when it is one part that is not text.
type artifact struct {
	entryBody
	art       *model.Artifact
	content   content
	open      bool        // parts that are not text show their content
	revisions bool        // earlier revisions are shown, and text unchanged
	stalled   *log.Signal // set while its stream brings no bytes
	scrub     *scrub      // set while it is shown as it was after a chunk
}

// ruleWidth is the width of the thin rule and the space behind it.
const ruleWidth = 2

// artifactName is the artifact's name, or its key.
func artifactName(a *model.Artifact) string {
	if a.Name != "" {
		return a.Name
	}
	return a.Key
}

// bare reports whether the artifact is only one part that is not text.
func (a *artifact) bare() bool {
	return len(a.art.Text) == 0 && len(a.art.Parts) == 1 && len(a.art.Revisions) == 0
}

func (a *artifact) draw(k *renderer, w int) drawing {
	name := artifactName(a.art)
	if a.art.Name == "" && a.bare() && a.art.Parts[0].Part.Filename != "" {
		name = "" // the chip has a better one
	}
	if a.bare() {
		return a.drawBare(k, name, w)
	}
	rule := func(g styles.Glyph) string { return k.st.Hairline.S(k.st.G[g]) + " " }
	inner := max(w-ruleWidth, 1)
	d := drawing{rule: rule(styles.DocSide), ruleWidth: ruleWidth, live: a.art.Live}
	about := a.about(k, inner-canvas.Width(k.clean(name))-2)
	if a.scrub != nil {
		about = a.scrub.about(k)
	}
	title := k.title(k.st.Bold.S(k.clean(name)), about, inner)
	if sum := a.art.Sum(); sum != "" && a.scrub == nil && !k.calm {
		title = append(title, k.truncate(k.st.Faint.S(sum), inner))
	}
	for i, line := range title {
		side := styles.DocSide
		if i == 0 {
			side = styles.DocTop
		}
		d.head = append(d.head, rule(side)+line)
	}
	if a.scrub != nil {
		const around = 4 // the gap, the name and the end
		d.live, d.body = false, a.scrub.draw(k, inner, max(k.paneHeight-len(d.head)-around, 1))
		d.foot = append(d.foot, rule(styles.DocBottom))
		return d
	}
	a.content.update(k, a.art)
	a.content.plain = a.revisions
	d.body = a.content.lines(k, a.open, inner)
	d.mark, d.insets = a.content.mark, a.content.insets
	if a.art.Live && len(d.body) == 0 {
		d.body = []string{""}
	}
	if a.revisions {
		for _, line := range a.drawRevisions(k, inner) {
			d.foot = append(d.foot, rule(styles.DocSide)+line)
		}
	}
	if a.stalled != nil {
		d.foot = append(d.foot, rule(styles.DocSide)+looks.NoBytes(k.st, a.stalled, k.now))
	}
	d.foot = append(d.foot, rule(styles.DocBottom))
	return d
}

// drawBare draws an artifact that is one part.
func (a *artifact) drawBare(k *renderer, name string, w int) drawing {
	in := a.content.contents.ofArtifact(k, a.open, a.art.Parts, 0)
	body := k.chip(&a.art.Parts[0].Part, name, a.open, in, w)
	return drawing{body: body, insets: addInset(nil, in, 1, len(body)-1)}
}

// about returns the text of the name line: 3 parts · 147 B · ended · none lost. If w cells are too few, the end
// is left out where no part was lost, and that losses are not known is said in fewer words.
func (a *artifact) about(k *renderer, w int) string {
	state, replaced := "", ""
	switch {
	case a.art.Live:
		state = "live"
	case a.art.Sealed:
		state = "ended"
	}
	if n := len(a.art.Revisions); n > 0 {
		replaced = "replaced " + units.Plural(n, "time")
	}
	if k.calm && a.art.Live {
		return "growing"
	} else if k.calm {
		return ""
	}
	words := func(state, loss string) string {
		return k.join(units.Plural(a.art.Count, "part"), units.Bytes(a.art.Bytes), state, loss, replaced)
	}
	loss := a.art.Loss()
	switch all := words(state, loss); {
	case canvas.Width(all) <= w:
		return all
	case loss == model.NoneLost:
		state = ""
	case loss == model.LossUnknown:
		loss = "losses not known"
	}
	return words(state, loss)
}

func (a *artifact) drawRevisions(k *renderer, w int) []string {
	var out []string
	const most = 20 // that are drawn
	first := max(0, len(a.art.Revisions)-most)
	for i := first; i < len(a.art.Revisions); i++ {
		rev := &a.art.Revisions[i]
		words := "version " + strconv.Itoa(i+1) + ", until it was replaced"
		if i == first {
			words += "; V and [ show it whole"
		}
		out = append(out, k.st.Faint.S(k.truncate(words, w)))
		text, hidden := firstLines(string(rev.Text), maxJSONLines)
		if text != "" {
			out = append(out, k.text(k.st.Dim, text, w)...)
		}
		if hidden > 0 {
			out = append(out, k.more(hidden))
		}
		for j := range rev.Parts {
			out = append(out, k.chip(&rev.Parts[j].Part, "", a.open, a.content.contents.ofArtifact(k, a.open, rev.Parts, j), w)...)
		}
	}
	return out
}

func (a *artifact) restyle(st *styles.Styles) { a.content.restyle(st) }

func (a *artifact) streams(w int, yield func(*markdown.Stream, int)) {
	if a.bare() {
		a.content.contents.streams(w, yield)
	} else {
		a.content.streams(max(w-ruleWidth, 1), yield)
	}
}

// record returns the record that brought the artifact first; the row, which knows the lines,
// tells which chunk brought a line.
func (a *artifact) record() a2a.RecordID {
	if len(a.art.Spans) == 0 && len(a.art.Parts) > 0 {
		return a.art.Parts[len(a.art.Parts)-1].Record
	}
	return a.entry().Record
}

func (a *artifact) copyText() string {
	var out []string
	from := 0
	for i := range a.art.Parts {
		p := &a.art.Parts[i]
		if p.Offset > from {
			out = append(out, string(a.art.Text[from:p.Offset]))
			from = p.Offset
		}
		out = append(out, partsText([]a2a.Part{p.Part}))
	}
	if from < len(a.art.Text) {
		out = append(out, string(a.art.Text[from:]))
	}
	return strings.Join(out, "\n")
}

func (a *artifact) facts() []fact {
	facts := []fact{
		{name: "artifact", value: a.art.Key},
		{name: "description", value: a.art.Description},
		{name: "media type", value: a.art.MediaType},
		{name: "extensions", value: strings.Join(a.art.Extensions, "\n")},
		{name: "metadata", data: a.art.Metadata},
	}
	facts = append(facts, extraFacts(a.art.Extras)...)
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
