package cli

import (
	"context"
	"errors"
	"io"

	"parley/a2a"
	"parley/internal/crash"
	"parley/session/chain"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/session/tap"
)

// A tapRun is a run of taps without a screen.
type tapRun struct {
	app    *app
	flags  *tapFlags
	set    *tap.Set
	list   []tap.State // as they were started
	kept   *storage
	feed   *log.Feed
	state  *model.State
	rules  *findings
	lines  *tapLines
	forest *chain.Forest
}

// tapHeadless starts taps and tells of what passes until the user ends it.
func (a *app) tapHeadless(f *tapFlags, w workbench, specs []tapSpec) error {
	if err := a.trustKeys(&w.signatures); err != nil {
		return err
	}
	rules, err := newFindings(f.findings)
	if err != nil {
		return err
	}
	rules.keep = f.gate.sarif != ""
	if err := f.gate.open(); err != nil {
		return err
	}
	kept, err := a.openStorage(w)
	if err != nil {
		return usage("%s.", sentence(err.Error()))
	}
	if kept.journal == nil && !w.noRecord {
		a.warnOfLosses(kept)
	}
	if warning := a.net.insecureWarning(); warning != "" {
		a.mildly("%s", warning)
	}
	t := &tapRun{app: a, flags: f, kept: kept, feed: log.NewFeed(), state: model.NewState(), rules: rules, forest: chain.NewForest()}
	t.state.Check(rules)
	t.lines = newTapLines(t.state, a.tapLine)
	t.set = a.newTapSet(journal.NewRecorder(t.feed, kept.journal), nil)
	if err = t.start(specs); err == nil {
		err = t.run()
	}
	t.set.Close()
	var bye parting
	err = errors.Join(err, kept.endRecording(&bye), t.print())
	bye.recorded(a, kept.journal, nil)
	for _, l := range bye.lines {
		a.tapLine(l)
	}
	t.rules.report(a, false)
	return f.gate.judge(a, "tap", tapNames(t.list), err, nil, rules)
}

// tapLine writes a line about what passes to standard error.
func (a *app) tapLine(words string) {
	var p page
	p.add(line(words), "\n")
	a.tell(&p)
}

// start starts the taps, and says where they are.
func (t *tapRun) start(specs []tapSpec) error {
	if err := t.app.startTaps(t.set, specs); err != nil {
		return err
	}
	t.list = t.set.List()
	if err := t.app.printTaps(t.list); err != nil {
		return err
	}
	return writeTapsReady(t.flags.readyFile, t.list)
}

// run takes what passes until the context ends.
func (t *tapRun) run() error {
	defer context.AfterFunc(t.app.ctx, func() {
		defer crash.Guard()
		t.set.Close() // everything is recorded then
		t.feed.Close()
	})()
	const batch = 1024
	for {
		items, err := t.feed.Next(context.Background(), batch)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range items {
			t.state.Apply(items[i])
			t.lines.take(&items[i])
			if items[i].Signal == nil {
				r := t.state.Log.At(a2a.RecordID(t.state.Log.Len()))
				t.forest.Add(&r.Record, &r.Update, r.Findings)
			}
		}
	}
}

// print prints what has passed: the trees of exchanges.
func (t *tapRun) print() error {
	var p page
	for _, l := range t.forest.Lines(t.agentName, now()) {
		p.add(line(l.String()), "\n")
	}
	if err := t.app.print(p.b.Bytes()); err != nil {
		return err
	}
	return nil
}

// agentName names an agent for a line.
func (t *tapRun) agentName(id a2a.AgentID) string {
	if a := t.state.Agent(id); a != nil {
		return a.Name()
	}
	return ""
}
