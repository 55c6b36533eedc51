package cli

import (
	"fmt"
	"slices"
	"strings"

	"parley/a2a"
	"parley/ui/action"
	"parley/ui/composer"
)

// A chatCommand is what a slash at the beginning of a line can do.
type chatCommand struct {
	word, takes, about string
	do                 func(t *chat, arg string) (quit bool)
}

// chatCommands returns the commands of a chat.
func chatCommands() []chatCommand {
	return []chatCommand{
		{"help", "", "lists these commands", func(t *chat, _ string) bool { t.help(); return false }},
		{"new", "", "starts a new task in the same context", func(t *chat, _ string) bool { t.new(false); return false }},
		{"reset", "", "starts a new context", func(t *chat, _ string) bool { t.new(true); return false }},
		{"task", "[ID]", "gets the newest task, or continues another one", func(t *chat, id string) bool { t.get(id); return false }},
		{"ids", "", "prints the context and the task", func(t *chat, _ string) bool { t.ids(); return false }},
		{"card", "", "prints the agent's card", func(t *chat, _ string) bool { t.card(); return false }},
		{"history", "", "prints what you said", func(t *chat, _ string) bool { t.history(); return false }},
		{"save", "[DIR]", "saves the files of the newest task", func(t *chat, dir string) bool { t.saveIn(dir); return false }},
		{"cancel", "", "asks the agent to end the newest task", func(t *chat, _ string) bool { t.cancel(); return false }},
		{"quit", "", "ends the chat, as ctrl+d does", func(*chat, string) bool { return true }},
		{"exit", "", "ends the chat", func(*chat, string) bool { return true }},
	}
}

// findChatCommand returns the command of a word, nil if there is none.
func findChatCommand(word string) *chatCommand {
	all := chatCommands()
	if i := slices.IndexFunc(all, func(c chatCommand) bool { return c.word == word }); i >= 0 {
		return &all[i]
	}
	return nil
}

// run runs a command of the user, and reports whether it ends the chat.
func (t *chat) run(word, arg string) (quit bool) {
	c := findChatCommand(word)
	switch {
	case c == nil:
		t.op.app.note("Note", "there is no command /%s; /help lists them, and //%s sends it as text.", line(word), line(word))
		return false
	case c.takes == "" && arg != "":
		t.op.app.note("Note", "/%s takes nothing; //%s sends it as text.", c.word, c.word)
		return false
	}
	return c.do(t, arg)
}

// commands returns the commands for the text field, which completes them.
func (t *chat) commands() []composer.Command {
	var list []composer.Command
	for _, c := range chatCommands() {
		if c.word == "exit" {
			continue
		}
		command := composer.Command{Word: c.word, Takes: c.takes, About: c.about}
		if c.word == "task" {
			command.Offers = func(arg string) (offers []action.Offer) {
				for _, id := range slices.Backward(t.tasks) {
					if task := t.op.state.Task(t.op.agent, id); task != nil && strings.HasPrefix(id, arg) && line(id) == id {
						offers = append(offers, action.Offer{Text: id, Note: task.State.String()})
					}
				}
				return offers
			}
		}
		list = append(list, command)
	}
	return list
}

func (t *chat) help() {
	var p page
	for _, c := range chatCommands() {
		if c.word != "exit" {
			p.add(fmt.Sprintf("%-12s %s\n", strings.TrimSpace("/"+c.word+" "+c.takes), c.about))
		}
	}
	p.add(fmt.Sprintf("%-12s %s\n", "//text", "sends a text that begins with a slash"))
	t.op.print(&p)
}

func (t *chat) new(context bool) {
	t.taskID = ""
	if !context {
		t.op.app.note("Note", "the next message starts a new task.")
		return
	}
	t.contextID, t.lastTask = "", ""
	t.op.app.note("Note", "the next message starts a new context.")
}

func (t *chat) ids() {
	var p page
	p.field("Context", orNone(t.contextID))
	p.field("Task", orNone(t.lastTask))
	t.op.print(&p)
}

func (t *chat) card() {
	if card := t.op.card(); card != nil {
		var p page
		p.card(card, *t.op.openSignal.Profile)
		t.op.print(&p)
	}
}

func (t *chat) history() {
	var p page
	for _, s := range t.said {
		p.field("You", s)
	}
	t.op.print(&p)
}

// get prints a task as it is now. The next message continues it if it is not over.
func (t *chat) get(id string) {
	if id == "" {
		id = t.lastTask
	}
	if d := t.op.drawing; d != nil {
		d.forget()
	}
	task, ok := t.operate(id, func() a2a.TurnID { return t.op.engine.Get(t.op.agent, id, 0, nil) })
	if ok && task != nil && !task.Status.State.Terminal() {
		t.taskID = task.ID
		t.sayWhatWaits(task)
	}
}

// cancel asks the agent to end the newest task.
func (t *chat) cancel() {
	id := t.lastTask
	t.operate(id, func() a2a.TurnID { return t.op.engine.Cancel(t.op.agent, id, 0) })
}

// operate performs an operation on a task, and reports whether it succeeded.
func (t *chat) operate(id string, start func() a2a.TurnID) (*a2a.Task, bool) {
	op := t.op
	if id == "" {
		op.app.note("Note", "there is no task yet.")
		return nil, false
	}
	op.answer = answer{noted: true, namedTask: id}
	*op.live = live{op: op}
	sig, err := op.turn(start)
	task := op.task()
	if err == nil {
		err = op.failure(sig, task)
	}
	if err != nil {
		op.app.note("Error", "%s", asFault(err).message)
		return nil, false
	}
	op.live.finish(task)
	op.flush()
	t.carry(task)
	return task, true
}

// saveIn saves the files of the newest task in a folder.
func (t *chat) saveIn(dir string) {
	op := t.op
	var task *a2a.Task
	if t.lastTask != "" {
		task = op.state.Assembled(op.agent, t.lastTask)
	}
	if task == nil {
		op.app.note("Note", "there is no task yet.")
		return
	}
	flags := op.flags.save
	if flags.dir = dir; dir == "" {
		flags.dir = op.flags.save.dir
	}
	if flags.dir == "" {
		flags.dir = "."
	}
	if err := flags.prepare(); err != nil {
		op.app.note("Error", "%s", asFault(err).message)
		return
	}
	s := newSaver(op)
	s.flags = &flags
	s.finish(task, nil, saving{download: true})
	if err := s.failure(task); err != nil {
		op.app.note("Error", "%s", asFault(err).message)
	} else if len(s.saved) == 0 {
		op.app.note("Note", "the task has no files.")
	}
}
