package cli

import (
	"strings"

	"parley/a2a"
	lifecycle "parley/session/task"
)

// answerOnly is the value of --output that prints the text of the answer and nothing else.
const answerOnly = "answer"

// An answerPrinter prints the text of the artifacts alone, or of the messages where there is no
// artifact, or the newest text in status messages where there is neither. What else belongs to the
// answer is named on standard error.
type answerPrinter struct {
	op       *operation
	raw      bool            // print byte for byte
	artifact string          // of the newest text, by task and key
	inLine   bool            // the last line is incomplete
	held     string          // the carriage return at the end, whose line feed may come next
	printed  map[string]bool // the artifacts that were printed, by task and key
	said     lifecycle.Text
	spoken   strings.Builder // the newest text in status messages
}

// checkAnswer refuses --raw where it has no meaning or can do harm.
func (f *callFlags) checkAnswer(a *app) error {
	switch {
	case !f.raw:
		return nil
	case f.output != answerOnly:
		return usage("--raw needs --output answer.")
	case isTerminal(a.streams.Out):
		return usage("--raw prints bytes that can control the terminal: send them to a file or a pipe, as in > FILE.")
	}
	return nil
}

// chunk prints one event of an artifact.
func (w *answerPrinter) chunk(ev *a2a.Event) {
	key := ev.TaskID + "\x00" + ev.Artifact.Key
	if w.artifact != key || !ev.Append {
		w.endLine()
	}
	w.artifact = key
	w.note(key)
	w.parts(ev.Artifact.Name, ev.Artifact.Parts)
}

// speak keeps the newest text that a working task says in status messages: the answer of an agent that sends
// nothing else.
func (w *answerPrinter) speak(ev *a2a.Event) {
	continues := w.said.Continues(ev)
	if text, spoken := lifecycle.Spoken(ev); spoken {
		if !continues {
			w.spoken.Reset()
		}
		w.spoken.WriteString(text)
	}
}

// note remembers an artifact, and reports whether it is new.
func (w *answerPrinter) note(key string) bool {
	if w.printed == nil {
		w.printed = map[string]bool{}
	}
	fresh := !w.printed[key]
	w.printed[key] = true
	return fresh
}

// parts prints the texts among parts, and names the others on standard error.
func (w *answerPrinter) parts(of string, parts []a2a.Part) {
	for i := range parts {
		if part := &parts[i]; part.Kind == a2a.PartText {
			w.text(part.Text)
		} else {
			w.other(of, part)
		}
	}
}

func (w *answerPrinter) text(s string) {
	if w.raw {
		w.op.write([]byte(s))
		return
	}
	s = w.held + s
	w.held = ""
	if strings.HasSuffix(s, "\r") {
		s, w.held = s[:len(s)-1], "\r"
	}
	if s = clean(s); s != "" {
		w.op.write([]byte(s))
		w.inLine = !strings.HasSuffix(s, "\n")
	}
}

// other names a part that is no text.
func (w *answerPrinter) other(of string, part *a2a.Part) {
	var p page
	if of != "" {
		p.field("Artifact", of)
	}
	p.content(part)
	w.op.app.tell(&p)
}

// endLine completes the last line, so that artifacts do not run into one another.
func (w *answerPrinter) endLine() {
	if w.held != "" {
		w.held, w.inLine = "", true
	}
	if w.inLine {
		w.op.write([]byte("\n"))
	}
	w.inLine = false
}

// finish prints what is not printed yet, and the ids on standard error.
func (w *answerPrinter) finish(t *a2a.Task) {
	w.endLine()
	if t != nil {
		for i := range t.Artifacts {
			if art := &t.Artifacts[i]; w.note(t.ID + "\x00" + art.Key) {
				w.parts(art.Name, art.Parts)
				w.endLine()
			}
		}
	}
	for _, m := range w.messages(t) {
		w.parts("", m.Parts)
		w.endLine()
	}
	var p page
	if t != nil {
		p.ids(t.ID, t.ContextID, &t.Status)
	} else if m := w.op.answer.messages; len(m) > 0 {
		p.field("Context", orNone(m[len(m)-1].ContextID))
	}
	p.field("Resume", w.op.resume(t))
	w.op.app.tell(&p)
}

// messages returns the messages that belong to the answer: all where there is no artifact, or what the task said
// while it worked where there is nothing else; otherwise only what the agent asks.
func (w *answerPrinter) messages(t *a2a.Task) []*a2a.Message {
	all := w.op.answer.messages
	switch {
	case t == nil:
		return all
	case t.Status.State.Interrupted() && t.Status.Message != nil:
		return []*a2a.Message{t.Status.Message}
	case len(w.printed) > 0:
		return nil
	case len(all) == 0 && t.Status.Message != nil:
		return []*a2a.Message{t.Status.Message}
	case len(all) == 0 && w.spoken.Len() > 0:
		return []*a2a.Message{{Role: a2a.RoleAgent, Parts: []a2a.Part{a2a.TextPart(w.spoken.String())}}}
	default:
		return all
	}
}
