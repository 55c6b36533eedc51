package chat

import (
	"slices"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/looks"
	"parley/ui/markdown"
	"parley/ui/styles"
)

// OpenLinks asks to open one of the links of a task that waits.
type OpenLinks struct{ Links []string }

// SetAuthPoll asks to start or stop the auth poll of a task that waits for credentials.
type SetAuthPoll struct {
	Agent a2a.AgentID
	Task  string
	On    bool
}

func (OpenLinks) intent()   {}
func (SetAuthPoll) intent() {}

// missingQuestion is shown for a task that waits without a question.
type missingQuestion struct {
	plainBody
	task *model.Task
}

func (a *missingQuestion) draw(k *renderer, w int) drawing {
	words := "The agent waits for an answer but does not say what it asks."
	switch {
	case a.task.State == a2a.StateAuthRequired:
		words = "The agent waits for authorization but does not say how to give it."
	case len(a.task.Artifacts) > 0:
		words = "The agent waits for an answer; its question may be in an artifact."
	}
	return drawing{card: cardPaint(k, a.task), head: needsYou(k, a.task, w), body: k.text(k.st.Text, words, w), foot: k.authPollLines(a.task, w)}
}

func (a *missingQuestion) record() a2a.RecordID {
	if n := len(a.task.Transitions); n > 0 {
		return a.task.Transitions[n-1].Record
	}
	return 0
}

func (a *missingQuestion) copyText() string { return a.task.ID }
func (a *missingQuestion) facts() []fact    { return []fact{{name: "task", value: a.task.ID}} }

// needsYou is the line above what a task asks. A card on a ground of its own has one only where more is needed
// than an answer: the state in the header, and in the head of the block, says the rest.
func needsYou(k *renderer, task *model.Task, w int) []string {
	words := k.task(task)
	if task.State == a2a.StateAuthRequired {
		words = k.join("authorization", words)
	}
	sign, paint := looks.Task(k.st, &task.Lifecycle)
	needs := " needs you"
	switch {
	case task.Conversation.Agent.Tap != "":
		needs, paint = " waits for its client", k.st.Text
	case task.State == a2a.StateInputRequired && k.st.Band.On != "":
		return nil
	}
	return k.title(paint.Bold().S(k.st.G[sign]+needs), words, w)
}

// cardPaint is the paint of the edge of what a task asks.
func cardPaint(k *renderer, task *model.Task) styles.Paint {
	if task.Conversation.Agent.Tap != "" {
		return looks.Tag(k.st, task.Conversation.Agent.ID)
	}
	_, paint := looks.Task(k.st, &task.Lifecycle)
	return paint
}

// stressed is how many lines of a question are bold: a longer one is a text.
const stressed = 6

// stress makes a short question bold.
func (m *message) stress(k *renderer, d *drawing) {
	if len(d.body) > stressed || len(d.insets) > 0 || slices.ContainsFunc(m.pieces, func(p piece) bool { return p.part != nil }) {
		return
	}
	for i, line := range d.body {
		d.body[i] = canvas.Highlight(line, styles.Paint{}.Bold())
	}
	d.mark = markdown.Mark{} // no line is the one that was rendered
}

// replyLines draws the replies that the agent suggests.
func (m *message) replyLines(k *renderer, w int) (lines []string) {
	m.chips = nil
	if k.recording || m.task.Conversation.Agent.Tap != "" {
		return nil
	}
	list, more := m.replies.read(m.entry().Message)
	lines, m.chips = k.chipLines(list, more, w)
	return lines
}

// questionStamp returns a number that changes with what is drawn of a task that waits.
func questionStamp(t *model.Task) uint64 {
	stamp := uint64(t.State)
	if t.AuthPoll != nil {
		stamp |= uint64(t.AuthPoll.Attempt) << 8
	}
	return stamp
}

// authPollLines says when the next auth poll comes.
func (k *renderer) authPollLines(t *model.Task, w int) []string {
	if t.AuthPoll == nil || t.State != a2a.StateAuthRequired {
		return nil
	}
	words := "next auth poll in " + units.Duration(t.AuthPoll.After) + ", attempt " + units.Count(t.AuthPoll.Attempt)
	return hangingIndent(2, k.glyph(k.st.Agent, styles.Retry), k.cleanText(k.st.Dim, words, w-2))
}

// linkURLs returns the links of a message, which it parses once; nil unless the task waits for an
// answer.
func (m *message) linkURLs() []string {
	if !m.waits {
		return nil
	}
	if msg := m.entry().Message; m.links.message != msg {
		m.links.message, m.links.urls = msg, log.Links(msg)
		_, m.links.form = model.FormIn(msg)
	}
	return m.links.urls
}

// links are the links of a message, and whether a form can answer it.
type links struct {
	message *a2a.Message
	urls    []string
	form    bool // it contains a schema
}

// actionLines lists what can be done about a task that waits: fill in its form, open its links,
// sign in.
func (m *message) actionLines(k *renderer, w int) (lines []string) {
	urls := m.linkURLs()
	if m.waits && m.links.form {
		lines = append(lines, k.truncate(k.st.Accent.S(keys.Name(k.keyOf(action.FillInForm)))+k.st.Dim.S(" fills in ")+k.st.Waiting.S("the form"), w))
	}
	if len(urls) > 0 {
		others := ""
		if more := len(urls) - 1; more > 0 {
			others = " or " + units.Plural(more, "other link")
		}
		opens := keys.Name(k.keyOf(action.OpenLink))
		words := k.host(urls[0], w-len(opens+" opens ")-len(others)) + others
		lines = append(lines, k.truncate(k.st.Accent.S(opens)+k.st.Dim.S(" opens ")+k.st.Waiting.S(words), w))
	}
	if m.waits && m.task.State == a2a.StateAuthRequired {
		lines = append(lines, k.truncate(k.st.Accent.S(keys.Name(k.keyOf(action.SignIn)))+k.st.Dim.S(" signs in"), w))
	}
	return lines
}

// linksAtCursor returns the links of the message under the cursor if its task waits.
func (p *Pane) linksAtCursor() []string {
	if m, ok := p.body().(*message); ok {
		return m.linkURLs()
	}
	return nil
}

// authTask returns the task of the cursor's block if it waits for credentials.
func (p *Pane) authTask() *model.Task {
	if t := p.task(); t != nil && t.State == a2a.StateAuthRequired && !t.Forgotten {
		return t
	}
	return nil
}
