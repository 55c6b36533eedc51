package crash_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/internal/crash"
)

// ended returns what is told of the panic of a goroutine.
func ended(t *testing.T, f func()) crash.Panic {
	t.Helper()
	told := make(chan crash.Panic, 1)
	defer crash.Handle(func(p crash.Panic) { told <- p })()
	go crash.Guarded(f)()
	return <-told
}

func index(list []int, at int) int { return list[at] }

func TestAPanicIsToldWithoutItsValues(t *testing.T) {
	secret := "tok-s3cret\x1b[2J"
	var names map[string]int
	for _, c := range []struct {
		f    func()
		what string
	}{
		{func() { panic(secret) }, "panic with a value of type string"},
		{func() { panic(fmt.Errorf("cannot use %s", secret)) }, "panic with a value of type *"},
		{func() { index([]int{1}, len(secret)) }, "runtime error: index out of range"},
		{func() { names[secret] = 1 }, "assignment to entry in nil map"},
	} {
		p := ended(t, c.f)
		all := p.What + strings.Join(p.Where, "\n")
		if !strings.HasPrefix(p.What, c.what) || strings.Contains(all, "s3cret") || strings.Contains(all, "\x1b") {
			t.Errorf("got %q in %q, want %q and no value", p.What, p.Where, c.what)
		}
		if len(p.Where) == 0 || !strings.Contains(p.Where[0], "crash_test.") || !strings.Contains(p.Where[0], "(crash_test.go:") {
			t.Errorf("got functions %q, want the one that panicked first", p.Where)
		}
	}
}

func TestTheNewestChangeIsRestoredFirst(t *testing.T) {
	var order []string
	note := func(name string) func() { return func() { order = append(order, name) } }
	defer crash.OnEnd(note("first"))()
	crash.OnEnd(note("canceled"))()
	defer crash.OnEnd(note("second"))()
	defer crash.OnEnd(func() { panic("another one") })()
	told := ended(t, func() { panic("x") })
	if order = append(order, told.What); !slices.Equal(order, []string{"second", "first", "panic with a value of type string"}) {
		t.Errorf("got %q, want the newest first and what happened last", order)
	}
}

func TestWithoutAHandlerAPanicGoesOn(t *testing.T) {
	defer func() {
		if got := recover(); got != "x" {
			t.Errorf("got %v, want the panic", got)
		}
	}()
	crash.Guarded(func() { panic("x") })()
}

func TestWhatDoesNotPanicIsLeftAlone(t *testing.T) {
	defer crash.Handle(func(p crash.Panic) { t.Errorf("got %q, want no panic", p) })()
	ran := false
	crash.Guarded(func() { ran = true })()
	if !ran {
		t.Error("got nothing, want the function to run")
	}
}
