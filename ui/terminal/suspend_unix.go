//go:build unix

package terminal

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// suspendable reports that processes can be suspended on this platform.
const suspendable = true

// notifySuspend sends the signal that suspends the program to asked, and the one that continues
// it to resumed, until stop is called. Without it the first would stop the program at once and
// leave the terminal as it is.
func notifySuspend(asked, resumed chan os.Signal) (stop func()) {
	signal.Notify(asked, syscall.SIGTSTP)
	signal.Notify(resumed, syscall.SIGCONT)
	return func() {
		signal.Stop(asked)
		signal.Stop(resumed)
	}
}

var errNoShell = errors.New("there is no shell to return to")

// suspend stops this process and those started with it, and returns when it continues. It sends
// SIGSTOP, which nobody can handle: once a Go program has asked for SIGTSTP, that signal never
// stops it again.
func suspend() error {
	if !resumable() {
		return errNoShell
	}
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	<-resumed
	return nil
}

// resumable reports whether a shell would notice that the program stopped, and could resume it.
// Without such a shell the system ignores SIGTSTP, so a child process that sends it to itself
// shows whether it works.
func resumable() bool {
	cmd := exec.Command("sh", "-c", "kill -TSTP $$")
	if cmd.Start() != nil {
		return false
	}
	var status syscall.WaitStatus
	for {
		if _, err := syscall.Wait4(cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != syscall.EINTR {
			break
		}
	}
	if !status.Stopped() {
		_ = cmd.Process.Release()
		return false
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return true
}
