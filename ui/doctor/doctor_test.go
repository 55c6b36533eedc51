package doctor

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/connection"
	"parley/internal/doctor"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func TestHostileExaminationsAreDrawnInAnySize(t *testing.T) {
	evil := "\x1b[2J\x1b]0;x\a" + strings.Repeat("語\u202e\n", 60)
	r := doctor.Report{Of: evil}
	for i := range 20 {
		r.Steps = append(r.Steps, connection.Step{Name: fmt.Sprint(evil, i), Status: connection.Status(i % 5), Found: evil, Remedy: evil, Took: time.Hour})
		r.Facts = append(r.Facts, doctor.Fact{Name: evil, Value: evil, Hint: evil})
	}
	p := New(styles.New(themes.Mono(), styles.ASCII()))
	p.SetNow(time.Unix(1000, 0))
	for _, c := range []Content{{}, {Name: evil, Report: doctor.Report{Of: evil}, Running: true}, {Name: evil, Report: r}, {Name: evil, Report: r, Running: true, Sends: true, Began: time.Unix(0, 0)}, {Name: evil, Report: r, Stopped: true}, {Machine: true, Reading: true}, {Name: evil, Report: r, Machine: true}} {
		p.Begin(c)
		for w := range 12 {
			for _, h := range []int{0, 1, 2, 5, 9, 13, 21} {
				p.SetSize(10*w, h)
				panetest.Exact(t, p.Lines(), 10*w, h)
				panetest.Sanitized(t, p.Lines())
				panetest.Sanitized(t, []string{p.Title(), p.Note()})
			}
		}
		for _, key := range []string{"G", "k", "pgup"} {
			p.Key(panetest.Key(key))
			panetest.Exact(t, p.Lines(), 110, 21)
		}
	}
}

// The selection follows the examination until the user chooses a row.
func TestTheSelectionFollowsTheExamination(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	c := Content{Name: "Desk", Running: true}
	p.Begin(c)
	put := func(name string, s connection.Status) {
		c.Report.Put(connection.Step{Name: name, Status: s, Found: "found " + name, Remedy: "mend " + name})
		p.SetContent(c)
	}
	selected := func(want string) {
		t.Helper()
		if r := p.selected(); r.step == nil && r.name != want || r.step != nil && r.step.Name != want {
			t.Errorf("got %+v selected, want %s", r, want)
		}
	}
	put("address", connection.OK)
	put("DNS", connection.Running)
	selected("DNS")
	put("DNS", connection.Warning)
	put("TCP", connection.Running)
	selected("TCP")
	p.Key(panetest.Key("g"))
	put("TCP", connection.OK)
	put("TLS", connection.Failed)
	selected("address")
	p.Key(panetest.Key("j"))
	selected("DNS")
	c.Running = false
	p.Begin(c)
	selected("TLS")
	panetest.Sees(t, panetest.Text(p.Lines()), "is broken here: TLS", "what to do  mend TLS")
	c.Report.Steps = c.Report.Steps[:3]
	p.Begin(c)
	selected("DNS")
	panetest.Sees(t, panetest.Text(p.Lines()), "The agent can be reached, with 1 warning")
}

func TestKeysOfAnExamination(t *testing.T) {
	for name, c := range map[string]struct {
		content Content
		want    map[string]Intent
	}{
		"running": {Content{Name: "Desk", Running: true}, map[string]Intent{"esc": Stop{}, "q": Close{}, "r": nil, "s": nil, "y": Copy{}, "tab": Switch{}}},
		"over":    {Content{Name: "Desk"}, map[string]Intent{"esc": Close{}, "q": Close{}, "r": Again{}, "s": Again{Send: true}, "y": Copy{}, "m": Switch{}}},
		"machine": {Content{Name: "Desk", Machine: true, Running: true}, map[string]Intent{"esc": Close{}, "s": nil, "tab": Switch{}}},
		"alone":   {Content{Machine: true}, map[string]Intent{"esc": Close{}, "r": Again{}, "s": nil, "tab": nil, "y": Copy{}}},
		"reading": {Content{Machine: true, Reading: true}, map[string]Intent{"y": nil, "r": nil, "esc": Close{}}},
	} {
		for key, want := range c.want {
			p := New(styles.New(themes.Mono(), styles.Unicode()))
			p.SetSize(80, 24)
			p.Begin(c.content)
			if got := p.Key(panetest.Key(key)); got != want {
				t.Errorf("%s, %s: got %#v, want %#v", name, key, got, want)
			}
		}
	}
}

// Every step says what it checks before it has begun.
func TestEveryStepHasAMeaning(t *testing.T) {
	for _, name := range doctor.Steps() {
		if meanings(name) == "" {
			t.Errorf("%s: nothing is said", name)
		}
	}
}
