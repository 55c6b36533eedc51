package session

import "parley/a2a"

// logChunk is how many items a chunk of the log holds. Chunks are never moved,
// so that a pointer to an item stays good.
const logChunk = 512

// A Log holds every record of the session in order of arrival. It only grows.
// Record numbers are contiguous from 1, so At(1) to At(Len()) are its rows.
type Log struct {
	chunks    []*[logChunk]Item
	len       int
	exchanges map[a2a.ExchangeID][]a2a.RecordID
	findings  *Findings
	streams   streams
}

// NewLog returns an empty log.
func NewLog() *Log {
	return &Log{exchanges: map[a2a.ExchangeID][]a2a.RecordID{}, findings: newFindings(), streams: newStreams()}
}

// append adds an item that holds a record and returns where it now stands.
func (l *Log) append(it Item) *Item {
	at := l.len % logChunk
	if at == 0 {
		l.chunks = append(l.chunks, new([logChunk]Item))
	}
	p := &l.chunks[len(l.chunks)-1][at]
	*p = it
	l.len++
	if x := it.Record.Exchange; x != 0 {
		l.exchanges[x] = append(l.exchanges[x], it.Record.ID)
	}
	l.findings.add(it.Record.ID, it.Findings)
	l.streams.add(p)
	return p
}

// Len returns how many records there are, which is the newest one's number.
func (l *Log) Len() int { return l.len }

// At returns the item of a record, nil if there is none. The item must not be
// written to.
func (l *Log) At(id a2a.RecordID) *Item {
	if id == 0 || id > a2a.RecordID(l.len) {
		return nil
	}
	i := int(id - 1)
	return &l.chunks[i/logChunk][i%logChunk]
}

// Exchange returns the numbers of an exchange's records, the request first. The
// slice must not be written to.
func (l *Log) Exchange(id a2a.ExchangeID) []a2a.RecordID { return l.exchanges[id] }

// Findings returns the index of what was found in the log.
func (l *Log) Findings() *Findings { return l.findings }

// A LogView is a log as it was at one moment. Any goroutine may read it while the
// log grows.
type LogView struct {
	chunks []*[logChunk]Item
	len    int
}

// View returns the log as it is now.
func (l *Log) View() LogView { return LogView{l.chunks, l.len} }

// Len returns how many records there are.
func (v LogView) Len() int { return v.len }

// At returns the item of a record, which must be one of 1 to Len, and not be written
// to.
func (v LogView) At(id a2a.RecordID) *Item {
	i := int(id - 1)
	return &v.chunks[i/logChunk][i%logChunk]
}
