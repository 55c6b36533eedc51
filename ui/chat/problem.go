package chat

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/model"
	"parley/session/problem"
	"parley/ui/action"
	"parley/ui/canvas"
	"parley/ui/keys"
	"parley/ui/styles"
)

// problemBlock is a failure, in one sentence.
type problemBlock struct {
	entryBody
	what *problem.Problem // the drawn version: the end of an exchange may replace it
	open bool
	// handled is set while the engine does what the sentence advises, and after the task has
	// ended, or was forgotten by the agent, since then.
	handled bool
	// remedy is what the user can do about what the failure left open.
	remedy problem.Remedy
	// retries is set while the rejected message may be sent again.
	retries bool
}

func (p *problemBlock) draw(k *renderer, w int) drawing {
	what := p.entry().Problem
	handled := what.Resumed != 0 || p.handled || what.Class == problem.ClassFallback // the user need not do anything
	sentence, paint, mark := what.Sentence, k.st.Text, k.glyph(k.st.Failed, styles.Failed)
	if what.Resumed != 0 || p.handled {
		sentence = firstSentence(sentence)
	}
	if what.Resumed != 0 {
		sentence += " Parley resubscribed to the task" + p.gap(k) + "."
	}
	if handled {
		paint, mark = k.st.Dim, k.glyph(k.st.Dim, styles.Retry)
	}
	lines := hangingIndent(2, mark, k.text(paint, sentence, w-2))
	said := len(lines)
	if what.AsksCredentials() {
		signs := keys.Name(k.keyOf(action.SignIn))
		lines = append(lines, indent(2, k.withKey(signs+" signs in", signs, w-2))...)
	}
	if words := p.remedyWords(k); words != "" {
		lines = append(lines, indent(2, k.withKey(words, keys.Name(k.keyOf(action.ListTasks)), w-2))...)
	}
	if what.Class == a2a.ClassGivenUp && !k.recording {
		lines = append(lines, indent(2, []string{k.truncate(k.st.Accent.S(keys.Name(k.keyOf(action.ListTasks)))+k.st.Dim.S(" lists the tasks, where you can get it again"), w-2)})...)
	}
	if words := p.retry(k); words != "" {
		lines = append(lines, indent(2, k.withKey(k.send+" "+words, k.send, w-2))...)
	}
	d := drawing{body: lines}
	if len(lines) > said && !handled { // the user can do something
		d.card = k.st.Failed
	}
	if !p.open {
		if e := what.Err; e != nil && !empty(e.Data) && !handled { // agents explain errors there
			d.foot = indent(2, k.explanation(e.Data, w-2))
		}
		return d
	}
	if e := what.Err; e != nil {
		if said := sentence + what.Detail; !strings.Contains(said, e.Error()) {
			d.foot = append(d.foot, indent(2, k.text(k.st.Dim, e.Error(), w-2))...)
		}
		if !empty(e.Data) {
			d.foot = append(d.foot, indent(2, k.pretty(e.Data, w-2))...)
		}
	}
	if what.Detail != "" {
		d.foot = append(d.foot, indent(2, k.capLines(k.text(k.st.Dim, what.Detail, w-2)))...)
	}
	return d
}

// firstSentence returns the first sentence of a text. A quotation is a part of its sentence.
func firstSentence(text string) string {
	quoted := 0
	for i, r := range text {
		switch {
		case r == '“':
			quoted++
		case r == '”':
			quoted--
		case quoted <= 0 && strings.HasPrefix(text[i:], ". "):
			return text[:i+1]
		}
	}
	return strings.TrimSuffix(text, ".") + "."
}

// remedyWords says what to do about what a failure left open, and with which key. It goes when that is done, and
// a recording has none: nothing in it can be done any more.
func (p *problemBlock) remedyWords(k *renderer) string {
	list := keys.Name(k.keyOf(action.ListTasks))
	if k.recording {
		return ""
	}
	switch p.remedy {
	case problem.GetTask:
		return list + " lists the tasks, where you can get this one"
	case problem.SubscribeTask:
		return list + " lists the tasks, where you can subscribe to this one"
	case problem.FindTask:
		return list + " lists the agent's tasks: see there whether it took the message before you send it again"
	case problem.ReadLog:
		return "The agent's log says whether it took the message; this version of A2A has no list of tasks"
	default:
		return ""
	}
}

// gap names the time and the records between a cut and the event with which a subscription
// continued the task.
func (p *problemBlock) gap(k *renderer) string {
	what := p.entry().Problem
	if what.ResumedAt == 0 || k.calm {
		return ""
	}
	at := fmt.Sprintf("%s later at #%d", units.Duration(what.Away), what.ResumedAt)
	if what.After != 0 {
		return fmt.Sprintf(": after #%d it went on %s", what.After, at)
	}
	return ": it went on " + at
}

// withKey wraps dim words that name a key once, and draws the key in the accent colour.
func (k *renderer) withKey(words, key string, w int) []string {
	lines, drawn := canvas.Wrap(words, max(w, 1)), false
	for i, line := range lines {
		before, after, named := strings.Cut(line, key)
		if drawn || !named {
			lines[i] = k.st.Dim.S(line)
			continue
		}
		drawn = true
		lines[i] = k.st.Dim.S(before) + k.st.Accent.S(key) + k.st.Dim.S(after)
	}
	return lines
}

// retry says when enter in the text field, which contains the message again, sends it; empty if
// it does something else.
func (p *problemBlock) retry(k *renderer) string {
	what := p.entry().Problem
	if !p.retries || k.recording {
		return ""
	}
	words := "in the text field sends the message again"
	if what.Again.IsZero() {
		return words
	}
	wait := what.Again.Sub(k.now)
	if full := what.Again.Sub(p.entry().Time); full > 0 {
		wait = min(wait, full) // the clock is not read before it ticks
	}
	if wait > 0 {
		return words + "; the agent accepts it in " + units.Duration((wait + time.Second - 1).Truncate(time.Second))
	}
	return words + "; the agent accepts it now"
}

// refusedWithout reports whether a class means that credentials were missing or not accepted.
func refusedWithout(class string) bool {
	return class == a2a.ClassNoCredentials || class == a2a.ClassAuth
}

// overSince reports whether a task has ended after a record.
func overSince(t *model.Task, r a2a.RecordID) bool {
	n := len(t.Transitions)
	return t.State.Terminal() && n > 0 && t.Transitions[n-1].Record > r
}

func (p *problemBlock) record() a2a.RecordID {
	if p.entry().Problem.Record != 0 {
		return p.entry().Problem.Record
	}
	return p.entry().Record
}

func (p *problemBlock) copyText() string {
	text := p.entry().Problem.Sentence
	if p.entry().Problem.Detail != "" {
		text += "\n" + p.entry().Problem.Detail
	}
	if p.entry().Problem.Err != nil {
		text += "\n" + p.entry().Problem.Err.Error()
	}
	return text
}

func (p *problemBlock) facts() []fact {
	facts := []fact{{name: "class", value: p.entry().Problem.Class}, {name: "detail", value: p.entry().Problem.Detail}}
	if e := p.entry().Problem.Err; e != nil {
		facts = append(facts, fact{name: "code", value: strconv.FormatInt(e.Code, 10)}, fact{name: "name", value: e.Name},
			fact{name: "reason", value: e.Reason}, fact{name: "message", value: e.Message}, fact{name: "data", data: e.Data})
	}
	return facts
}

func (p *problemBlock) fold() *bool {
	if p.entry().Problem.Detail == "" && p.entry().Problem.Err == nil {
		return nil
	}
	return &p.open
}

// unknown is an event that no dialect defines, shown unchanged.
type unknown struct {
	entryBody
	open bool
}

func (u *unknown) draw(k *renderer, w int) drawing {
	mark := k.glyph(k.st.Dim, styles.Unknown) + k.st.Text.S(" unknown event ")
	if u.open {
		return drawing{head: []string{mark}, body: indent(2, k.pretty(u.entry().Raw, w-2))}
	}
	raw := u.entry().Raw[:min(len(u.entry().Raw), 400)]
	return drawing{head: []string{k.truncate(mark+k.st.Faint.S(k.clean(string(raw))), w)}}
}

func (u *unknown) copyText() string { return string(u.entry().Raw) }
func (u *unknown) facts() []fact    { return []fact{{name: "event", data: u.entry().Raw}} }
func (u *unknown) fold() *bool      { return &u.open }
