package chat

import (
	"fmt"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/ui/styles"
)

// aside is an answer to a turn that is about another task or context: it is shown, and changes
// nothing.
type aside struct {
	plainBody
	about *model.Aside
	conv  *model.Conversation
}

func (a *aside) draw(k *renderer, w int) drawing {
	return drawing{body: hangingIndent(2, k.glyph(k.st.Waiting, styles.Flag), k.text(k.st.Dim, a.words(k), w-2))}
}

// words describes the aside.
func (a *aside) words(k *renderer) string {
	about, events := a.about, units.Plural(a.about.Events, "event")
	of := "more tasks"
	switch {
	case k.calm && about.TaskID != "":
		of = "another task"
	case k.calm && about.ContextID != "":
		of = "another context"
	case about.TaskID != "":
		of = "another task, " + units.ID(k.clean(about.TaskID))
	case about.ContextID != "":
		of = "another context, " + units.ID(k.clean(about.ContextID))
	}
	words := fmt.Sprintf("Not part of this answer: %s of %s", events, of)
	if state := about.StateWord(); state != "" {
		words += " (" + k.clean(state) + ")"
	}
	if about.Text != "" {
		words += ": “" + k.clean(about.Text) + "”"
	}
	if k.calm {
		return words
	}
	where := fmt.Sprintf(" · record #%d", about.First)
	if about.Last != about.First {
		where = fmt.Sprintf(" · records #%d to #%d", about.First, about.Last)
	}
	return words + where
}

func (a *aside) record() a2a.RecordID { return a.about.First }
func (a *aside) copyText() string     { return a.about.Text }
func (a *aside) facts() []fact {
	return []fact{
		{name: "task", value: a.about.TaskID},
		{name: "context", value: a.about.ContextID},
		{name: "this conversation", value: a.conv.ContextID},
	}
}

// repeatedTask is shown in a block whose task was known and has nothing new.
type repeatedTask struct {
	entryBody
	turn *model.Turn
}

func (s *repeatedTask) draw(k *renderer, w int) drawing {
	words := "The same task as above, nothing new."
	if task := s.block.Task; task != nil && task.Conversation != s.turn.Conversation {
		words = "The same task as in “" + k.clean(task.Conversation.Name()) + "”, nothing new."
	}
	return drawing{body: hangingIndent(2, k.glyph(k.st.Dim, styles.Retry), k.text(k.st.Dim, words, w-2))}
}

// contradiction describes an agent's statement against the end of a task.
func (h *head) contradiction(k *renderer) string {
	c := h.block.Task.Contradiction
	if c == nil {
		return ""
	}
	where := fmt.Sprintf(" (record #%d)", c.Record)
	if k.calm {
		where = ""
	}
	return fmt.Sprintf("The agent also said that the task is %s%s; but the task was over and stays %s.", k.clean(c.StateWord()), where, k.clean(h.block.Task.StateWord()))
}
