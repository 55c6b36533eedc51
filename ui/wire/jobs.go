package wire

import "slices"

// A Job is work that takes longer than a frame. It may run in any goroutine. The function that
// it returns must be called in the pane's goroutine and reports whether anything changed.
type Job func() (arrive func() bool)

// Jobs returns the background work that is due, each job once: the index of a large body, the
// next slice of the search, the next batch of the filter. It works before the first frame, too.
func (p *Pane) Jobs() []Job {
	p.sync()
	p.arrange()
	return slices.DeleteFunc([]Job{p.indexJob(), p.searchJob(), p.filterJob()}, func(job Job) bool { return job == nil })
}

// indexJob returns the indexing of the record's body, nil if none is due.
func (p *Pane) indexJob() Job {
	job, ok := p.detail.Job()
	if !ok {
		return nil
	}
	return func() func() bool {
		done := job.Run()
		return func() bool { return p.detail.Apply(done) }
	}
}
