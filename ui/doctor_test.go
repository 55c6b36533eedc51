package ui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/golden"
)

// An examiner reports the steps that a test lets it.
type examiner struct {
	steps []connection.Step
	holds bool // it waits in the last step until it is stopped

	mu       sync.Mutex
	subjects []doctor.Subject
	stopped  int
}

func (e *examiner) Examine(ctx context.Context, s doctor.Subject, report func(connection.Step)) {
	e.mu.Lock()
	e.subjects = append(e.subjects, s)
	e.mu.Unlock()
	for i, step := range e.steps {
		report(connection.Step{Name: step.Name, Status: connection.Running})
		if e.holds && i == len(e.steps)-1 {
			<-ctx.Done()
			e.mu.Lock()
			e.stopped++
			e.mu.Unlock()
		}
		report(step)
	}
}

func (e *examiner) Machine() []doctor.Fact {
	return []doctor.Fact{{Name: "Parley", Value: "1.0, linux"}, {Name: "Locale", Value: "C", Hint: "It names no UTF-8."}}
}

// expired is an examination that ends at a certificate.
func expired() *examiner {
	return &examiner{steps: []connection.Step{
		{Name: "address", Found: "https://desk.example:443"}, {Name: "DNS", Found: "desk.example is 192.0.2.7", Took: 4 * time.Millisecond}, {Name: "TCP", Found: "192.0.2.7:443", Took: 12 * time.Millisecond},
		{Name: "proxy", Status: connection.Skipped, Found: "none is used for this host"},
		{Name: "TLS", Status: connection.Failed, Found: "The certificate expired on 2026-11-01.", Remedy: "Renew it on the server; if it is new, set the clock of this machine.", Took: 31 * time.Millisecond},
	}}
}

func TestTheDoctorShowsTheBrokenStep(t *testing.T) {
	t.Parallel()
	e := expired()
	bubble(t, 100, 30, Options{Doctor: e}, func(d *desk) {
		a := d.carded()
		d.engine.Pinned.Headers = []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}
		d.write("/doctor")
		d.press("enter")
		d.sees("doctor · "+a.Name(), "broken at TLS", "is broken here: TLS", "✓ DNS", "4 ms", "− proxy", "✕ TLS", "The certificate expired on 2026-11-01.", "what to do  Renew it on the server", "  credentials")
		if len(e.subjects) != 1 || e.subjects[0].Ref != a.Ref || len(e.subjects[0].Pins.Headers) != 1 || e.subjects[0].Send {
			t.Errorf("got %+v, want the agent with its pins, and no message", e.subjects)
		}
		d.press("y")
		d.sees("copied the report")
		d.press("tab")
		d.sees("doctor · this machine", "Parley", "▲ Locale", "way to agent")
		d.press("j")
		d.sees("hint        It names no UTF-8.")
		d.press("tab", "s")
		if len(e.subjects) != 2 || !e.subjects[1].Send {
			t.Errorf("got %+v, want another examination with a message", e.subjects)
		}
		d.press("esc")
		if d.model.sheet() != nil {
			t.Error("the sheet is still there")
		}
	})
}

func TestFramesOfTheDoctor(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {20, 5}} {
		name := fmt.Sprintf("frames/%dx%d/doctor", size.w, size.h)
		bubble(t, size.w, size.h, Options{Doctor: expired()}, func(d *desk) {
			d.book(allFound)
			d.write("/doctor")
			d.press("enter")
			golden.Compare(t, name, d.text())
			d.press("tab")
			golden.Compare(t, name+"-machine", d.text())
		})
	}
}

func TestTheReportOfTheDoctorIsForABugReport(t *testing.T) {
	t.Parallel()
	bubble(t, 100, 30, Options{Doctor: expired()}, func(d *desk) {
		d.carded()
		d.write("/doctor")
		d.press("enter", "y")
		for _, want := range []string{"parley doctor http", "ok       TCP: 192.0.2.7:443 (12 ms)", "failed   TLS: The certificate expired", "not run  message", "Locale: C\n  It names no UTF-8."} {
			if !strings.Contains(d.copied, want) {
				t.Errorf("got no %q in\n%s", want, d.copied)
			}
		}
	})
}

func TestAnExaminationIsStopped(t *testing.T) {
	t.Parallel()
	e := &examiner{holds: true, steps: []connection.Step{{Name: "address", Found: "x"}, {Name: "DNS", Found: "too late"}}}
	bubble(t, 80, 24, Options{Doctor: e}, func(d *desk) {
		d.carded()
		d.write("/doctor https://elsewhere.example")
		d.press("enter")
		d.sees("Following the way to https://elsewhere.example", "● DNS", "running", "Which addresses does the name of the host have?", "esc stop")
		d.wait(3 * time.Second)
		d.sees("3 s")
		d.press("q")
		if d.model.sheet() != nil {
			t.Error("q leaves the sheet where it is")
		}
		if e.stopped != 0 {
			t.Error("closing the sheet stopped the examination")
		}
		d.write("/doctor https://elsewhere.example")
		d.press("enter", "esc")
		d.sees("Stopped: r begins again", "  DNS")
		d.seesNot("too late")
		d.press("esc")
		if d.model.sheet() != nil || e.stopped != 1 || len(e.subjects) != 1 {
			t.Errorf("got %d stops of %d examinations, want one, and the sheet closed", e.stopped, len(e.subjects))
		}
		if got := e.subjects[0]; got.Pins != nil {
			t.Errorf("got %+v, want a stranger examined with the settings alone", got)
		}
	})
}

func TestWithoutAnAgentTheDoctorDescribesThisMachine(t *testing.T) {
	t.Parallel()
	bubble(t, 80, 24, Options{Doctor: expired()}, func(d *desk) {
		d.write("/doctor")
		d.press("enter")
		d.sees("doctor · this machine", "1.0, linux")
		d.press("esc")
		d.write("/doctor nonsense")
		d.press("enter")
		d.sees("nonsense is not an address")
	})
	bubble(t, 80, 24, Options{}, func(d *desk) {
		d.carded()
		d.write("/doctor")
		d.press("enter")
		d.sees("Nothing is examined here.")
	})
}
