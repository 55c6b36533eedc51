package cli

import (
	"bufio"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/charmbracelet/x/term"

	"parley/internal/crash"
	"parley/internal/history"
	"parley/internal/units"
	"parley/session/journal"
	"parley/ui/prompt"
)

// maxLine is how many bytes a line of the user may have.
const maxLine = 1 << 20

// An entry is what the user of a chat entered: a message, or a command.
type entry struct {
	text         string
	secret       bool
	command, arg string // without the slash; empty for a message
}

// A chatInput reads what the user of a chat enters. The error is io.EOF at the end.
type chatInput interface {
	read(q prompt.Question) (entry, error)
	interactive() bool
}

// open chooses how the user's entries are read: with a text field where answers are drawn, else as
// lines.
func (t *chat) open() {
	op := t.op
	a := op.app
	lines := &lineInput{op: op, in: bufio.NewReader(a.streams.In), prompts: isTerminal(a.streams.In) && isTerminal(a.streams.Out)}
	t.input = lines
	if op.drawing == nil || !lines.prompts {
		return
	}
	t.past = a.chatHistory()
	field := prompt.New(op.drawing.styles, t.earlier(), t.commands)
	t.input = &fieldInput{op: op, field: field}
}

// chatHistory returns the file of messages that the workbench has too, nil if nothing is kept.
func (a *app) chatHistory() *history.File {
	sessions, err := journal.SessionsDir(runtime.GOOS, a.env.get)
	if v, ok := a.settings.Lookup("no-record"); err != nil || ok && v.Text == "true" {
		return nil
	}
	return history.Open(filepath.Join(filepath.Dir(sessions), "history.jsonl"))
}

// agentName returns the name under which messages to the agent are kept.
func (t *chat) agentName() string {
	agent := t.op.state.Agent(t.op.agent)
	if agent == nil || agent.Card == nil {
		return ""
	}
	return history.AgentName(agent.CardName(), agent.Profile.Endpoint)
}

// earlier returns the messages of earlier runs to the agent, the oldest first.
func (t *chat) earlier() (texts []string) {
	name := t.agentName()
	if t.past == nil || name == "" {
		return nil
	}
	entries, err := t.past.Load()
	if err != nil {
		t.op.app.note("Warning", "the messages of earlier runs cannot be read: %s.", units.FileError(err))
	}
	for _, e := range entries {
		if e.Agent == name {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// remember keeps a message for /history and for later runs, unless it is a secret.
func (t *chat) remember(e entry) {
	if e.secret {
		return
	}
	text := t.op.engine.Mask(e.text)
	if t.said = append(t.said, text); len(t.said) > maxSaid {
		t.said = t.said[1:]
	}
	name := t.agentName()
	if t.past == nil || name == "" {
		return
	}
	if err := t.past.Add(history.Entry{Time: now(), Agent: name, Text: text}); err != nil {
		t.op.app.note("Warning", "messages cannot be kept for later runs: %s.", units.FileError(err))
		t.past = nil
	}
}

// asksSecret reports whether the next message is for the agent alone.
func (t *chat) asksSecret() bool {
	return t.taskID != "" && t.op.state.Task(t.op.agent, t.taskID).AsksSecret()
}

// question returns what the next message does.
func (t *chat) question() prompt.Question {
	q := prompt.Question{Label: "start a task", Secret: t.asksSecret()}
	switch task := t.op.state.Task(t.op.agent, t.taskID); {
	case t.taskID != "" && task != nil:
		q.Answer, q.Label = true, fmt.Sprintf("answer task %s (%s)", units.ID(line(t.taskID)), task.State)
	case t.taskID != "":
		q.Answer, q.Label = true, "continue task "+units.ID(line(t.taskID))
	case t.contextID != "":
		q.Label = "start a task in the same context"
	}
	return q
}

// A fieldInput is a text field at the end of a terminal.
type fieldInput struct {
	op    *operation
	field *prompt.Prompt
}

func (f *fieldInput) interactive() bool { return true }

func (f *fieldInput) read(q prompt.Question) (entry, error) {
	a := f.op.app
	r, err := f.field.Ask(f.op.ctx, q, a.streams.In, a.streams.Out, a.env)
	if err != nil && f.op.ctx.Err() != nil {
		err = f.op.stopError(f.op.ctx.Err())
	}
	return entry{text: strings.TrimSpace(r.Text), secret: r.Secret, command: r.Command, arg: r.Arg}, err
}

// A lineInput reads lines of standard input.
type lineInput struct {
	op      *operation
	in      *bufio.Reader
	prompts bool // in and out are terminals
}

func (l *lineInput) interactive() bool { return l.prompts }

func (l *lineInput) read(q prompt.Question) (entry, error) {
	hidden := l.prompts && q.Secret
	if l.prompts {
		mark := "> "
		switch {
		case q.Secret:
			mark = "auth-required, not shown> "
		case q.Answer:
			mark = "input-required> "
		}
		l.op.write([]byte(mark))
	}
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1) // a read of a terminal cannot be stopped
	go func() {
		defer crash.Guard()
		if hidden && l.in.Buffered() == 0 {
			secret, err := term.ReadPassword(l.op.app.streams.In.Fd())
			got <- result{string(secret), err}
			return
		}
		text, err := l.in.ReadString('\n')
		if text != "" {
			err = nil
		}
		got <- result{text, err}
	}()
	select {
	case r := <-got:
		if hidden {
			l.op.write([]byte("\n"))
		}
		if len(r.text) > maxLine {
			return entry{}, usage("A line has more than %d bytes: send long texts with parley send.", maxLine)
		}
		return lineEntry(strings.TrimSpace(r.text), q.Secret), r.err
	case <-l.op.ctx.Done():
		return entry{}, l.op.stopError(l.op.ctx.Err())
	}
}

// lineEntry reads a line: a slash begins a command, two begin a text with one.
func lineEntry(text string, secret bool) entry {
	rest, slash := strings.CutPrefix(text, "/")
	if !slash || strings.HasPrefix(rest, "/") {
		return entry{text: strings.TrimPrefix(text, "/"), secret: secret}
	}
	word, arg, _ := strings.Cut(rest, " ")
	if secret && findChatCommand(word) == nil { // a secret may begin with a slash
		return entry{text: text, secret: true}
	}
	return entry{command: word, arg: strings.TrimSpace(arg)}
}
