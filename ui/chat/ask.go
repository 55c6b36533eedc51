package chat

import (
	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/looks"
	"parley/ui/styles"
)

// OpenLinks asks to open one of the links of a task that waits.
type OpenLinks struct{ Links []string }

// Look asks to start or stop the auth poll of a task that waits for credentials.
type Look struct {
	Agent a2a.AgentID
	Task  string
	On    bool
}

func (OpenLinks) intent() {}
func (Look) intent()      {}

// ask replaces the message of a task that waits without a question.
type ask struct {
	plainBody
	task *model.Task
}

func (a *ask) draw(k *ink, w int) drawing {
	words := "The agent waits for an answer but does not say what it asks."
	switch {
	case a.task.State == a2a.StateAuthRequired:
		words = "The agent waits for authorization but does not say how to give it."
	case len(a.task.Artifacts) > 0:
		words = "The agent waits for an answer; its question may be in an artifact."
	}
	return drawing{head: needsYou(k, a.task, w), body: k.text(k.st.Text, words, w), foot: k.looks(a.task, w)}
}

func (a *ask) record() a2a.RecordID {
	if n := len(a.task.Transitions); n > 0 {
		return a.task.Transitions[n-1].Record
	}
	return 0
}

func (a *ask) copyText() string { return a.task.ID }
func (a *ask) facts() []fact    { return []fact{{name: "task", value: a.task.ID}} }

// needsYou is the line above the question of a task.
func needsYou(k *ink, task *model.Task, w int) []string {
	words := k.task(task)
	if task.State == a2a.StateAuthRequired {
		words = k.dots("authorization", words)
	}
	sign, paint := looks.Task(k.st, &task.Lifecycle)
	return k.titled(paint.Bold().S(k.st.G[sign]+" needs you"), words, w)
}

// askStamp changes with what is drawn of a task that waits.
func askStamp(t *model.Task) uint64 {
	stamp := uint64(t.State)
	if t.AuthPoll != nil {
		stamp |= uint64(t.AuthPoll.Attempt) << 8
	}
	return stamp
}

// looks says when the next auth poll comes.
func (k *ink) looks(t *model.Task, w int) []string {
	if t.AuthPoll == nil || t.State != a2a.StateAuthRequired {
		return nil
	}
	words := "next auth poll in " + units.Duration(t.AuthPoll.After) + ", attempt " + units.Count(t.AuthPoll.Attempt)
	return hang(2, k.glyph(k.st.Agent, styles.Retry), k.painted(k.st.Dim, words, w-2))
}

// leads returns the links of a message that a task waits with, which are read once.
func (m *message) leads() []string {
	if !m.waits {
		return nil
	}
	if said := m.entry().Message; m.links.of != said {
		m.links.of, m.links.urls = said, log.Links(said)
		_, m.links.form = model.FormIn(said)
	}
	return m.links.urls
}

// links are those of a message, and whether it can be answered in a form.
type links struct {
	of   *a2a.Message
	urls []string
	form bool // it contains a schema
}

// offers lists what can be done about a task that waits: fill in its form, open its links,
// enter credentials.
func (m *message) offers(k *ink, w int) (lines []string) {
	leads := m.leads()
	if m.waits && m.links.form {
		lines = append(lines, k.cut(k.st.Accent.S("alt+i")+k.st.Dim.S(" fills in ")+k.st.Waiting.S("the form"), w))
	}
	if len(leads) > 0 {
		others := ""
		if more := len(leads) - 1; more > 0 {
			others = " or " + units.Plural(more, "other link")
		}
		words := k.host(leads[0], w-len("alt+o opens ")-len(others)) + others
		lines = append(lines, k.cut(k.st.Accent.S("alt+o")+k.st.Dim.S(" opens ")+k.st.Waiting.S(words), w))
	}
	if m.waits && m.task.State == a2a.StateAuthRequired {
		lines = append(lines, k.cut(k.st.Accent.S(credentialsKey)+k.st.Dim.S(" enters credentials, masked"), w))
	}
	return lines
}

// linked returns the links under the cursor that a task waits with.
func (p *Pane) linked() []string {
	if m, ok := p.body().(*message); ok {
		return m.leads()
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
