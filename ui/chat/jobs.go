package chat

import (
	"time"

	"parley/ui/markdown"
)

// A Job renders the Markdown of one text, or draws one picture. It may run in any
// goroutine.
type Job struct {
	out    *outline
	row    *row
	stream *markdown.Stream
	job    markdown.Job

	picture *pictureContent // nil for a text
	params  pictureParams
}

// A Result is the result of a [Job], for [Pane.Apply].
type Result struct {
	Job
	rendered markdown.Result
	drawn    pictureResult
}

// Run renders or draws.
func (j Job) Run() Result {
	if j.picture != nil {
		return Result{Job: j, drawn: j.picture.draw(j.params)}
	}
	return Result{Job: j, rendered: j.job.Run()}
}

// Jobs returns the jobs for the rows in the window. Each job must come back through
// [Pane.Apply]; until then its text offers no other.
func (p *Pane) Jobs() []Job {
	var jobs []Job
	p.visible(func(r *row, s *markdown.Stream, w int) {
		if job, ok := s.Job(w); ok {
			jobs = append(jobs, Job{out: p.out, row: r, stream: s, job: job})
		}
	})
	if job, ok := p.pictureJob(); ok {
		jobs = append(jobs, job)
	}
	return jobs
}

// Due returns the earliest time at which [Pane.Jobs] will return delayed jobs, so that a text
// that stops growing is rendered to its end.
func (p *Pane) Due() (due time.Time, ok bool) {
	p.visible(func(_ *row, s *markdown.Stream, _ int) {
		if at, held := s.Due(); held && (!ok || at.Before(due)) {
			due, ok = at, true
		}
	})
	return due, ok
}

// Apply takes the result of a job. It may belong to a conversation that is no longer shown.
func (p *Pane) Apply(d Result) {
	if d.picture != nil {
		p.applyPicture(d)
	} else if d.stream.Apply(d.rendered) {
		d.out.redraw(d.row)
	}
	p.shared.applied++
}

// Redraw draws the rows again, after a job for a conversation of this pane came back through
// another one.
func (p *Pane) Redraw() { p.shared.applied++ }

// visible calls yield with the streams of the rows in the window.
func (p *Pane) visible(yield func(r *row, s *markdown.Stream, w int)) {
	for _, r := range p.window() {
		if s, ok := r.body.(streamer); ok {
			s.streams(max(p.w-edgeWidth, 1), func(md *markdown.Stream, w int) { yield(r, md, w) })
		}
	}
}

// window returns the rows in the window.
func (p *Pane) window() []*row {
	p.Lines()
	first, line, ok := p.list.ItemAt(0)
	if !ok {
		return nil
	}
	end, y := first, -line
	for ; end < len(p.out.rows) && y < p.h; end++ {
		y += len(p.out.rows[end].out)
	}
	return p.out.rows[first:end]
}
