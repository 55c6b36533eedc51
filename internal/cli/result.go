package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"parley/a2a"
	"parley/a2a/longtext"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
)

// print writes text to standard output.
func (op *operation) print(p *page) { op.write(p.b.Bytes()) }

// newPage returns a page whose long output is written before it is complete.
func (op *operation) newPage() page { return page{to: op.write, verbose: op.flags.verbose} }

// document writes one JSON document, or under a name an object with this member alone: a line of its own if events
// are printed as they come, otherwise indented. Texts of megabytes are not copied.
func (op *operation) document(name string, raw []byte) {
	format := indent
	if op.flags.stream {
		format = compact
		if name == "" && len(raw) > longPage && tight(raw) {
			op.write(raw)
			op.write([]byte{'\n'})
			return
		}
	}
	var long longtext.Texts
	doc, err := format(wrapped(name, long.Cut(raw)))
	if err != nil {
		op.broken = internal("The agent's answer cannot be written as JSON; --debug shows it.")
		return
	}
	long.Pieces(append(doc, '\n'), op.write, func(text []byte) { op.write(escapeInside(text)) })
}

// write writes to standard output. After a failure it writes nothing more.
func (op *operation) write(b []byte) {
	if op.broken != nil || len(b) == 0 {
		return
	}
	if op.out == nil {
		op.out = bufio.NewWriterSize(op.app.streams.Out, longPage)
	}
	_, err := op.out.Write(b)
	if err == nil && !op.taking {
		err = op.out.Flush()
	}
	op.noteWriteError(err)
}

// flush is called when all items that came at the same time are taken; it writes their output.
func (op *operation) flush() {
	op.taking = false
	if op.drawing != nil {
		op.taking = true // one write for all
		op.drawing.draw()
		op.taking = false
	}
	if op.out != nil && op.broken == nil {
		op.noteWriteError(op.out.Flush())
	}
}

func (op *operation) noteWriteError(err error) {
	if err != nil {
		op.broken = writeFault(err)
	}
}

// wrapped puts a document into an object under a name.
func wrapped(name string, raw []byte) json.RawMessage {
	if name == "" {
		return raw
	}
	return slices.Concat([]byte(`{"`+name+`":`), raw, []byte("}"))
}

// result returns the document, by its only member, of a task, or of the newest message if there is no task.
func (op *operation) result(t *a2a.Task) (member string, raw json.RawMessage) {
	if t != nil {
		return "task", a2a.EncodeV1Task(t)
	}
	return "message", a2a.EncodeV1Message(op.answer.messages[len(op.answer.messages)-1])
}

// settle prints the result of a turn, and returns the reason if it failed or --fail-on names its
// outcome.
func (op *operation) settle(sig *log.Signal, err error, show func(*a2a.Task)) error {
	task := op.task()
	return op.judge(op.conclude(sig, err, task, show), task)
}

// conclude prints the result of a turn and returns the reason if it failed.
func (op *operation) conclude(sig *log.Signal, err error, task *a2a.Task, show func(*a2a.Task)) error {
	if err == nil {
		err = op.failure(sig, task)
	}
	switch {
	case op.live != nil:
		op.live.finish(task)
		if !op.app.json && op.words == nil {
			op.resumeField(task)
		}
	case err == nil:
		show(task)
	case op.answer.empty():
	case op.app.json:
		op.noteResult(task)
	default:
		show(task)
	}
	_, gone := errors.AsType[exitStatus](op.broken)
	switch {
	case gone:
		op.rules.quiet = true
		return op.broken
	case err != nil:
		return op.advise(err, task)
	case op.broken != nil:
		return op.broken
	case op.saver != nil && op.saver.failure(task) != nil:
		return op.saver.err
	}
	op.outcome(task)
	return nil
}

// task returns the task of the turn, as far as it was received.
func (op *operation) task() *a2a.Task {
	t := op.state.Assembled(op.agent, op.answer.taskID)
	if t != nil && t.ContextID == "" {
		t.ContextID = op.answer.session
	}
	return t
}

// failure says why a turn that is over failed. A broken stream that was requested is a failure
// even if the task was found again; a broken connection that was only a way to wait is none
// once the result is known.
func (op *operation) failure(sig *log.Signal, task *a2a.Task) error {
	h := &op.answer
	settled := task != nil && (task.Status.State.Terminal() || task.Status.State.Interrupted())
	switch {
	case sig.Sentence == "" && h.empty() && h.card == nil:
		return internal("The agent's answer contains nothing that A2A defines; --debug shows it.")
	case sig.Sentence == "", h.cut != "" && settled && op.live == nil:
		return nil
	case h.cut != "":
		then := ""
		switch {
		case settled && op.state.Task(op.agent, h.task()).LacksEvents():
			then = " The task has ended since then; the events in between are lost."
		case settled && task.Status.State.Interrupted():
			then = " The task waits for you since then."
		case settled:
			then = " The task has ended since then."
		case a2a.WithoutCrash(sig.Sentence) != a2a.WithoutCrash(h.cut): // of what Parley did next
			then = " " + sig.Sentence
		}
		return internal("%s%s", h.cut, then)
	}
	f := faultOf(sig.Class, sig.Sentence, h.rpc)
	f.page = sig.Page
	if f.code == codeUnreachable && doubtful(op.state.Turn(h.turn)) {
		f.code = codeTimeout // it was reached, and did not answer in time
	}
	if f.code == codeAuthFailed && h.rpc.AsksCredentials() && !op.engine.Authenticated(op.agent) {
		f.code = codeCredentialsMissing
	}
	return f
}

// noteResult reports what had arrived when a command failed whose only document must be the
// failure.
func (op *operation) noteResult(t *a2a.Task) {
	if doc, err := compact(wrapped(op.result(t))); err == nil {
		op.app.note("Received", "%s", doc)
	}
}

// text prints a task, or the messages that answered instead, and the other answers.
func (op *operation) text(t *a2a.Task, history bool) {
	if op.words != nil {
		op.words.finish(t)
		return
	}
	p := op.newPage()
	for _, m := range op.answer.messages {
		p.message("Message", m)
		if t == nil {
			p.field("Context", orNone(m.ContextID))
		}
	}
	if t != nil {
		p.task(t, history)
	}
	op.print(&p)
	op.resumeField(t)
}

// resumeField prints the command that continues from here.
func (op *operation) resumeField(t *a2a.Task) {
	var p page
	p.field("Resume", op.resume(t))
	op.print(&p)
}

// resume returns the command that continues from here, empty if there is none.
func (op *operation) resume(t *a2a.Task) string {
	contextID := ""
	switch {
	case t == nil && op.answer.task() != "":
		return "parley task get" + op.flags.again() + " " + shellWord(op.answer.task())
	case t == nil:
		for _, m := range op.answer.messages {
			contextID = m.ContextID
		}
	case t.Status.State == a2a.StateAuthRequired:
		return "parley task get" + op.flags.again() + " --wait-for-auth " + shellWord(t.ID)
	case t.Status.State.Interrupted():
		return "parley send" + op.flags.again() + " --task-id " + shellWord(t.ID) + " '<reply>'"
	case t.Status.Lost:
		return "parley task get" + op.flags.again() + " " + shellWord(t.ID)
	case !t.Status.State.Terminal():
		return "parley task get" + op.flags.again() + " --wait " + shellWord(t.ID)
	default:
		contextID = t.ContextID
	}
	if contextID == "" {
		return ""
	}
	return "parley send" + op.flags.again() + " --context-id " + shellWord(contextID) + " '<message>'"
}

// advise completes a failure with what to do next.
func (op *operation) advise(err error, t *a2a.Task) *fault {
	f := asFault(err)
	if f.hint == debugHint && op.flags.debug {
		f.hint = ""
	}
	if f.hint != "" || f.class == a2a.ClassStatus && f.code == codeCardNotFound && !op.examines {
		return f
	}
	switch f.code {
	case codeCredentialsMissing:
		f.hint = credentialHint(op.card(), op.flags.ref)
	case codeAuthFailed:
		if op.card() == nil {
			f.hint = "Give the URL of the card itself, or check the credentials; " + loginCommand(op.flags.ref) + " replaces those that are kept."
			break
		}
		f.hint = "Check the credentials, and whether they are for the origin in the message; " + loginCommand(op.flags.ref) + " replaces those that are kept."
	case codeUnreachable:
		if op.answer.open.Open {
			f.hint = op.nextStep(f, t)
			break
		}
		f.hint = "parley doctor " + shellReference(op.flags.ref) + " says which step on the way to the agent is broken."
		switch {
		case op.examines && f.class == a2a.ClassTimeout:
			f.hint = "Check in the agent's log whether the request came."
		case op.examines:
			f.hint = "Run it again with --debug to see how far the connection came."
		}
	default:
		f.hint = op.nextStep(f, t)
	}
	return f
}

// nextStep is what to do after a failure that is neither of credentials nor of the connection, empty if its
// sentence says all there is to say.
func (op *operation) nextStep(f *fault, t *a2a.Task) string {
	h, code := &op.answer, f.code
	other := ""
	if h.rpc != nil && h.namedTask != "" && f.class == problem.ClassRPC {
		other = otherTask(h, op.state.Agent(op.agent), op.flags.again())
	}
	switch {
	case h.task() != "" && (code == codeTimeout || code == codeInternal || h.open.Open):
		return op.resume(t)
	case h.taskID != "" && h.rpc != nil && problem.IsTaskUnknown(h.rpc): // it may still run
		return "parley task get" + op.flags.again() + " " + shellWord(h.taskID)
	case h.sent && (h.open.Open || doubtful(op.state.Turn(h.turn))):
		return findTask(h, op.state.Agent(op.agent), op.flags.again(), op.flags.stream || op.async || op.examines)
	case h.sent && h.namedTask != "" && (h.rpc == nil || !problem.IsTaskUnknown(h.rpc)):
		return "parley task get" + op.flags.again() + " " + shellWord(h.namedTask) + " shows the state of the task."
	case other != "":
		return other
	case op.examines && (h.cut != "" || f.page || h.ofHop(f.page)):
		return "Run it again: " + mayBeOver
	case op.examines && f.class == a2a.ClassStatus && h.status == http.StatusNotFound:
		return "parley card get " + shellReference(op.flags.ref) + " shows the URLs in the card."
	case (op.examines || f.unquoted() || asksToCompare(h.rpc)) && !op.flags.debug:
		return debugHint
	default:
		return ""
	}
}

// asksToCompare reports whether the sentence about an error tells the user to look at the request.
func asksToCompare(e *a2a.RPCError) bool {
	return e != nil && (e.Name == "InvalidParamsError" || e.Name == "InvalidRequestError")
}

// otherTask says how to see more after an error about a task that the command names: the task itself, or the
// tasks that the agent has. It is empty where no command shows that.
func otherTask(h *answer, agent *model.Agent, flags string) string {
	switch h.rpc.Name {
	case "TaskNotCancelableError", "InvalidTaskStateError":
		return "parley task get" + flags + " " + shellWord(h.namedTask) + " shows the state of the task."
	}
	if d, ok := a2a.LookupDialect(agent.Profile.Dialect); ok && problem.IsTaskUnknown(h.rpc) && d.Supports(a2a.OpList) {
		return "parley task list" + flags + " shows the tasks that the agent has."
	}
	return ""
}

// doubtful reports whether the agent may have taken the message of a turn without having said so.
func doubtful(t *model.Turn) bool {
	if t == nil || t.Message == nil {
		return false
	}
	o, _ := t.Outcome()
	return o.Doubtful()
}

// findTask says how to see whether the agent took a message, and how to send it without a wait, unless the
// command did so: over a stream it had it sent already if the agent has streams.
func findTask(h *answer, agent *model.Agent, flags string, done bool) string {
	var p a2a.Profile
	if agent != nil {
		p = agent.Profile
	}
	again := "Sending it again may start a second task: "
	if (&problem.Problem{Open: true}).Remedy(p.Way(), false, false) == problem.FindTask {
		again += "parley task list" + flags + " shows whether the agent took the message."
	} else {
		again += "see in the agent's log whether it took the message, because A2A " + p.Dialect.Number() + " has no list of tasks."
	}
	if !h.long || done || p.Dialect == a2a.V01 {
		return again
	}
	return again + " With --async no answer has to wait for the end of the task."
}

// credentialHint names the command and the flag for the credentials that a card requires.
func credentialHint(c *a2a.Card, ref string) string {
	if c == nil {
		c = &a2a.Card{}
	}
	signIn := "sign in with " + loginCommand(ref)
	for _, s := range c.SecuritySchemes {
		switch {
		case s.Type == "apiKey":
			return "The card requires an API key: " + signIn + ", set A2ACLI_API_KEY, or give --api-key."
		case s.Type == "http" && strings.EqualFold(s.Scheme, "bearer"), s.Type == "oauth2", s.Type == "openIdConnect":
			return "The card requires a bearer token: " + signIn + ", set A2ACLI_BEARER, or give --bearer."
		case s.Type == "http" && strings.EqualFold(s.Scheme, "basic"):
			return "The card requires a name and a password: " + signIn + "."
		case s.Type == "mutualTLS":
			return "The card requires a client certificate: --cert FILE and --key FILE present one."
		}
	}
	return sentence(signIn) + ", " + giveCredentials
}

// giveCredentials says, as the end of a sentence, how to give a command the credentials for an agent whose card
// does not say which it wants.
const giveCredentials = "set A2ACLI_BEARER or give --bearer; an API key needs its header: --svc-param 'NAME: KEY'."

// outcome names an unsuccessful outcome on standard error; the exit status is still 0 (A2A CLI
// specification 0.2 §11.6).
func (op *operation) outcome(t *a2a.Task) {
	if t == nil {
		return
	}
	switch s := t.Status.State; s {
	case op.aim:
	case a2a.StateFailed, a2a.StateRejected, a2a.StateCanceled:
		op.app.note("Warning", "the task ended as %s.", s)
	case a2a.StateAuthRequired: // a secret has no place on a command line
		op.app.note("Warning", "the task is %s and waits for you: give the credentials where its message says, and %s goes on with it; %s answers with what it reads from standard input.",
			s, op.resume(t), "parley send"+op.flags.again()+" --task-id "+shellWord(t.ID)+" --secret -")
	case a2a.StateInputRequired:
		op.app.note("Warning", "the task is %s and waits for you: %s", s, op.resume(t))
	}
}
