package ui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
)

// newModel begins a model on the feed of the player, or of the options if there is none.
func (r *replayScreen) newModel() {
	ctx, cancel := context.WithCancel(r.ctx)
	o := r.o
	if r.player != nil {
		o.Player, o.Feed, o.Stage = r.player, r.player.Feed(), r.player.Stage()
		o.Paced = func() bool { return r.back == nil && r.player.Position()-r.m.state.Log.Len() <= farAway }
		o.Warnings, o.Notes = nil, nil
	}
	r.m, r.leave = New(ctx, o), cancel
	r.generation++
}

// renew begins a new model on the player's new feed, and keeps the frame until it has arrived.
func (r *replayScreen) renew() tea.Cmd {
	if r.back == nil {
		marks := r.allMarks()
		r.back, r.held, r.marks = lookOf(r.m), r.m.View().Content, marks
	}
	if strings.Count(r.held, "\n")+1 != r.h-r.rows() {
		r.held = "" // it has another size
	}
	old := r.m
	r.leave()
	r.newModel()
	r.back.begin(r.m, old)
	first := nextBatch(r.m.ctx, &r.m.opts, 0, maxBatch)
	return tea.Batch(r.stamp(first), r.stamp(r.m.annotations.Load()), r.resize())
}

// allMarks returns the marks of the model, and those of records that it does not show yet.
func (r *replayScreen) allMarks() []int {
	if r.back != nil {
		return r.marks
	}
	shown := r.m.state.Log.Len()
	all := slices.DeleteFunc(slices.Clone(r.marks), func(id int) bool { return id <= shown })
	for id := range r.m.panes.wire.Marks() {
		all = append(all, int(id))
	}
	if file := r.o.Annotations; file != nil && file.Known() != nil { // those of earlier runs
		for _, id := range file.Known().Marks() {
			if int(id) > shown {
				all = append(all, int(id))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// arrive completes a seek that has reached its position: the screen looks as before. It also marks
// the records that the user marked when they were shown earlier.
func (r *replayScreen) arrive() tea.Cmd {
	if r.player == nil {
		return nil
	}
	var cmd tea.Cmd
	shown := r.m.state.Log.Len()
	if r.back != nil {
		if shown < r.player.Position() {
			return nil
		}
		r.back.end(r.m)
		r.back, r.held = nil, ""
		r.m.screen.skim = skimIdle
		r.m.touch()
		cmd = r.m.settle()
	}
	for len(r.marks) > 0 && r.marks[0] <= shown {
		if id := a2a.RecordID(r.marks[0]); !r.m.panes.wire.Marked(id) {
			r.m.panes.wire.Mark(id)
		}
		r.marks = r.marks[1:]
		r.m.touch()
	}
	return r.stamp(cmd)
}
