package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"parley/a2a"
	"parley/internal/sharedfile"
	"parley/internal/units"
)

// A Predecessor is a replayed recording whose session goes on in a new file. The new file begins with
// the predecessor's lines as they are, so that it can be opened alone and every record keeps its
// number; the predecessor itself is never written.
type Predecessor struct {
	Path string
	Size int64 // bytes of the lines that were replayed
	// Records counts the replayed records that are in the file.
	Records int
	// Last is the number of the last replayed record, and Ends are the last of them that are not in
	// the file: the ends of exchanges that were open when the recording stopped.
	Last a2a.RecordID
	Ends []a2a.Record
}

// Name returns the name of the predecessor's file, for the header of the new one.
func (p *Predecessor) Name() string { return filepath.Base(p.Path) }

// Predecessor returns what a new file needs to continue the recording, after [Recording.Replay] has
// returned.
func (j *Recording) Predecessor() Predecessor { return j.played }

// errHeld is why a session cannot go on while another Parley writes it or goes on with it.
var errHeld = errors.New("another Parley that runs records it or goes on with it; quit that one first")

// Claim makes this process the only one that goes on with the session, until release. Whoever goes on
// later fails, whether this process records the session or not.
func (p *Predecessor) Claim() (release func(), err error) {
	if sharedfile.Held(p.Path) {
		return nil, errHeld
	}
	f, err := os.Open(p.Path)
	if err != nil {
		return nil, plain(err)
	}
	if err := sharedfile.Hold(f); err != nil {
		f.Close()
		if errors.Is(err, sharedfile.ErrBusy) {
			err = errHeld
		}
		return nil, plain(err)
	}
	return func() { _ = sharedfile.Release(f) }, nil
}

// OpenToContinue opens a journal that a new file is to continue. It refuses what [Open] opens and
// nobody can continue: a pipe, the file of a Parley that runs, and that of a newer Parley.
func OpenToContinue(path string) (*Recording, error) {
	fail := func(why string) error { return &os.PathError{Op: "open", Path: path, Err: errors.New(why)} }
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, fail("it is no regular file, and only a file can be continued")
	}
	if sharedfile.Held(path) {
		return nil, fail(errHeld.Error())
	}
	recording, err := Open(path)
	if err != nil {
		return nil, err
	}
	if h := readHeader(path); h.Version > Version {
		recording.file.Close()
		return nil, fail(fmt.Sprintf("it has format version %d and this Parley writes version %d; continue it with the Parley that wrote it, or read it with parley open", h.Version, Version))
	}
	return recording, nil
}

// readHeader returns line 1 of a file, the zero value if that is no header.
func readHeader(path string) (h header) {
	f, err := os.Open(path)
	if err != nil {
		return header{}
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, maxHeader)).ReadBytes('\n') // a torn one is no header
	if json.Unmarshal(line, &h) != nil || h.Parley != "session" {
		return header{}
	}
	return h
}

// maxHeader is how many bytes of line 1 are read.
const maxHeader = 64 << 10

// Continues returns the name of the file that a session file continues, empty if it continues none.
func Continues(path string) string {
	name := readHeader(path).Continues
	if name != filepath.Base(name) || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return "" // a name of a file in another folder was written by nobody
	}
	return name
}

// ErrTooLong is in the error of [CreateAfter] for a predecessor beyond [Options].MaxBytes.
var ErrTooLong = errors.New("more than a recording may have")

// CreateAfter is [Create] for a session that goes on: the new file begins with the lines of its
// predecessor and names it.
func CreateAfter(path string, o Options, p Predecessor) (*Journal, error) {
	if o.MaxBytes > 0 && p.Size > o.MaxBytes {
		return nil, fmt.Errorf("%s has %s, %w (--record-max %s), and the new file would begin with it; raise the limit, or use --no-record",
			p.Path, units.Bytes(p.Size), ErrTooLong, units.Bytes(o.MaxBytes))
	}
	return create(path, o, func(j *Journal) error { return j.beginAfter(p) })
}

// beginAfter writes line 1, the lines of the predecessor, and the ends that it lacks.
func (j *Journal) beginAfter(p Predecessor) error {
	line := appendHeaderAfter(nil, j.now(), p.Name())
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	j.size = int64(len(line))
	f, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(j.file, withoutHeader(io.LimitReader(f, p.Size)))
	if err != nil {
		return err
	}
	j.size += n
	var ends []byte
	for i := range p.Ends {
		ends = j.lines.append(ends, &p.Ends[i])
	}
	k, err := j.file.Write(ends)
	j.size += int64(k)
	j.records = p.Records + len(p.Ends)
	return err
}

// withoutHeader returns what follows line 1 if that is a header.
func withoutHeader(r io.Reader) io.Reader {
	br := bufio.NewReaderSize(r, maxHeader)
	first, err := br.Peek(maxHeader)
	line, _, whole := bytes.Cut(first, []byte("\n"))
	var h header
	if (err == nil || errors.Is(err, io.EOF)) && whole && json.Unmarshal(line, &h) == nil && h.Parley == "session" {
		_, _ = br.Discard(len(line) + 1) // it was peeked
	}
	return br
}

// An Ending says how a session file ends.
type Ending struct {
	Records int
	// Open is how many exchanges have no end: the Parley that recorded them was killed.
	Open int
}

// ReadEnding reads how a session file ends. It reads the beginnings of the lines only, which takes a
// fraction of the time of a replay, and knows nothing of a line that another program wrote.
func ReadEnding(path string) (Ending, error) {
	f, err := os.Open(path)
	if err != nil {
		return Ending{}, plain(err)
	}
	defer f.Close()
	var e Ending
	open := map[uint64]bool{}
	err = eachBeginning(f, func(line []byte) {
		if bytes.HasPrefix(line, []byte(`{"id":`)) {
			e.Records++
			noteLine(open, line)
		}
	})
	e.Open = len(open)
	return e, plain(err)
}

// eachBeginning calls put with the beginning of every line that has an end.
func eachBeginning(r io.Reader, put func([]byte)) error {
	br, beginning := bufio.NewReaderSize(r, 256<<10), make([]byte, 0, maxBeginning)
	for {
		part, err := br.ReadSlice('\n')
		beginning = append(beginning[:0], part[:min(len(part), maxBeginning)]...)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = br.ReadSlice('\n')
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		put(beginning)
	}
}

// noteLine notes whether a line begins or ends an exchange.
func noteLine(open map[uint64]bool, line []byte) {
	c := cutter{rest: line}
	c.number(`{"id":`)
	exchange := c.number(`,"exchange":`)
	switch kind := a2a.RecordKind(c.text(`,"kind":"`)); {
	case c.failed: // a note has no exchange
	case beginsExchange(kind):
		open[exchange] = true
	case kind == a2a.KindEnd:
		delete(open, exchange)
	}
}

// maxBeginning is how many bytes of a line name its record.
const maxBeginning = 200
