// Package crash ends the program when one of its goroutines panics.
//
// The runtime, and Bubble Tea, would print the value of a panic as it is: with whatever an agent sent, secrets
// and escape sequences, on a screen that nobody restored. So every goroutine of the program begins with
// [Guard] or is [Guarded], and what is told of a panic has no value in it: what happened as the runtime says
// it, and the functions in which it happened, without their arguments.
//
// The main function decides with [Handle] how the program ends. Without it, as in tests, a panic
// goes on as any other. Both are global, as a panic is: it ends the process, whoever started the goroutine.
package crash

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Panic is what may be told of a panic.
type Panic struct {
	What  string   // a clause
	Where []string // the functions, the innermost first
}

var (
	mu       sync.Mutex
	handler  func(Panic)
	restores []*func()
	ending   sync.Mutex // of several goroutines that panic, one ends the program
)

// patience is how long the program may take to restore what it changed.
const patience = 2 * time.Second

// Handle sets what ends the program after a panic, until restore is called.
func Handle(end func(Panic)) (restore func()) {
	mu.Lock()
	defer mu.Unlock()
	before := handler
	handler = end
	return func() {
		mu.Lock()
		defer mu.Unlock()
		handler = before
	}
}

// OnEnd has f called before a panic ends the program, such as to restore the terminal, until cancel is
// called. The newest is called first. What takes too long is not waited for.
func OnEnd(f func()) (cancel func()) {
	mu.Lock()
	defer mu.Unlock()
	own := &f
	restores = append(restores, own)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		for i, other := range restores {
			if other == own {
				restores = append(restores[:i:i], restores[i+1:]...)
				return
			}
		}
	}
}

// Guard ends the program if the function that defers it panics. It is the first that a goroutine
// defers.
func Guard() {
	if value := recover(); value != nil {
		end(value)
	}
}

// Guarded returns a function with [Guard], for one that runs on a goroutine of its own.
func Guarded(f func()) func() {
	return func() {
		defer Guard()
		f()
	}
}

// end restores what was changed and has the program end.
func end(value any) {
	mu.Lock()
	say, undo := handler, restores
	mu.Unlock()
	if say == nil {
		panic(value)
	}
	ending.Lock()
	defer ending.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := len(undo) - 1; i >= 0; i-- {
			try(*undo[i])
		}
	}()
	select {
	case <-done:
	case <-time.After(patience):
	}
	say(Panic{What: what(value), Where: where()})
}

// try calls a function that may panic: the first panic is told.
func try(f func()) {
	defer func() { _ = recover() }()
	f()
}

// what says what happened. Only the sentences of the runtime have no values but numbers.
func what(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return err.Error()
	}
	return fmt.Sprintf("panic with a value of type %T", value)
}

// where returns the functions that were running, from the one that panicked to the first of its goroutine.
func where() []string {
	const most = 64
	pcs := make([]uintptr, most)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	var out []string
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked, out = true, nil
		case panicked && (len(out) > 0 || !strings.HasPrefix(f.Function, "runtime.")):
			out = append(out, fmt.Sprintf("%s (%s:%d)", f.Function, path.Base(f.File), f.Line))
		}
		if !more {
			return out
		}
	}
}
