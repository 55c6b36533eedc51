package script

import (
	"cmp"
	"fmt"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/internal/visible"
	"parley/session/model"
)

// A Play is one way through a script. It belongs to one goroutine.
type Play struct {
	script  *Script
	timeout time.Duration
	speed   float64

	at      int       // index of the current step
	entered bool      // the current step has begun
	doing   bool      // the runner carries it out
	opening bool      // the agent of the current step is being found
	began   time.Time // when the current step began
	failed  *FailureReport

	said     *Step // the newest Say or Answer, nil before the first one to the agent
	saidAt   int   // its index
	undone   bool  // the failed step itself could not be carried out
	measured bool  // the time of its answer is known
	early    bool  // a Wait was content with a task that works, or with an error
	excused  bool  // a step judges that its answer is an error
	answers  []Measure
	options  PlayOptions
}

// PlayOptions say how a script is played; the zero value plays it as it is written.
type PlayOptions struct {
	// Fast leaves out the pauses.
	Fast bool
	// DefersTimes does not judge conditions about times, because the caller judges them over
	// several plays, see [Script.JudgeTimes].
	DefersTimes bool
}

// NewPlay begins a play.
func NewPlay(s *Script, o PlayOptions) *Play {
	return &Play{script: s, timeout: DefaultTimeout, speed: 1, options: o}
}

// Speed returns by what pauses are divided.
func (p *Play) Speed() float64 { return p.speed }

// Done returns how many steps are done.
func (p *Play) Done() int { return p.at }

// Step returns the current step, nil at the end.
func (p *Play) Step() *Step {
	if p.at >= len(p.script.Steps) {
		return nil
	}
	return &p.script.Steps[p.at]
}

// Next returns what to do next.
func (p *Play) Next(v View, now time.Time) Move {
	for p.failed == nil {
		p.measure(v)
		for _, a := range p.answers {
			v.Times = append(v.Times, a.Time)
		}
		step := p.Step()
		if !p.entered {
			p.entered, p.began = true, now
		}
		if p.doing {
			return Move{Kind: MoveWait, Step: step, Until: now.Add(p.timeout)}
		}
		if p.opening {
			if move, waits := p.open(step, v, now); waits {
				return move
			}
			continue
		}
		if move, waits := p.rest(step, v, now); waits {
			return move
		}
		if p.failed != nil {
			break
		}
		if step == nil {
			return Move{Kind: MoveOver}
		}
		if move, stays := p.step(step, v, now); stays {
			return move
		}
	}
	return Move{Kind: MoveFail, Step: p.failed.Step, Failure: p.failed}
}

// rest waits for the end of the answer before a step that needs it, and before the end of the
// script. A script that waited for a task to work may go on meanwhile. An error that no step
// expects is a failure.
func (p *Play) rest(step *Step, v View, now time.Time) (Move, bool) {
	needs := step == nil
	if step != nil {
		switch step.Verb {
		case Say, Answer, Expect, Open:
			needs = true
		}
	}
	if !needs || p.said == nil {
		return Move{}, false
	}
	if !v.Over && p.early && (step == nil || step.Verb == Say || step.Verb == Open) {
		return Move{}, false
	}
	if !v.Over {
		until := p.began.Add(p.timeout)
		if now.Before(until) {
			return Move{Kind: MoveWait, Step: cmp.Or(step, p.said), Until: until}, true
		}
		p.fail(cmp.Or(step, p.said), true, "Expected the end of the answer to line %d within %s, but %s.", p.said.Line, units.Duration(p.timeout), v.Came())
		return Move{}, false
	}
	if step != nil && step.Verb == Expect {
		return Move{}, false
	}
	if v.problem() != nil && !p.excused {
		p.fail(p.said, true, "Expected an answer, but %s.", v.Came())
	}
	return Move{}, false
}

// step goes on with a step, and reports whether it stays the current one.
func (p *Play) step(s *Step, v View, now time.Time) (Move, bool) {
	switch s.Verb {
	case Wait:
		return p.wait(s, v, now)
	case Expect:
		p.expect(s, v)
		return Move{}, false
	case Pause:
		until := p.began.Add(time.Duration(float64(s.Duration) / p.speed))
		if now.Before(until) && !p.options.Fast {
			return Move{Kind: MoveWait, Step: s, Until: until}, true
		}
		p.advance()
		return Move{}, false
	case Say, Answer:
		if v.Agent == 0 {
			p.fail(s, false, "No agent is open: Open stands before %s.", s.Verb)
			return Move{}, false
		}
		if s.Verb == Answer && !v.Waits() {
			p.fail(s, true, "Expected a task that waits for an answer, but %s.", v.Came())
			return Move{}, false
		}
	case Speed:
		p.speed = s.Number
	case Set:
		if s.Name == "timeout" {
			p.timeout = settingDuration(s.Text)
		}
	}
	p.doing = true
	return Move{Kind: MoveDo, Step: s}, true
}

// settingDuration returns the value of a setting that is a duration. Parse checked it.
func settingDuration(text string) time.Duration {
	d, err := (&cursor{text: text}).duration("")
	if err != nil {
		return DefaultTimeout
	}
	return d
}

// TypingPause returns the pause after a typed character, 0 for none.
func (s *Step) TypingPause() time.Duration { return settingDuration(s.Text) }

// Did notes that the runner carried out the current step. A sentence says why it could not.
func (p *Play) Did(problem string) { p.did(problem, false) }

// AgentFailed notes that an agent is the reason why the current step was not possible.
func (p *Play) AgentFailed(sentence string) { p.did(sentence, true) }

func (p *Play) did(problem string, agent bool) {
	step := p.Step()
	if !p.doing || step == nil {
		return
	}
	p.doing = false
	switch {
	case problem != "":
		p.undone = true
		p.fail(step, agent, "%s", problem)
		return
	case step.Verb == Open:
		p.opening = true
		return
	case step.Verb == Say || step.Verb == Answer:
		p.said, p.saidAt, p.measured, p.excused, p.early = step, p.at, false, false, false
	}
	p.advance()
}

// open waits until the agent was found.
func (p *Play) open(s *Step, v View, now time.Time) (Move, bool) {
	var agent *model.Agent
	if v.State != nil {
		agent = v.State.Agent(v.Agent)
	}
	ref, problem := visible.Line(clip(a2a.MaskReference(s.Ref))), ""
	switch {
	case agent == nil || agent.Phase == model.Discovering:
		until := p.began.Add(p.timeout)
		if now.Before(until) {
			return Move{Kind: MoveWait, Step: s, Until: until}, true
		}
		problem = fmt.Sprintf("Expected the card of %s within %s, but it has not come.", ref, units.Duration(p.timeout))
	case agent.Phase != model.Ready:
		problem = fmt.Sprintf("Expected %s to answer, but it did not: “%s”.", ref, clean(agent.Problem))
	case agent.Profile.Problem != "":
		problem = fmt.Sprintf("Expected %s to answer, but that is not possible: “%s”.", ref, clean(agent.Profile.Problem))
	}
	p.opening = false
	if problem != "" {
		p.undone = true
		p.fail(s, true, "%s", problem)
		return Move{}, false
	}
	p.said = nil
	p.advance()
	return Move{}, false
}

// Back returns from a failure to the step with which another agent has to begin: the Open that
// failed, or the Say that began the conversation's newest task.
func (p *Play) Back() {
	if !p.undone && p.said != nil {
		p.at = p.saidAt
	}
	for p.at = min(p.at, len(p.script.Steps)-1); p.at > 0; p.at-- {
		if v := p.script.Steps[p.at].Verb; v == Say || v == Open {
			break
		}
	}
	p.at = max(p.at, 0)
	p.failed, p.said, p.entered, p.opening, p.undone = nil, nil, false, false, false
}

// advance goes to the next step.
func (p *Play) advance() {
	p.at++
	p.entered = false
}

// fail ends the play.
func (p *Play) fail(s *Step, agent bool, format string, args ...any) {
	p.failed = &FailureReport{Name: p.script.Name, Step: s, Sentence: fmt.Sprintf(format, args...), OfAgent: agent}
}

// wait waits for a condition.
func (p *Play) wait(s *Step, v View, now time.Time) (Move, bool) {
	if p.said == nil {
		p.fail(s, false, "There is nothing to wait for: no Say stands before it.")
		return Move{}, false
	}
	within := cmp.Or(s.Duration, p.timeout)
	until := p.began.Add(within)
	out := s.Condition.Judge(v, true)
	switch {
	case out.Holds:
		p.excused = p.excused || s.Condition.Kind == Failure
		p.early = p.early || s.Condition.goesOn()
		if s.Condition.Kind == Complete && v.problem() != nil && !p.expectsError() {
			p.fail(s, true, "Expected an answer, but %s.", v.Came())
			return Move{}, false
		}
		p.advance()
		return Move{}, false
	case out.Settled:
		p.fail(s, true, "Expected %s, but %s.", s.Condition.Words(), out.Came)
		return Move{}, false
	case now.Before(until):
		return Move{Kind: MoveWait, Step: s, Until: until}, true
	}
	p.fail(s, true, "Expected %s within %s, but %s.", s.Condition.Words(), units.Duration(within), cmp.Or(out.Came, v.Came()))
	return Move{}, false
}

// expectsError reports whether a step after the current one, up to the next message, is about an
// error.
func (p *Play) expectsError() bool {
	for i := p.at + 1; i < len(p.script.Steps); i++ {
		switch s := &p.script.Steps[i]; s.Verb {
		case Say, Answer, Open:
			return false
		case Wait, Expect:
			if s.Condition.Kind == Failure {
				return true
			}
		}
	}
	return false
}

// expect judges a condition as it stands.
func (p *Play) expect(s *Step, v View) {
	cond := &s.Condition
	if p.said == nil && cond.Kind != Findings {
		p.fail(s, false, "There is nothing to judge: no Say stands before it.")
		return
	}
	if cond.Kind == Times && p.options.DefersTimes {
		p.advance()
		return
	}
	out := cond.Judge(v, false)
	if !out.Holds {
		broke := v.problem() != nil && !p.excused && cond.Kind != Failure // and no answer that is not as expected
		p.fail(s, broke, "Expected %s, but %s.", cond.Words(), out.Came)
		return
	}
	p.excused = p.excused || cond.Kind == Failure
	p.advance()
}

// Skip leaves out the current step, because the user wants that.
func (p *Play) Skip() {
	if p.Step() == nil || p.failed != nil {
		return
	}
	p.doing, p.opening = false, false
	p.advance()
}
