package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/heap"
	"parley/session/card"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// grace is how long a stream may be silent after its task is over.
const grace = 2 * time.Second

// resultWait is how long to wait for the result of a task that is over, if the agent did not
// include it.
const resultWait = 6 * time.Second

// askGrace is how long the stream of a task that asks for something may be silent before the
// command ends. It is enough for what the agent sends together with the question; what comes
// after the answer belongs to the next command.
const askGrace = 100 * time.Millisecond

// heapRoom is how many bytes of garbage a command makes before it collects them.
const heapRoom = 12 << 20

// An operation is a running command: an engine with one agent, and what was received from it.
type operation struct {
	app     *app
	flags   *callFlags
	ctx     context.Context
	cancel  context.CancelFunc
	feed    *log.Feed
	journal *journal.Journal
	engine  *engine.Engine
	state   *model.State
	wire    *wirePrinter // nil without --debug
	counter byteLine
	rules   *findings
	heap    *heap.Room // nil if the environment sets GOGC

	approval    approval
	agent       a2a.AgentID
	openSignal  *log.Signal
	answer      answer
	live        *live          // nil unless events are printed as they come
	words       *answerPrinter // nil without --output answer
	saver       *saver         // nil without --save
	drawing     *drawing       // nil unless the answer is drawn
	aim         a2a.State      // the command's purpose
	command     string         // the command's name, for reports
	cases       []testCase     // what else was verified, for reports
	judged      bool           // the gate has the result
	interrupted chan struct{}  // takes ctrl+c while a turn runs; nil where it ends the program
	goesOn      bool           // further turns follow one that the user leaves
	left        bool           // the user left the turn, whose command goes on
	wantsCard   bool           // the command is about the agent's card
	examines    bool           // parley doctor
	async       bool           // --async: do not wait for a late answer

	out    *bufio.Writer // to standard output, nil before anything was written
	taking bool          // more is written before out is flushed
	broken error         // the write error of standard output
}

// begin starts an engine with the agent that the flags name.
func (a *app) begin(f *callFlags) (*operation, error) {
	f.ref = cmp.Or(f.ref, a.net.endpoint) // an endpoint is sufficient for a call
	if err := cmp.Or(f.check(), f.checkAnswer(a)); err != nil {
		return nil, err
	}
	if err := a.checkReference(f.ref); err != nil {
		return nil, err
	}
	if err := a.confine(f.ref); err != nil {
		return nil, err
	}
	if err := f.save.prepare(); err != nil {
		return nil, err
	}
	rules, err := newFindings(f.findings)
	if err != nil {
		return nil, err
	}
	rules.keep = f.gate.sarif != ""
	if err := f.gate.open(); err != nil {
		return nil, err
	}
	op := &operation{app: a, flags: f, feed: log.NewFeed(), state: model.NewState(), rules: rules}
	if f.record != "" {
		journal, err := journal.Create(f.record, journal.Options{Now: now})
		if err != nil {
			return nil, usage("%s.", sentence(err.Error()))
		}
		op.journal = journal
	}
	if f.save.dir != "" {
		op.saver = newSaver(op)
	}
	if f.output == answerOnly {
		op.words = &answerPrinter{op: op, raw: f.raw}
	}
	op.approval.file = a.baselines()
	op.state.Check(rules)
	if isTerminal(a.streams.Err) {
		op.counter.w = a.streams.Err
	}
	if f.debug {
		op.wire = &wirePrinter{w: a.streams.Err}
	}
	op.ctx, op.cancel = a.ctx, func() {}
	if f.timeout > 0 {
		op.ctx, op.cancel = context.WithTimeout(a.ctx, f.timeout)
	}
	if a.env.get("GOGC") == "" && !a.inside {
		op.heap = heap.LeaveRoom(heap.GoRuntime(), heapRoom)
	}
	op.engine = engine.New(op.engineOptions())
	return op, nil
}

// connect starts an engine and opens the agent, for a command that talks to it.
func (a *app) connect(command string, f *callFlags) (*operation, error) {
	op, err := a.begin(f)
	if err != nil {
		return nil, err
	}
	op.command = command
	if err = op.open(); err != nil {
		err = op.advise(err, nil)
	} else {
		err = op.reachable()
	}
	if err != nil {
		op.end()
		return nil, op.judge(err, nil)
	}
	return op, nil
}

// engineOptions returns the options of a command's engine.
func (op *operation) engineOptions() engine.Options {
	var sinceLastRun func(string, int, card.Snapshot) ([]card.Change, time.Time)
	if cards := op.app.cardFolder(); cards != nil {
		sinceLastRun = (&cardMemory{cards: cards, now: now, securityOnly: true}).compare
	}
	return engine.Options{
		SinceLastRun: sinceLastRun, Hold: op.approval.hold, JudgeDelivery: op.app.judgeDelivery,
		Recorder: journal.NewRecorder(op.feed, op.journal),
		Now:      now, After: time.After, NewID: newID,
		Client: op.client, Saved: op.savedAgent, Stdin: op.app.streams.In, Codings: codings(),
		PollMin: max(op.flags.poll/4, time.Millisecond), PollMax: op.flags.poll, Patient: true,
		AuthPolls:  op.flags.waitForAuth,
		WatchEvery: -1, Webhook: op.flags.hooks, Resubscribe: op.flags.resubscribe, Grace: grace, AskGrace: askGrace, ResultWait: resultWait, Ahead: aheadOfOutput,
	}
}

func (op *operation) client(ref string) a2a.Options {
	o := op.app.net.client(ref)
	op.flags.pin(&o)
	return o
}

func (op *operation) savedAgent(name string) (engine.Saved, bool) {
	return op.app.engineAgent(name, op.flags.pin)
}

// pin applies the flags' pins to an agent.
func (f *callFlags) pin(o *a2a.Options) {
	o.Limits = withoutStreamLimit(o.Limits)
	if f.dialect != a2a.Unknown {
		o.Pins.Dialect = f.dialect
	}
	o.Pins.Prefer = bindings(f.transports)
	if f.pins != nil {
		o.Pins = *f.pins
	}
}

// end closes what is still open. The journal's own failure is reported, not returned: the
// command did its job.
func (op *operation) end() {
	op.drain()
	op.cancel()
	op.heap.End()
	op.rules.report(op.app, op.flags.verbose)
	if op.journal == nil {
		return
	}
	if err := op.journal.Close(); err != nil {
		op.app.note("Warning", "the recording is incomplete: %s.", err)
	}
}

// drain stops the engine and takes the remaining items.
func (op *operation) drain() {
	op.engine.Close()
	op.app.net.hub.Close()
	op.feed.Close()
	for {
		items, err := op.feed.Next(context.Background(), log.OneBlock)
		if err != nil {
			return
		}
		op.taking = true
		for i := range items {
			op.take(&items[i])
		}
		op.flush()
		op.feed.GiveBack(items)
	}
}

// open waits until the agent's card was found, or returns the reason why it was not.
func (op *operation) open() error {
	if err := op.ctx.Err(); err != nil { // a card that comes at once would still be printed
		return op.stopError(err)
	}
	op.agent = op.engine.Open(op.flags.ref)
	found := func(s *log.Signal) bool { return s.Kind == log.SignalOpened && s.Agent == op.agent }
	sig, err := op.until(found)
	switch {
	case err != nil:
		return err
	case sig.Profile == nil:
		return cardFault(sig)
	}
	op.openSignal = sig
	if a2a.IsMesh(op.flags.ref) && sig.Profile.Endpoint != "" { // the next command is for the same agent
		op.flags.ref = sig.Profile.Endpoint
	}
	held := op.checkApproval()
	if held == nil {
		op.warnOfChanges()
	}
	op.warn(sig.Profile)
	return held
}

// reachable fails if there is a card but no way to talk to its agent.
func (op *operation) reachable() error {
	if p := op.openSignal.Profile; p.Problem != "" {
		return internal("%s.", sentence(p.Problem))
	}
	for _, c := range op.openSignal.Profile.Cautions {
		op.app.note("Warning", "%s.", c)
	}
	op.warnOfExtensions()
	return nil
}

// warn reports warnings about the agent and dangerous flags.
func (op *operation) warn(p *a2a.Profile) {
	a := op.app
	for _, w := range p.Warnings {
		if op.wantsCard && op.card() == nil {
			break // the failure says why there is none
		}
		a.note("Warning", "%s.", strings.TrimSuffix(w, "."))
	}
	for _, t := range op.flags.transports {
		if b := parseBinding(t); b == p.Binding {
			break
		} else if b != a2a.BindingJSONRPC && offers(op.card(), b) {
			a.note("Warning", "the card offers %s, which Parley does not speak; it uses %s.", b, p.Binding)
		}
	}
	if p.Problem == "" && p.Dialect != a2a.V10 {
		a.note("Note", "Parley speaks A2A %s to the agent; JSON output is in the shape of A2A 1.0.", p.Dialect.Number())
	}
	if warning := a.net.insecureWarning(); warning != "" {
		a.note("Warning", "%s.", warning)
	}
}

func offers(c *a2a.Card, b a2a.Binding) bool {
	return c != nil && slices.ContainsFunc(c.Interfaces, func(i a2a.Interface) bool { return i.Binding == b })
}

// card returns the agent's card, nil until it was found.
func (op *operation) card() *a2a.Card {
	if agent := op.state.Agent(op.agent); agent != nil {
		return agent.Card
	}
	return nil
}

// run starts a turn and waits for its end. It returns the signal of the end, or the reason why
// there is none.
func (op *operation) run(start func() a2a.TurnID) (*log.Signal, error) {
	sig, err := op.turn(start)
	if err == nil && op.flags.waitForAuth {
		sig, err = op.awaitAuth(sig)
	}
	op.saveFiles(sig, err)
	op.drain()
	op.warnAgain()
	op.extended()
	return sig, err
}

// turn starts a turn and waits for its end; another one may follow.
func (op *operation) turn(start func() a2a.TurnID) (*log.Signal, error) {
	defer op.offerOnInterrupt()()
	op.answer.turn = start()
	return op.until(func(s *log.Signal) bool {
		return s.Kind == log.SignalTurnOver && s.Turn == op.answer.turn
	})
}

// warnAgain reports new warnings after the exchange: another way may have been used in the end.
func (op *operation) warnAgain() {
	agent := op.state.Agent(op.agent)
	if agent == nil || op.openSignal == nil || op.openSignal.Profile == nil {
		return
	}
	for _, w := range agent.Profile.Warnings {
		if !slices.Contains(op.openSignal.Profile.Warnings, w) {
			op.app.note("Warning", "%s.", strings.TrimSuffix(w, "."))
		}
	}
}

// until takes items until a signal satisfies the condition. Meanwhile a terminal shows the
// bytes of incomplete answers.
func (op *operation) until(waited func(*log.Signal) bool) (*log.Signal, error) {
	defer op.counter.erase()
	for {
		select {
		case <-op.interrupted:
			switch err := op.askInterrupted(); {
			case err == nil:
			case op.goesOn && op.ctx.Err() == nil:
				op.left = true
				op.engine.Stop(op.answer.turn) // the end of the turn follows
			default:
				return nil, op.detached()
			}
		default:
		}
		items, err := op.next()
		if errors.Is(err, errTick) {
			op.counter.idle++
			if op.drawing != nil && op.drawing.due() {
				op.counter.erase()
				op.flush()
			}
			if !op.inLine() {
				op.counter.draw()
			}
			continue
		}
		op.counter.idle = 0
		if err != nil && op.ctx.Err() != nil && context.Cause(op.ctx) == errNotAwaited {
			return &log.Signal{}, nil
		}
		if err != nil {
			return nil, op.stopError(err)
		}
		var found *log.Signal
		op.taking = true
		for i := range items {
			op.take(&items[i])
			if s := items[i].Signal; s != nil && found == nil && waited(s) {
				found = s
			}
		}
		op.flush()
		op.feed.GiveBack(items)
		if found != nil {
			return found, nil
		}
		if op.answer.over {
			return &log.Signal{}, nil
		}
		if s, gone := errors.AsType[exitStatus](op.broken); gone { // nobody reads the rest
			op.drain()
			return nil, s
		}
		op.counter.draw()
	}
}

// errTick says that nothing came for a tick.
var errTick = errors.New("nothing came")

// next takes the next items. On a terminal it returns errTick if none come, so that the line at
// the bottom moves.
func (op *operation) next() ([]log.Item, error) {
	wait := op.tickOf()
	if wait == 0 {
		return op.feed.Next(op.ctx, log.OneBlock)
	}
	ctx, cancel := context.WithTimeoutCause(op.ctx, wait, errTick)
	defer cancel()
	items, err := op.feed.Next(ctx, log.OneBlock)
	if err != nil && op.ctx.Err() == nil && errors.Is(context.Cause(ctx), errTick) {
		err = errTick
	}
	return items, err
}

// inLine reports whether standard output is in the middle of a line of the same terminal.
func (op *operation) inLine() bool {
	return op.app.beforeErr != nil && (op.live != nil && op.live.text.open && !op.live.text.start || op.words != nil && op.words.inLine)
}

// stopError returns the reason for the end of a wait, and closes everything.
func (op *operation) stopError(err error) error {
	op.drain()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &fault{code: codeTimeout, message: "The time allowed by --timeout (" + op.flags.timeout.String() + ") is over" + op.answer.stillAt() + "."}
	case errors.Is(err, context.Canceled):
		f := internal("Stopped %s%s.", stopper(op.ctx), op.answer.stillAt())
		if !op.answer.sent && op.answer.task() == "" {
			f.hint = "Run the command again to continue."
		}
		return f
	case errors.Is(err, io.EOF):
		return internal("The command ended before its answer.")
	default:
		return internal("Waiting for the agent failed.")
	}
}

// aheadOfOutput is how many items the engine may be ahead of the output, so that they do not
// pile up here if the reader is slower than the agent.
const aheadOfOutput = 1024
