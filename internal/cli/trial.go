package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/script"
)

// A trial is one play of a script without a screen.
type trial struct {
	app    *app
	flags  *demoFlags
	script *script.Script
	play   *script.Play
	agents *scriptAgents
	ctx    context.Context

	feed    *log.Feed
	journal *journal.Journal
	engine  *engine.Engine
	state   *model.State
	rules   *findings

	opened  map[string]a2a.AgentID     // by reference
	turns   map[a2a.AgentID]a2a.TurnID // the newest of the conversation with each agent
	agent   a2a.AgentID                // opened last
	opening *script.Step               // the last Open; nil before it

	status   byteLine // the step that runs, on a terminal
	recorded bool     // it goes on from the recording of --fallback
	began    time.Time
	stepAt   time.Time // when the step after those in results began
	results  []stepResult
	failure  *script.FailureReport
	print    func(*stepResult) error
}

// A stepResult is what became of a step.
type stepResult struct {
	step     *script.Step
	took     time.Duration
	skipped  bool // it needs a screen
	failed   bool
	recorded bool
}

// line returns the line of output.
func (r *stepResult) line() string {
	word, took, mark := "ok", units.Interval(r.took), ""
	switch {
	case r.failed:
		word = "FAIL"
	case r.skipped:
		word, took = "skip", ""
	}
	if r.recorded {
		mark = "  (recorded)"
	}
	return fmt.Sprintf("%-4s %9s %5d  %s%s\n", word, took, r.step.Line, line(r.step.Label()), mark)
}

// newTrial begins a play. print gets each step that is done.
func (a *app) newTrial(f *demoFlags, s *script.Script, agents *scriptAgents, print func(*stepResult) error) (*trial, error) {
	rules, err := newFindings("")
	if err != nil {
		return nil, err
	}
	t := &trial{
		app: a, flags: f, script: s, play: script.NewPlay(s, script.PlayOptions{Fast: f.fast, DefersTimes: f.trials > 1}), agents: agents, ctx: a.ctx,
		feed: log.NewFeed(), state: model.NewState(), rules: rules,
		opened: map[string]a2a.AgentID{}, turns: map[a2a.AgentID]a2a.TurnID{},
		began: now(), stepAt: now(), print: print,
	}
	if f.record.path != "" {
		t.journal, err = f.record.create(func(path string) (*journal.Journal, error) {
			return journal.Create(path, journal.Options{Now: now})
		})
		if err != nil {
			return nil, usage("%s.", sentence(err.Error()))
		}
	}
	if isTerminal(a.streams.Err) {
		t.status.w = a.streams.Err
		a.beforeErr = t.status.erase
	}
	t.state.Check(rules)
	t.engine = a.trialEngine(f.workbench, journal.NewRecorder(t.feed, t.journal))
	return t, nil
}

// trialEngine makes the engine of a script without a screen: that of the script on one, whose user may
// approve a card meanwhile.
func (a *app) trialEngine(w workbench, recorder *journal.Recorder) *engine.Engine {
	w.noRecord = w.noRecord || w.record.path == ""
	kept := &storage{remedy: approvedElsewhere}
	kept.openCards(a, w)
	return a.newEngine(kept.base(w, recorder, a.verifier().Keys), a.prefer(w), scriptUse(w, aheadOfOutput))
}

// run plays the script. The error is a reason to stop that has nothing to do with the script.
func (t *trial) run() error {
	defer t.end()
	for {
		began := now()
		move := t.play.Next(t.view(), began)
		if err := t.report(move); err != nil {
			return err
		}
		switch move.Kind {
		case script.MoveOver:
			return nil
		case script.MoveFail:
			if t.fallBack(move.Failure) {
				continue
			}
			t.failure = move.Failure
			return nil
		case script.MoveDo:
			t.do(move.Step)
		case script.MoveWait:
			if err := t.wait(move.Until, now().Sub(began)); err != nil {
				return err
			}
		}
	}
}

// view returns what conditions are judged over.
func (t *trial) view() script.View {
	turn := t.turns[t.agent]
	return script.View{State: t.state, Agent: t.agent, Turn: turn, Over: t.state.TurnEnded(turn)}
}

// report prints the steps that are done, and the one that failed.
func (t *trial) report(move script.Move) error {
	for len(t.results) < t.play.Done() {
		step := &t.script.Steps[len(t.results)]
		if err := t.result(stepResult{step: step, skipped: needsScreen(step)}); err != nil {
			return err
		}
	}
	if move.Kind == script.MoveFail {
		return t.result(stepResult{step: move.Failure.Step, failed: true})
	}
	return nil
}

// result keeps and prints what became of a step.
func (t *trial) result(r stepResult) error {
	at := now()
	r.took, r.recorded, t.stepAt = at.Sub(t.stepAt), t.recorded, at
	t.results = append(t.results, r)
	t.status.erase()
	return t.print(&r)
}

// needsScreen reports whether a step does nothing without a screen.
func needsScreen(s *script.Step) bool {
	switch s.Verb {
	case script.Show, script.Screenshot, script.Output, script.Key, script.Type:
		return true
	case script.Set:
		return s.Name != "timeout"
	}
	return false
}

// do carries out a step.
func (t *trial) do(s *script.Step) {
	switch s.Verb {
	case script.Open:
		t.open(s)
		return
	case script.Say, script.Answer:
		m := &a2a.Message{ID: newID(), Parts: []a2a.Part{a2a.TextPart(s.Text)}}
		t.turns[t.agent] = t.engine.Send(t.view().Target(s), m, model.SendOptions{Config: a2a.SendConfig{Wait: true}})
	}
	t.play.Did("")
}

// open opens an agent. One that is open is gone back to, for a new conversation.
func (t *trial) open(s *script.Step) {
	ref, problem := "", ""
	if t.opening = s; t.recorded {
		ref, problem = t.agents.instead(s, "", t.play.Speed())
	} else {
		ref, problem = t.agents.reference(s, t.play.Speed())
	}
	if problem == "" {
		t.goTo(ref)
	}
	t.play.Did(problem)
}

// goTo makes the agent at a reference the current one.
func (t *trial) goTo(ref string) {
	id, known := t.opened[ref]
	if !known {
		id = t.engine.Open(ref)
		t.opened[ref] = id
	}
	t.agent = id
	delete(t.turns, id) // the next message begins a conversation
}

// fallBack goes on from the recording of --fallback after a failure of the agent, once.
func (t *trial) fallBack(f *script.FailureReport) bool {
	if t.agents.fallback == nil || t.recorded || !f.OfAgent {
		return false
	}
	name := ""
	if agent := t.state.Agent(t.agent); agent != nil && agent.Card != nil {
		name = agent.Name()
	}
	ref, problem := t.agents.instead(t.opening, name, t.play.Speed())
	if problem != "" {
		t.app.note("Warning", "%s", problem)
		return false
	}
	t.recorded = true
	t.app.note("Recorded", "%s The play goes on from the recording.", f)
	t.play.Back()
	t.results = t.results[:t.play.Done()]
	t.goTo(ref)
	return true
}

// wait takes items until the next judgement: when something came, at until at the latest. Judging
// took a while, which is a small part of the time if it is repeated after many times that.
func (t *trial) wait(until time.Time, judging time.Duration) error {
	const rarely = 10
	rest := now().Add(rarely * judging)
	if t.status.w != nil {
		t.showStep()
		until = earlier(until, now().Add(tick))
	}
	for {
		end := until
		came := t.view().Over
		if judging > time.Millisecond && rest.Before(until) && !came {
			end = rest
		}
		took, err := t.take(end)
		if err != nil {
			return err
		}
		if !took || judging <= time.Millisecond || came != t.view().Over {
			return nil
		}
	}
}

// earlier returns the first of two times.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// showStep shows the step that runs on a terminal, from a second on.
func (t *trial) showStep() {
	took := now().Sub(t.stepAt).Truncate(time.Second)
	if took < time.Second {
		return
	}
	text := fmt.Sprintf("...  %9s", took)
	if s := t.play.Step(); s != nil {
		const most = 50
		label := []rune(line(s.Label()))
		text += fmt.Sprintf(" %5d  %s", s.Line, string(label[:min(len(label), most)]))
	}
	if text == t.status.text {
		return
	}
	t.status.erase()
	_, _ = t.status.w.Write([]byte(text)) // there is no other place to report it
	t.status.text = text
}

// take takes the next items, and reports whether there were any before the end.
func (t *trial) take(end time.Time) (took bool, err error) {
	ctx, stop := context.WithDeadline(t.ctx, end)
	defer stop()
	items, err := t.feed.Next(ctx, log.OneBlock)
	switch {
	case err == nil:
	case t.ctx.Err() != nil:
		return false, internal("Stopped %s at line %d of the script.", stopper(t.ctx), t.line())
	case errors.Is(err, context.DeadlineExceeded):
		return false, nil
	default:
		return false, internal("The script ended before its answer.")
	}
	for i := range items {
		t.apply(&items[i])
	}
	t.feed.GiveBack(items)
	return true, nil
}

// line returns the line of the current step.
func (t *trial) line() int {
	if s := t.play.Step(); s != nil {
		return s.Line
	}
	return t.script.Steps[len(t.script.Steps)-1].Line
}

// apply applies an item.
func (t *trial) apply(it *log.Item) {
	t.state.Apply(*it)
	if s := it.Signal; s != nil && s.Kind == log.SignalJournal {
		label := "Warning"
		if s.Class == journal.JournalCaughtUp {
			label = "Note"
		}
		t.app.note(label, "%s", s.Sentence)
	}
}

// end closes the engine and what is recorded.
func (t *trial) end() {
	t.status.erase()
	t.engine.Close()
	t.feed.Close()
	for {
		items, err := t.feed.Next(context.Background(), log.OneBlock)
		if err != nil {
			break
		}
		t.feed.GiveBack(items)
	}
	if t.journal == nil {
		return
	}
	if err := t.journal.Close(); err != nil {
		t.app.note("Warning", "the recording is incomplete: %s.", err)
	}
}
