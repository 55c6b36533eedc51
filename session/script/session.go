package script

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/export/excerpt"
	"parley/session/log"
	"parley/session/model"
)

// The limits of a script that is made of a session.
const (
	leastPause = time.Second      // a shorter one is left out
	mostPause  = 5 * time.Second  // a longer one is shortened
	slowAnswer = 15 * time.Second // after which a Wait names the time that it allows
)

// demoAgents are the names of the demo's agents, which have another address in each run.
var demoAgents = []string{"Travel Desk", "Scribe", "Old Clerk", "Saboteur"}

// Write writes the messages of an excerpt as a script, conversation by conversation. Comments say
// what a script cannot. It calls step after each turn.
func Write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
	w := &sessionWriter{excerpt: p, canceled: canceledTasks(p.State), faults: faultsOf(p.State)}
	w.comment("The messages of " + visible.Line(p.Name) + ", as a script: parley demo FILE" + Ending + " --headless plays it.")
	w.comment("Check what it waits for, and add what it expects: docs/scripts.md lists the verbs.")
	turns, total := 0, 0
	for _, c := range p.Conversations {
		total += len(c.Turns)
	}
	for _, c := range p.Conversations {
		w.opened, w.last = false, nil
		for _, t := range c.Turns {
			if p.Has(t.Record) {
				w.turn(t)
			}
			turns++
			step(turns, total)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	step(total, total)
	if len(w.script.Steps) == 0 {
		w.comment("There is no message that a script can send.")
	}
	w.script.Rest = w.before
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := out.Write(w.script.Format())
	return err
}

// A sessionWriter makes a script of turns.
type sessionWriter struct {
	excerpt  *excerpt.Excerpt
	script   Script
	before   []string // comments that belong to the next step
	size     int      // of the texts in it
	full     bool     // it takes nothing more
	opened   bool     // the agent of the conversation
	last     *model.Turn
	canceled map[string]bool         // tasks that the user canceled
	faults   map[a2a.TurnID][]string // injected into a turn
}

// comment adds a comment before the next step.
func (w *sessionWriter) comment(text string) { w.before = append(w.before, "# "+text) }

// add adds a step.
func (w *sessionWriter) add(s Step) {
	s.Before, w.before = w.before, nil
	w.script.Steps = append(w.script.Steps, s)
}

// turn adds the steps of a turn.
func (w *sessionWriter) turn(t *model.Turn) {
	why := w.unsayable(t)
	switch {
	case w.full:
		return
	case why == "" && (w.size+len(t.Message.Text()) > MaxSize*3/4 || len(w.script.Steps)+4 > maxSteps):
		w.full = true
		w.comment("The rest of the session is left out: a script has at most 1 MB.")
		return
	case why != "":
		w.comment(fmt.Sprintf("Left out: %s, record %d.", why, t.Record))
		return
	}
	w.size += len(t.Message.Text())
	w.open(t)
	w.pause(t)
	verb := Say
	if w.answers(t) {
		verb = Answer
	}
	if lost := otherParts(t.Message); lost != "" {
		w.comment("The message also had " + lost + ", which a script cannot send.")
	}
	w.add(Step{Verb: verb, Text: t.Message.Text()})
	w.wait(t)
	w.last = t
}

// unsayable says why a turn cannot be a step, empty if it can.
func (w *sessionWriter) unsayable(t *model.Turn) string {
	switch {
	case t.Written != "":
		return "a request that was written by hand"
	case t.Message == nil:
		return "a request about a task of another session"
	}
	text := t.Message.Text()
	switch {
	case strings.Contains(text, a2a.Mask):
		return "a message that was masked as a secret, “" + clean(text) + "”"
	case strings.TrimSpace(text) == "":
		return "a message without text"
	case len(quote(text)) > maxLine-len("Answer "):
		return "a message that is longer than a line of a script can be"
	}
	return ""
}

// open adds the step that opens the agent of a conversation.
func (w *sessionWriter) open(t *model.Turn) {
	if w.opened {
		return
	}
	w.opened = true
	w.before = append(w.before, "")
	agent := t.Conversation.Agent
	at, err := url.Parse(agent.Ref)
	local := err == nil && hostname.IsLoopback(at.Hostname())
	if name := agent.CardName(); local && slices.Contains(demoAgents, name) {
		w.add(Step{Verb: Open, Ref: demoRef, Agent: name})
		return
	}
	ref := a2a.MaskReference(agent.Address())
	switch {
	case agent.Ref == "-":
		ref = "$AGENT"
		w.comment("The card was read from standard input: name the agent in a variable.")
	case strings.Contains(ref, a2a.Mask):
		ref = "$AGENT"
		w.comment("The address contains a secret: name the agent in a variable.")
	}
	s := Step{Verb: Open, Ref: ref}
	if name := visible.Line(agent.Name()); agent.Name() != agent.Ref && name != "" {
		s.Comment = "# " + name
	}
	w.add(s)
}

// pause adds the time that the user took.
func (w *sessionWriter) pause(t *model.Turn) {
	if w.last == nil {
		return
	}
	if d := t.Time.Sub(w.last.Time.Add(AnswerTime(w.last))); d >= leastPause {
		w.add(Step{Verb: Pause, Duration: min(d, mostPause).Round(100 * time.Millisecond)})
	}
}

// answers reports whether the message of a turn answers the task that waited for one.
func (w *sessionWriter) answers(t *model.Turn) bool {
	if t.Target.TaskID == "" || w.last == nil {
		return false
	}
	task := View{State: w.excerpt.State, Turn: w.last.ID}.Task()
	return task != nil && task.ID == t.Target.TaskID && endState(w.last, task).Interrupted()
}

// endState returns the state of a task at the end of a turn, [a2a.StateOther] if none was named or
// no dialect defines it.
func endState(t *model.Turn, task *model.Task) a2a.State {
	state := a2a.StateOther
	for _, b := range t.Blocks {
		for i := range b.Entries {
			if e := &b.Entries[i]; b.Task == task && e.Kind == model.EntryState {
				state = e.State.State
			}
		}
	}
	return state
}

// wait adds the step that waits for what the answer ended with.
func (w *sessionWriter) wait(t *model.Turn) {
	for _, fault := range w.faults[t.ID] {
		w.comment("Left out: the injected fault “" + fault + "”.")
	}
	v := View{State: w.excerpt.State, Turn: t.ID, Over: true}
	s := Step{Verb: Wait}
	task := v.Task()
	switch {
	case v.problem() != nil:
		s.Condition.Kind = Failure
	case task == nil:
	case w.canceled[task.ID] && endState(t, task) == a2a.StateCanceled:
		w.comment("Left out: the request to cancel the task.")
		return
	default:
		if state := endState(t, task); state != a2a.StateOther {
			s.Condition = Condition{Kind: States, States: []a2a.State{state}}
		}
	}
	if took := AnswerTime(t); took > slowAnswer {
		s.Duration = min((2 * took).Round(time.Second), maxWait)
	}
	w.add(s)
}

// otherParts says what a message has besides text, empty for nothing.
func otherParts(m *a2a.Message) string {
	files, data := 0, 0
	for i := range m.Parts {
		switch m.Parts[i].Kind {
		case a2a.PartText:
		case a2a.PartData:
			data++
		default:
			files++
		}
	}
	switch {
	case files > 0 && data > 0:
		return units.Plural(files, "file") + " and data"
	case files > 0:
		return units.Plural(files, "file")
	case data > 0:
		return "data"
	}
	return ""
}

// canceledTasks returns the tasks that the user asked to cancel.
func canceledTasks(s *model.State) map[string]bool {
	tasks := map[string]bool{}
	for _, stream := range s.Log.Streams() {
		it := s.Log.At(stream.Exchange)
		if it != nil && it.Record.Kind == a2a.KindRequest && it.Record.Call != nil && it.Record.Call.Op == a2a.OpCancel {
			tasks[it.Record.Call.TaskID] = true
		}
	}
	return tasks
}

// faultsOf returns the faults that were injected, by turn.
func faultsOf(s *model.State) map[a2a.TurnID][]string {
	faults := map[a2a.TurnID][]string{}
	items := s.Log.View().Scan()
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		it := items.At(id)
		if it == nil || it.Record.Note == nil || it.Record.Note.Type != log.NoteVerdict {
			continue
		}
		turn := log.IDIn[a2a.TurnID](it.Record.Note.Attrs, log.AttrTurn)
		faults[turn] = append(faults[turn], visible.Line(clip(it.Record.Note.Attrs[log.AttrFault])))
	}
	return faults
}
