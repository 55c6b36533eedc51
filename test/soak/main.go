package main

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/engine"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
	"parley/test/bench/page"
)

// plan is what to run.
type plan struct {
	duration time.Duration
	agents   int
	rate     int    // events per second of all agents together
	journal  int64  // bytes after which the journal stops
	page     string // file that gets the report; empty for none
}

func main() {
	var p plan
	flag.DurationVar(&p.duration, "for", 5*time.Minute, "how long to go on")
	flag.IntVar(&p.agents, "agents", 20, "how many agents stream at once")
	flag.IntVar(&p.rate, "rate", 40_000, "events per `second` of all agents together")
	flag.Int64Var(&p.journal, "journal", 1<<28, "stop the journal at so many `bytes`")
	flag.StringVar(&p.page, "write", "", "write the report into this `file`, too")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run runs a plan and prints its progress to out. The error lists the faults.
func run(ctx context.Context, out io.Writer, p plan) error {
	w := newWatch(out)
	dir, err := os.MkdirTemp("", "parley-soak")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	server, err := startAgents(time.Second * time.Duration(perBlock*p.agents) / time.Duration(p.rate))
	if err != nil {
		return err
	}
	path := filepath.Join(dir, "soak.jsonl")
	j, err := journal.Create(path, journal.Options{MaxBytes: p.journal, Now: time.Now})
	if err != nil {
		return err
	}
	feed := log.NewFeed()
	engine := engine.New(engine.Base{
		Recorder: journal.NewRecorder(feed, j), Now: time.Now, After: time.After, NewID: rand.Text,
	}, engine.Use{Poll: 80 * time.Millisecond, Unchecked: true})
	l := listen(server, p.agents)
	heard := make(chan struct{})
	go func() { defer close(heard); l.run(feed) }()

	err = talk(ctx, engine, l, w, p)

	engine.Close()
	feed.Close()
	<-heard
	server.close()
	faults := l.faults
	if closing := j.Close(); closing != nil {
		faults = append(faults, "the journal: "+closing.Error())
	}
	faults = append(faults, readBack(path, l)...)
	faults = append(faults, w.verdict(l)...)
	if p.page != "" {
		if err := page.Replace(p.page, "make soak", report(w, l, p, faults)); err != nil {
			faults = append(faults, err.Error())
		}
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		faults = append(faults, err.Error())
	}
	if len(faults) > 0 {
		return errors.New(strings.Join(faults, "\n"))
	}
	return nil
}

// talk sends messages to every agent, one after the other, until the time is over and the last
// turn ends.
func talk(ctx context.Context, e *engine.Engine, l *listener, w *watch, p plan) error {
	var ids []a2a.AgentID
	for i := range p.agents {
		ids = append(ids, e.Open(fmt.Sprintf("%s/agent-%d", l.server.url, i+1)))
	}
	setup, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := l.wait(setup, func() bool { return l.ready == p.agents }); err != nil {
		return errors.New("the agents' cards were not found")
	}
	w.begin()
	over := time.Now().Add(p.duration)
	for round := 1; time.Now().Before(over) && ctx.Err() == nil; round++ {
		for _, id := range ids {
			m := &a2a.Message{Parts: []a2a.Part{a2a.TextPart("go on")}}
			e.Send(model.Target{Agent: id}, m, model.SendOptions{})
		}
		late, cancel := context.WithTimeout(ctx, 2*time.Minute)
		err := l.wait(late, func() bool { w.sample(l); return l.finished == round*p.agents })
		cancel()
		if err != nil {
			return fmt.Errorf("round %d did not come to its end: %w", round, err)
		}
	}
	return nil
}

// readBack reads the journal and compares it with the received records.
func readBack(path string, l *listener) (faults []string) {
	f, err := os.Open(path)
	if err != nil {
		return []string{err.Error()}
	}
	defer f.Close()
	next := a2a.RecordID(1)
	err = journal.Read(f, func(r a2a.Record) error {
		if r.ID != next || r.Kind == a2a.KindNote && r.Note.Type == "missing" {
			return fmt.Errorf("the journal has record %d, want %d", r.ID, next)
		}
		next++
		return nil
	})
	if err != nil {
		faults = append(faults, err.Error())
	}
	if next == 1 || next-1 > l.last {
		faults = append(faults, fmt.Sprintf("the journal has %d records of %d", next-1, l.last))
	}
	return faults
}
