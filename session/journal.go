package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"parley/a2a"
	"parley/internal/units"
)

// JournalVersion is the format version that line 1 of a journal names.
const JournalVersion = 1

const (
	// journalQueue is how many bytes may wait for the disk before producers do.
	journalQueue = 64 << 20
	// journalBatch is how many bytes go into one write.
	journalBatch = 1 << 20
	// recordOverhead is what a queued record costs besides its bytes.
	recordOverhead = 256
)

// JournalOptions say how a journal is kept.
type JournalOptions struct {
	// MaxBytes stops the journal before its file grows beyond it; 0 is no cap.
	MaxBytes int64
	// Now returns the time that line 1 names. Required.
	Now func() time.Time
}

// The classes of [SignalJournal].
const (
	JournalBehind   = "journal-behind"    // agents wait for the disk
	JournalCaughtUp = "journal-caught-up" // they no longer do
	JournalStopped  = "journal-stopped"   // nothing more is recorded; the session goes on
	JournalDamaged  = "journal-damaged"   // a replayed file has a line that could not be read
)

// A Journal is an append-only file of records, one JSON object per line
// (docs/session-format.md). One goroutine writes it, one write per batch of
// whole lines, so that a process that is killed leaves at most its last line
// torn. A journal that fails says so once, in a signal, and takes nothing more:
// a line after a torn one could not be trusted.
type Journal struct {
	path  string
	file  io.WriteCloser
	max   int64
	limit int // bytes that may wait
	now   func() time.Time
	done  chan struct{} // closed when the writer has ended

	mu      sync.Mutex
	changed sync.Cond
	notify  func(Signal)
	queue   []*a2a.Record
	queued  int // bytes of queue and of the batch being written
	behind  bool
	stopped bool
	closed  bool
	failure error
	size    int64  // written; the writer's own
	buf     []byte // the writer's own
}

// CreateJournal makes a new file, readable by its owner alone, and starts the
// goroutine that writes it. An existing file is never touched.
func CreateJournal(path string, o JournalOptions) (*Journal, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be made (%w); choose another file to record to", filepath.Dir(path), plain(err))
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists already and is left alone; choose another file to record to: %w", path, fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written (%w); choose another file to record to", path, plain(err))
	}
	j := newJournal(path, f, o)
	if err := j.begin(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s cannot be written (%w); choose another file to record to", path, plain(err))
	}
	go j.run()
	return j, nil
}

func newJournal(path string, w io.WriteCloser, o JournalOptions) *Journal {
	j := &Journal{path: path, file: w, max: o.MaxBytes, limit: journalQueue, now: o.Now, done: make(chan struct{})}
	j.changed.L = &j.mu
	j.notify = func(Signal) {}
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

// attach says where signals go.
func (j *Journal) attach(notify func(Signal)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.notify = notify
}

// append queues a record. It waits while too much is queued, and says so once.
func (j *Journal) append(r *a2a.Record) {
	cost := len(r.Raw) + recordOverhead
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.queued > 0 && j.queued+cost > j.limit && !j.stopped && !j.closed {
		if !j.behind {
			j.behind = true
			j.say(JournalBehind, fmt.Sprintf("The disk cannot keep up with the agents: %s wait to be written to %s. The agents' connections wait until it has caught up.", units.Bytes(int64(j.queued)), j.path))
		}
		j.changed.Wait()
	}
	if j.stopped || j.closed {
		return
	}
	j.queue = append(j.queue, r)
	j.queued += cost
	j.changed.Broadcast()
}

// say sends a signal; j.mu is held.
func (j *Journal) say(class, sentence string) {
	j.notify(Signal{Kind: SignalJournal, Time: j.now(), Class: class, Sentence: sentence})
}

// Close writes what is queued, closes the file and returns the error that
// stopped the journal, if one did.
func (j *Journal) Close() error {
	j.mu.Lock()
	j.closed = true
	j.changed.Broadcast()
	j.mu.Unlock()
	<-j.done
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failure
}

// run is the writer.
func (j *Journal) run() {
	defer close(j.done)
	for {
		batch, ok := j.next()
		if !ok {
			break
		}
		err := j.write(batch)
		j.wrote(batch, err)
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
func (j *Journal) next() (batch []*a2a.Record, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for len(j.queue) == 0 {
		if j.closed {
			return nil, false
		}
		j.changed.Wait()
	}
	batch, j.queue = j.queue, nil
	return batch, true
}

// write encodes records and writes them in batches of whole lines.
func (j *Journal) write(records []*a2a.Record) error {
	j.buf = j.buf[:0]
	for _, r := range records {
		line := len(j.buf)
		j.buf = appendRecord(j.buf, r)
		if j.max > 0 && j.size+int64(len(j.buf)) > j.max {
			j.buf = j.buf[:line]
			if err := j.flush(); err != nil {
				return err
			}
			return errJournalFull
		}
		if len(j.buf) >= journalBatch {
			if err := j.flush(); err != nil {
				return err
			}
		}
	}
	return j.flush()
}

var errJournalFull = errors.New("the size cap is reached")

// flush writes the batch with one write.
func (j *Journal) flush() error {
	if len(j.buf) == 0 {
		return nil
	}
	n, err := j.file.Write(j.buf)
	j.size += int64(n)
	if cap(j.buf) > 4*journalBatch {
		j.buf = nil // one huge record must not hold its size for ever
	}
	j.buf = j.buf[:0]
	return err
}

// wrote gives the batch's room back to the producers, or stops the journal.
func (j *Journal) wrote(batch []*a2a.Record, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, r := range batch {
		j.queued -= len(r.Raw) + recordOverhead
	}
	defer j.changed.Broadcast()
	if err != nil {
		j.stop(err)
		return
	}
	if j.behind && j.queued < j.limit/2 {
		j.behind = false
		j.say(JournalCaughtUp, fmt.Sprintf("The disk has caught up; %s is complete.", j.path))
	}
}

// stop ends journalling for good; j.mu is held.
func (j *Journal) stop(err error) {
	if j.stopped {
		return
	}
	j.stopped, j.queue, j.queued = true, nil, 0
	switch {
	case errors.Is(err, errJournalFull):
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: %s has reached its cap of %s. The session goes on unrecorded; start a new one to record again.", j.path, units.Bytes(j.max)))
	case errors.Is(err, syscall.ENOSPC):
		j.failure = err
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: the disk that holds %s is full. The session goes on unrecorded; make room and start a new one to record again.", j.path))
	default:
		j.failure = err
		j.say(JournalStopped, fmt.Sprintf("Recording stopped: %s could not be written (%v). The session goes on unrecorded.", j.path, plain(err)))
	}
}

// plain takes the operation and the path off a file error: the sentence around it
// names them.
func plain(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
