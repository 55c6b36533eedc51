package export

import (
	"context"
	"errors"
	"io"
	"slices"

	"parley/a2a"
	"parley/internal/crash"
	"parley/session/check"
	"parley/session/export/redact"
	"parley/session/journal"
	"parley/session/log"
	"parley/session/model"
)

// Source says where a session comes from.
type Source struct {
	Path    string
	Formats map[a2a.Binding]a2a.Format // render messages that are not JSON
	Rules   func() log.Checker         // nil checks nothing
	Redact  *redact.Patterns           // nil masks nothing more
	// Report is called with the progress: how many bytes of how many are read.
	Report func(read, size int64)
}

// Read reads a session file. The sentences say what of it could not be read. The error is one of
// [journal.Open], or that of ctx.
func Read(ctx context.Context, src Source) (*model.State, []string, error) {
	if !src.Redact.Empty() { // what chunks divide is known only at the end
		plain := src
		plain.Redact, plain.Rules = nil, nil
		plain.Report = func(read, size int64) { src.Report(read/2, size) }
		state, _, err := Read(ctx, plain)
		if err != nil {
			return nil, nil, err
		}
		src.Redact.Learn(state)
		report := src.Report
		src.Report = func(read, size int64) { report((size+read)/2, size) }
	}
	state := model.NewState()
	faults, err := replay(ctx, &src, state, func(it *log.Item) { state.Apply(*it) })
	if err != nil {
		return nil, nil, err
	}
	return state, faults, ctx.Err()
}

// Check reads a session file for its findings, which the rules collect: it keeps no record but those that
// name agents. It returns a state that knows the agents alone, how many records the file has, and else what
// [Read] returns.
func Check(ctx context.Context, src Source) (agents *model.State, records int, faults []string, err error) {
	agents = model.NewState()
	faults, err = replay(ctx, &src, agents, func(it *log.Item) {
		if it.Signal == nil {
			records++
		}
		if names(agents, it) {
			agents.Apply(*it)
		} else if it.Signal == nil {
			agents.Log.Skip(it.Record.ID) // the reader has judged and checked it
		}
	})
	return agents, records, faults, err
}

// names reports whether an item names an agent: the first one about it, its card, and the notes that say
// which card and which name it has.
func names(agents *model.State, it *log.Item) bool {
	r := &it.Record
	id := a2a.AgentID(0)
	switch {
	case r.Note != nil:
		switch r.Note.Type {
		case log.NoteOpening, log.NoteNamed, log.NoteOpened, log.NoteExtendedCard, log.NotePublicCard:
			return true
		}
		id = log.IDIn[a2a.AgentID](r.Note.Attrs, log.AttrAgent)
	case r.Kind == a2a.KindRequest && r.Call != nil:
		id = r.Call.Agent
	}
	return id != 0 && agents.Agent(id) == nil ||
		slices.ContainsFunc(it.Update.Events, func(ev a2a.Event) bool { return ev.Kind == a2a.EventCard })
}

// replay reads a session file, and passes its records and signals on after the checks of the rules.
func replay(ctx context.Context, src *Source, state *model.State, take func(*log.Item)) (faults []string, err error) {
	recording, err := journal.Open(src.Path)
	if err != nil {
		return nil, err
	}
	recording.Render(src.Formats)
	if src.Rules != nil {
		stage := check.New(src.Rules())
		recording.Prepare(stage)
		state.Follow(stage)
	}
	if !src.Redact.Empty() {
		recording.Mask(func(r a2a.Record) a2a.Record {
			src.Redact.Record(&r)
			return r
		})
	}
	size := recording.Size()
	recording.Report(func(read int64) { src.Report(read, max(size, read)) })
	const ahead = 16 * journal.ReplayBlock
	feed := log.NewFeed()
	go func() {
		defer crash.Guard()
		recording.Replay(ctx, feed, ahead)
		feed.Close()
	}()
	for {
		items, err := feed.Next(ctx, log.OneBlock)
		if errors.Is(err, io.EOF) {
			return faults, ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		for i := range items {
			if s := items[i].Signal; s != nil && s.Kind == log.SignalJournal && s.Class == journal.JournalDamaged {
				faults = append(faults, s.Sentence)
			}
			take(&items[i])
		}
	}
}
