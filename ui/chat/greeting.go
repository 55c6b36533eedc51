package chat

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
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
	key     greetingKey
	lines   []string
	prompts []replyChip // where prompt i is offered, among lines
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
	add := func(offers []string, at []replyChip) {
		g.prompts = append(g.prompts, moved(at, len(lines), 0)...)
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
	if above := (p.h - len(lines)) / 2; p.renderer.calm && above > 0 { // an audience sees it in the middle
		lines, g.prompts = append(make([]string, above), lines...), moved(g.prompts, above, 0)
	}
	g.lines = canvas.Block(lines, p.w, p.h)
	p.greeting = g
	return g.lines
}

// greetTapped says how clients come to a tap through which nothing has passed yet.
func (p *Pane) greetTapped() []string {
	k, a := p.renderer, p.agent
	lines := []string{k.truncate(k.agentName(a), p.w)}
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
	lines := []string{k.truncate(k.agentName(p.agent), p.w)}
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

// aboutRows returns how many rows of an agent's description the greeting shows in a pane of h rows; the
// card's view has all of it.
func aboutRows(h int) int { return max(1, min(h/4, 3), h/8) }

// greetAgent describes the agent in a few lines.
func (p *Pane) greetAgent() []string {
	k, card := p.renderer, p.agent.Card
	about := ""
	if !k.calm {
		about = k.join(spoken(&p.agent.Profile), p.agent.Profile.Binding.String())
	}
	lines := k.title(k.agentName(p.agent), k.clean(about), p.w)
	lines = append(lines, p.cautions()...)
	lines = append(lines, k.descriptionLines(card.Description, p.w, aboutRows(p.h))...)
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

// wholeLine is where an offer stands that has a line of its own.
func (p *Pane) wholeLine(line int) replyChip { return replyChip{line, 0, p.w} }

// offerLine is the line of an offer, whose text is painted.
func (p *Pane) offerLine(key, text string) string {
	return p.renderer.truncate(p.renderer.st.Accent.Bold().S(key)+"  "+text, p.w)
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
