package cli

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// sendFlags are the flags of parley send.
type sendFlags struct {
	callFlags
	parts     partFlags
	contextID string
	taskID    string
	metadata  string
	modes     []string
	history   historyFlag
	secret    bool
	async     bool
	wait      bool
}

func (a *app) sendCommand() *cobra.Command {
	var f sendFlags
	c := &cobra.Command{
		Use:   "send [flags] [TEXT | -]",
		Short: "Send a message and wait for the result",
		Long: `Send a message to an agent: start something, or continue it with --task-id or
--context-id.

The command waits until the task is over or asks for something: over a stream
if the agent's card declares one, else by asking for the task again and again.
The exit status says whether the message was answered; what the agent made of
it is in the state.`,
		Example: `  parley send -a http://localhost:9999 "Book me a flight"
  parley send -a localhost:9999 --task-id 91c2 "10 to 17 October"
  parley send -a localhost:9999 --text "Look at this" --file map.png -o json
  cat order.json | parley send -a localhost:9999 --data - --stream
  parley send mqtt://localhost:1883/acme/dev -a Billing "Why twice?"`,
		Args: cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, words []string) error {
		f.remember(c)
		async, err := a.async(c, &f)
		if err != nil {
			return err
		}
		f.async = async
		if err := f.history.check(a, c); err != nil {
			return err
		}
		return a.send(&f, words)
	}
	a.callFlags(c, &f.callFlags)
	a.answerFlags(c, &f.callFlags)
	f.drawn(c)
	a.saveFlags(c, &f.callFlags)
	f.parts.flags(c.Flags())
	c.Flags().StringVar(&f.taskID, "task-id", "", "continue the task of this `id`")
	f.flags(c.Flags())
	c.Flags().BoolVar(&f.waitForAuth, "wait-for-auth", false, "when the task waits for credentials, say what it asks for, and poll it until it goes on")
	return c
}

// flags defines the flags that no other command has.
func (f *sendFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.contextID, "context-id", "", "start a new task in the context of this `id`")
	fs.StringVar(&f.metadata, "metadata", "", "attach metadata, a JSON `object`, to the message and the request")
	fs.StringSliceVar(&f.modes, "output-mode", nil, "accept answers of this media `type`; repeatable (default: the agent decides)")
	f.history.flag(fs)
	fs.BoolVar(&f.secret, "secret", false, "the message is a secret: mask it in every record and in all output")
	fs.BoolVar(&f.async, "async", false, "do not wait: print the ids and end (also --return-immediately, --no-wait)")
	fs.BoolVar(&f.wait, "wait", true, "wait until the task is over or asks for something (also --watch)")
}

// async decides between --async and --wait: the more direct flag counts.
func (a *app) async(c *cobra.Command, f *sendFlags) (bool, error) {
	async, wait := a.layerOf(c, "async"), a.layerOf(c, "wait")
	switch {
	case async == wait && async < 0 && f.async == f.wait:
		return false, usage("--async and --wait contradict each other.")
	case async < wait:
		return f.async, nil
	default:
		return !f.wait, nil
	}
}

// send runs the command.
func (a *app) send(f *sendFlags, words []string) error {
	words = f.onMesh(words)
	if err := f.checkSend(words); err != nil {
		return err
	}
	parts, err := f.parts.message(words, a.streams.In)
	if err != nil {
		return err
	}
	op, err := a.connect("send", &f.callFlags)
	if err != nil {
		return err
	}
	defer op.end()
	target := model.Target{Agent: op.agent, ContextID: f.contextID, TaskID: f.taskID}
	m := &a2a.Message{ID: newID(), Parts: parts, Metadata: json.RawMessage(f.metadata)}
	o := model.SendOptions{Async: f.async, Secret: f.secret}
	o.Config = a2a.SendConfig{AcceptedOutputModes: f.modes, HistoryLength: f.history.length, Wait: !f.async, Metadata: m.Metadata}
	if f.async {
		o.Stream = a2a.False
	}
	op.answer.namedTask, op.answer.noted = f.taskID, f.async
	op.prepareOutput(f, m)
	op.async = f.async
	sig, err := op.run(func() a2a.TurnID { return op.engine.Send(target, m, o) })
	if op.endedByAsync() {
		return op.showUnanswered()
	}
	return op.doubtStream(sig, op.settle(sig, err, op.showSent))
}

// doubtStream adds to a failure how the user finds out whether only the agent's streams are broken. Where
// a task is known, getting it is the one thing to do.
func (op *operation) doubtStream(sig *log.Signal, err error) error {
	streamed := op.openSignal.Profile.Streaming && !op.async && op.answer.task() == ""
	if f, ok := errors.AsType[*fault](err); ok && streamed && op.answer.isMute(sig) {
		f.hint = strings.TrimSpace(f.hint + " parley doctor " + shellReference(op.flags.ref) + " --send sends a short message of its own, and finds out whether the agent answers without a stream.")
	}
	return err
}

// onMesh takes the address of a mesh in front of the text: the agent is then the name of one there.
func (f *sendFlags) onMesh(words []string) []string {
	if len(words) == 0 || !a2a.IsMesh(words[0]) || f.ref != "" && a2a.LooksLikeAddress(f.ref) {
		return words
	}
	m, problem := a2a.ParseMesh(words[0])
	if problem != "" || m.Agent != "" && f.ref != "" {
		return words
	}
	if f.ref != "" {
		m.Agent = f.ref
	}
	f.ref = m.String()
	return words[1:]
}

// checkSend refuses contradictory flags before anything is read.
func (f *sendFlags) checkSend(words []string) error {
	reads := len(f.parts.stdin())
	if f.ref == "-" {
		reads++
	}
	if len(words) == 1 && words[0] == "-" {
		reads++
	}
	switch {
	case f.async && f.waitForAuth:
		return usage("--async and --wait-for-auth contradict each other.")
	case f.async && f.stream:
		return usage("--async and --stream contradict each other.")
	case f.async && f.output == drawn:
		return usage("--async and --output live contradict each other.")
	case f.async && f.save.dir != "":
		return usage("--async and --save contradict each other: parley task download saves the files later.")
	case slices.ContainsFunc(f.modes, func(mode string) bool { return strings.TrimSpace(mode) == "" }):
		return usage("A value of --output-mode is empty: it needs a media type such as text/plain.")
	case f.metadata != "" && !isObject(f.metadata):
		return usage("The value of --metadata is not a JSON object such as '{\"key\": \"value\"}'.")
	case reads > 1:
		return usage("Standard input can be only one thing: the agent's card, the message, or one of its parts.")
	}
	return nil
}

func isObject(s string) bool {
	return strings.HasPrefix(strings.TrimSpace(s), "{") && json.Valid([]byte(s))
}

// prepareOutput prepares the output for the events of the turn.
func (op *operation) prepareOutput(f *sendFlags, m *a2a.Message) {
	if f.verbose && f.output == "text" {
		p := page{verbose: true}
		sent := *m
		sent.Role = a2a.RoleUser
		if f.secret {
			sent.Parts = []a2a.Part{a2a.TextPart(a2a.Mask)}
		}
		p.message("Sent", &sent)
		text := op.engine.Mask(p.b.String()) // as everywhere else
		p.b.Reset()
		p.b.WriteString(text)
		op.print(&p)
	}
	if !f.stream {
		return
	}
	op.printLive()
	if !op.openSignal.Profile.Streaming {
		lack := "the card does not declare streaming"
		if op.card() == nil {
			lack = "no card declares streaming"
		}
		op.app.note("Note", "%s; Parley polls the task instead.", lack)
	}
}

// printLive has events be printed as they come, or drawn.
func (op *operation) printLive() {
	op.live = &live{op: op}
	if op.app.draws(op.flags) {
		op.drawing = newDrawing(op)
	}
	op.shareTerminal()
}

// shareTerminal has the text of an artifact end before standard error writes to the same terminal.
func (op *operation) shareTerminal() {
	if a := op.app; isTerminal(a.streams.Out) && isTerminal(a.streams.Err) {
		a.beforeErr = op.endLine
	}
}

// endLine completes the line on standard output.
func (op *operation) endLine() {
	switch {
	case op.drawing != nil:
		op.drawing.lift()
	case op.live != nil && op.live.text.open:
		op.live.endText()
	case op.words != nil && op.words.inLine:
		op.words.endLine()
	default:
		return
	}
	if op.out != nil && op.broken == nil {
		op.noteWriteError(op.out.Flush())
	}
}

// showSent prints the answer as one document or page.
func (op *operation) showSent(t *a2a.Task) {
	if op.app.json {
		op.document(op.result(t))
	} else {
		op.text(t, op.flags.verbose)
	}
}
