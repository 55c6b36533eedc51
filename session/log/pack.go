package log

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"time"

	"parley/a2a"
)

// A packed chunk holds items that are mostly alike: consecutive chunks of an artifact whose
// frames differ in a few words. Of each it keeps these words, the time, and its [shape]. The
// meaning of the frame is decoded again on demand: decoding is pure, and its whole input is
// here.
type packed struct {
	rows []packedRow
	data []byte        // see packer.row
	kept map[int]*Item // all other items, unchanged
	odd  map[int][]a2a.Finding
}

// A packedRow is an item of a packed chunk.
type packedRow struct {
	shape *shape // nil if the item is kept
	time  int64  // nanoseconds since 1970
	end   uint32 // of its piece of data
	text  uint32 // bytes of text that it adds to the artifact
}

// A shapeKey is what all items of a shape have in common.
type shapeKey struct {
	exchange              a2a.ExchangeID
	call                  *a2a.Call
	dir                   a2a.Direction
	zone                  *time.Location
	task, context         string
	key, id, name, called string // of the artifact
	framed                bool   // the record has fields of a frame
	event, retry          string
	rpcID                 string // as it appeared on the wire, which the decoder compares with the request's
	kind                  string // of a message that is not JSON
}

// A shape is what many items have in common.
type shape struct {
	shapeKey
	frame    []byte    // of one of them from its data on, with which the others are compared
	binary   []byte    // its message, if it is not JSON: also compared
	input    a2a.Input // the decoder's input
	sketch   [1]a2a.Event
	artifact string
	findings []a2a.Finding
	unfit    bool // decoding again gave another result
	used     int  // how many rows have it, for the packer alone; everything else is immutable
}

// A packer knows the shapes of a log.
type packer struct {
	shapes map[shapeKey]*shape // nil for a shape that occurred once
	last   *shape              // that an item had
	buf    []byte
}

const (
	// maxShapes limits how many shapes are known at a time, so that an agent whose chunks all
	// differ does no harm.
	maxShapes = 1 << 10
	// maxPacked is the longest frame that is packed.
	maxPacked = 16 << 10
)

// pack packs a full chunk.
func (l *Log) pack(c *chunk) {
	whole, p := c.whole.Load(), &l.packer
	out := packed{rows: make([]packedRow, logChunk)}
	p.buf = p.buf[:0]
	alike := 0
	for i := range whole {
		it := &whole[i]
		s := p.shape(l, it)
		if s == nil {
			out.keep(i, *it)
		} else {
			alike++
			out.rows[i] = p.row(s, it)
			if !slices.Equal(s.findings, it.Findings) {
				out.note(i, it.Findings)
			}
		}
		out.rows[i].end = uint32(len(p.buf))
	}
	if alike == 0 {
		return // unpacked it is smaller
	}
	out.data = bytes.Clone(p.buf)
	c.packed = out
	c.whole.Store(nil)
}

// keep holds an item separately, so that it does not keep the others in memory.
func (c *packed) keep(i int, it Item) {
	if c.kept == nil {
		c.kept = map[int]*Item{}
	}
	c.kept[i] = &it
}

func (c *packed) note(i int, found []a2a.Finding) {
	if c.odd == nil {
		c.odd = map[int][]a2a.Finding{}
	}
	c.odd[i] = found
}

// findings returns the findings of row i.
func (c *packed) findings(i int) []a2a.Finding {
	if found, odd := c.odd[i]; odd {
		return found
	}
	return c.rows[i].shape.findings
}

// shape returns the shape of an item, nil if it is kept unchanged.
func (p *packer) shape(l *Log, it *Item) *shape {
	if !packable(it) {
		return nil
	}
	key := keyOf(it)
	if s := p.last; s != nil && s.shapeKey == key && !s.strays(FromDataLine(it.Record.Raw)) {
		return s // as nearly always
	}
	s, seen := p.shapes[key]
	switch {
	case !seen:
		if len(p.shapes) == maxShapes {
			clear(p.shapes)
		}
		p.shapes[key] = nil
		return nil
	case s == nil || s.strays(FromDataLine(it.Record.Raw)):
		s = newShape(l, key, it)
		p.shapes[key] = s
	}
	if s.unfit {
		return nil
	}
	p.last = s
	return s
}

// strays reports whether a frame has so little in common with its shape that another shape is
// worth its memory, as when every frame repeats the whole artifact. A shape that served only a
// few items is not replaced.
func (s *shape) strays(frame []byte) bool {
	const worth, few = 2 << 10, 16
	return !s.unfit && s.used >= few && len(frame) > worth && CommonPrefix(s.frame, frame) < len(frame)/2
}

// packable reports whether an item is a chunk of an artifact and nothing else: text, in a
// complete frame without findings about its form.
func packable(it *Item) bool {
	r, u := &it.Record, &it.Update
	if r.Kind != a2a.KindEvent || len(r.Raw) > maxPacked || r.Torn || r.Omitted != 0 || r.PauseTime != 0 || r.Head != nil || r.End != nil || r.Note != nil ||
		len(r.Redactions) > 0 || r.SSE != nil && r.SSE.LateLF || it.Signal != nil || u.Err != nil || len(u.Saw) > 0 || len(u.Events) != 1 {
		return false
	}
	ev := &u.Events[0]
	if ev.Kind != a2a.EventArtifact || ev.Artifact == nil {
		return false
	}
	for i := range ev.Artifact.Parts {
		if ev.Artifact.Parts[i].Kind != a2a.PartText {
			return false
		}
	}
	data, plain := PlainFrame(r.Raw)
	if r.Binary != nil { // the frame is its rendering
		data, plain = nil, !r.Binary.Rebuilt && r.Binary.Kind != "" && r.Data == nil && len(r.Raw) > 0 && len(r.Binary.Bytes) > 0
	}
	ns := r.Time.UnixNano() // a date far away becomes another time
	return plain && bytes.Equal(data, r.Data) && time.Unix(0, ns).Equal(r.Time)
}

func keyOf(it *Item) shapeKey {
	r, ev := &it.Record, &it.Update.Events[0]
	k := shapeKey{
		exchange: r.Exchange, call: r.Call, dir: r.Dir, zone: r.Time.Location(),
		task: ev.TaskID, context: ev.ContextID, rpcID: ev.RPCID,
		key: ev.Artifact.Key, id: ev.Artifact.ID, name: ev.Artifact.Name, called: it.Artifact,
	}
	if r.SSE != nil {
		k.framed, k.event, k.retry = true, r.SSE.Event, r.SSE.Retry
	}
	if r.Binary != nil {
		k.kind = r.Binary.Kind
	}
	return k
}

// newShape makes a shape of an item, an unfit one if the item cannot be rebuilt from it.
func newShape(l *Log, key shapeKey, it *Item) *shape {
	s := &shape{shapeKey: key, frame: bytes.Clone(FromDataLine(it.Record.Raw)), artifact: it.Artifact, findings: it.Findings}
	s.input = l.input(key.exchange)
	s.input.Event, s.input.Kind = key.event, key.kind
	if it.Record.Binary != nil {
		s.binary = bytes.Clone(it.Record.Binary.Bytes)
	}
	if again := s.decode(it.Record.Payload()); !reflect.DeepEqual(again, it.Update) {
		return &shape{unfit: true}
	}
	ev := it.Update.Events[0]
	a := a2a.Artifact{Key: ev.Artifact.Key, ID: ev.Artifact.ID, Name: ev.Artifact.Name}
	s.sketch[0] = a2a.Event{Kind: ev.Kind, TaskID: ev.TaskID, ContextID: ev.ContextID, Artifact: &a}
	return s
}

// input returns the decoder's input for the events of an exchange.
func (l *Log) input(x a2a.ExchangeID) a2a.Input {
	in := a2a.Input{Stream: true}
	const first = 2 // the request and the head of its answer
	ids := l.exchanges[x]
	for _, id := range ids[:min(first, len(ids))] {
		r := &l.At(id).Record
		if r.Kind == a2a.KindRequest {
			in.RPCID = RequestID(r.Raw)
		}
		if r.Kind == a2a.KindHead && r.Head != nil {
			in.Status, in.ContentType = r.Head.Status, r.Head.Header.Get("Content-Type")
		}
	}
	return in
}

// decode decodes the payload of a frame.
func (s *shape) decode(data []byte) a2a.Update {
	in := s.input
	in.Body = data
	return a2a.Decode(s.call, in)
}

// row appends the individual part of an item to buf: the frame's id, the text before the data,
// and the difference to its shape, after that of a message that is not JSON: the lengths of the common prefix and suffix, and the bytes
// between them.
func (p *packer) row(s *shape, it *Item) packedRow {
	s.used++
	raw := FromDataLine(it.Record.Raw)
	if s.framed {
		p.buf = appendSized(p.buf, it.Record.SSE.ID)
	}
	p.buf = appendSized(p.buf, it.Record.Raw[:len(it.Record.Raw)-len(raw)])
	if s.kind != "" {
		front, back, own := difference(s.binary, it.Record.Binary.Bytes)
		p.buf = binary.AppendUvarint(p.buf, uint64(front))
		p.buf = binary.AppendUvarint(p.buf, uint64(back))
		p.buf = appendSized(p.buf, own)
	}
	front, back, own := difference(s.frame, raw)
	p.buf = binary.AppendUvarint(p.buf, uint64(front))
	p.buf = binary.AppendUvarint(p.buf, uint64(back))
	p.buf = append(p.buf, own...)
	text := 0
	for i := range it.Update.Events[0].Artifact.Parts {
		text += len(it.Update.Events[0].Artifact.Parts[i].Text)
	}
	return packedRow{shape: s, time: it.Record.Time.UnixNano(), text: uint32(min(text, math.MaxUint32))}
}

// difference returns the lengths of the prefix and the suffix that b has in common with a, and the
// bytes of b between them.
func difference(a, b []byte) (front, back int, own []byte) {
	front = CommonPrefix(a, b)
	back = CommonSuffix(a[front:], b[front:])
	return front, back, b[front : len(b)-back]
}

// message returns the message of row i that is not JSON, in memory of its own.
func (c *packed) message(i int) *a2a.Binary {
	row, from := &c.rows[i], uint32(0)
	if i > 0 {
		from = c.rows[i-1].end
	}
	data, s := c.data[from:row.end], row.shape
	if s.framed {
		_, data = cutSized(data)
	}
	_, data = cutSized(data)
	front, data := cutSize(data)
	back, data := cutSize(data)
	own, _ := cutSized(data)
	return &a2a.Binary{Kind: s.kind, Bytes: slices.Concat(s.binary[:front], own, s.binary[len(s.binary)-back:])}
}

// raw appends the frame of row i to dst, and returns it with its id.
func (c *packed) raw(i int, dst []byte) (frame, id []byte) {
	row, from := &c.rows[i], uint32(0)
	if i > 0 {
		from = c.rows[i-1].end
	}
	data, s := c.data[from:row.end], row.shape
	if s.framed {
		id, data = cutSized(data)
	}
	head, data := cutSized(data)
	if s.kind != "" {
		_, data = cutSize(data)
		_, data = cutSize(data)
		_, data = cutSized(data)
	}
	front, data := cutSize(data)
	back, own := cutSize(data)
	dst = slices.Grow(dst, len(head)+front+len(own)+back)
	dst = append(dst, head...)
	dst = append(dst, s.frame[:front]...)
	dst = append(dst, own...)
	return append(dst, s.frame[len(s.frame)-back:]...), id
}

// appendSized appends a text after its length.
func appendSized[T string | []byte](dst []byte, text T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(text))), text...)
}

// cutSized removes from the front of data what appendSized appended.
func cutSized(data []byte) (text, rest []byte) {
	size, data := cutSize(data)
	return data[:size], data[size:]
}

// cutSize removes a number from the front of data, most often a small one.
func cutSize(data []byte) (size int, rest []byte) {
	if data[0] < 0x80 {
		return int(data[0]), data[1:]
	}
	v, n := binary.Uvarint(data)
	return int(v), data[n:]
}

// item rebuilds the item of row i, with its number.
func (c *packed) item(i int, number a2a.RecordID) *Item {
	row := &c.rows[i]
	s := row.shape
	it := &Item{Record: s.record(), Artifact: s.artifact, Findings: c.findings(i)}
	raw, id := c.raw(i, nil)
	if it.Record.Raw = slices.Clip(raw); s.kind != "" {
		it.Record.Binary = c.message(i)
	} else {
		it.Record.Data, _ = PlainFrame(raw)
	}
	it.Record.ID, it.Record.Time = number, s.time(row.time)
	if s.framed {
		it.Record.SSE = &a2a.SSEFields{ID: string(id), Event: s.event, Retry: s.retry}
	}
	it.Update = s.decode(it.Record.Payload())
	return it
}

// record returns what the records of a shape have in common.
func (s *shape) record() a2a.Record {
	return a2a.Record{Exchange: s.exchange, Kind: a2a.KindEvent, Dir: s.dir, Call: s.call}
}

func (s *shape) time(ns int64) time.Time { return time.Unix(0, ns).In(s.zone) }

// CommonPrefix returns the length of the common prefix of a and b.
func CommonPrefix(a, b []byte) int {
	n := 0
	for len(a)-n >= 8 && len(b)-n >= 8 && binary.NativeEndian.Uint64(a[n:]) == binary.NativeEndian.Uint64(b[n:]) {
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// CommonSuffix returns the length of the common suffix of a and b.
func CommonSuffix(a, b []byte) int {
	n := 0
	for len(a)-n >= 8 && len(b)-n >= 8 && binary.NativeEndian.Uint64(a[len(a)-n-8:]) == binary.NativeEndian.Uint64(b[len(b)-n-8:]) {
		n += 8
	}
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}
