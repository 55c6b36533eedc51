package terminal

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// An Output lets the program outlive a slow or stopped terminal: the renderer
// holds its lock while it writes, so it must never block. Writes go to a queue
// that a goroutine empties; while much is unwritten, [Output.Behind] tells the
// model to hand out the frame that is already there.
type Output struct {
	*os.File // the terminal: Fd, Read and Name are its own
	mu       sync.Mutex
	queue    []byte
	wake     chan struct{}
	wrote    chan struct{} // has a value when something was written
	empty    chan struct{} // tells who drains that nothing is queued
	done     chan struct{}
	shown    chan struct{} // closed when the first frame was written
	title    titleKeeper
	closed   bool
	writes   atomic.Int64 // how often something was written
	pending  atomic.Int64
	newest   atomic.Int64 // size of the last write
	err      error
	lent     atomic.Bool // a guest has the terminal
	aside    atomic.Bool // the shell has it, and the signal to go on has not come
	drawn    atomic.Bool // the renderer has gone to its own screen
}

const (
	// maxUnwritten is how many bytes may wait before the last frame that was written,
	// until new frames are held back: so many more are in the way of what a key
	// changes. A single frame may be larger, and has often not been taken yet by a
	// terminal that keeps up.
	maxUnwritten = 8 << 10
	// maxDrain is how long a terminal that takes nothing is waited for.
	maxDrain = 2 * time.Second
)

// NewOutput returns the output to a terminal. It calls started when the first frame has
// been written there.
func NewOutput(f *os.File, started func()) *Output {
	o := &Output{File: f, shown: make(chan struct{}), wake: make(chan struct{}, 1), wrote: make(chan struct{}, 1), empty: make(chan struct{}, 1), done: make(chan struct{})}
	go o.run(started)
	return o
}

// Write queues p. It fails only after the terminal has gone.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	if !o.drawn.Load() && bytes.Contains(p, []byte(ansi.SetModeAltScreenSaveCursor)) {
		o.drawn.Store(true)
	}
	n := len(p)
	p = o.title.keep(wholeScreen(p))
	o.queue = append(o.queue, p...)
	o.newest.Store(int64(len(p)))
	o.pending.Add(int64(len(p)))
	o.writes.Add(1)
	for _, waiter := range [...]chan struct{}{o.wake, o.wrote} {
		select {
		case waiter <- struct{}{}:
		default:
		}
	}
	return n, nil
}

// wholeScreen lets what clears the screen take its margins away, too. After having
// scrolled, the renderer sets them to the size that it knows; a terminal that has become
// larger meanwhile keeps them, and scrolls later what the renderer does not expect. It moves
// the cursor home, where it goes next in any case.
func wholeScreen(p []byte) []byte {
	const clears, unbound = ansi.CursorHomePosition + ansi.EraseEntireScreen, "\x1b[r"
	if !bytes.Contains(p, []byte(clears)) {
		return p
	}
	return bytes.ReplaceAll(p, []byte(clears), []byte(unbound+clears))
}

// WriteString queues s, for callers that look for it.
func (o *Output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// Behind reports whether so much is unwritten that new frames make no sense.
func (o *Output) Behind() bool { return o.pending.Load()-o.newest.Load() > maxUnwritten }

// Drawn reports whether the renderer has gone to its own screen.
func (o *Output) Drawn() bool { return o.drawn.Load() }

// Shown is closed when the first frame is on the terminal.
func (o *Output) Shown() <-chan struct{} { return o.shown }

// Writes returns how often something was written.
func (o *Output) Writes() int64 { return o.writes.Load() }

// Wrote has a value when something was written since it was last received from.
func (o *Output) Wrote() <-chan struct{} { return o.wrote }

func (o *Output) run(started func()) {
	defer close(o.done)
	var written []byte // its array is used for the next queue
	first := true
	for range o.wake {
		for {
			batch, drawn, closed := o.take(written)
			if len(batch) == 0 {
				if closed {
					return
				}
				select {
				case o.empty <- struct{}{}:
				default:
				}
				break
			}
			_, err := o.File.Write(batch)
			o.pending.Add(-int64(len(batch)))
			if err != nil {
				o.fail(err)
			}
			written = batch
			if first && drawn {
				first = false
				close(o.shown)
				started()
			}
		}
	}
}

// take returns what is queued and begins a new queue in the array of spare. A
// queue that is empty stays, and spare with the caller: an array never serves
// twice at a time. drawn says that the first frame is in it, or was in one before.
func (o *Output) take(spare []byte) (batch []byte, drawn, closed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if batch = o.queue; len(batch) > 0 {
		o.queue = spare[:0]
	}
	return batch, o.drawn.Load(), o.closed
}

func (o *Output) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.err = err
}

// drain waits until everything is written, but not for a terminal that takes
// nothing. Whoever gets the terminal next writes past the queue.
func (o *Output) drain() {
	timeout := time.After(maxDrain)
	for o.pending.Load() > 0 {
		select {
		case <-o.empty:
		case <-timeout:
			return
		}
	}
}

// Close waits for what is queued, but not for a terminal that takes nothing.
// It does not close the file, which belongs to the process.
func (o *Output) Close() error {
	o.mu.Lock()
	o.closed = true
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
	select {
	case <-o.done:
	case <-time.After(maxDrain):
	}
	return nil
}
