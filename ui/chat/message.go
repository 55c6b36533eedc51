package chat

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/markdown"
	"parley/ui/media"
	"parley/ui/styles"
)

// message is a message of an agent.
type message struct {
	entryBody
	task *model.Task // nil outside a task
	// waits is set while a task waits for an answer to this message.
	waits bool
	// progress is a short message of a working task: a step. until is when the next thing came. newest is set
	// if none did, and runs while the step is what the agent works on.
	progress     bool
	until        time.Time
	newest, runs bool
	hidden       int   // hidden progress before this
	unfolded     *bool // whether the block shows all progress
	earlier      bool  // the messages that this one replaced are shown
	open         bool  // parts that are not text show their content

	drawn   *a2a.Message // the drawn version: a message may grow in place
	links   links
	replies replies
	chips   []replyChip // where the replies stand in the foot

	pieces   []piece
	contents partContents
	piecesOf *a2a.Message // the message that pieces show
}

// A piece is a run of text parts, or one other part.
type piece struct {
	text     *prose
	inset    inset  // that the text is: a table or a tree
	original string // the text of an inset that nothing declares as JSON
	part     *a2a.Part
	auth     []model.AuthRequest // that it asks for, once they were read
	read     bool
}

func (m *message) draw(k *renderer, w int) drawing {
	var d drawing
	if m.waits {
		d.card = cardPaint(k, m.task)
		d.head = append(d.head, needsYou(k, m.task, w)...)
	}
	if m.entry().Message.Role == a2a.RoleUser {
		d.head = append(d.head, k.title(k.st.User.Bold().S("you"), "from the task's history", w)...)
	}
	if m.entry().Message.Summary {
		d.head = append(d.head, k.truncate(k.st.Faint.S("summary of the delivery to the webhook"), w))
	}
	if m.hidden > 0 {
		d.head = append(d.head, k.glyph(k.st.Faint, styles.Folded)+k.st.Faint.S(" "+units.Plural(m.hidden, "earlier step")))
	}
	switch same := m.repeatedArtifact(); {
	case same != nil && !m.open:
		d.body = []string{k.truncate(k.glyph(k.st.Faint, styles.Folded)+k.st.Faint.S(" repeats "+k.clean(artifactName(same))), w)}
	case m.progress:
		d.body = m.stepLines(k, w)
	default:
		m.split(k)
		for i := range m.pieces {
			m.drawPiece(k, &d, i, w)
		}
	}
	if len(d.body) == 0 {
		d.body = []string{k.st.Faint.S("an empty message")}
	}
	if m.waits {
		m.stress(k, &d)
		d.foot = m.replyLines(k, w)
		d.foot = append(append(d.foot, m.actionLines(k, w)...), k.authPollLines(m.task, w)...)
	}
	if replaced := m.replacedMessages(); len(replaced) > 0 {
		d.foot = append(d.foot, k.st.Faint.S("replaced "+units.Plural(len(replaced), "earlier version")))
		for i := 0; m.earlier && i < len(replaced); i++ {
			d.foot = append(d.foot, indent(2, k.capLines(k.text(k.st.Dim, partsText(replaced[i].Parts), w-2)))...)
		}
	}
	return d
}

// drawPiece appends piece i to the body of d.
func (m *message) drawPiece(k *renderer, d *drawing, i, w int) {
	p := &m.pieces[i]
	asks := m.authRequests(p)
	switch {
	case len(asks) > 0 && p.part != nil && !m.open:
		d.body = append(d.body, k.authRequestLines(asks, keys.Name(k.keys(foldOrUnfold)), m.waits, w)...)
	case len(asks) > 0 && p.part == nil && !m.earlier:
		d.body = append(d.body, k.authRequestLines(asks, "v", m.waits, w)...)
	case p.part != nil:
		d.add(k.partOf(p.part, &m.contents, i, m.open, w))
	case p.inset != nil:
		lines := p.inset.lines(k, w)
		d.add(lines, insetLines{p.inset, 0, len(lines)})
		if p.original != "" && m.earlier {
			d.body = append(d.body, k.capLines(k.text(k.st.Dim, p.original, w))...)
		} else if p.original != "" {
			d.body = append(d.body, k.originalNote(w))
		}
	default:
		lines := p.text.lines(k, w)
		if skipped := p.text.hiddenBytes(); skipped > 0 {
			d.body = append(d.body, k.beginningNote(skipped))
		}
		d.body = append(d.body, lines...)
	}
}

// repeatedArtifact returns the artifact of the task whose text the message repeats, nil if there
// is none. Many agents end with a message that repeats the result.
func (m *message) repeatedArtifact() *model.Artifact {
	const slack = 8 // bytes of space at the ends
	if m.task == nil || m.waits || slices.ContainsFunc(m.entry().Message.Parts, notText) {
		return nil
	}
	text := m.entry().Message.Text()
	for _, a := range m.task.Artifacts {
		if d := len(a.Text) - len(text); d < -slack || d > slack || len(a.Text) == 0 {
			continue
		}
		if strings.TrimSpace(string(a.Text)) == strings.TrimSpace(text) {
			return a
		}
	}
	return nil
}

func notText(p a2a.Part) bool { return p.Kind != a2a.PartText }

// split makes pieces of the message's parts, once.
func (m *message) split(k *renderer) {
	if m.piecesOf == m.entry().Message {
		return
	}
	m.piecesOf, m.pieces, m.contents = m.entry().Message, nil, nil
	parts := m.piecesOf.Parts
	for i := 0; i < len(parts); {
		p := &parts[i]
		if p.Kind != a2a.PartText {
			m.pieces = append(m.pieces, piece{part: p})
			i++
			continue
		}
		var text strings.Builder
		for ; i < len(parts) && parts[i].Kind == a2a.PartText && parts[i].MediaType == p.MediaType; i++ {
			text.WriteString(parts[i].Text)
		}
		f, language := media.Of(p.MediaType, p.Filename)
		run := k.newProse(f, language, 0)
		run.update([]byte(text.String()), 0, false)
		made := piece{text: run, inset: insetOf(k.st, []byte(text.String()), f)}
		if made.inset == nil && looksJSON([]byte(text.String())) {
			if made.inset = insetOf(k.st, []byte(text.String()), media.JSON); made.inset != nil {
				made.original = text.String()
			}
		}
		m.pieces = append(m.pieces, made)
	}
}

// looksJSON reports whether the ends of a text are those of a JSON object or array.
func looksJSON(text []byte) bool {
	text = bytes.TrimSpace(text)
	n := len(text)
	return n > 2 && (text[0] == '{' && text[n-1] == '}' || text[0] == '[' && text[n-1] == ']')
}

// originalNote says that a text is shown as JSON.
func (k *renderer) originalNote(w int) string {
	return k.truncate(k.st.Faint.S("JSON in a text; "+keys.Name(k.keys(switchVersion))+" shows the text as it came"), w)
}

// declared reports whether a type or name declares the content of every piece.
func (m *message) declared() bool {
	return !slices.ContainsFunc(m.pieces, func(p piece) bool { return p.original != "" })
}

// replacedMessages returns the earlier messages with the same id.
func (m *message) replacedMessages() []*a2a.Message {
	var out []*a2a.Message
	for i := range m.i {
		e := &m.block.Entries[i]
		if e.Replaced && e.Message != nil && e.Message.ID == m.entry().Message.ID {
			out = append(out, e.Message)
		}
	}
	return out
}

func (m *message) restyle(st *styles.Styles) {
	for _, p := range m.pieces {
		if p.text != nil {
			p.text.restyle(st)
		}
	}
	m.contents.restyle(st)
}

func (m *message) streams(w int, yield func(*markdown.Stream, int)) {
	for _, p := range m.pieces {
		if p.text != nil && p.text.md != nil && p.inset == nil {
			yield(p.text.md, w)
		}
	}
	m.contents.streams(w, yield)
}

func (m *message) copyText() string { return partsText(m.entry().Message.Parts) }

func (m *message) facts() []fact {
	e := m.entry()
	facts := append([]fact{{name: "time", value: e.Time.Format("2006-01-02 15:04:05.000 Z07:00")}}, messageFacts(e.Message)...)
	for _, x := range m.block.Extras {
		if x.Record == e.Record {
			facts = append(facts, extraFacts([]model.Extra{x})...)
		}
	}
	return facts
}

func (m *message) fold() *bool {
	if m.progress && (m.hidden > 0 || *m.unfolded) {
		return m.unfolded
	}
	if m.repeatedArtifact() != nil || slices.ContainsFunc(m.entry().Message.Parts, notText) {
		return &m.open
	}
	return nil
}

// stepWidth is how wide a step is at most, with its duration at the right.
const stepWidth = 60

// stepLines draws a step with its sign and how long it took.
func (m *message) stepLines(k *renderer, w int) []string {
	text := m.entry().Message.Text()
	sign, paint, took := k.glyph(k.st.OK, styles.Done), k.st.Dim, m.until.Sub(m.entry().Time)
	switch {
	case m.runs:
		sign, paint, took = k.st.Agent.S(k.spin()), k.st.Text, k.now.Sub(m.entry().Time).Truncate(time.Second)
	case m.newest:
		sign = k.glyph(k.st.Dim, styles.Separator) // nothing came after it
	}
	said := ""
	if m.entry().Time.IsZero() || m.until.IsZero() && !m.runs {
		took = 0
	}
	if took >= shortStay || took > 0 && !m.runs {
		said = units.Duration(took)
	}
	room := min(w, stepWidth)
	lines := hangingIndent(2, sign, k.text(paint, text, max(room-2-len(said)-2, 1)))
	if n := len(lines) - 1; said != "" && n >= 0 {
		lines[n] = canvas.Fit(lines[n], room-len(said)) + k.st.Faint.S(said)
	}
	return lines
}

// isStep reports whether m is short enough for a step of work in progress.
func isStep(m *a2a.Message) bool {
	return len(m.Parts) == 1 && m.Parts[0].Kind == a2a.PartText && len(m.Parts[0].Text) <= 200 &&
		strings.TrimSpace(m.Parts[0].Text) != "" && !looksJSON([]byte(m.Parts[0].Text)) && !strings.Contains(m.Parts[0].Text, "\n")
}
