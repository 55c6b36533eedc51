package sheet

import (
	"testing"
	"time"
)

func TestAnAgeHasOneUnit(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)
	for age, want := range map[time.Duration]string{
		0: "0 ms", -time.Hour: "0 ms", 6400 * time.Millisecond: "6 s", 59 * time.Second: "59 s",
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
