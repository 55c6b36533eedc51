package replay

import (
	"context"
	"sync"

	"parley/internal/crash"
	"parley/session/check"
	"parley/session/journal"
	"parley/session/log"
)

// A pass reads the recording once, from record 1, and puts the records up to its end into a feed.
type pass struct {
	feed   *log.Feed
	stage  *check.Stage
	cancel context.CancelFunc

	mu   sync.Mutex
	sent int           // records in the feed
	end  int           // the last record that may go there
	over bool          // there are no more
	wake chan struct{} // end has changed

	near chan struct{} // has a token when the pass has come near its end
	done <-chan struct{}
}

// nearby is how many records before its end a pass is near it.
const nearby = 16 * journal.ReplayBlock

// newPass begins a pass up to a record. It stays at most about ahead items before its consumer. The
// rules check its records unless it is known what they find.
func newPass(ctx context.Context, rec *journal.Recording, rules log.Checker, known *findingList, end, ahead int) *pass {
	ctx, cancel := context.WithCancel(ctx)
	if known != nil {
		rules = nil
	}
	p := &pass{
		feed: log.NewFeed(), stage: check.New(rules), cancel: cancel, end: end, wake: make(chan struct{}, 1), near: make(chan struct{}, 1), done: ctx.Done(),
	}
	go p.read(ctx, rec.Again(p.stage), known, ahead)
	return p
}

func (p *pass) read(ctx context.Context, rec *journal.Recording, known *findingList, ahead int) {
	defer crash.Guard()
	signals := rec.Items(ctx, func(items []log.Item) {
		if known != nil {
			known.give(items)
		}
		for len(items) > 0 {
			n := p.put(ctx, items)
			if n == 0 {
				return
			}
			items = items[n:]
			_ = p.feed.Drained(ctx, ahead)
		}
	})
	if ctx.Err() == nil {
		p.feed.AppendAll(signals)
	}
	p.mu.Lock()
	p.over = true
	log.Wake(p.near)
	p.mu.Unlock()
}

// far reports whether the pass has a long way to its end.
func (p *pass) far() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.over && p.end-p.sent > nearby
}

// put puts the first of some items into the feed as soon as there may be more there. It returns
// how many, 0 if ctx ended.
func (p *pass) put(ctx context.Context, items []log.Item) int {
	for ctx.Err() == nil {
		p.mu.Lock()
		n := min(len(items), p.end-p.sent)
		if n > 0 {
			p.feed.AppendAll(items[:n:n])
			p.sent += n
			if p.end-p.sent <= nearby {
				log.Wake(p.near)
			}
		}
		p.mu.Unlock()
		if n > 0 {
			return n
		}
		select {
		case <-p.wake:
		case <-ctx.Done():
		}
	}
	return 0
}

// goTo sets the last record. It reports false if later ones are in the feed already.
func (p *pass) goTo(end int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if end < p.sent {
		return false
	}
	p.end = end
	log.Wake(p.wake)
	return true
}

// stop ends where the pass is now, and returns that.
func (p *pass) stop() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end = p.sent
	log.Wake(p.near)
	return p.sent
}

// progress returns how many records are in the feed, and whether there are no more.
func (p *pass) progress() (sent int, over bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent, p.over
}
