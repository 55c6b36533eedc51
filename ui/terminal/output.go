package terminal

import (
	"bytes"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"

	"parley/internal/crash"
)

// An Output makes the program independent of a slow or stopped terminal: the renderer holds its
// lock while it writes, so writing must never block. Writes are queued, and a goroutine empties
// the queue; while much is unwritten, [Output.Behind] tells the model to return its last frame
// again.
type Output struct {
	*os.File   // the terminal: Fd, Read and Name are its own
	mu         sync.Mutex
	queue      []byte
	wake       chan struct{}
	progress   chan struct{} // receives a value after a write
	empty      chan struct{} // receives a value when the queue is empty
	done       chan struct{}
	firstFrame chan struct{} // closed when the first frame was written
	title      titleKeeper
	closed     bool
	writes     atomic.Int64 // the number of writes
	pending    atomic.Int64
	newest     atomic.Int64 // size of the last write
	err        error
	lent       atomic.Bool // a guest has the terminal
	suspended  atomic.Bool // the shell has it, and the signal to continue has not come
	drawn      atomic.Bool // the renderer has switched to its own screen
}

const (
	// maxUnwritten is how many bytes may be unwritten before the last frame until new frames
	// are withheld: they delay the frame that answers a key. A single frame may be larger, and
	// is often still unwritten in a terminal that keeps up.
	maxUnwritten = 8 << 10
	// maxDrain is how long to wait for a terminal that takes nothing.
	maxDrain = 2 * time.Second
)

// NewOutput returns the output to a terminal. It calls started when the first frame was
// written.
func NewOutput(f *os.File, started func()) *Output {
	o := &Output{File: f, firstFrame: make(chan struct{}), wake: make(chan struct{}, 1), progress: make(chan struct{}, 1), empty: make(chan struct{}, 1), done: make(chan struct{})}
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
	for _, waiter := range [...]chan struct{}{o.wake, o.progress} {
		select {
		case waiter <- struct{}{}:
		default:
		}
	}
	return n, nil
}

// wholeScreen resets the scroll margins whenever the screen is cleared. After scrolling, the
// renderer sets them to the size that it knows; a terminal that has grown meanwhile would keep
// them and scroll only a part. The reset moves the cursor home, where it goes next anyway.
func wholeScreen(p []byte) []byte {
	const clears, unbound = ansi.CursorHomePosition + ansi.EraseEntireScreen, "\x1b[r"
	if !bytes.Contains(p, []byte(clears)) {
		return p
	}
	return bytes.ReplaceAll(p, []byte(clears), []byte(unbound+clears))
}

// WriteString queues s, for callers that look for this method.
func (o *Output) WriteString(s string) (int, error) { return o.Write([]byte(s)) }

// Behind reports whether so much is unwritten that new frames are of no use.
func (o *Output) Behind() bool { return o.pending.Load()-o.newest.Load() > maxUnwritten }

// Drawn reports whether the renderer has switched to its own screen.
func (o *Output) Drawn() bool { return o.drawn.Load() }

// FirstFrame is closed when the first frame is on the terminal.
func (o *Output) FirstFrame() <-chan struct{} { return o.firstFrame }

// Writes returns the number of writes.
func (o *Output) Writes() int64 { return o.writes.Load() }

// Progress receives a value when something was written since the last receive.
func (o *Output) Progress() <-chan struct{} { return o.progress }

func (o *Output) run(started func()) {
	defer crash.Guard()
	defer close(o.done)
	var written []byte // its array is reused for the next queue
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
				close(o.firstFrame)
				started()
			}
		}
	}
}

// take returns the queue and starts a new one in the array of spare. If the queue is empty, it
// stays and the caller keeps spare: no array is used twice at a time. drawn reports whether the
// first frame is in it, or was in one before.
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

// drain waits until everything is written, but not for a terminal that takes nothing. The next
// program on the terminal writes past the queue.
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

// Close waits until the queue is written, but not for a terminal that takes nothing. It does
// not close the file, which belongs to the process.
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
