package cli

import (
	"bufio"
	"context"
	"errors"
	"strings"
	"sync"

	"parley/a2a"
	"parley/internal/crash"
)

// interrupts decide what ctrl+c does: it ends the program, unless a command that waits on a
// terminal offers something else first.
type interrupts struct {
	mu    sync.Mutex
	offer chan struct{} // nil while nothing is offered
}

// interruptsKey is the key of the interrupts in a context.
type interruptsKey struct{}

// take gives an interrupt to the command that waits, and reports whether there is one that has
// none yet.
func (in *interrupts) take() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	select {
	case in.offer <- struct{}{}: // a nil channel takes none
		return true
	default:
		return false
	}
}

// set sets the channel that takes the next interrupt, nil for none.
func (in *interrupts) set(offer chan struct{}) {
	in.mu.Lock()
	in.offer = offer
	in.mu.Unlock()
}

// offerOnInterrupt has ctrl+c offer to cancel the task or to leave it, where a user can answer.
// The returned function ends that.
func (op *operation) offerOnInterrupt() (end func()) {
	in, ok := op.ctx.Value(interruptsKey{}).(*interrupts)
	if !ok || op.flags.ref == "-" || !isTerminal(op.app.streams.In) || !isTerminal(op.app.streams.Err) {
		return func() {}
	}
	op.interrupted = make(chan struct{}, 1)
	in.set(op.interrupted)
	return func() { in.set(nil) }
}

// errDetached ends a wait because the user leaves the task.
var errDetached = errors.New("the user leaves the task")

// askInterrupted asks what becomes of the task after ctrl+c. The error is errDetached if the user
// leaves it.
func (op *operation) askInterrupted() error {
	id := op.answer.task()
	if id == "" {
		return errDetached
	}
	in, _ := op.ctx.Value(interruptsKey{}).(*interrupts)
	in.set(nil) // while it asks, ctrl+c ends the command
	defer func() { in.set(op.interrupted) }()
	op.counter.erase()
	if op.drawing != nil {
		op.drawing.end() // else the question would erase what came of the text
	}
	leave := "enter or ctrl+c leaves it"
	if op.goesOn {
		leave = "enter leaves it, ctrl+c ends the chat"
	}
	op.app.note("Interrupted", "task %s is still working. Type c and enter to cancel it, w and enter to wait on; %s.", id, leave)
	answer := make(chan string, 1) // a read of a terminal cannot be stopped
	go func() {
		defer crash.Guard()
		text, _ := bufio.NewReader(op.app.streams.In).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(text))
	}()
	select {
	case text := <-answer:
		switch text {
		case "c":
			op.engine.Cancel(op.agent, id, 0)
			return nil
		case "w":
			return nil
		}
		return errDetached
	case <-op.ctx.Done():
		return context.Cause(op.ctx)
	}
}

// detached is the end of a command whose user left the task.
func (op *operation) detached() error {
	op.drain()
	if op.answer.task() == "" {
		return internal("Stopped by SIGINT%s.", op.answer.stillAt())
	}
	return &fault{code: codeInternal, message: "You left task " + op.answer.task() + ", which may still be working.", hint: op.resume(&a2a.Task{ID: op.answer.task(), Status: a2a.Status{State: a2a.StateWorking}})}
}
