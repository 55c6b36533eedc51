package cli

import (
	"bufio"
	"cmp"
	"context"
	"time"

	"parley/a2a"
	"parley/internal/heap"
	"parley/session/card"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

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
	secrets *a2a.Secrets // of the session
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
	examines    bool           // the command asks for what has a known right answer
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
	op := &operation{app: a, flags: f, feed: log.NewFeed(), state: model.NewState(), rules: rules, secrets: &a2a.Secrets{}}
	if f.record.path != "" {
		op.journal, err = f.record.create(func(path string) (*journal.Journal, error) {
			return journal.Create(path, journal.Options{Now: now})
		})
		if err != nil {
			return nil, usage("%s.", sentence(err.Error()))
		}
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
	op.engine = op.newEngine()
	op.approval.mask = op.engine.Mask
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

// newEngine makes the command's engine.
func (op *operation) newEngine() *engine.Engine {
	var sinceLastRun func(string, int, card.Snapshot) ([]card.Change, time.Time)
	if cards := op.app.cardFolder(); cards != nil {
		sinceLastRun = (&cardMemory{cards: cards, now: now, securityOnly: true}).compare
	}
	own := engine.Base{Recorder: journal.NewRecorder(op.feed, op.journal), Secrets: op.secrets, SinceLastRun: sinceLastRun, Hold: op.approval.hold, Webhook: op.flags.hooks}
	if op.approval.file != nil {
		own.LastCard = op.approval.file.Last
	}
	return op.app.newEngine(own, op.flags.pin, engine.Use{Ends: true, Poll: op.flags.poll, Ahead: aheadOfOutput})
}

// pin applies the flags' pins to an agent.
func (f *callFlags) pin(o *a2a.Options) {
	o.Limits = withoutStreamLimit(o.Limits)
	if f.timeout > 0 { // what was heard until then is told
		o.MeshListen = min(o.MeshListen, f.timeout*4/5)
	}
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
