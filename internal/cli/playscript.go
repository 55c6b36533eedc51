package cli

import (
	"fmt"
	"time"

	"parley/internal/units"
	"parley/session/script"
)

// statusFailed is the exit status after a script that failed.
const statusFailed exitStatus = 1

// playHeadless plays a script without a screen, as often as the flags say.
func (a *app) playHeadless(f *demoFlags, s *script.Script, folder string) error {
	if err := a.trustKeys(&f.signatures); err != nil {
		return err
	}
	g := gate{junit: f.junit}
	if err := g.open(); err != nil {
		return err
	}
	defer a.net.hub.Close()
	r := &scriptReport{script: s, trials: f.trials}
	err := a.playTrials(f, s, folder, r)
	if g.junitFile != nil {
		cases := r.cases()
		if err != nil {
			f := asFault(err)
			cases = append(cases, testCase{class: "play", name: "the script is played", fault: f.code, output: f.message})
		}
		a.wrote("junit", writeJUnit(g.junitFile, junitSuite("demo", s.Name, cases, g.began, now())))
	}
	if err != nil {
		return err
	}
	return a.conclude(r)
}

// playTrials plays the script, and adds what became of it to the report.
func (a *app) playTrials(f *demoFlags, s *script.Script, folder string, r *scriptReport) error {
	for n := range f.trials {
		agents, err := a.newScriptAgents(f, folder)
		if err != nil {
			return err
		}
		t, err := a.newTrial(f, s, agents, func(step *stepResult) error {
			if f.trials > 1 {
				return nil
			}
			return a.print([]byte(step.line()))
		})
		if err != nil {
			agents.close()
			return err
		}
		err = t.run()
		agents.close()
		r.add(t)
		if err != nil {
			return err
		}
		if f.trials == 1 {
			continue
		}
		if err := a.print([]byte(r.trialLine(n))); err != nil {
			return err
		}
	}
	return nil
}

// conclude prints the end of the report and returns the exit status.
func (a *app) conclude(r *scriptReport) error {
	failed := r.judgeTimes()
	if r.trials > 1 {
		if err := a.print([]byte(r.rates())); err != nil {
			return err
		}
	} else if len(failed) == 0 {
		if err := a.print(fmt.Appendf(nil, "Passed: %s in %s.\n", units.Plural(len(r.script.Steps), "step"), units.Interval(r.results[0].took))); err != nil {
			return err
		}
	}
	if len(failed) == 0 {
		return nil
	}
	for _, f := range r.late {
		a.note("Error", "%s", f)
	}
	switch first := failed[0]; {
	case len(failed) == len(r.late):
	case r.trials == 1:
		a.note("Error", "%s", first)
	default:
		a.note("Error", "%d of %s failed, the first one at %s", len(failed)-len(r.late), units.Plural(r.trials, "trial"), first)
	}
	return statusFailed
}

// A scriptReport gathers what became of the trials of a script.
type scriptReport struct {
	script  *script.Script
	trials  int
	results []trialResult
	late    []*script.FailureReport // conditions about times, judged over all trials
	judged  bool
}

// A trialResult is what became of one trial.
type trialResult struct {
	took    time.Duration
	failure *script.FailureReport // nil if it passed
	steps   []stepResult          // of the only one
	answers []script.Measure
}

// add adds a trial that has ended.
func (r *scriptReport) add(t *trial) {
	result := trialResult{took: now().Sub(t.began), failure: t.failure, answers: t.play.Answers()}
	if r.trials == 1 {
		result.steps = t.results
	}
	r.results = append(r.results, result)
}

// trialLine returns the line of output of a trial.
func (r *scriptReport) trialLine(n int) string {
	t := &r.results[n]
	if t.failure != nil {
		return fmt.Sprintf("FAIL %9s  trial %d: %s\n", units.Interval(t.took), n+1, line(t.failure.Error()))
	}
	return fmt.Sprintf("ok   %9s  trial %d\n", units.Interval(t.took), n+1)
}

// times returns how long the answers to a step took, or all answers without one.
func (r *scriptReport) times(step *script.Step) (times []time.Duration) {
	for i := range r.results {
		for _, m := range r.results[i].answers {
			if step == nil || m.Step == step {
				times = append(times, m.Time)
			}
		}
	}
	return times
}

// judgeTimes judges the conditions about times over all trials, and returns all failures.
func (r *scriptReport) judgeTimes() (failed []*script.FailureReport) {
	if r.trials > 1 && !r.judged {
		for _, step := range r.script.Deferred() {
			if f := r.script.JudgeTimes(step, r.times(nil)); f != nil {
				r.late = append(r.late, f)
			}
		}
	}
	r.judged = true
	for i := range r.results {
		if f := r.results[i].failure; f != nil {
			failed = append(failed, f)
		}
	}
	return append(failed, r.late...)
}

// rates returns the pass rate, and the times by prompt and of all.
func (r *scriptReport) rates() string {
	passed := 0
	for i := range r.results {
		if r.results[i].failure == nil {
			passed++
		}
	}
	text := fmt.Sprintf("Passed %d of %s (%d %%).\n", passed, units.Plural(r.trials, "trial"), passed*100/r.trials)
	row := func(step *script.Step, what string) {
		if times := r.times(step); len(times) > 0 {
			text += fmt.Sprintf("%9s %9s %8d  %s\n", units.Interval(script.Quantile(times, 50)), units.Interval(script.Quantile(times, 95)), len(times), what)
		}
	}
	text += fmt.Sprintf("%9s %9s %8s\n", "p50", "p95", "answers")
	for i := range r.script.Steps {
		if s := &r.script.Steps[i]; s.Verb == script.Say || s.Verb == script.Answer {
			row(s, fmt.Sprintf("line %d: %s", s.Line, line(s.Label())))
		}
	}
	row(nil, "all")
	return text
}

// cases returns the test cases of a JUnit report: the steps of the only trial, or the trials.
func (r *scriptReport) cases() (cases []testCase) {
	r.judgeTimes()
	for n := range r.results {
		t := &r.results[n]
		if r.trials == 1 {
			cases = append(cases, r.stepCases(t)...)
			continue
		}
		c := testCase{class: "trial", name: fmt.Sprintf("trial %d", n+1), output: units.Interval(t.took)}
		if t.failure != nil {
			c.failure = t.failure.Error()
		}
		cases = append(cases, c)
	}
	for _, f := range r.late {
		cases = append(cases, testCase{class: "times", name: stepName(f.Step), failure: f.Error()})
	}
	return cases
}

// stepName names a step in a report.
func stepName(s *script.Step) string { return fmt.Sprintf("line %d: %s", s.Line, s.Label()) }

// stepCases returns the test cases of the steps of a trial.
func (r *scriptReport) stepCases(t *trialResult) (cases []testCase) {
	reached := map[*script.Step]*stepResult{}
	for i := range t.steps {
		reached[t.steps[i].step] = &t.steps[i]
	}
	for i := range r.script.Steps {
		s := &r.script.Steps[i]
		c := testCase{class: "step", name: stepName(s)}
		switch got := reached[s]; {
		case got == nil:
			c.skipped = "It was not reached."
		case got.failed:
			c.failure = t.failure.Error()
		case got.skipped:
			c.skipped = "It needs a screen."
		default:
			if c.output = units.Interval(got.took); got.recorded {
				c.output += ", recorded"
			}
		}
		cases = append(cases, c)
	}
	return cases
}
