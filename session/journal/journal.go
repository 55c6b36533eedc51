package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"parley/a2a"
	"parley/internal/crash"
	"parley/internal/outlet"
	"parley/internal/sharedfile"
	"parley/internal/units"
	"parley/session/log"
)

// Version is the format version that line 1 of a journal names.
const Version = 1

const (
	// journalQueue is how many bytes may wait for the disk before producers do.
	journalQueue = 64 << 20
	// journalBatch is how many bytes are worth a write.
	journalBatch = 256 << 10
	// journalPause is how long a smaller batch waits for more after a write.
	journalPause = 20 * time.Millisecond
	// journalGiant is the size from which a record's line is not built in memory.
	journalGiant = 1 << 20
	// spareBlocks is how many written blocks are kept to be filled again: as many as a fast stream fills
	// while others are written.
	spareBlocks = 8
	// recordOverhead is the cost of a queued record besides its bytes.
	recordOverhead = 256
)

// Options say how a journal is written.
type Options struct {
	// MaxBytes stops the journal before its file exceeds it; 0 is no limit.
	MaxBytes int64
	// RemoveEmpty makes [Journal.Close] remove a file to which no record was written.
	RemoveEmpty bool
	// Now returns the time that line 1 names. Required.
	Now func() time.Time
}

// The classes of [log.SignalJournal].
const (
	JournalBehind   = "journal-behind"    // agents wait for the disk
	JournalCaughtUp = "journal-caught-up" // they no longer do
	JournalStopped  = "journal-stopped"   // nothing more is recorded; the session goes on
	JournalDamaged  = "journal-damaged"   // a replayed file has a line that could not be read
	JournalDropped  = "journal-dropped"   // a replay is over: how many records it read and how many lines it dropped
)

// A Journal is an append-only file of records, one JSON object per line
// (docs/session-format.md). A record becomes a line when it is queued; one goroutine writes the
// queue, many lines with each write, so that a killed process leaves at most its last line
// incomplete and lacks what came in the last [journalPause]. A journal that fails reports it
// once, in a signal, and accepts nothing more: a line after an incomplete one could not be
// trusted.
type Journal struct {
	path  string
	file  io.WriteCloser
	max   int64
	limit int  // limit of waiting bytes
	clean bool // remove the file if it is closed without a record
	now   func() time.Time
	done  chan struct{} // closed when the writer has ended
	wake  chan struct{} // holds a token when the writer has work
	hurry chan struct{} // holds a token when it must not wait for more

	mu      sync.Mutex
	room    sync.Cond // the writer has written, or nobody may wait any longer
	notify  func(log.Signal)
	lines   lineWriter
	queue   []block
	free    [][]byte // of blocks that were written
	size    int64    // of the file, including the queue
	records int      // of the file, including the queue
	queued  int      // bytes of queue and of the batch being written
	behind  bool
	stopped bool
	closed  bool
	failure error
}

// A block is consecutive lines, or a record that is too large to be built in memory.
type block struct {
	lines []byte
	giant *a2a.Record
	count int // of records
	cost  int
}

// Create creates a new file, readable only by its owner, and starts the goroutine that
// writes it. It never changes an existing file, and holds the new one until it is closed, so that
// other Parleys know that it grows ([sharedfile.Held]).
func Create(path string, o Options) (*Journal, error) { return create(path, o, (*Journal).begin) }

// create creates a new file and begins it.
func create(path string, o Options, begin func(*Journal) error) (*Journal, error) {
	if err := outlet.PrivateFolder(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be created (%w); choose another file to record to", filepath.Dir(path), plain(err))
	}
	f, err := outlet.Create(path)
	if errors.Is(err, fs.ErrExist) {
		return nil, &existsError{path}
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written (%w); choose another file to record to", path, plain(err))
	}
	j := newJournal(path, heldFile{f}, o)
	if err := errors.Join(sharedfile.Hold(f), begin(j)); err != nil {
		f.Close()
		_ = os.Remove(path) // no record of this session is in it
		return nil, fmt.Errorf("%s cannot be written (%w); choose another file to record to", path, plain(err))
	}
	go j.run()
	return j, nil
}

// A heldFile is held by this process until it is closed.
type heldFile struct{ *os.File }

func (f heldFile) Close() error { return sharedfile.Release(f.File) }

// An existsError says that a file exists that would be written.
type existsError struct{ path string }

func (e *existsError) Error() string {
	return "the file " + e.path + " already exists and was not changed: choose another file to record to, or use --force to replace a recording"
}

func (e *existsError) Unwrap() error { return fs.ErrExist }

func newJournal(path string, w io.WriteCloser, o Options) *Journal {
	j := &Journal{
		path: path, file: w, max: o.MaxBytes, limit: journalQueue, clean: o.RemoveEmpty, now: o.Now,
		done: make(chan struct{}), wake: make(chan struct{}, 1), hurry: make(chan struct{}, 1),
	}
	j.room.L = &j.mu
	j.notify = func(log.Signal) {}
	return j
}

// begin writes line 1.
func (j *Journal) begin() error {
	line := appendHeader(nil, j.now())
	n, err := j.file.Write(line)
	j.size = int64(n)
	return err
}

// Path returns the file's name.
func (j *Journal) Path() string { return j.path }

// setSignal sets where signals go.
func (j *Journal) setSignal(notify func(log.Signal)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notify = notify
}

// append queues a record. It waits while too much is queued, and reports that once.
func (j *Journal) append(r *a2a.Record) {
	cost := len(r.Raw) + recordOverhead
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.queued > 0 && j.queued+cost > j.limit && !j.stopped && !j.closed {
		if !j.behind {
			j.behind = true
			j.say(JournalBehind, fmt.Sprintf("The disk is too slow: %s wait to be written. The agents' connections wait until the disk has caught up with %s.", units.Bytes(int64(j.queued)), j.path))
		}
		j.room.Wait()
	}
	if j.stopped || j.closed {
		return
	}
	if !j.add(r, cost) {
		j.stop(errJournalFull)
		return
	}
	j.queued += cost
	j.records++
	log.Wake(j.wake)
	if j.queued >= journalBatch {
		log.Wake(j.hurry)
	}
}

// add puts a record at the end of the queue, unless it exceeds the file's limit.
func (j *Journal) add(r *a2a.Record, cost int) bool {
	if len(r.Raw) >= journalGiant {
		size := j.lines.size(r)
		if j.max > 0 && j.size+size > j.max {
			return false
		}
		j.size += size
		giant := *r
		j.queue = append(j.queue, block{giant: &giant, count: 1, cost: cost})
		return true
	}
	n := len(j.queue) - 1
	if n < 0 || j.queue[n].giant != nil || len(j.queue[n].lines) >= journalBatch {
		j.queue = append(j.queue, block{lines: j.buffer()})
		n++
	}
	b := &j.queue[n]
	before := len(b.lines)
	b.lines = j.lines.append(b.lines, r)
	size := int64(len(b.lines) - before)
	if j.max > 0 && j.size+size > j.max {
		b.lines = b.lines[:before]
		return false
	}
	j.size += size
	b.count++
	b.cost += cost
	return true
}

// buffer returns room for a block.
func (j *Journal) buffer() []byte {
	n := len(j.free)
	if n == 0 {
		return make([]byte, 0, 4<<10)
	}
	buf := j.free[n-1]
	j.free = j.free[:n-1]
	return buf[:0]
}

// say sends a signal; the caller holds j.mu.
func (j *Journal) say(class, sentence string) {
	j.notify(log.Signal{Kind: log.SignalJournal, Time: j.now(), Class: class, Sentence: sentence})
}

// Close writes what is queued, closes the file and returns the error that
// stopped the journal, if one did.
func (j *Journal) Close() error {
	j.mu.Lock()
	j.closed = true
	j.room.Broadcast()
	j.mu.Unlock()
	log.Wake(j.wake)
	log.Wake(j.hurry)
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.clean && j.records == 0 && j.failure == nil {
		return os.Remove(j.path)
	}
	return j.failure
}

// Records returns how many records the file has when all that is queued is written.
func (j *Journal) Records() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.records
}

// Size returns how many bytes the file has when all that is queued is written.
func (j *Journal) Size() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.size
}

// run is the writer.
func (j *Journal) run() {
	defer crash.Guard()
	defer close(j.done)
	pause := time.NewTimer(journalPause)
	defer pause.Stop()
	for {
		batch, ok := j.next()
		if !ok {
			break
		}
		if !j.noteWritten(batch, j.write(batch)) {
			continue
		}
		pause.Reset(journalPause)
		select {
		case <-j.hurry:
		case <-pause.C:
		}
	}
	if err := j.file.Close(); err != nil {
		j.mu.Lock()
		if j.failure == nil {
			j.failure = err
		}
		j.mu.Unlock()
	}
}

// next takes everything queued; ok is false when the journal is closed and empty.
func (j *Journal) next() (batch []block, ok bool) {
	for {
		j.mu.Lock()
		batch, j.queue = j.queue, nil
		closed := j.closed
		j.mu.Unlock()
		if len(batch) > 0 || closed {
			return batch, len(batch) > 0
		}
		<-j.wake
	}
}

// write writes a batch.
func (j *Journal) write(batch []block) error {
	for i := range batch {
		b := &batch[i]
		if b.giant == nil {
			if _, err := j.file.Write(b.lines); err != nil {
				return err
			}
			continue
		}
		if err := writeGiant(j.file, b.giant); err != nil {
			return err
		}
		b.giant = nil
	}
	return nil
}

var errJournalFull = errors.New("the size cap is reached")

// noteWritten returns the batch's room to the producers, or stops the journal. It reports whether
// the next batch may wait for more.
func (j *Journal) noteWritten(batch []block, err error) (wait bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	defer j.room.Broadcast()
	for i := range batch {
		j.queued -= batch[i].cost
		if b := batch[i].lines; b != nil && cap(b) <= 4*journalBatch && len(j.free) < spareBlocks {
			j.free = append(j.free, b)
		}
	}
	if err != nil {
		j.stop(err)
		for _, lost := range slices.Concat(batch, j.queue) { // at most: some of the batch may be in the file
			j.records -= lost.count
		}
		j.queue, j.queued = nil, 0 // a line after an incomplete one could not be trusted
		return false
	}
	if j.behind && j.queued < j.limit/2 {
		j.behind = false
		j.say(JournalCaughtUp, fmt.Sprintf("The disk has caught up; %s is complete.", j.path))
	}
	return !j.closed && j.queued < journalBatch
}

// stop accepts no more records, and reports why; the caller holds j.mu. What is queued is still
// written.
func (j *Journal) stop(err error) {
	full := errors.Is(err, errJournalFull)
	if !full && j.failure == nil {
		j.failure = err
	}
	if j.stopped {
		return
	}
	j.stopped = true
	switch {
	case full:
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: the file has reached its limit of %s (--record-max). The session continues without recording; %s holds what came before.", units.Bytes(j.max), j.path))
	case errors.Is(err, syscall.ENOSPC):
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: the disk is full. The session continues without recording; free some space and start a new session to record again. %s holds what came before.", j.path))
	default:
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: the file could not be written (%v). The session continues without recording; %s holds what came before.", plain(err), j.path))
	}
}

// plain removes the operation and the path from a file error: the sentence around it names
// them.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
