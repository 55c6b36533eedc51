package tasks

import (
	"cmp"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/keys"
)

// why returns the reason why no request about a task can be sent, empty if one can.
func (p *Pane) why(r *row) string {
	switch {
	case p.about.Why != "":
		return p.about.Why
	default:
		return noID(r)
	}
}

// open shows a task. A task that this session has not seen needs a request.
func (p *Pane) open(r *row) Intent {
	if why := p.notOpen(r); why != "" {
		return refuse(why)
	}
	return Open{r.ref()}
}

// cancel cancels a task at the second key press, because canceling cannot be undone.
func (p *Pane) cancel(r *row) Intent {
	if p.pendingCancel == r.key() {
		p.pendingCancel = taskKey{}
		return Cancel{r.ref()}
	}
	p.pendingCancel = r.key()
	word := canvas.SanitizeLine(r.stateWord())
	id := short(r.id)
	if l := r.lifecycle(); l.Over() {
		return Say{"task " + id + " is over (" + word + "): press " + keys.Name(p.Of(cancelTask)) + " again to cancel it anyway"}
	}
	return Say{"press " + keys.Name(p.Of(cancelTask)) + " again to cancel task " + id + " (" + word + ")"}
}

// notSubscribed returns the reason, as a clause, why no stream about a task can be opened, empty if
// one can.
func (p *Pane) notSubscribed(r *row) string {
	if why := p.why(r); why != "" {
		return why
	}
	if p.streamed(r) {
		return "an open stream already reports this task: " + keys.Name(p.Of(openTask)) + " shows it"
	}
	if d, known := r.agent.Profile.Spoken(); known && !d.Supports(a2a.OpSubscribe) {
		return "A2A " + d.Name().Number() + " does not support that"
	}
	return ""
}

// streamed reports whether an open stream reports a task.
func (p *Pane) streamed(r *row) bool {
	return r.task != nil && p.about.Streamed != nil && p.about.Streamed(r.task)
}

// signal returns the signal of the engine's next automatic request about a task, nil if there is
// none.
func (r *row) signal() *log.Signal {
	if r == nil || r.task == nil {
		return nil
	}
	return cmp.Or(r.task.Poll, r.task.Resubscribe, r.task.AuthPoll)
}

// poll starts or stops the polling of a task.
func (p *Pane) poll(r *row) Intent {
	stands := r.lifecycle()
	switch {
	case r.task != nil && r.signal() != nil && r.signal() == r.task.AuthPoll:
		return AuthPoll{r.ref(), false}
	case r.signal() != nil:
		return Stop{r.signal().Turn}
	case p.streamed(r):
		return refuse("an open stream reports this task: there is nothing to poll")
	case stands.Over() && r.task != nil:
		return refuse("the task is over (" + canvas.SanitizeLine(r.stateWord()) + "): " + keys.Name(p.Of(getTask)) + " gets it once")
	case stands.State == a2a.StateInputRequired && r.task != nil:
		return refuse("the task waits for your answer: " + keys.Name(p.Of(getTask)) + " gets it once")
	case stands.State == a2a.StateAuthRequired && r.task != nil:
		return AuthPoll{r.ref(), true}
	}
	return Poll{r.ref()}
}

// rescope switches between the tasks of all agents and those of the agent on the screen.
func (p *Pane) rescope() Intent {
	p.all = !p.all
	p.rebuild(p.filter.line)
	return nil
}

// inputs describe the input for each subject.
var inputs = [...]struct{ prompt, hint, accept, leave string }{
	fieldFilter:  {"/ ", "a state, ctx:7f3a, after:2h, words", "keep filter", "clear filter"},
	fieldID:      {"", "its id, typed or pasted", "get task", "cancel"},
	fieldHistory: {"messages at most: ", "the agent decides", "get task", "cancel"},
}

// openInput opens the input for a subject.
func (p *Pane) openInput(f subject) {
	p.field = f
	p.input.Reset()
	p.input.SetPrompt(inputs[f].prompt)
	switch f {
	case fieldFilter:
		p.input.SetValue(p.filter.line)
	case fieldID:
		p.input.SetPrompt("task of " + canvas.Ellipsize(agentName(p.about.Agent), 24, "…") + ": ")
	}
	p.input.SetHint(inputs[f].hint)
	p.input.SetWidth(p.W)
	p.input.Focus()
}

// leave closes the input, and clears a filter.
func (p *Pane) leave() Intent {
	if p.field == fieldFilter {
		p.rebuild("")
	}
	p.closeInput()
	return nil
}

func (p *Pane) closeInput() {
	p.field = noField
	p.input.Blur()
}

// edit applies a changed filter at once.
func (p *Pane) edit(changed bool) {
	if changed && p.field == fieldFilter {
		p.rebuild(p.input.Value())
	}
}

// Paste inserts the pasted text into the input. If no input is open, the text is the id of a
// task.
func (p *Pane) Paste(msg tea.PasteMsg) {
	if !p.Typing() && !p.askable().Off {
		p.openInput(fieldID)
	}
	if p.Typing() {
		p.edit(p.input.Paste(strings.TrimSpace(msg.Content)))
	}
}

// accept handles the key that accepts the input.
func (p *Pane) accept() Intent {
	text, r := strings.TrimSpace(p.input.Value()), p.selected()
	n, err := strconv.ParseUint(text, 10, 16)
	asked := p.field
	switch {
	case asked == fieldFilter && p.filter.bad != "":
		return Refused{p.filter.bad}
	case asked == fieldHistory && r != nil && text != "" && err != nil:
		return Refused{"How many messages at most? Enter a number, or nothing to let the agent decide."}
	}
	p.closeInput()
	switch {
	case asked == fieldID && text != "":
		return Open{p.refTo(text)}
	case asked != fieldHistory || r == nil:
		return nil
	case text == "":
		return Get{Ref: r.ref()}
	}
	most := int(n)
	return Get{Ref: r.ref(), History: &most}
}

// refTo returns the task of the agent on the screen that has an id, with its context if it is
// known.
func (p *Pane) refTo(id string) Ref {
	if r := p.known[taskKey{p.about.Agent.ID, id}]; r != nil {
		return r.ref()
	}
	return Ref{Agent: p.about.Agent.ID, ID: id}
}
