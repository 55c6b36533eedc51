package sheet

import (
	"testing"
	"time"
)

func TestAnAgeHasOneUnit(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	for age, want := range map[time.Duration]string{
		0: "0 s", -time.Hour: "0 s", 6400 * time.Millisecond: "6 s", 59 * time.Second: "55 s",
		21*time.Minute + 46*time.Second: "21 min", 5*time.Hour + 59*time.Minute: "5 h", 49 * time.Hour: "2 d",
	} {
		if got := Ago(now.Add(-age), now); got != want {
			t.Errorf("%v: got %q, want %q", age, got, want)
		}
	}
	if got := Ago(time.Time{}, now) + Ago(now, time.Time{}); got != "" {
		t.Errorf("unknown times: got %q, want nothing", got)
	}
}

// The rows in the window say when the next of their ages changes.
func TestTheNextAgeIsThatOfAVisibleRow(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	ages := []time.Duration{2 * time.Second, -1, 90 * time.Second, 59 * time.Minute}
	b := Base{H: 3}
	next := func() time.Duration {
		return b.NextAge(len(ages), now, func(i int) time.Time {
			if ages[i] < 0 {
				return time.Time{}
			}
			return now.Add(-ages[i])
		})
	}
	if got := next(); got != time.Second {
		t.Errorf("got %v, want the second of the first row", got)
	}
	if b.List.Top = 1; next() != 30*time.Second {
		t.Errorf("got %v without the first row, want 30 s", next())
	}
	if b.List.Top, b.H = 1, 1; next() != 0 {
		t.Errorf("got %v for a row of unknown age, want never", next())
	}
}
