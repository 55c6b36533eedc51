package pause

import (
	"net/http"
	"testing"
	"time"
)

func TestTheWaitThatAnAgentAsksForIsRead(t *testing.T) {
	t.Parallel()
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
		if got := TryAgain(After(h, now)); got != c.says {
			t.Errorf("Retry-After %q at %q: got %q, want %q", c.value, c.date, got, c.says)
		}
	}
}

func TestRetryIn(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]time.Duration{
		``: 0, `{}`: 0, `null`: 0, `7`: 0, `{"retryAfter":9}`: 9 * time.Second, `{"retryAfterSeconds":"7"}`: 7 * time.Second, `{"retry_after":0.2}`: time.Second,
		`[{"@type":"x"},{"retryDelay":"9s"}]`: 9 * time.Second, `{"retryAfter":-1}`: 0, `{"retryAfter":1e300}`: 0, `{"retryAfter":"NaN"}`: 0, `{"retryAfter":{}}`: 0, `[3,[]]`: 0,
	} {
		if got := In([]byte(data)); got != want {
			t.Errorf("In(%s) = %v, want %v", data, got, want)
		}
	}
}

func FuzzRetryIn(f *testing.F) {
	f.Add([]byte(`{"retryAfter":9}`))
	f.Add([]byte(`[{"retryDelay":"9.5s"}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := In(data); got < 0 || got > 365*24*time.Hour {
			t.Errorf("In(%q) = %v, want 0 to a year", data, got)
		}
	})
}
