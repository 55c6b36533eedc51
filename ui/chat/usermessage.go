package chat

import (
	"slices"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// maxSender is how many cells of a client's name are shown.
const maxSender = 40

// sender names who sent the message of a turn.
func (k *renderer) sender(t *model.Turn) string {
	if t.Client == "" {
		return "you"
	}
	return canvas.Ellipsize(canvas.SanitizeLine(t.Client), maxSender, k.st.G[styles.Ellipsis])
}

// maxUserLines is how many lines of a user's own message are shown before it is unfolded: users
// know what they pasted.
const maxUserLines = 40

// userMessage is the user's message that began a turn.
type userMessage struct {
	turn     *model.Turn
	open     bool
	contents partContents
}

func (s *userMessage) draw(k *renderer, w int) drawing {
	d := drawing{head: []string{k.st.User.Bold().S(k.sender(s.turn)) + "  " + k.st.Faint.S(k.join(k.timeOfDay(s.turn.Time), k.extensionsNote(&s.turn.Extensions)))}}
	m := s.turn.Message
	if s.turn.Written != "" {
		d.body = k.text(k.st.Dim, "wrote a request by hand: "+s.turn.Written, w)
	}
	if m == nil {
		if s.turn.Written == "" {
			d.body = k.text(k.st.Dim, "got a task that was begun elsewhere", w)
		}
		return d
	}
	for i := range m.Parts {
		p := &m.Parts[i]
		if p.Kind != a2a.PartText {
			d.add(k.partOf(p, &s.contents, i, s.open, w))
			continue
		}
		text, hidden := p.Text, 0
		if !s.open {
			text, hidden = firstLines(text, maxUserLines)
		}
		d.body = append(d.body, k.text(k.st.Text, text, w)...)
		if hidden > 0 {
			d.body = append(d.body, k.glyph(k.st.Faint, styles.Folded)+k.st.Faint.S(" "+units.Plural(hidden, "more line")))
		}
	}
	return d
}

func (s *userMessage) restyle(st *styles.Styles) { s.contents.restyle(st) }

func (s *userMessage) streams(w int, yield func(*markdown.Stream, int)) { s.contents.streams(w, yield) }

// firstLines returns the first n lines of s, none of which is endless, and how
// many follow.
func firstLines(s string, n int) (first string, more int) {
	end := 0
	for range n {
		i := strings.IndexByte(s[end:], '\n')
		if i < 0 {
			end = len(s)
			break
		}
		end += i + 1
	}
	if limit := n * 200; end > limit {
		return strings.ToValidUTF8(s[:limit], ""), strings.Count(s[limit:], "\n") + 1
	}
	if rest := s[end:]; rest != "" {
		return strings.TrimSuffix(s[:end], "\n"), strings.Count(rest, "\n") + 1
	}
	return s, 0
}

func (s *userMessage) record() a2a.RecordID { return s.turn.Record }

func (s *userMessage) copyText() string {
	if s.turn.Message == nil {
		return ""
	}
	return partsText(s.turn.Message.Parts)
}

func (s *userMessage) facts() []fact {
	facts := []fact{
		{name: "task", value: s.turn.Target.TaskID},
		{name: "context", value: s.turn.Target.ContextID},
	}
	if s.turn.Message != nil {
		facts = messageFacts(s.turn.Message)
	}
	x := &s.turn.Extensions
	return append(facts,
		fact{name: "requested", value: strings.Join(x.Requested, "\n")},
		fact{name: "in use", value: strings.Join(x.Active, "\n")})
}

// extensionsNote names the extensions that an answer uses.
func (k *renderer) extensionsNote(x *model.Activation) string {
	switch asked, used := len(x.Requested), len(x.Active); {
	case k.calm:
		return ""
	case asked > 0 && used > 0:
		return "uses " + units.Count(used) + " of " + units.Plural(asked, "extension")
	case asked > 0:
		return units.Plural(asked, "extension") + " requested"
	case used > 0:
		return "uses " + units.Plural(used, "extension")
	default:
		return ""
	}
}

func (s *userMessage) fold() *bool {
	if s.turn.Message == nil {
		return nil
	}
	if slices.ContainsFunc(s.turn.Message.Parts, func(p a2a.Part) bool {
		_, more := firstLines(p.Text, maxUserLines)
		return more > 0 || notText(p)
	}) {
		return &s.open
	}
	return nil
}

// partsText returns the useful text of parts: texts, and the JSON or the address of the
// others.
func partsText(parts []a2a.Part) string {
	var out []string
	for i := range parts {
		switch p := &parts[i]; p.Kind {
		case a2a.PartText:
			out = append(out, p.Text)
		case a2a.PartData:
			out = append(out, string(p.Data))
		case a2a.PartURL:
			out = append(out, p.URL)
		case a2a.PartBytes:
			out = append(out, p.Filename)
		default:
			out = append(out, string(p.Raw))
		}
	}
	return strings.Join(out, "\n")
}
