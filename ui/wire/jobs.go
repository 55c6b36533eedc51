package wire

// A Job is work that would take too long between two frames. It may run in any
// goroutine. What it returns must be called where the pane lives, and reports whether
// anything changed.
type Job func() (arrive func() bool)

// Jobs returns what is to be done in the background now, each job once: the index of a
// large body that is shown, the next slice of a search. It need not have been drawn yet.
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
