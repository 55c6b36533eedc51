package script

import "time"

// MoveKind is what a runner does next.
type MoveKind uint8

// The kinds of move.
const (
	MoveDo   MoveKind = iota // carry out Step and call [Play.Did]
	MoveWait                 // ask again when the state changes, or at Until
	MoveOver                 // all steps are done
	MoveFail                 // Failure says why the play ended
)

// A Move is what a runner does next.
type Move struct {
	Kind    MoveKind
	Step    *Step // to carry out, or that waits
	Until   time.Time
	Failure *FailureReport
}

// A FailureReport says where and why a play failed.
type FailureReport struct {
	Name     string // of the file
	Step     *Step
	Sentence string // with its full stop
	// OfAgent is set if the agent is away, answered with an error, or answered too late: another
	// one, such as a recorded one, may do better.
	OfAgent bool
}

// Error returns the place and the sentence.
func (f *FailureReport) Error() string {
	return (&Error{Name: f.Name, Line: f.Step.Line, Column: f.Step.Column, Sentence: f.Sentence}).Error()
}
