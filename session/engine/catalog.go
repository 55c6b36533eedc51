package engine

import (
	"context"

	"parley/a2a"
	"parley/internal/crash"
)

// ReadCatalog reads the catalog of anything a user can paste, or of the name under which it is
// saved. It returns when everything is read, or ctx or the engine ends.
func (e *Engine) ReadCatalog(ctx context.Context, ref string) a2a.Catalog {
	saved := Saved{Ref: ref}
	if e.o.Saved != nil {
		if known, ok := e.o.Saved(ref); ok {
			saved = known
		}
	}
	if saved.Client == nil && e.o.Client != nil {
		saved.Client = func() a2a.Options { return e.o.Client(saved.Ref) }
	}
	e.prepare(saved.Ref)
	o := e.options(&remote{saved: saved})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.ctx, crash.Guarded(cancel))()
	done := make(chan a2a.Catalog, 1)
	e.mu.Lock()
	closed := e.closed
	if !closed {
		e.work.Go(func() {
			defer crash.Guard()
			done <- a2a.ReadCatalog(ctx, saved.Ref, &a2a.Call{}, o, a2a.Hooks{})
		})
	}
	e.mu.Unlock()
	if closed {
		return a2a.Catalog{Ref: saved.Ref, Sentence: "The session has ended: no catalog is read.", Class: a2a.ClassGivenUp}
	}
	return <-done
}
