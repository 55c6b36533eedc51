package chat

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// A greeting is shown in an empty conversation.
type greeting struct {
	key   greetingKey
	lines []string
	// lines[prompts[i]] offers prompt i.
	prompts []int
}

// greetingKey is the content of a greeting; the greeting is drawn again when it changes.
type greetingKey struct {
	agent    *model.Agent
	phase    model.Phase
	card     *a2a.Card
	problem  string
	cautions string
	way      string // how the agent is spoken to
	attempts int
	bytes    int64 // received of a card
	focused  bool
	w, h     int
}

// prompts returns the examples in the agent's card, up to the number of keys.
func (p *Pane) prompts() []a2a.Example {
	out, _ := p.examples()
	return out
}

// examples returns the prompts, and how many more the agent's card has.
func (p *Pane) examples() (out []a2a.Example, more int) {
	if p.agent == nil || p.agent.Card == nil || p.agent.Tap != "" {
		return nil, 0
	}
	for i := range p.agent.Card.Skills {
		for _, e := range p.agent.Card.Skills[i].Examples {
			switch {
			case e.Text == "" && len(e.Data) == 0:
			case len(out) < maxPrompts:
				out = append(out, e)
			default:
				more++
			}
		}
	}
	return out, more
}

// greet draws an empty conversation.
func (p *Pane) greet() []string {
	key := greetingKey{focused: p.focused, w: p.w, h: p.h, agent: p.agent}
	if a := p.agent; a != nil {
		key.phase, key.card, key.problem, key.attempts = a.Phase, a.Card, a.Problem, len(a.Attempts)
		key.way = strings.Join([]string{spoken(&a.Profile), a.Profile.Binding.String(), a.Profile.Endpoint, model.OldCard(&a.Profile)}, " ")
		key.bytes, key.cautions = a.Incomplete, strings.Join(a.Profile.Cautions, "\n")
	}
	if p.greeting.lines != nil && p.greeting.key == key {
		return p.greeting.lines
	}
	g, lines := greeting{key: key}, []string{""}
	add := func(offers []string, at []int) {
		for _, i := range at {
			g.prompts = append(g.prompts, len(lines)+i)
		}
		lines = append(lines, offers...)
	}
	switch {
	case p.agent == nil:
		add(p.greetWithoutAgent())
	case p.agent.Tap != "":
		lines = append(lines, p.greetTapped()...)
	case p.agent.Card == nil:
		lines = append(lines, p.greetWithoutCard()...)
	case p.needsRemedy():
		lines = append(lines, p.greetAgent()...)
	default:
		about := p.greetAgent()
		lines = append(lines, about[:max(0, min(len(about), p.h-len(lines)-len(p.hint(maxPrompts))))]...)
		add(p.promptLines(p.h - len(lines)))
	}
	if p.needsRemedy() {
		offers, at := p.remedies()
		lines = append(lines[:max(0, min(len(lines), p.h-len(offers)-1))], "")
		add(offers, at)
	}
	g.lines = canvas.Block(lines, p.w, p.h)
	p.greeting = g
	return g.lines
}

// greetTapped says how clients come to a tap through which nothing has passed yet.
func (p *Pane) greetTapped() []string {
	k, a := p.renderer, p.agent
	lines := []string{k.st.Agent.Bold().S(k.truncate(k.clean(a.Name()), p.w))}
	lines = append(lines, k.text(k.st.Dim, "No message has passed through this tap yet.", p.w)...)
	lines = append(lines, "")
	lines = append(lines, k.text(k.st.Text, "Let clients use "+a.TapAddress+" in place of "+a.Ref+": what they say appears here.", p.w)...)
	if !k.recording {
		lines = append(lines, "")
		lines = append(lines, k.withKey("/tap copies the address, and injects faults.", "/tap", p.w)...)
	}
	return lines
}

// greetWithoutCard shows the state of the search for a card.
func (p *Pane) greetWithoutCard() []string {
	k := p.renderer
	lines := []string{k.st.Agent.Bold().S(k.truncate(k.clean(p.agent.Name()), p.w))}
	if p.agent.Phase == model.Discovering {
		lines = append(lines, k.text(k.st.Dim, k.join("looking for its card, which describes the agent", k.incomplete(p.agent.Incomplete)), p.w)...)
	}
	if p.agent.Phase == model.Ready {
		lack := "has no card"
		switch at := p.agent.CardTrouble(); {
		case at == nil:
		case at.Class == a2a.ClassBadCard:
			lack = "has an unreadable card"
		case at == p.agent.CardFault():
			lack = "cannot deliver its card now (" + strconv.Itoa(at.Status) + ")"
		}
		speaks := "probably speaks A2A "
		if p.agent.Profile.Proven() {
			speaks = "speaks A2A "
		}
		words := lack + " and " + speaks + p.agent.Profile.Dialect.Number() + "; its capabilities are unknown: write a message below"
		if old := model.OldCard(&p.agent.Profile); old != "" {
			if lack == "has no card" {
				lack = "delivers no card now"
			}
			words = lack + ": Parley uses the card " + old + ", which names " + a2a.MaskReference(p.agent.Profile.Endpoint) + ": write a message below"
		}
		lines = append(lines, k.text(k.st.Dim, words, p.w)...)
		lines = append(lines, p.cautions()...)
	}
	return append(lines, p.problemLines()...)
}

// problemLines shows the agent's problem and the attempts.
func (p *Pane) problemLines() []string {
	k := p.renderer
	if p.agent.Problem == "" {
		return nil
	}
	lines := hangingIndent(2, k.glyph(k.st.Failed, styles.Failed), k.text(k.st.Text, p.agent.Problem, p.w-2))
	lines = append(lines, p.attemptLines()...)
	if slices.ContainsFunc(p.agent.Attempts, func(a a2a.Lookup) bool { return refusedWithout(a.Class) }) {
		signs := keys.Name(k.keyOf(action.SignIn))
		lines = append(append(lines, ""), indent(2, k.withKey(signs+" signs in, and tries again", signs, p.w-2))...)
	}
	return append(lines, p.absentLines()...)
}

// maxAbout is how many rows of an agent's description the greeting shows, fewer in a low pane;
// the card's view has all of it.
const maxAbout = 3

// greetAgent describes the agent in a few lines.
func (p *Pane) greetAgent() []string {
	k, card := p.renderer, p.agent.Card
	about := ""
	if !k.calm {
		about = k.join(spoken(&p.agent.Profile), p.agent.Profile.Binding.String())
	}
	lines := k.title(k.st.Agent.Bold().S(k.clean(p.agent.Name())), k.clean(about), p.w)
	lines = append(lines, p.cautions()...)
	lines = append(lines, k.descriptionLines(card.Description, p.w, min(max(p.h/4, 1), maxAbout))...)
	if !card.Open() {
		signs := keys.Name(k.keyOf(action.SignIn))
		lines = append(lines, k.withKey("requires credentials: "+signs+" signs in", signs, p.w)...)
	}
	return append(lines, p.problemLines()...)
}

// spoken names the version in which an agent is spoken to. Where none is, that of its card is meant.
func spoken(p *a2a.Profile) string {
	if _, known := a2a.ParseVersion(p.Claim); p.Problem != "" && p.Claim != "" && !known && !p.Pinned("dialect") {
		return looks.Protocol(p.Claim) + ", which Parley does not speak"
	}
	return looks.Protocol(p.Dialect.Number())
}

// cautions are warnings before the first message.
func (p *Pane) cautions() (lines []string) {
	k := p.renderer
	for _, c := range p.agent.Profile.Cautions {
		lines = append(lines, hangingIndent(2, k.glyph(k.st.Waiting, styles.Flag), k.text(k.st.Waiting, asSentence(c), p.w-2))...)
	}
	return lines
}

// asSentence gives a clause a capital letter and a full stop.
func asSentence(clause string) string {
	first, size := utf8.DecodeRuneInString(clause)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(clause[size:], ".") + "."
}

// descriptionLines returns the first rows of a description, at most h. If there is more, the last
// of them ends in an ellipsis after a whole word.
func (k *renderer) descriptionLines(description string, w, h int) []string {
	const most = 2000 // bytes that can matter
	text := strings.ToValidUTF8(description[:min(len(description), most)], "")
	rows := slices.DeleteFunc(markdown.Render(k.st, text, max(w, 1)), func(row string) bool {
		return strings.TrimSpace(row) == ""
	})
	if len(rows) <= h && len(description) <= most {
		return rows
	}
	rows = rows[:min(len(rows), h)]
	if n := len(rows) - 1; n >= 0 {
		// More than fits, so that the end is always marked.
		rows[n] = canvas.EllipsizeWords(rows[n]+strings.Repeat(" ", w)+".", w, k.st.G[styles.Ellipsis])
	}
	return rows
}

// promptLines lists the prompts in at most room lines, and the keys to press, which are always
// shown. The numbers are those of the prompts' lines.
func (p *Pane) promptLines(room int) (lines []string, at []int) {
	prompts, more := p.examples()
	list := make([]string, len(prompts))
	for i := range prompts {
		list[i] = p.promptLine(i, prompts[i])
	}
	if len(prompts) == 0 {
		list = p.skills()
	}
	hint := p.hint(len(prompts))
	shown, gap := fitOffers(len(list), more, room-len(hint))
	if len(prompts) > 0 {
		hint = p.hint(shown)
	}
	if len(list) > 0 {
		lines = gap
	}
	for i := range shown {
		if len(prompts) > 0 {
			at = append(at, len(lines))
		}
		lines = append(lines, list[i])
	}
	if more += len(list) - shown; more > 0 && len(hint)+len(lines) < room {
		where := " in the card (" + keys.Name(p.renderer.keyOf(action.ShowCard)) + ")"
		what, rest, indent := "skill", "", 0
		if len(prompts) > 0 {
			what, indent = "example", len("1  ") // the count is no number of a prompt
		}
		if shown > 0 {
			what, rest = "more "+what, " more"
		}
		words := units.Plural(more, what) + where
		if canvas.Width(words)+indent > p.w {
			words = units.Count(more) + rest + where
			indent = max(0, min(indent, p.w-canvas.Width(words)))
		}
		lines = append(lines, p.renderer.truncate(strings.Repeat(" ", indent)+p.renderer.st.Faint.S(words), p.w))
	}
	if len(lines)+len(hint) < room {
		lines = append(lines, "")
	}
	return append(lines, hint...), at
}

// fitOffers returns how many of n entries fit in room lines between two blank ones, with a line
// for the others, of which there are more besides; and the blank line above them. In very
// little room there are no blank lines.
func fitOffers(n, more, room int) (shown int, gap []string) {
	switch {
	case more == 0 && n+1 <= room:
		return n, []string{""}
	case more == 0 && n <= room:
		return n, nil
	case room >= 4:
		return min(n, room-3), []string{""}
	default:
		return max(0, min(n, room-1)), nil
	}
}

// offerLine is the line of an offer, whose text is painted.
func (p *Pane) offerLine(key, text string) string {
	return p.renderer.truncate(p.renderer.st.Accent.Bold().S(key)+"  "+text, p.w)
}

// promptLine is the line that offers a prompt.
func (p *Pane) promptLine(i int, e a2a.Example) string {
	k := p.renderer
	text := k.st.Text.S(k.clean(e.Text))
	if len(e.Data) > 0 {
		text = k.st.Chip.And(k.st.Agent).S(" { } ") + " " + k.st.Text.S(k.clean(string(e.Data[:min(len(e.Data), 400)])))
	}
	return p.offerLine(strconv.Itoa(i+1), text)
}

// hint names the keys while n prompts are visible.
func (p *Pane) hint(n int) []string {
	words := "write a message below"
	switch {
	case p.renderer.recording:
		words = "this is a recording: nothing can be sent"
	case n > 0:
		keys := p.digit(1)
		switch {
		case n == 2:
			keys += " or " + p.digit(n)
		case n > 2:
			keys += " to " + p.digit(n)
		}
		words = "press " + keys + " to try one, or write your own message below"
	}
	return p.renderer.cleanText(p.renderer.st.Faint, words, p.w)
}

// skills lists the agent's skills if it offers no prompts.
func (p *Pane) skills() []string {
	k := p.renderer
	lines := make([]string, 0, len(p.agent.Card.Skills))
	for i := range p.agent.Card.Skills {
		s := &p.agent.Card.Skills[i]
		line := k.glyph(k.st.Accent, styles.Bullet) + " " + k.st.Text.S(k.clean(s.Name)) + "  " + k.st.Faint.S(k.clean(s.Description))
		lines = append(lines, k.truncate(line, p.w))
	}
	return lines
}
