package units

import (
	"math"
	"testing"
	"time"
)

func TestBytesPicksTheUnit(t *testing.T) {
	for n, want := range map[int64]string{
		-1: "? B", 0: "0 B", 147: "147 B", 999: "999 B", 1000: "1 kB", 1400: "1.4 kB",
		19200: "19.2 kB", 14_000: "14 kB", 999_949: "999.9 kB", 999_950: "1 MB",
		12_000_000: "12 MB", 1_100_000_000: "1.1 GB", math.MaxInt64: "9.2 EB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestDurationPicksTheUnit(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ms", time.Microsecond: "< 1 ms", 41 * time.Millisecond: "41 ms",
		999 * time.Millisecond: "999 ms", 999_600 * time.Microsecond: "1 s",
		2400 * time.Millisecond: "2.4 s", 59_949 * time.Millisecond: "59.9 s",
		59_960 * time.Millisecond: "1 min", 185 * time.Second: "3 min 5 s",
		2*time.Hour + 10*time.Minute + 59*time.Second: "2 h 10 min",
		99 * time.Hour:         "4 d 3 h",
		-41 * time.Millisecond: "-41 ms",
		math.MinInt64:          "-106751 d 23 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%d) = %q, want %q", d, got, want)
		}
	}
}

func TestAnIntervalHasTwoDecimals(t *testing.T) {
	for d, want := range map[time.Duration]string{
		41 * time.Millisecond: "41 ms", 999_600 * time.Microsecond: "1 s", 2960 * time.Millisecond: "2.96 s", 3040 * time.Millisecond: "3.04 s",
		2100 * time.Millisecond: "2.1 s", 20 * time.Second: "20 s", 59_949 * time.Millisecond: "59.95 s", 59_960 * time.Millisecond: "1 min", 185 * time.Second: "3 min 5 s",
	} {
		if got := Interval(d); got != want {
			t.Errorf("Interval(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestCountGroupsDigits(t *testing.T) {
	for n, want := range map[int]string{
		0: "0", 12: "12", 999: "999", 1000: "1,000", 100000: "100,000", 1234567: "1,234,567", -100: "-100", -1000: "-1,000",
	} {
		if got := Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
	if got := Plural(1, "chunk") + ", " + Plural(1200, "chunk"); got != "1 chunk, 1,200 chunks" {
		t.Errorf("Plural gave %q", got)
	}
}
