package bench

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"parley/internal/units"
)

// The size of the emulated screen.
const (
	screenWidth  = 200
	screenHeight = 60
	patience     = 2 * time.Minute // for anything on the screen
)

// A screen is a program in an emulated terminal: it returns what a user would see, and when.
type screen struct {
	b   *testing.B
	cmd *exec.Cmd
	tty *os.File

	mu      sync.Mutex
	term    *vt.Emulator
	written int           // bytes that the program wrote
	drawing bool          // inside a frame
	read    time.Time     // when the first bytes of the frame were read
	looks   func() bool   // called after every frame
	seen    chan struct{} // closed when looks returned true
	at      time.Time     // when the end of that frame was read
}

// startScreen starts a program on a screen until the benchmark ends.
func startScreen(b *testing.B, program string, args ...string) *screen {
	b.Helper()
	home := b.TempDir()
	s := &screen{b: b, cmd: exec.Command(program, args...), term: vt.NewEmulator(screenWidth, screenHeight)}
	s.cmd.Dir, s.cmd.Env = home, environment(home)
	s.frames()
	var err error
	if s.tty, err = pty.StartWithSize(s.cmd, &pty.Winsize{Rows: screenHeight, Cols: screenWidth}); err != nil {
		b.Fatal(err)
	}
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		_, _ = io.Copy(s.tty, s.term) // the program's queries to the terminal
	}()
	read := make(chan struct{})
	go func() {
		defer close(read)
		s.draw()
	}()
	b.Cleanup(func() {
		stop(s.cmd)
		s.tty.Close()
		<-read
		if pipe, ok := s.term.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
		<-answers
	})
	return s
}

// environment is the environment of the programs.
func environment(home string) []string {
	return []string{
		"HOME=" + home, "XDG_STATE_HOME=" + home, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8",
		profileEnv + "=" + os.Getenv(profileEnv),
	}
}

// stop ends a program. A program with a profile gets a signal and writes it first.
func stop(cmd *exec.Cmd) {
	signal := os.Kill
	if os.Getenv(profileEnv) != "" {
		signal = syscall.SIGTERM
	}
	_ = cmd.Process.Signal(signal)
	_ = cmd.Wait()
}

// frames reports to the program that the terminal supports synchronized frames, which the
// emulator does not know, and tracks their limits: a user never sees half a frame.
func (s *screen) frames() {
	s.term.RegisterCsiHandler(ansi.Command('?', '$', 'p'), func(params ansi.Params) bool {
		mode, _, _ := params.Param(0, 0)
		if ansi.DECMode(mode) != ansi.ModeSynchronizedOutput {
			return false
		}
		_, _ = io.WriteString(s.term.InputPipe(), ansi.ReportMode(ansi.ModeSynchronizedOutput, ansi.ModeReset))
		return true
	})
	s.term.SetCallbacks(vt.Callbacks{
		EnableMode: func(mode ansi.Mode) { s.drawing = s.drawing || mode == ansi.ModeSynchronizedOutput },
		DisableMode: func(mode ansi.Mode) {
			if mode == ansi.ModeSynchronizedOutput {
				s.drawing = false
				s.look()
			}
		},
	})
}

// draw draws the program's output until the program ends.
func (s *screen) draw() {
	buf := make([]byte, 256<<10)
	for {
		n, err := s.tty.Read(buf)
		now := time.Now()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.read = now
		_, _ = s.term.Write(buf[:n])
		s.written += n
		s.look()
		s.mu.Unlock()
	}
}

// look evaluates the awaited condition between two frames.
func (s *screen) look() {
	if !s.drawing && s.looks != nil && s.looks() {
		s.looks, s.at = nil, s.read
		close(s.seen)
	}
}

// until waits for a condition on the screen and returns when it became true. The screen does
// not change during the call of looks.
func (s *screen) until(what string, looks func() bool) time.Time {
	s.b.Helper()
	s.mu.Lock()
	if !s.drawing && looks() {
		defer s.mu.Unlock()
		return time.Now()
	}
	s.looks, s.seen = looks, make(chan struct{})
	seen := s.seen
	s.mu.Unlock()
	select {
	case <-seen:
		return s.at
	case <-time.After(patience):
		s.mu.Lock()
		defer s.mu.Unlock()
		s.b.Fatalf("%s did not come onto the screen\n%s", what, s.term)
		return time.Time{}
	}
}

// press types keys, given as bytes.
func (s *screen) press(keys string) {
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.b.Fatal(err)
	}
}

// row returns the cells of a row between two columns.
func (s *screen) row(y, from, to int) string {
	var b strings.Builder
	for x := from; x < to; x++ {
		if c := s.term.CellAt(x, y); c != nil {
			b.WriteString(c.Content)
		}
	}
	return b.String()
}

// header returns the first row, which names the agent and its stream.
func (s *screen) header() string { return s.row(0, 0, screenWidth) }

// startChat starts a conversation with the agent at a URL.
func startChat(b *testing.B, program string, args ...string) *screen {
	b.Helper()
	s := startScreen(b, program, append([]string{"--no-check"}, args...)...)
	s.until("the agent", func() bool { return strings.Contains(s.header(), "Torrent  A2A 1.0") })
	return s
}

// finishedStream returns the header's text for a finished stream.
func finishedStream(events int) string { return "last stream " + units.Count(events) + " events" }

// cpu returns the processor time of all threads of a process.
func cpu(b *testing.B, pid int) time.Duration {
	b.Helper()
	files, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	if err != nil || len(files) == 0 {
		b.Skip("this system has no /proc to tell processor time")
	}
	var sum int64
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // a thread that ended meanwhile
		}
		ns, _, _ := strings.Cut(string(data), " ")
		n, _ := strconv.ParseInt(ns, 10, 64)
		sum += n
	}
	return time.Duration(sum)
}

// percentiles reports the median and the 99th percentile.
func percentiles(b *testing.B, all []time.Duration) {
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	at := func(percent int) float64 { return float64(all[min(len(all)-1, len(all)*percent/100)].Nanoseconds()) }
	b.ReportMetric(at(50), "p50-ns")
	b.ReportMetric(at(99), "p99-ns")
}

// BenchmarkScreen receives a stream from another process, with a screen (conversation and wire
// rows are drawn) and without one. The time runs from the enter key to the visible last event.
func BenchmarkScreen(b *testing.B) {
	program, url := build(b, "parley", releaseEnv), agent(b).url
	for _, n := range []int{events / 2, events} {
		b.Run("stream-"+strconv.Itoa(n/1000)+"k", func(b *testing.B) {
			least, computed := time.Hour, time.Hour
			for b.Loop() {
				s := startChat(b, program, url+pacePath(0, n))
				before := cpu(b, s.cmd.Process.Pid)
				began := time.Now()
				s.press("hello\r")
				last := s.until(finishedStream(n+1), func() bool { return strings.Contains(s.header(), finishedStream(n+1)) })
				least = min(least, last.Sub(began))
				computed = min(computed, cpu(b, s.cmd.Process.Pid)-before)
				stop(s.cmd)
			}
			b.ReportMetric(float64(least.Nanoseconds()), "stream-ns")
			b.ReportMetric(float64(n)/least.Seconds(), "events/s")
			b.ReportMetric(float64(least.Nanoseconds())/float64(n), perEventUnit)
			b.ReportMetric(float64(computed.Nanoseconds())/float64(n), "cpu-ns/event")
		})
	}
	for _, run := range []struct {
		name   string
		n      int
		format string
	}{{"headless-100k", events, "text"}, {"headless-json-100k", events, "json"}, {"headless-json-200k", 2 * events, "json"}} {
		b.Run(run.name, func(b *testing.B) { headless(b, program, url, run.n, run.format) })
	}
}

// headless runs parley send on a stream and reports its time.
func headless(b *testing.B, program, url string, n int, format string) {
	least, computed, resident := time.Hour, time.Hour, 0.0
	for b.Loop() {
		home := b.TempDir()
		cmd := exec.Command(program, "send", "-a", url+pacePath(0, n), "--stream", "-o", format, "hello")
		cmd.Dir, cmd.Env = home, environment(home)
		began := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		least = min(least, time.Since(began))
		computed = min(computed, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		resident = max(resident, peakMemory(b, cmd.ProcessState))
	}
	b.ReportMetric(float64(n)/least.Seconds(), "events/s")
	b.ReportMetric(float64(least.Nanoseconds())/float64(n), perEventUnit)
	b.ReportMetric(float64(computed.Nanoseconds())/float64(n), "cpu-ns/event")
	b.ReportMetric(resident/(1<<20), "resident-MB")
}

// perEventUnit is the time of a stream divided by its events.
const perEventUnit = "ns/event"
