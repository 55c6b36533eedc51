package cli

import (
	"parley/a2a"
	"parley/session/engine"
	"parley/session/journal"
	"parley/ui"
)

// resubscribeTries is how often the workbench and scripts resubscribe to a task whose stream broke.
const resubscribeTries = 5

// sessionEngine returns the options that the engines of the workbench and of a script without a
// screen share, so that a script goes on in the same way with and without one. pin changes what
// the flags about the network say of an agent.
func (a *app) sessionEngine(w workbench, recorder *journal.Recorder, pin func(*a2a.Options)) engine.Options {
	return engine.Options{
		Recorder: recorder,
		Now:      now, After: a.after, NewID: newID,
		Client: func(ref string) a2a.Options {
			o := a.net.client(ref)
			pin(&o)
			return o
		},
		Prepare: a.net.prepare,
		Saved:   func(name string) (engine.Saved, bool) { return a.engineAgent(name, pin) },
		Codings: codings(), JudgeDelivery: a.judgeDelivery, Webhook: w.push,
		Resubscribe: resubscribeTries, AuthPolls: true,
	}
}

// engineOptions returns the options of the workbench's engine.
func (a *app) engineOptions(w workbench, kept *storage, recorder *journal.Recorder) engine.Options {
	o := a.sessionEngine(w, recorder, a.prefer(w))
	o.Stdin, o.Secrets = a.streams.In, &a2a.Secrets{}
	o.WholeMesh = w.play == nil // a script opens the agents that it names
	o.SinceLastRun, o.Hold = kept.sinceLastRun(w), kept.hold(a.verifier().Keys)
	o.CheckStreams, o.Extended, o.Ahead = !w.noCheck, true, ui.Lead
	if w.play != nil {
		o.AskGrace = askGrace
		if w.play.off {
			o.NewID = repeatableIDs(1)
		}
	}
	return o
}

// trialEngine returns the options of the engine of a script without a screen. Nobody looks on
// while an agent is away, and no step judges what nobody waits for: the check after a stream.
func (a *app) trialEngine(w workbench, recorder *journal.Recorder) engine.Options {
	prefer := a.prefer(w)
	o := a.sessionEngine(w, recorder, func(o *a2a.Options) {
		o.Limits = withoutStreamLimit(o.Limits)
		prefer(o)
	})
	o.PollMin, o.PollMax, o.Patient = defaultPoll/4, defaultPoll, true
	o.WatchEvery, o.Grace, o.AskGrace, o.ResultWait, o.Ahead = -1, grace, askGrace, resultWait, aheadOfOutput
	return o
}

// prefer returns the function that gives every agent the options of the workbench.
func (a *app) prefer(w workbench) func(*a2a.Options) {
	return func(o *a2a.Options) { o.Pins.Prefer = bindings(w.transports) }
}
