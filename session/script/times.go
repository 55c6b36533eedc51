package script

import (
	"fmt"
	"slices"
	"time"
)

// A Measure is how long an answer took.
type Measure struct {
	Step *Step // that sent the message
	Time time.Duration
}

// Answers returns how long the complete answers took.
func (p *Play) Answers() []Measure { return p.answers }

// measure notes how long a complete answer took.
func (p *Play) measure(v View) {
	t := v.turn()
	if p.said == nil || p.measured || !v.Over || t == nil {
		return
	}
	p.measured = true
	p.answers = append(p.answers, Measure{Step: p.said, Time: AnswerTime(t)})
}

// Quantile returns the time within which so many in 100 of the times are, 0 if there are none.
func Quantile(times []time.Duration, percent int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[max(0, (len(sorted)*percent+99)/100-1)]
}

// Deferred returns the conditions about times of a script, to be judged over several plays.
func (s *Script) Deferred() (steps []*Step) {
	for i := range s.Steps {
		if s.Steps[i].Verb == Expect && s.Steps[i].Condition.Kind == Times {
			steps = append(steps, &s.Steps[i])
		}
	}
	return steps
}

// JudgeTimes judges a condition about times over many answers, and returns a failure if it does
// not hold.
func (s *Script) JudgeTimes(step *Step, times []time.Duration) *FailureReport {
	out := step.Condition.Judge(View{Times: times}, false)
	if out.Holds {
		return nil
	}
	return &FailureReport{Name: s.Name, Step: step, Sentence: fmt.Sprintf("Expected %s, but %s.", step.Condition.Words(), out.Came)}
}
