package units

import (
	"testing"
	"time"
)

func TestAnAgeChangesInSteps(t *testing.T) {
	for _, c := range []struct {
		d, next time.Duration
		words   string
	}{
		{-time.Hour, time.Second, "0 s"},
		{0, time.Second, "0 s"},
		{999 * time.Millisecond, time.Millisecond, "0 s"},
		{9*time.Second + 300*time.Millisecond, 700 * time.Millisecond, "9 s"},
		{12 * time.Second, 3 * time.Second, "10 s"},
		{59 * time.Second, time.Second, "55 s"},
		{time.Minute, time.Minute, "1 min"},
		{59*time.Minute + 50*time.Second, 10 * time.Second, "59 min"},
		{time.Hour, time.Hour, "1 h"},
		{23*time.Hour + 59*time.Minute, time.Minute, "23 h"},
		{49 * time.Hour, 23 * time.Hour, "2 d"},
	} {
		age, next := Age(c.d)
		if words := Seconds(age); next != c.next || words != c.words {
			t.Errorf("%v: got %q for %v, want %q for %v", c.d, words, next, c.words, c.next)
		}
	}
}

// Between two steps the words stay, and at the step they change.
func TestAnAgeStaysUntilTheNextStep(t *testing.T) {
	for d := time.Duration(0); d < 50*time.Hour; {
		age, next := Age(d)
		if next <= 0 {
			t.Fatalf("%v: got a next step in %v, want a later one", d, next)
		}
		if last, _ := Age(d + next - 1); last != age {
			t.Errorf("%v: got %v just before the next step, want %v", d, last, age)
		}
		if d += next; Seconds(age) == func() string { at, _ := Age(d); return Seconds(at) }() {
			t.Errorf("%v: got %q at the step again, want another age", d, Seconds(age))
		}
	}
}

func TestSecondsAreWhole(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0 s", 999 * time.Millisecond: "0 s", 2900 * time.Millisecond: "2 s", 65500 * time.Millisecond: "1 min 5 s"} {
		if got := Seconds(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
