package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
)

const (
	// maxLine limits a line of a journal. The client limits bodies, and escaping makes control
	// characters six times as long.
	maxLine = 512 << 20
	// maxMissing limits how many missing records are replaced, so that a hostile number cannot
	// fill the memory.
	maxMissing = 10_000
)

// Damage is one fault of a journal. Everything else was read.
type Damage struct {
	Line     int // from 1
	Sentence string
}

// A DamageError lists the faults of a journal whose rest was read.
type DamageError struct{ Damages []Damage }

// Error returns the sentences, one per line.
func (e *DamageError) Error() string {
	lines := make([]string, len(e.Damages))
	for i, d := range e.Damages {
		lines[i] = d.Sentence
	}
	return strings.Join(lines, "\n")
}

// Read reads a journal and calls put for each record, in order. Numbers are contiguous
// from 1 whatever the file contains: a note of type "missing" replaces a missing record and
// says which line could not be read. A last line without its line end is an ordinary end,
// because a program may be killed while it writes. The error is put's, r's, or a *[DamageError]
// when all that could be read was read but something could not.
func Read(r io.Reader, put func(a2a.Record) error) error {
	_, err := readCounting(r, put)
	return err
}

// A tally is how many records a file had, and how many lines were no record: a torn last line
// too.
type tally struct {
	records, dropped int
	whole            int64 // bytes of the lines that have an end
}

// readCounting is [Read], and counts.
func readCounting(r io.Reader, put func(a2a.Record) error) (tally, error) {
	j := journalReader{put: put, calls: map[a2a.ExchangeID]*a2a.Call{}}
	br := bufio.NewReaderSize(r, 1<<20)
	for {
		text, whole, err := j.readLine(br)
		if err != nil && err != io.EOF {
			return j.tally, err
		}
		if err == io.EOF && !whole {
			break
		}
		j.line++
		j.whole = j.read
		if err := j.take(text); err != nil {
			return j.tally, err
		}
	}
	if j.line == 0 {
		j.damage("The file is empty: it contains no session.")
	}
	if len(j.damages) > 0 {
		return j.tally, &DamageError{j.damages}
	}
	return j.tally, nil
}

type journalReader struct {
	put     func(a2a.Record) error
	line    int
	read    int64 // bytes
	last    a2a.RecordID
	missing int
	calls   map[a2a.ExchangeID]*a2a.Call // of the exchanges that have not ended
	buf     []byte
	foreign bool // the long line does not begin as a record does
	lines   lineParser
	damages []Damage
	lastBad string // reason for the newest unreadable line
	tally
}

// readLine returns the next line without its line end; nil if it was too long to keep. whole is
// false for the text after the last line end.
func (j *journalReader) readLine(br *bufio.Reader) (text []byte, whole bool, err error) {
	j.buf = j.buf[:0]
	j.foreign = false
	long := false
	for {
		part, err := br.ReadSlice('\n')
		j.read += int64(len(part))
		if err == nil && len(j.buf) == 0 && !long {
			return part[:len(part)-1], true, nil // the usual case, without a copy
		}
		if errors.Is(err, bufio.ErrBufferFull) && len(j.buf) == 0 && !long { // a long line is kept only if it may be a record
			j.foreign = !bytes.HasPrefix(bytes.TrimLeft(part, " \t\r"), []byte("{"))
			long = j.foreign
		}
		if len(j.buf)+len(part) > maxLine {
			long, j.buf = true, nil
		}
		if !long {
			j.buf = append(j.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			if len(j.buf) > 0 || long {
				j.dropped++ // the program was killed while it wrote
			}
			return nil, false, err
		case long:
			return nil, true, nil
		}
		return j.buf[:len(j.buf)-1], true, nil
	}
}

// take reads one line.
func (j *journalReader) take(text []byte) error {
	if j.line == 1 && j.header(text) {
		return nil
	}
	if text == nil && j.foreign {
		j.drop(fmt.Sprintf("Line %d is not a record: it does not begin with {. The lines after it were read.", j.line))
		return nil
	}
	if text == nil {
		j.drop(fmt.Sprintf("Line %d is longer than %s and was skipped.", j.line, units.Bytes(maxLine)))
		return nil
	}
	if len(bytes.TrimSpace(text)) == 0 {
		j.drop(fmt.Sprintf("Line %d is blank; a record was expected.", j.line))
		return nil
	}
	r, err := j.lines.record(text)
	switch {
	case err != nil:
		j.drop(fmt.Sprintf("Line %d is not a record: %s. The lines after it were read.", j.line, jsonFault(err)))
		return nil
	case r.ID == 0 || r.Kind == "":
		j.drop(fmt.Sprintf("Line %d is JSON but not a record: it has no id or no kind. The lines after it were read.", j.line))
		return nil
	case r.ID <= j.last:
		j.drop(fmt.Sprintf("Line %d has the number of record %d, which was read before; it was skipped.", j.line, r.ID))
		return nil
	case r.ID-j.last-1 > a2a.RecordID(maxMissing-j.missing):
		j.drop(fmt.Sprintf("Line %d has record number %d, but the preceding one is %d; it was skipped.", j.line, r.ID, j.last))
		return nil
	}
	if err := j.standIn(&r); err != nil {
		return err
	}
	j.last = r.ID
	j.recall(&r)
	j.records++
	return j.put(r)
}

// header checks line 1; it reports false when the line may be a record.
func (j *journalReader) header(text []byte) bool {
	var h header
	if json.Unmarshal(text, &h) != nil || h.Parley != "session" {
		j.damage("Line 1 does not identify a Parley session; the file was read as one.")
		return false
	}
	if h.Version != Version {
		j.damage(fmt.Sprintf("Line 1 names format version %d, but this Parley reads version %d; it shows what it could read. Open the file with the Parley that wrote it.", h.Version, Version))
	}
	return true
}

// standIn puts a note for every record missing between the last one and r.
func (j *journalReader) standIn(r *a2a.Record) error {
	why := j.lastBad
	j.lastBad = ""
	if j.last+1 == r.ID {
		return nil
	}
	if why == "" {
		why = fmt.Sprintf("Line %d is record %d, but the preceding one is %d: the records between them are missing.", j.line, r.ID, j.last)
		j.damage(why)
		j.lastBad = ""
	}
	for id := j.last + 1; id < r.ID; id++ {
		j.missing++
		note := &a2a.Note{Type: log.NoteMissing, Attrs: map[string]string{log.AttrSentence: why}}
		if err := j.put(a2a.Record{ID: id, Kind: a2a.KindNote, Time: r.Time, Note: note}); err != nil {
			return err
		}
	}
	return nil
}

// recall gives a record the call of its exchange's request.
func (j *journalReader) recall(r *a2a.Record) {
	switch r.Kind {
	case a2a.KindRequest, a2a.KindDelivery:
		r.Exchange = r.ID
		if r.Call == nil {
			r.Call = &a2a.Call{}
		}
		j.calls[r.Exchange] = r.Call
	case a2a.KindNote:
		r.Call = nil
	case a2a.KindSurplus: // has its own, because its exchange has ended
	default:
		r.Call = j.calls[r.Exchange]
		if r.Kind == a2a.KindEnd {
			delete(j.calls, r.Exchange)
		}
	}
}

// drop notes that a line is no record, and why.
func (j *journalReader) drop(why string) {
	j.dropped++
	j.damage(why)
}

// damage notes a sentence, up to a number that a user can read.
func (j *journalReader) damage(sentence string) {
	const most = 100
	j.lastBad = sentence
	if len(j.damages) == most {
		sentence = "The file has more unreadable lines than are listed here."
	}
	if len(j.damages) <= most {
		j.damages = append(j.damages, Damage{j.line, sentence})
	}
}

// jsonFault says in a few words why a line is not JSON.
func jsonFault(err error) string {
	var s *json.SyntaxError
	var t *json.UnmarshalTypeError
	switch {
	case errors.As(err, &s):
		return fmt.Sprintf("its JSON breaks at byte %d", s.Offset)
	case errors.As(err, &t):
		return fmt.Sprintf("its %q has the wrong type", t.Field)
	default:
		return "one of its values cannot be read"
	}
}
