package bench

import (
	"strings"
	"testing"
	"time"
)

// million is the length of the stream in events.
const million = 1_000_000

// BenchmarkMillion reports the resident memory per event after a long stream, beyond its text,
// and the peak.
func BenchmarkMillion(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url
	kept, most := 0.0, 0.0
	for b.Loop() {
		s := startChat(b, program, url+pacePath(0, million))
		pid := s.cmd.Process.Pid
		before := resident(b, pid, "VmRSS:")
		s.press("hello\r")
		s.until(finishedStream(million+1), func() bool { return strings.Contains(s.header(), finishedStream(million+1)) })
		time.Sleep(2 * time.Second) // temporary memory is released
		beyond := func(what string) float64 {
			return float64(resident(b, pid, what)-before)/million - float64(len(words))
		}
		kept, most = max(kept, beyond("VmRSS:")), max(most, beyond("VmHWM:"))
		stop(s.cmd)
	}
	b.ReportMetric(kept, "B-kept/event")
	b.ReportMetric(most, "B-peak/event")
}
