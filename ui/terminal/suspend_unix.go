//go:build unix

package terminal

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// suspendable is whether there is such a thing on this platform.
const suspendable = true

// notifySuspend makes the signal that asks to suspend the program arrive at asked, and the
// one by which it goes on at goesOn, until stop is called. Left to itself the first would
// stop the program at once, and the terminal would stay as it is.
func notifySuspend(asked, goesOn chan os.Signal) (stop func()) {
	signal.Notify(asked, syscall.SIGTSTP)
	signal.Notify(goesOn, syscall.SIGCONT)
	return func() {
		signal.Stop(asked)
		signal.Stop(goesOn)
	}
}

var errNoShell = errors.New("there is no shell to return to")

// suspend stops this process and those started with it, and returns when it goes on.
// It sends the signal that nobody can handle: once a Go program has asked for the
// other, it is never again what stops it.
func suspend() error {
	if !resumable() {
		return errNoShell
	}
	goesOn := make(chan os.Signal, 1)
	signal.Notify(goesOn, syscall.SIGCONT)
	defer signal.Stop(goesOn)
	if err := syscall.Kill(0, syscall.SIGSTOP); err != nil {
		return err
	}
	<-goesOn
	return nil
}

// resumable reports whether a shell would notice that the program has stopped, and
// could resume it. Where none would, the system lets nobody be stopped by the signal
// that asks for it, so a process that asks itself finds out.
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
