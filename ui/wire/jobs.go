package wire

// A Job is work that takes longer than a frame. It may run in any goroutine. The function that
// it returns must be called in the pane's goroutine and reports whether anything changed.
type Job func() (arrive func() bool)

// Jobs returns the background work that is due, each job once: the index of a large body, the
// next slice of the search, the next batch of the filter. It works before the first frame, too.
func (p *Pane) Jobs() []Job {
	p.sync()
	p.arrange()
	var out []Job
	if job, ok := p.detail.Job(); ok {
		out = append(out, func() func() bool {
			done := job.Run()
			return func() bool { return p.detail.Apply(done) }
		})
	}
	if job, ok := p.searchJob(); ok {
		out = append(out, job)
	}
	if job, ok := p.siftJob(); ok {
		out = append(out, job)
	}
	return out
}
