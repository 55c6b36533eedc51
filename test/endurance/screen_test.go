//go:build unix

package endurance

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// A screen is a program in a terminal of its own.
type screen struct {
	t       *testing.T
	cmd     *exec.Cmd
	tty     *os.File // the terminal's end
	before  *term.State
	journal string
	home    string
	status  chan int

	mu      sync.Mutex
	turn    sync.Cond // pace changed
	pace    pace
	emu     *vt.Emulator
	anew    int // how often the emulator began anew
	read    int // bytes that came
	visible bool
}

// pace is how fast a terminal reads.
type pace struct {
	stopped bool
	bytes   int // read at once
	every   time.Duration
}

var fast = pace{bytes: 64 << 10}

// start runs the program with arguments and a journal in a terminal of 120×40.
func start(t *testing.T, args ...string) *screen {
	t.Helper()
	journal := filepath.Join(t.TempDir(), "session.jsonl")
	s := startCommand(t, append([]string{program, "--record", journal}, args...)...)
	s.journal = journal
	return s
}

// startCommand runs any command in a terminal.
func startCommand(t *testing.T, command ...string) *screen {
	t.Helper()
	s := &screen{t: t, home: t.TempDir(), status: make(chan int, 1), pace: fast, emu: vt.NewEmulator(120, 40), visible: true}
	s.turn.L = &s.mu
	s.cmd = exec.Command(command[0], command[1:]...)
	s.cmd.Dir = s.home
	s.cmd.Env = []string{"HOME=" + s.home, "TMPDIR=" + s.home, "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	s.emu.SetCallbacks(vt.Callbacks{CursorVisibility: func(on bool) { s.visible = on }})
	tty, err := s.begin()
	if err != nil {
		t.Fatal(err)
	}
	s.tty = tty
	reading := make(chan struct{})
	go func() { defer close(reading); s.readAll() }()
	go func() { _, _ = io.Copy(tty, s.emu) }() // what the terminal answers
	go func() {
		_ = s.cmd.Wait()
		s.status <- exitStatus(s.cmd.ProcessState)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		tty.Close()
		s.reads(fast)
		<-reading
		if pipe, ok := s.emu.InputPipe().(io.Closer); ok {
			_ = pipe.Close()
		}
	})
	return s
}

// begin starts the command in a new session with its own terminal, and stores the terminal's
// settings.
func (s *screen) begin() (*os.File, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer slave.Close()
	if err := pty.Setsize(master, &pty.Winsize{Rows: 40, Cols: 120}); err != nil {
		return nil, err
	}
	if s.before, err = term.GetState(slave.Fd()); err != nil {
		return nil, err
	}
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = slave, slave, slave
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	return master, s.cmd.Start()
}

func exitStatus(p *os.ProcessState) int {
	if w, ok := p.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return p.ExitCode()
}

// readAll reads the program's output at the pace.
func (s *screen) readAll() {
	buf := make([]byte, fast.bytes)
	for {
		s.mu.Lock()
		for s.pace.stopped {
			s.turn.Wait()
		}
		p := s.pace
		s.mu.Unlock()
		n, err := s.tty.Read(buf[:p.bytes])
		s.mu.Lock()
		s.read += n
		s.shows(buf[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
		time.Sleep(p.every)
	}
}

// shows passes output to the emulator. The emulator panics if output for one size arrives in
// another; it is then replaced by a new one, as if it had been cleared.
func (s *screen) shows(p []byte) {
	defer func() {
		if recover() != nil {
			s.emu = vt.NewEmulator(s.emu.Width(), s.emu.Height())
			s.anew++
		}
	}()
	_, _ = s.emu.Write(p)
}

// reads changes the pace. One read at the old pace may still end.
func (s *screen) reads(p pace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace = p
	s.turn.Broadcast()
}

// renewed returns how often the emulator began anew, and so lost what it had shown.
func (s *screen) renewed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.anew
}

// sofar returns how many bytes arrived.
func (s *screen) sofar() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.read
}

// text returns the text on the screen.
func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.emu.String()
}

// sees waits until the screen matches a pattern, in which ^ and $ match at rows.
func (s *screen) sees(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
		text := s.text()
		if re.MatchString(text) {
			return text
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("got no /%s/ on the screen:\n%s", pattern, text)
		}
	}
}

// types sends keys.
func (s *screen) types(keys string) {
	s.t.Helper()
	if _, err := io.WriteString(s.tty, keys); err != nil {
		s.t.Fatal(err)
	}
}

// resize changes the size of the terminal.
func (s *screen) resize(w, h int) {
	s.t.Helper()
	s.mu.Lock()
	if w > 0 && h > 0 { // the emulator knows no terminal without cells
		s.emu.Resize(w, h)
	}
	s.mu.Unlock()
	if err := pty.Setsize(s.tty, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		s.t.Fatal(err)
	}
}

// signal sends a signal to the program.
func (s *screen) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// exit waits for the end of the program and returns its status, 128+n for signal n.
func (s *screen) exit() int {
	s.t.Helper()
	select {
	case status := <-s.status:
		s.status <- status
		return status
	case <-time.After(patience):
		s.t.Fatalf("got a program that still runs, want it to end:\n%s", s.text())
		return 0
	}
}

// restoreSettings restores the settings from before the program, as an interactive shell does when it
// gets the terminal back.
func (s *screen) restoreSettings() {
	s.t.Helper()
	if err := term.SetState(s.tty.Fd(), s.before); err != nil {
		s.t.Fatal(err)
	}
}

// checkSettings fails unless the terminal has the settings from before the program.
func (s *screen) checkSettings() {
	s.t.Helper()
	now, err := term.GetState(s.tty.Fd())
	if err != nil {
		s.t.Fatal(err)
	}
	if !reflect.DeepEqual(now, s.before) {
		s.t.Errorf("got terminal settings\n%+v\nwant\n%+v", now, s.before)
	}
}

// checkTerminal fails unless the whole terminal is restored.
func (s *screen) checkTerminal() {
	s.t.Helper()
	s.checkSettings()
	eventually(s.t, "the first screen with its cursor again", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return !s.emu.IsAltScreen() && s.visible
	})
}

// talks waits for the agent and sends it a message.
func (s *screen) talks() {
	s.t.Helper()
	s.sees(`▌Torrent`)
	s.types("go on\r")
	s.sees(`number \d+ of what is said`)
}
