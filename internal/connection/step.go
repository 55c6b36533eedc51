package connection

import "time"

// A Status is the result of a step.
type Status uint8

const (
	// OK steps work.
	OK Status = iota
	// Warning steps work, but something is worth knowing.
	Warning
	// Failed steps are what has to be mended.
	Failed
	// Skipped steps are not needed, or were not reached.
	Skipped
	// Running steps have begun and not ended.
	Running
)

var statusWords = [...]string{OK: "ok", Warning: "warning", Failed: "failed", Skipped: "skipped", Running: "running"}

// String returns the status in one word.
func (s Status) String() string { return statusWords[s] }

// A Step is one step on the way to an answer.
type Step struct {
	Name   string
	Status Status
	// Found says what was found: addresses, versions, names in a certificate.
	Found string
	// Remedy says what to do if the step failed or warns; empty otherwise.
	Remedy string
	Took   time.Duration
	// Guarded says that the step was skipped because the agent wants credentials for it.
	Guarded bool
}
