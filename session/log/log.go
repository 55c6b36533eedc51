package log

import (
	"strconv"
	"sync/atomic"
	"time"

	"parley/a2a"
	"parley/session/task"
)

const (
	// logChunk is how many items a chunk of the log holds.
	logChunk = 128
	// logWhole is how many of the newest chunks keep their items unchanged. Older ones are
	// [packed] if they can be rebuilt.
	logWhole = 4
	// logCache is how many rebuilt items are cached, for callers who ask for the same few
	// repeatedly.
	logCache = 256
)

// A Log holds every record of the session in order of arrival. It only grows.
// Record numbers are contiguous from 1, so At(1) to At(Len()) are its rows.
type Log struct {
	LogView
	packer    packer
	exchanges map[a2a.ExchangeID][]a2a.RecordID
	owners    map[a2a.ExchangeID]Owner       // also of records without exchange, by their number
	others    map[a2a.RecordID][]a2a.AgentID // that a note concerns besides its owner
	findings  *Findings
	streams   streams
}

// A LogView is a log as it was at one moment. Any goroutine may read it while the
// log grows.
type LogView struct {
	chunks  []*chunk
	len     int
	cache   *[logCache]atomic.Pointer[Item] // rebuilt items, by number
	skipped []skippedRun                    // records that are not kept
}

// A chunk holds consecutive items. It is never moved.
type chunk struct {
	whole  atomic.Pointer[[logChunk]Item] // nil once they are packed
	packed packed                         // complete before whole is nil
}

// New returns an empty log.
func New() *Log {
	return &Log{
		LogView: LogView{cache: new([logCache]atomic.Pointer[Item])}, packer: packer{shapes: map[shapeKey]*shape{}},
		exchanges: map[a2a.ExchangeID][]a2a.RecordID{}, owners: map[a2a.ExchangeID]Owner{}, others: map[a2a.RecordID][]a2a.AgentID{}, findings: &Findings{rules: map[string]*RuleCount{}, muted: map[string]bool{}},
		streams: streams{all: map[a2a.ExchangeID]*Stream{}, newest: map[task.Key]*Stream{}, usual: map[a2a.AgentID]*Stream{}},
	}
}

// Add adds an item that holds a record and returns its final address. The findings are set
// there before [Log.Index] is called.
func (l *Log) Add(it Item) *Item {
	at := l.len % logChunk
	if at == 0 {
		c := new(chunk)
		c.whole.Store(new([logChunk]Item))
		l.chunks = append(l.chunks, c)
		if n := len(l.chunks) - 1 - logWhole; n >= 0 {
			l.pack(l.chunks[n])
		}
	}
	p := &l.chunks[len(l.chunks)-1].whole.Load()[at]
	*p = it
	l.len++
	return p
}

// Index adds the newest item to the index of exchanges.
func (l *Log) Index(it *Item) {
	if x := it.Record.Exchange; x != 0 {
		l.exchanges[x] = append(l.exchanges[x], it.Record.ID)
	}
}

// Count counts the findings of the newest item, whose owner is known.
func (l *Log) Count(it *Item) {
	if len(it.Findings) > 0 {
		l.findings.add(it.Record.ID, l.Owner(it.Record.ID).Agent, it.Findings)
	}
}

// Exchange returns the numbers of an exchange's records, the request first. The slice must not
// be changed.
func (l *Log) Exchange(id a2a.ExchangeID) []a2a.RecordID { return l.exchanges[id] }

// Findings returns the index of the log's findings.
func (l *Log) Findings() *Findings { return l.findings }

// View returns the log in its current state.
func (l *Log) View() LogView { return l.LogView }

// Len returns how many records there are, which is the newest one's number.
func (v LogView) Len() int { return v.len }

// NoRecord says that a session of n records has none of a number.
func NoRecord(id a2a.RecordID, n int) string {
	if n == 0 {
		return "there are no records yet"
	}
	return "there is no record #" + strconv.FormatUint(uint64(id), 10) + ": the newest is #" + strconv.Itoa(n)
}

// At returns the item of a record, nil if there is none. The item stays the same for as long as
// it is held, and must not be changed. An old one may be another item with the same content the
// next time; to read many, use a [Scanner].
func (v LogView) At(id a2a.RecordID) *Item {
	c, i := v.find(id)
	if c == nil {
		return nil
	}
	if whole := c.whole.Load(); whole != nil {
		return &whole[i]
	}
	if c.packed.rows[i].shape == nil {
		return c.packed.kept[i]
	}
	slot := &v.cache[id%logCache]
	if it := slot.Load(); it != nil && it.Record.ID == id {
		return it
	}
	it := c.packed.item(i, id)
	slot.Store(it)
	return it
}

// ExchangeOf returns the exchange that a record belongs to, 0 if none.
func (v LogView) ExchangeOf(id a2a.RecordID) a2a.ExchangeID {
	c, i := v.find(id)
	if c == nil {
		return 0
	}
	if whole := c.whole.Load(); whole != nil {
		return whole[i].Record.Exchange
	}
	if s := c.packed.rows[i].shape; s != nil {
		return s.exchange
	}
	return c.packed.kept[i].Record.Exchange
}

// TimeOf returns when a record came, without rebuilding its item; the zero time if there is no such
// record.
func (v LogView) TimeOf(id a2a.RecordID) time.Time {
	c, i := v.find(id)
	if c == nil {
		return time.Time{}
	}
	if whole := c.whole.Load(); whole != nil {
		return whole[i].Record.Time
	}
	if row := &c.packed.rows[i]; row.shape != nil {
		return row.shape.time(row.time)
	}
	return c.packed.kept[i].Record.Time
}

// find returns the chunk of a record and its index there; nil if there is no such record.
func (v LogView) find(id a2a.RecordID) (*chunk, int) {
	i, ok := v.Position(id)
	if !ok || i >= v.len {
		return nil, 0
	}
	return v.chunks[i/logChunk], i % logChunk
}

// A Scanner reads many items of a log in order at little cost. It belongs to one goroutine.
type Scanner struct {
	view         LogView
	shape        *shape // the source of item
	item         Item
	raw          []byte
	descriptions map[*shape]map[int][]byte
}

// Scan returns a scanner.
func (v LogView) Scan() *Scanner { return &Scanner{view: v, descriptions: map[*shape]map[int][]byte{}} }

// At returns the item of a record, nil if there is none. It is valid until the next call. An
// old chunk of an artifact is reduced to what can be searched: the record lacks Data and SSE,
// and the Update has the event with all its names, without parts, metadata and Raw. [Describe]
// returns the same text for it.
func (s *Scanner) At(id a2a.RecordID) *Item {
	c, i := s.view.find(id)
	if c == nil {
		return nil
	}
	if whole := c.whole.Load(); whole != nil {
		return &whole[i]
	}
	row := &c.packed.rows[i]
	if row.shape == nil {
		return c.packed.kept[i]
	}
	if s.shape != row.shape {
		s.shape = row.shape
		if s.descriptions[s.shape] == nil {
			s.descriptions[s.shape] = map[int][]byte{}
		}
		s.item = Item{
			Record: row.shape.record(), Artifact: row.shape.artifact,
			Update: a2a.Update{Events: row.shape.sketch[:]}, descriptions: s.descriptions[s.shape],
		}
	}
	s.raw, _ = c.packed.raw(i, s.raw[:0])
	s.item.Record.ID, s.item.Record.Time, s.item.Record.Raw = id, row.shape.time(row.time), s.raw
	if s.item.Record.Binary = nil; row.shape.kind != "" { // its size is that of the record
		s.item.Record.Binary = c.packed.message(i)
	}
	s.item.Findings, s.item.text = c.packed.findings(i), int(row.text)
	return &s.item
}
