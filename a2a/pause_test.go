package a2a_test

import (
	"net/http"
	"testing"
	"time"

	"parley/a2a"
)

func TestTheWaitThatAnAgentAsksForIsRead(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 500, time.UTC)
	for _, c := range []struct {
		value, date, says string
	}{
		{"7", "", "try again in 7 s"},
		{" 119 ", "", "try again in 119 s"},
		{"121", "", "try again in 3 min"},
		{"86400", "", "try again in 24 h"},
		{"Sun, 01 Mar 2026 12:00:30 GMT", "", "try again in 30 s"},
		{"Sunday, 01-Mar-26 12:00:30 GMT", "", "try again in 30 s"},
		{"Sun, 01 Mar 2026 12:00:30 GMT", "Sun, 01 Mar 2026 12:00:20 GMT", "try again in 10 s"},
		{"Sun, 01 Mar 2026 11:00:00 GMT", "", "try again later"},
		{"Sun, 01 Mar 9999 11:00:00 GMT", "", "try again later"},
		{"", "", "try again later"},
		{"0", "", "try again later"},
		{"-5", "", "try again later"},
		{"soon", "", "try again later"},
		{"9223372036854775807", "", "try again later"},
		{"99999999999999999999999", "", "try again later"},
	} {
		h := http.Header{"Retry-After": {c.value}}
		if c.date != "" {
			h.Set("Date", c.date)
		}
		if got := a2a.TryAgain(a2a.RetryAfter(h, now)); got != c.says {
			t.Errorf("%q at %q: %q, want %q", c.value, c.date, got, c.says)
		}
	}
}
