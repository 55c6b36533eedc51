package bench

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkReplay opens and plays a recording of a million records in 5,000 turns. It reports when
// the first rows, the whole time line and all findings are there, how long it takes to go to the
// end and one record back, and the resident memory afterwards.
func BenchmarkReplay(b *testing.B) {
	const each = 200
	program, path := build(b, "parley", releaseEnv), writeTurns(b, million, each)
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			began := time.Now()
			s := startScreen(b, program, "open", path)
			b.ReportMetric(float64(s.until("the first rows", func() bool { return s.shows("· London, ", 0, screenWidth) }).Sub(began).Nanoseconds()), "first-ns")
			b.ReportMetric(float64(s.until("all records", func() bool { return s.shows("1,000,000 records", 0, screenWidth) }).Sub(began).Nanoseconds()), "indexed-ns")
			b.ReportMetric(float64(cpu(b, s.cmd.Process.Pid).Nanoseconds()), "indexed-cpu-ns")
			reportMemory(b, s)
			stop(s.cmd)
		}
	})
	b.Run("play", func(b *testing.B) {
		for b.Loop() {
			began := time.Now()
			s := startScreen(b, program, "replay", "--step", path)
			line := func(unit, what string, shows func(line string) bool) {
				at := s.until(what, func() bool { return shows(s.row(screenHeight-2, 0, screenWidth)) })
				b.ReportMetric(float64(at.Sub(began).Nanoseconds()), unit)
			}
			has := func(words string) func(string) bool {
				return func(line string) bool { return strings.Contains(line, words) }
			}
			line("first-ns", "the first record", has("#1 of "))
			line("indexed-ns", "the time line", func(line string) bool {
				return strings.Contains(line, "of 1,000,000") && !strings.Contains(line, " read")
			})
			line("checked-ns", "the findings", has("of 1,000,000  1"))
			goes := func(key, to, unit string) {
				pid := s.cmd.Process.Pid
				before := cpu(b, pid)
				began = time.Now()
				s.press(key)
				line(unit+"-ns", to, has(to+" of"))
				b.ReportMetric(float64((cpu(b, pid) - before).Nanoseconds()), unit+"-cpu-ns")
			}
			goes("G", "#1,000,000", "end")
			reportMemory(b, s)
			goes(",", "#999,999", "back")
			stop(s.cmd)
		}
	})
	b.Run("floor", func(b *testing.B) { readEachByte(b, path, million) })
}

// reportMemory reports the resident memory of a program, and the peak, without that which it gives
// back.
func reportMemory(b *testing.B, s *screen) {
	time.Sleep(2 * time.Second) // temporary memory is released
	b.ReportMetric(memory(b, s.cmd.Process.Pid), "resident-MB")
	b.ReportMetric(resident(b, s.cmd.Process.Pid, "VmHWM:")/(1<<20), "peak-MB")
}
