package cli

import (
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/internal/history"
	"parley/session/log"
	"parley/session/model"
)

// A chat is a conversation in lines: what the user enters is sent, and the answer is shown as it
// comes. It carries the context, and the task while it waits for the user.
type chat struct {
	op        *operation
	input     chatInput
	past      *history.File // nil unless what the user writes is kept for later runs
	contextID string
	taskID    string   // that waits for the user, empty if none does
	lastTask  string   // of the newest answer
	tasks     []string // of all answers
	said      []string // by the user, the oldest first
}

// maxSaid is how many messages /history knows.
const maxSaid = 1000

func (a *app) chatCommand() *cobra.Command {
	var f callFlags
	c := &cobra.Command{
		Use:   "chat [flags] [REF]",
		Short: "Talk to an agent in lines, without a screen",
		Long: `Talk to an agent in lines. Each line is a message. On a terminal the answer is
drawn as it grows, and the text field has a history (up, ctrl+r), several lines
(alt+enter) and completion (tab); --plain reads and prints lines only, without
colours, cursor movement or redrawing, so that a screen reader can read it. The
context goes from one message to the next, and so does a task that waits for an
answer. /help lists the commands; ctrl+d ends it.

Without a terminal, the lines of standard input are sent one after the other.`,
		Example: "  parley chat http://localhost:9999\n  parley chat http://localhost:9999 < prompts.txt\n  parley chat Desk --plain --save results",
		Args:    cobra.ArbitraryArgs,
	}
	var plain bool
	c.Flags().BoolVar(&plain, "plain", false, "print lines only and draw nothing, for screen readers")
	c.RunE = func(_ *cobra.Command, args []string) error {
		f.remember(c)
		check := checkFlags{callFlags: f}
		if err := check.named(a, c, args, "parley chat needs an agent."); err != nil {
			return err
		}
		f = check.callFlags
		f.stream = true
		if !plain && f.output == "text" {
			f.output = drawn
		}
		return a.chat(&f)
	}
	a.callFlags(c, &f)
	f.drawn(c)
	a.saveFlags(c, &f)
	return c
}

// chat runs the command.
func (a *app) chat(f *callFlags) error {
	op, err := a.connect("chat", f)
	if err != nil {
		return err
	}
	defer op.end()
	op.goesOn = true
	op.printLive()
	if op.saver != nil {
		op.saver.perTask = true
	}
	t := &chat{op: op}
	t.open()
	if card := op.card(); card != nil && t.input.interactive() {
		a.note("Agent", "%s. /help lists the commands.", orNone(line(card.Name)))
	}
	for {
		e, err := t.input.read(t.question())
		switch {
		case errors.Is(err, io.EOF):
			return op.broken
		case err != nil:
			return op.advise(err, nil)
		case e.command != "":
			if t.run(e.command, e.arg) {
				return op.broken
			}
			continue
		case e.text == "":
			continue
		}
		if err := t.say(e); err != nil {
			return err
		}
	}
}

// say sends a message and prints the answer.
func (t *chat) say(e entry) error {
	op := t.op
	t.remember(e)
	m := &a2a.Message{ID: newID(), Parts: []a2a.Part{a2a.TextPart(e.text)}}
	op.answer = answer{noted: true, namedTask: t.taskID}
	*op.live = live{op: op}
	target := model.Target{Agent: op.agent, ContextID: t.contextID, TaskID: t.taskID}
	sig, err := op.turn(func() a2a.TurnID {
		return op.engine.Send(target, m, model.SendOptions{Secret: e.secret, Config: a2a.SendConfig{Wait: true}})
	})
	task, left := op.task(), op.left
	op.left = false
	if err == nil && !left {
		err = op.failure(sig, task)
	}
	op.live.finish(task)
	op.flush()
	t.carry(task)
	t.save(sig, err, task)
	if op.broken != nil {
		return op.broken
	}
	if err != nil && op.ctx.Err() != nil {
		return op.advise(err, task)
	}
	if err != nil { // the next message may do better
		f := op.advise(err, task)
		refused := f.code == codeCredentialsMissing || f.code == codeAuthFailed
		if refused && !t.input.interactive() { // but nobody can sign in between two lines
			return f
		}
		op.app.note("Error", "%s", f.message)
		op.app.note("Code", "%s", f.code)
		doubt := doubtful(op.state.Turn(op.answer.turn))
		if doubt {
			op.app.note("Note", "the agent may have taken the message; the next line is a message of its own.")
		}
		if (refused || doubt) && f.hint != "" {
			op.app.note("Hint", "%s", f.hint)
		}
		if f.code == "TaskNotFoundError" {
			t.taskID = ""
		}
		return nil
	}
	if left {
		t.sayLeft()
		return nil
	}
	t.sayWhatWaits(task)
	return nil
}

// sayLeft says what the user left, and how to come back to it.
func (t *chat) sayLeft() {
	if id := t.op.answer.task(); id != "" {
		t.op.app.note("Note", "you left task %s, which may still be working: /task gets it.", id)
		return
	}
	t.op.app.note("Note", "you stopped waiting for the answer; the agent may still be working on the message.")
}

// sayWhatWaits says what the next line does while a task waits for the user.
func (t *chat) sayWhatWaits(task *a2a.Task) {
	switch {
	case t.taskID == "" || task == nil:
	case t.asksSecret():
		t.op.app.note("Note", "the task is %s: do what its message says; what you type next goes to the agent as a secret, and /new starts another task.", task.Status.State)
	default:
		t.op.app.note("Note", "the task is %s: the next line answers it; /new starts another task.", task.Status.State)
	}
}

// save saves the files of an answer. What cannot be saved does not end the chat.
func (t *chat) save(sig *log.Signal, err error, task *a2a.Task) {
	op := t.op
	if op.saver == nil {
		return
	}
	op.saveFiles(sig, err)
	if failure := op.saver.failure(task); failure != nil {
		op.app.note("Error", "%s", asFault(failure).message)
	}
	op.saver.err, op.saver.missing = nil, 0
}

// carry takes from an answer what the next message needs.
func (t *chat) carry(task *a2a.Task) {
	messages := t.op.answer.messages
	switch {
	case task != nil:
		t.lastTask, t.taskID = task.ID, ""
		if !slices.Contains(t.tasks, task.ID) {
			t.tasks = append(t.tasks, task.ID)
		}
		if task.ContextID != "" {
			t.contextID = task.ContextID
		}
		if task.Status.State.Interrupted() {
			t.taskID = task.ID
		}
	case len(messages) > 0 && messages[len(messages)-1].ContextID != "":
		t.contextID = messages[len(messages)-1].ContextID
	}
}
