package cli

import (
	"parley/a2a"
	"parley/internal/signature"
	"parley/session/engine"
	"parley/session/journal"
	"parley/ui"
)

// newEngine makes every engine of the program, for the workbench, scripts and commands. own has the
// recorder and what belongs to one of them alone; the rest is the same for all. pin changes what the
// flags about the network say of an agent.
func (a *app) newEngine(own engine.Base, pin func(*a2a.Options), use engine.Use) *engine.Engine {
	base := own
	base.Now, base.After = now, a.after
	if base.NewID == nil {
		base.NewID = newID
	}
	base.Client = func(ref string) a2a.Options {
		o := a.net.client(ref)
		pin(&o)
		return o
	}
	base.Prepare = a.net.prepare
	base.Saved = func(name string) (engine.Saved, bool) {
		if a.embedded.has(name) {
			return engine.Saved{Ref: name, Embedded: true}, true
		}
		return a.engineAgent(name, pin)
	}
	base.Stdin, base.Codings, base.JudgeDelivery = a.streams.In, codings(), a.judgeDelivery
	return engine.New(base, use)
}

// screenEngine makes the engine of the workbench. start is a session that goes on, nil for a new one.
func (a *app) screenEngine(w workbench, kept *storage, recorder *journal.Recorder, secrets *a2a.Secrets, start *engine.Start) *engine.Engine {
	own := kept.base(w, recorder, a.verifier().Keys)
	own.Secrets = secrets
	if w.play == nil {
		return a.newEngine(own, a.prefer(w), engine.Use{Unchecked: w.noCheck, Whole: true, Ahead: ui.Lead, Start: start})
	}
	if w.play.off {
		own.NewID = repeatableIDs(1) // two pictures of a script are equal
	}
	return a.newEngine(own, a.prefer(w), scriptUse(w, ui.Lead))
}

// base returns what the engines of the workbench and of a script without a screen work with.
func (s *storage) base(w workbench, recorder *journal.Recorder, keys func() *signature.Keys) engine.Base {
	own := engine.Base{Recorder: recorder, SinceLastRun: s.sinceLastRun(w), Hold: s.hold(keys), Webhook: w.push}
	if s.approved != nil {
		own.LastCard = s.approved.Last
	}
	return own
}

// scriptUse is how a script uses an engine, with and without a screen: it waits for the next state and
// for nothing else, and opens the agents that it names.
func scriptUse(w workbench, ahead int) engine.Use {
	return engine.Use{Scripted: true, Poll: defaultPoll, Unchecked: w.noCheck, Ahead: ahead}
}

// prefer returns the function that gives every agent the options of the workbench.
func (a *app) prefer(w workbench) func(*a2a.Options) {
	return func(o *a2a.Options) { o.Pins.Prefer = bindings(w.transports) }
}
