package doctor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/connection"
	"parley/internal/doctor"
)

func TestAReportTakesEachStepTwice(t *testing.T) {
	r := doctor.Report{Of: "https://agent.example"}
	put := func(name string, s connection.Status, found, remedy string) {
		r.Put(connection.Step{Name: name, Status: connection.Running})
		if last := r.Steps[len(r.Steps)-1]; last.Name != name || last.Status != connection.Running {
			t.Errorf("got %+v, want %s to run", last, name)
		}
		r.Put(connection.Step{Name: name, Status: s, Found: found, Remedy: remedy, Took: 1500 * time.Microsecond})
	}
	put("address", connection.OK, "https://agent.example:443", "")
	put("DNS", connection.Skipped, "an address", "")
	put("TCP", connection.Warning, "127.0.0.1:443", "Not at ::1.")
	if r.Broken() != nil || r.Warnings() != 1 {
		t.Errorf("got %+v broken and %d warnings, want none and 1", r.Broken(), r.Warnings())
	}
	put("TLS", connection.Failed, "The certificate expired.", "Renew it.")
	r.Put(connection.Step{Name: "card", Status: connection.Running})
	r.DropRunning()
	r.DropRunning()
	if len(r.Steps) != 4 || r.Broken() == nil || r.Broken().Name != "TLS" {
		t.Fatalf("got %+v, want four steps, and TLS broken", r.Steps)
	}
	if got := r.Pending(); !slices.Equal(got, doctor.Steps()[5:]) {
		t.Errorf("got %q pending, want those from the card on", got)
	}
	r.Facts = []doctor.Fact{{Name: "Parley", Value: "1"}, {Name: "Locale", Value: "C", Hint: "Set LANG."}}
	got := r.Text(time.Date(2026, 11, 26, 1, 2, 3, 0, time.UTC))
	for _, want := range []string{
		"parley doctor https://agent.example, 2026-11-26T01:02:03Z\n", "ok       address: https://agent.example:443 (1 ms)\n", "warning  TCP: 127.0.0.1:443 (1 ms)\n         Not at ::1.\n",
		"failed   TLS: The certificate expired. (1 ms)\n         Renew it.\nnot run  card\n", "not run  message\n\nParley: 1\nLocale: C\n  Set LANG.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	r.Of = ""
	if got := r.Text(time.Time{}); got != "Parley: 1\nLocale: C\n  Set LANG.\n" {
		t.Errorf("got %q, want the facts alone", got)
	}
}

// A step that only some examinations have changes nothing of what is still to come.
func TestAStepInBetweenIsNoStepOfTheList(t *testing.T) {
	r := doctor.Report{Steps: []connection.Step{{Name: "card"}, {Name: "caution"}, {Name: "address"}}}
	if got := r.Pending(); len(got) == 0 || got[0] != "rules" {
		t.Errorf("got %q pending, want those from the rules on", got)
	}
}
