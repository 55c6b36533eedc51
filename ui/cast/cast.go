// Package cast exports the screens of a session as an asciicast (version 2), for terminal
// players. It shows the workbench as it looked while the session was recorded, at its pace.
// It draws with [ui.Film], which shows the records one after the other without a terminal.
package cast

import (
	"bufio"
	"context"
	"io"
	"time"

	"parley/a2a"
	"parley/internal/visible"
	"parley/session/export"
	"parley/session/export/excerpt"
	"parley/ui"
	"parley/ui/shot"
)

const (
	width, height = 120, 40
	// frame is the least time between two frames: a player draws no more.
	frame = time.Second / 15
	// last is how long the last frame is shown.
	last = 2 * time.Second
)

// Options say how a session is played.
type Options struct {
	Theme ui.Theme
	// MaxGap is the longest pause between two frames; 0 leaves pauses as they were.
	MaxGap time.Duration
}

// Format returns the format.
func Format(o Options) export.Format {
	return export.Format{Name: "asciicast", Ending: ".cast", About: "the screen as it looked, for terminal players", Findings: true,
		Write: func(ctx context.Context, w io.Writer, p *excerpt.Excerpt, step func(done, total int)) error {
			return write(ctx, w, p, o, step)
		}}
}

// A writer writes frames.
type writer struct {
	*bufio.Writer
	film    *ui.Film
	maxGap  time.Duration
	elapsed time.Duration // until the last frame
	newest  time.Time     // of the records that frames show
	frames  int
}

// write writes the frames of a part. Records that are not part of it are shown without taking any
// time.
func write(ctx context.Context, out io.Writer, p *excerpt.Excerpt, o Options, step func(done, total int)) error {
	film := ui.NewFilm(ctx, ui.FilmOptions{Width: width, Height: height, Theme: o.Theme, Name: visible.Line(p.Name)})
	w := &writer{Writer: bufio.NewWriterSize(out, 64<<10), film: film, maxGap: o.MaxGap}
	w.Write(shot.CastHeader(width, height, p.Began(), p.Name))
	log, pending, gap := p.State.Log, time.Time{}, time.Duration(0)
	for id := a2a.RecordID(1); int(id) <= log.Len(); id++ {
		it := log.At(id)
		at := it.Record.Time
		if p.Has(id) {
			if !pending.IsZero() && at.Sub(pending) >= frame {
				w.frame(w.newest, gap)
				pending, gap = time.Time{}, 0
			}
			if !w.newest.IsZero() {
				gap += max(at.Sub(w.newest), 0)
			}
			w.newest = at
			if pending.IsZero() {
				pending = at
			}
		}
		film.Add(*it)
		step(int(id), log.Len())
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if !w.newest.IsZero() {
		w.frame(w.newest, gap)
		w.frame(w.newest.Add(last), last)
	}
	return w.Flush()
}

// frame writes the rows that changed, after a pause.
func (w *writer) frame(at time.Time, gap time.Duration) {
	if w.maxGap > 0 {
		gap = min(gap, w.maxGap)
	}
	w.elapsed += gap
	text := w.film.Frame(at)
	if w.frames++; w.frames == 1 {
		text = shot.CastClear + text
	}
	if text == "" {
		return
	}
	w.Write(shot.CastEvent(w.elapsed, text))
}
