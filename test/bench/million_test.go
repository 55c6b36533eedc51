package bench

import (
	"strings"
	"testing"
	"time"
)

// million is a stream that goes on for a long time.
const million = 1_000_000

// BenchmarkMillion reports what the workbench keeps of a long stream, beyond its text: how
// much more is resident afterwards than before, by events, and the most that was meanwhile.
func BenchmarkMillion(b *testing.B) {
	program, url := build(b, "parley", released), agent(b).url
	kept, most := 0.0, 0.0
	for b.Loop() {
		s := converse(b, program, url+pace(0, million))
		pid := s.cmd.Process.Pid
		before := resident(b, pid, "VmRSS:")
		s.press("hello\r")
		s.until(counted(million+1), func() bool { return strings.Contains(s.header(), counted(million+1)) })
		time.Sleep(2 * time.Second) // what was needed meanwhile is given back
		beyond := func(what string) float64 {
			return float64(resident(b, pid, what)-before)/million - float64(len(words))
		}
		kept, most = max(kept, beyond("VmRSS:")), max(most, beyond("VmHWM:"))
		stop(s.cmd)
	}
	b.ReportMetric(kept, "B-kept/event")
	b.ReportMetric(most, "B-peak/event")
}
