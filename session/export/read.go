package export

import (
	"context"
	"errors"
	"io"

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
	recording, err := journal.Open(src.Path)
	if err != nil {
		return nil, nil, err
	}
	state := model.NewState()
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
	var faults []string
	for {
		items, err := feed.Next(ctx, log.OneBlock)
		if errors.Is(err, io.EOF) {
			return state, faults, ctx.Err()
		}
		if err != nil {
			return nil, nil, err
		}
		for i := range items {
			if s := items[i].Signal; s != nil && s.Kind == log.SignalJournal && s.Class == journal.JournalDamaged {
				faults = append(faults, s.Sentence)
			}
			state.Apply(items[i])
		}
	}
}
