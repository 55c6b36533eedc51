package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"parley/a2a"
	"parley/session/log"
	lifecycle "parley/session/task"
)

// pushListenCommand receives push notifications.
func (a *app) pushListenCommand() *cobra.Command {
	var f pushFlags
	c := a.pushSub(&f, "listen [flags] TASK-ID", "Receive the push notifications of a task", 1, func(op *operation) error { return op.pushListen(&f) })
	c.Long = `Register a webhook of Parley for a task and print what the agent posts there,
until the task is over or waits for you. -o json prints one document per line.

The receiver listens on a free port of this machine. For an agent elsewhere,
--push-listen names the address and --push-url the URL that leads there.`
	c.Flags().StringVar(&f.listen, "push-listen", "", "listen at this `address` for push notifications (default: a free port of this machine)")
	c.Flags().StringVar(&f.public, "push-url", "", "register this `URL` in front of the address, such as that of a tunnel")
	f.signatures.pushFlag(c.Flags())
	return c
}

// pushListen registers the webhook and prints deliveries until the task is over.
func (op *operation) pushListen(f *pushFlags) error {
	if err := f.signatures.read(now); err != nil {
		return err
	}
	for _, address := range f.signatures.wellKnownKeys() {
		op.downloadKeys("at "+line(address), address, f.signatures.trusted)
	}
	op.app.verifier().SetKeys(f.signatures.trusted)
	op.flags.stream = true // one document per line
	op.live = &live{op: op}
	op.shareTerminal()
	op.answer = answer{noted: true, delivered: f.task}
	turn, err := op.engine.PushListen(op.agent, f.task)
	if err != nil {
		return internal("%s.", sentence(err.Error()))
	}
	for _, start := range []func() a2a.TurnID{
		func() a2a.TurnID { return turn },
		func() a2a.TurnID { return op.engine.Get(op.agent, f.task, 0, nil) }, // what it was before
	} {
		sig, err := op.turn(start)
		switch {
		case err != nil:
			return err
		case sig.Sentence != "":
			return op.failure(sig, nil)
		}
	}
	if !op.answer.over {
		op.app.note("Note", "listening at %s for task %s.", op.engine.Webhooks(), f.task)
		if _, err := op.until(func(*log.Signal) bool { return false }); err != nil {
			return err
		}
	}
	op.drain()
	op.live.finish(op.task())
	return nil
}

// delivery prints a push notification, unless the receiver refused it, it is a repetition, or it says
// nothing new of the task.
func (op *operation) delivery(it *log.Item) {
	facts := it.Record.Call.Delivery
	if facts != nil && facts.Verdict != "" {
		op.app.note("Signature", "%s", strings.TrimSpace(line(facts.Verdict+"  "+facts.VerdictReason)))
	}
	if facts == nil || facts.RefusalReason != "" || facts.Validation || facts.Repeats != 0 {
		return
	}
	fate := op.state.Log.At(it.Record.ID).Fate
	for i := range it.Update.Events {
		ev := &it.Update.Events[i]
		if ev.TaskID != op.answer.delivered {
			continue
		}
		if why := op.live.outdated(ev, fate); why != log.FateTaken {
			op.app.note("Note", "a push notification (%s) is not printed. %s", describeDelivery(ev), why.Sentence())
			continue
		}
		op.live.event(ev, op.answer.take(ev), it.Update.Err == nil && !it.Record.Torn)
		op.answer.noteOver(ev)
	}
}

// outdated returns the fate for which an event of a delivery is not printed, [log.FateTaken] if it is.
// The state knows nothing of a task before the agent has returned it, and cannot place a chunk: these
// deliveries are printed as they come, but not before an older one.
func (l *live) outdated(ev *a2a.Event, fate log.Fate) log.Fate {
	st := lifecycle.StatusOf(ev)
	switch fate {
	case log.FateLate, log.FateStale:
		return fate
	case log.FateKnown, log.FateStreamed:
		if st == nil || st.Message == nil || !st.Message.Summary { // which nothing else contains
			return fate
		}
	case log.FateStray:
		if st != nil && l.delivered != nil && isOlder(st, l.delivered) {
			return log.FateStale
		}
	}
	if st != nil {
		l.delivered = st
	}
	return log.FateTaken
}

// describeDelivery says what an event of a delivery is, in one or two words.
func describeDelivery(ev *a2a.Event) string {
	if st := lifecycle.StatusOf(ev); st != nil {
		return line(lifecycle.StateWord(st.State, st.Word))
	}
	return ev.Kind.String()
}

// noteOver notes that the task needs no more push notifications.
func (h *answer) noteOver(ev *a2a.Event) {
	switch {
	case ev.Kind == a2a.EventTask && ev.Task.ID == h.delivered:
		h.over = ev.Task.Status.State.Terminal() || ev.Task.Status.State.Interrupted()
	case ev.Kind == a2a.EventStatus:
		h.over = ev.Status.State.Terminal() || ev.Status.State.Interrupted()
	}
}
