package timestamp

import (
	"strings"
	"testing"
	"time"
)

func TestParseReadsWhatAgentsWrite(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, zone := range map[string]bool{
		"2026-01-02T03:04:05Z": true, "2026-01-02T05:04:05+02:00": true, "2026-01-02T05:04:05+0200": true,
		"2026-01-02T03:04:05": false, "2026-01-02 03:04:05": false, "1767323045": true, "1767323045000": true,
	} {
		if got, hasZone := Parse(text); !got.Equal(at) || hasZone != zone {
			t.Errorf("%s: got %v, zone %v; want %v, zone %v", text, got, hasZone, at, zone)
		}
	}
	for _, text := range []string{"", "now", "5", "-1767323045", "99999999999999999999", "2026-13-02T03:04:05Z", strings.Repeat("1", 100), "\x1b[31m2026"} {
		if got, _ := Parse(text); !got.IsZero() {
			t.Errorf("%q: got %v, want no time", text, got)
		}
	}
}
