package log

import (
	"math"
	"reflect"
	"testing"
	"time"
)

func TestRecentCountsEventsOfTheLatestSeconds(t *testing.T) {
	var r recent
	at := func(ms int) { r.add(time.Duration(ms) * time.Millisecond) }
	for _, ms := range []int{0, 500, 999, 1000, 3500, 2000} { // of a clock that was set back
		at(ms)
	}
	if want := []int{3, 1, 0, 2}; !reflect.DeepEqual(r.counts, want) {
		t.Errorf("got recent %v, want %v", r.counts, want)
	}
	for s := 4; s < 40; s++ {
		at(s * 1000)
	}
	if len(r.counts) != RecentSeconds {
		t.Errorf("got %d seconds, want %d", len(r.counts), RecentSeconds)
	}
	at(100_000_000)
	if want := []int{1}; !reflect.DeepEqual(r.counts, want) {
		t.Errorf("got recent %v after a long pause, want %v", r.counts, want)
	}
}

// The rate is that of the last seconds: it follows a stream that slows down, and is 0 when
// nothing comes.
func TestTheRateIsThatOfTheLastSeconds(t *testing.T) {
	var r recent
	for ms := 0; ms < 10_000; ms += 50 {
		r.add(time.Duration(ms) * time.Millisecond)
	}
	for _, c := range []struct {
		at   time.Duration
		want float64
	}{{9999 * time.Millisecond, 20}, {10500 * time.Millisecond, 16}, {11900 * time.Millisecond, 20 / 2.9}, {13 * time.Second, 0}, {time.Hour, 0}} {
		if got := r.rate(c.at); math.Abs(got-c.want) > 0.1 {
			t.Errorf("at %v: got %.2f events a second, want %.2f", c.at, got, c.want)
		}
	}
	r = recent{}
	r.add(20 * time.Millisecond)
	if got := r.rate(30 * time.Millisecond); got != 1 {
		t.Errorf("got %v events a second after the first one, want 1", got)
	}
}
