package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkRecording reports the processor time per event of a stream with and without a
// recording, in a terminal and with parley send.
func BenchmarkRecording(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url+pacePath(0, events)
	for name, flag := range map[string]string{"screen": "", "screen-unrecorded": "--no-record"} {
		b.Run(name, func(b *testing.B) {
			computed := time.Hour
			for b.Loop() {
				args := []string{"--no-check", url}
				if flag != "" {
					args = append(args, flag)
				}
				s := startScreen(b, program, args...)
				s.until("the agent", func() bool { return strings.Contains(s.header(), "Torrent  A2A 1.0") })
				before := cpu(b, s.cmd.Process.Pid)
				s.press("hello\r")
				s.until(finishedStream(events+1), func() bool { return strings.Contains(s.header(), finishedStream(events+1)) })
				computed = min(computed, cpu(b, s.cmd.Process.Pid)-before)
				stop(s.cmd)
			}
			b.ReportMetric(float64(computed.Nanoseconds())/events, computedUnit)
		})
	}
	for name, recorded := range map[string]bool{"send": true, "send-unrecorded": false} {
		b.Run(name, func(b *testing.B) {
			computed := time.Hour
			for b.Loop() {
				computed = min(computed, processorTime(b, program, url, recorded))
			}
			b.ReportMetric(float64(computed.Nanoseconds())/events, computedUnit)
		})
	}
}

// computedUnit is the processor time of a program divided by the events of its stream.
const computedUnit = "cpu-ns/event"

// processorTime returns the processor time of parley send on a stream.
func processorTime(b *testing.B, program, url string, recorded bool) time.Duration {
	b.Helper()
	home := b.TempDir()
	path := filepath.Join(home, "record.jsonl")
	args := []string{"send", "-a", url, "--stream", "hello"}
	if recorded {
		args = append(args, "--record", path)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = home, environment(home)
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	if _, err := os.Stat(path); (err == nil) != recorded {
		b.Fatalf("got recording error %v, want recorded %v", err, recorded)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}
