package replay

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	"parley/internal/crash"
	"parley/session/check"
	"parley/session/journal"
	"parley/session/log"
)

// The slowest and the fastest speed.
const (
	MinSpeed = 0.25
	MaxSpeed = 20
)

// speeds are those that [Player.Faster] and [Player.Slower] go through.
var speeds = []float64{MinSpeed, 0.5, 1, 2, 5, 10, MaxSpeed}

// Options are what a player needs.
type Options struct {
	// Recording is a regular file. The player never closes it.
	Recording *journal.Recording
	// Rules returns new rules, which check the records of one pass; nil checks nothing.
	Rules func() log.Checker
	Now   func() time.Time
	// Speed is how many times as fast as in life time goes, 0 for 1.
	Speed float64
	// MaxGap shortens longer gaps between records, 0 shortens none.
	MaxGap time.Duration
	// Step begins at rest.
	Step bool
	// Ahead is how many items the player may be ahead of the consumer of its feed.
	Ahead int
	// Ready is closed when the index may be made; nil makes it at once.
	Ready <-chan struct{}
}

// A Player plays a recording: the records up to its position are in its feed. It belongs to one
// goroutine.
type Player struct {
	o      Options
	ctx    context.Context // ends its goroutines
	index  index
	read   atomic.Int64 // bytes of the file that the index has read
	check  atomic.Int64 // bytes of the file that the rules have checked
	pass   *pass
	newest atomic.Pointer[pass] // the same, for the goroutines of the index

	at    int           // the position: how many records are shown
	spent time.Duration // on the time line, since record at
	plays bool
	speed float64
	now   time.Time // up to which time was spent
}

// New returns a player at the first record. It begins to make its index and, unless o.Step is
// set, plays.
func New(ctx context.Context, o Options) *Player {
	if o.Speed == 0 {
		o.Speed = 1
	}
	p := &Player{o: o, ctx: ctx, index: index{most: o.MaxGap}, at: 1, plays: !o.Step, speed: o.Speed, now: o.Now()}
	p.begin()
	outline, checks := o.Recording.Again(nil), o.Recording.Again(check.New(p.rules()))
	outline.Report(p.read.Store)
	checks.Report(p.check.Store)
	go func() {
		defer crash.Guard()
		if o.Ready != nil {
			select {
			case <-o.Ready:
			case <-ctx.Done():
			}
		}
		p.index.read(ctx, outline)
		p.index.check(ctx, checks, p.wait)
	}()
	return p
}

// wait lets a pass that has a long way to go have the processor.
func (p *Player) wait(ctx context.Context) {
	for pass := p.newest.Load(); pass.far(); pass = p.newest.Load() {
		select {
		case <-pass.near:
		case <-pass.done: // another one follows
			if ctx.Err() != nil {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// rules returns new rules, nil for none.
func (p *Player) rules() log.Checker {
	if p.o.Rules == nil {
		return nil
	}
	return p.o.Rules()
}

// begin begins a pass up to the position.
func (p *Player) begin() {
	p.pass = newPass(p.ctx, p.o.Recording, p.rules(), p.index.known(), p.at, p.o.Ahead)
	p.newest.Store(p.pass)
}

// Stage returns the stage that prepares the items of the feed.
func (p *Player) Stage() *check.Stage { return p.pass.stage }

// Feed returns the feed with the records up to the position. After [Player.Seek] has reported
// true it is another one, which begins at record 1.
func (p *Player) Feed() *log.Feed { return p.pass.feed }

// Position returns how many records are shown, or will be as soon as they are read.
func (p *Player) Position() int { return p.at }

// Len returns how many records there are as far as the index goes, and whether it is complete.
func (p *Player) Len() (n int, complete bool) { return p.index.size() }

// Indexed returns which part of the file the index has read.
func (p *Player) Indexed() float64 {
	size := p.o.Recording.Size()
	if _, over := p.index.size(); over || size == 0 {
		return 1
	}
	return min(1, float64(p.read.Load())/float64(size))
}

// Checked returns which part of the file the rules have checked, 1 for all of it: the findings of
// the rest are not known yet.
func (p *Player) Checked() float64 {
	size := p.o.Recording.Size()
	if _, all := p.index.checks(); all {
		return 1
	}
	return min(0.99, float64(p.check.Load())/float64(max(size, 1)))
}

// Playing reports whether time goes.
func (p *Player) Playing() bool { return p.plays }

// Speed returns how many times as fast as in life time goes.
func (p *Player) Speed() float64 { return p.speed }

// Since returns how long after the first record the position is, and how long after it the last
// known record came.
func (p *Player) Since() (at, last time.Duration) {
	n, _ := p.index.size()
	at, last = p.index.since(p.at), p.index.since(n)
	if next := p.index.since(p.at + 1); p.spent > 0 && p.at < n {
		at = min(at+p.spent, next)
	}
	return at, last
}

// Start returns when the first record came.
func (p *Player) Start() time.Time { return p.index.start() }

// Played returns which part of the time line is played.
func (p *Player) Played() float64 {
	n, _ := p.index.size()
	if total := p.index.at(n); total > 0 {
		return min(1, float64(p.index.at(p.at)+p.spent)/float64(total))
	}
	return min(1, float64(p.at)/float64(max(n, 1)))
}

// Cells divides the time line into w cells and returns the first record behind each.
func (p *Player) Cells(w int) []int { return p.index.cells(w) }

// Has reports whether a record of a kind is among those from one to another, without that.
func (p *Player) Has(k Kind, from, to int) bool { return p.index.has(k, from, to) }

// Next returns the nearest record of a kind after the position, or before it if dir is negative; 0
// if there is none.
func (p *Player) Next(k Kind, dir int) int { return p.index.next(k, p.at, dir) }

// Play lets time go, from the first record if the end was reached.
func (p *Player) Play() (restarted bool) {
	if n, complete := p.index.size(); complete && p.at >= n {
		restarted = p.Seek(1)
	}
	p.plays, p.now = true, p.o.Now()
	return restarted
}

// Pause stops the time.
func (p *Player) Pause() {
	p.Tick()
	p.plays = false
}

// Faster goes on at the next higher speed, Slower at the next lower one.
func (p *Player) Faster() {
	if i := slices.IndexFunc(speeds, func(s float64) bool { return s > p.speed }); i >= 0 {
		p.setSpeed(speeds[i])
	}
}

// Slower goes on at the next lower speed.
func (p *Player) Slower() {
	for _, s := range slices.Backward(speeds) {
		if s < p.speed {
			p.setSpeed(s)
			return
		}
	}
}

func (p *Player) setSpeed(s float64) {
	p.Tick()
	p.speed = s
}

// Step goes n records further, or back if n is negative, and stops the time. It reports whether
// there is a new feed.
func (p *Player) Step(n int) (restarted bool) {
	p.plays = false
	return p.Seek(p.at + n)
}

// Seek goes to a record: the nearest one if there is none of that number. It reports whether
// there is a new feed, which has only the records up to it.
func (p *Player) Seek(record int) (restarted bool) {
	p.at, p.spent, p.now = max(1, record), 0, p.o.Now()
	p.limit()
	if p.pass.goTo(p.at) {
		return false
	}
	p.pass.cancel()
	p.begin()
	return true
}

// SeekTime goes to a time after the first record.
func (p *Player) SeekTime(since time.Duration) (restarted bool) {
	since = max(0, since)
	record := max(1, p.index.find(since))
	restarted = p.Seek(record)
	if gap, ok := p.index.gap(p.at); ok {
		p.spent = max(0, min(since-p.index.since(p.at), gap))
	}
	return restarted
}

// Stop ends a seek where it is, and stops the time.
func (p *Player) Stop() {
	p.at, p.spent, p.plays = p.pass.stop(), 0, false
}

// limit keeps the position within the recording, as far as that is known.
func (p *Player) limit() {
	if n, complete := p.index.size(); complete {
		p.at = min(p.at, n)
	}
	if sent, over := p.pass.progress(); over && sent < p.at {
		p.at = sent // the file has become shorter
	}
}

// Wait lets the time since the last tick pass without playing: the screen is not ready for more.
func (p *Player) Wait() {
	p.now = p.o.Now()
	p.limit()
}

// Tick spends the time since the last one: the records that are due go into the feed. It returns
// how long it takes until the next one is due; false if no time goes.
func (p *Player) Tick() (wait time.Duration, ok bool) {
	now := p.o.Now()
	p.limit()
	if !p.plays {
		return 0, false
	}
	const soon = 50 * time.Millisecond // for the index
	p.spent += time.Duration(float64(max(0, now.Sub(p.now))) * p.speed)
	p.now = now
	for {
		gap, known := p.index.gap(p.at)
		if !known {
			p.spent = 0
			p.pass.goTo(p.at)
			if _, over := p.index.size(); over {
				p.plays = false
				p.limit()
				return 0, false
			}
			return soon, true
		}
		if gap > p.spent {
			p.pass.goTo(p.at)
			return time.Duration(float64(gap-p.spent) / p.speed), true
		}
		p.spent -= gap
		p.at++
	}
}
