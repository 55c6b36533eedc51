package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"mime"
	"os"
	"slices"
	"time"

	"parley/a2a"
	"parley/a2a/sse"
	"parley/internal/crash"
	"parley/internal/units"
	"parley/session/check"
	"parley/session/log"
)

// A Recording is a journal that is open to be replayed.
type Recording struct {
	file    *os.File
	part    io.Reader // what a replay reads if that is not the file to its end
	path    string
	size    int64
	regular bool
	stage   *check.Stage // prepares the items, nil if nobody does
	// formats render messages that are not JSON, by their binding.
	formats map[a2a.Binding]a2a.Format
	mask    func(a2a.Record) a2a.Record
	report  func(read int64)
	pause   func() <-chan time.Time // see Follow
	ready   <-chan struct{}         // see Hold
	played  Predecessor             // when it was replayed
}

// Mask makes the reader change every record before it is decoded, so that nothing of what is
// removed reaches a reader of the replay. A message that is not JSON is rendered by then.
func (j *Recording) Mask(change func(a2a.Record) a2a.Record) { j.mask = change }

// Report makes the reader report how many bytes of the file it has read, from its goroutine.
func (j *Recording) Report(read func(int64)) { j.report = read }

// Size returns the file's size in bytes.
func (j *Recording) Size() int64 { return j.size }

// Prepare makes a stage prepare the replayed items, which must be its first ones, for a state that follows it: both
// run in parallel.
func (j *Recording) Prepare(stage *check.Stage) { j.stage = stage }

// Render renders messages that are not JSON. Without a format of their binding, they are shown
// as bytes.
func (j *Recording) Render(formats map[a2a.Binding]a2a.Format) { j.formats = formats }

// Open opens a journal. The error says why the file cannot be read.
func Open(path string) (*Recording, error) {
	f, err := os.Open(path)
	var info os.FileInfo
	if err == nil {
		if info, err = f.Stat(); err == nil && info.IsDir() {
			err = errors.New("it is a directory")
			_ = f.Close() // it was only read
		}
	}
	if err == nil && info.Mode().IsRegular() { // a pipe can be read only once
		if err = checkFormat(f); err != nil {
			_ = f.Close() // it was only read
		}
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: plain(err)}
	}
	return &Recording{file: f, path: path, size: info.Size(), regular: info.Mode().IsRegular()}, nil
}

// ReplayBlock is how many records a replay passes on at a time: [log.OneBlock] of the feed.
const ReplayBlock = 256

// Unpaced lets a replay fill the feed without waiting for its consumer.
const Unpaced = math.MaxInt

// Replay reads the journal into a feed, once, and closes it: every record is decoded by the
// decoder of the live session, and keeps its number. Signals after the last record report
// damage, and what stopped the reading.
//
// It stays at most about ahead items before its consumer, so that a larger file needs no more
// memory, and returns when all were taken, or when ctx ends.
func (j *Recording) Replay(ctx context.Context, feed *log.Feed, ahead int) {
	defer j.file.Close()
	put := 0
	signals := j.Items(ctx, func(items []log.Item) {
		feed.AppendAll(items)
		if put += len(items); ahead != Unpaced {
			_ = feed.Drained(ctx, min(ahead, put/2)) // a consumer that has just begun has other things to do
		}
	})
	feed.AppendAll(signals)
	if ahead != Unpaced {
		_ = feed.Drained(ctx, 0)
	}
}

// Items reads the journal and passes its records on, up to [ReplayBlock] at a time: decoded,
// numbered and, if there is a stage, prepared. It returns signals about damage and about what stopped the
// reading; none if ctx ended.
func (j *Recording) Items(ctx context.Context, put func([]log.Item)) (signals []log.Item) {
	read, over := make(chan []log.Item, readAhead), make(chan outcome, 1)
	go crash.Guarded(func() {
		defer close(read)
		over <- j.read(ctx, read)
	})()
	j.prepare(ctx, read, put)
	out := <-over
	if ctx.Err() != nil {
		return nil
	}
	signal := func(class, sentence string) {
		signals = append(signals, log.Item{Signal: &log.Signal{Kind: log.SignalJournal, Class: class, Sentence: sentence}})
	}
	var damage *DamageError
	var lost *lostError
	switch err := out.err; {
	case errors.As(err, &damage):
		for _, d := range damage.Damages {
			signal(JournalDamaged, d.Sentence)
		}
	case errors.As(err, &lost):
		signal(JournalDamaged, lost.Error())
	case err != nil:
		signal(JournalDamaged, fmt.Sprintf("The rest of %s could not be read (%v): only the records before it are shown.", j.path, plain(err)))
	}
	if out.dropped > 0 {
		signal(JournalDropped, fmt.Sprintf("%s read, %s dropped", units.Plural(out.records, "record"), units.Plural(out.dropped, "line")))
	}
	return signals
}

// An outcome is how the reading of a recording ended.
type outcome struct {
	tally
	err error
}

// readAhead is how many blocks may be read before they are prepared, so that neither the reader nor the
// stage waits for the other's slower blocks.
const readAhead = 4

// read reads and decodes the records, and passes them on block by block until ctx ends.
func (j *Recording) read(ctx context.Context, read chan<- []log.Item) outcome {
	p, out := newPlayer(), blocks{ctx: ctx, out: read}
	p.formats, p.mask = j.formats, j.mask
	// A file may still be written, or come through a pipe: the reader passes on what it has
	// before it waits for more.
	counts, err := readCounting(&flushReader{Reader: j.source(ctx), before: out.flush, report: j.report}, func(r a2a.Record) error {
		u := p.decode(&r)
		return out.put(r, u)
	})
	missing := append(p.missingEnds(), p.missingOpens()...)
	for i := range missing {
		missing[i].ID = out.last + 1
		if out.put(missing[i], a2a.Update{}) != nil {
			return outcome{counts, err}
		}
	}
	_ = out.flush()
	j.played = Predecessor{Path: j.path, Size: counts.whole, Records: counts.records, Last: out.last, Ends: missing}
	return outcome{counts, err}
}

// prepare prepares the blocks in order and passes them on, until there are no more. Blocks that come
// after ctx has ended are dropped.
func (j *Recording) prepare(ctx context.Context, read <-chan []log.Item, put func([]log.Item)) {
	for items := range read {
		if ctx.Err() != nil {
			continue // so that the reader is not blocked
		}
		if j.stage != nil {
			j.stage.Prepare(items)
		}
		put(items)
	}
}

// flushReader calls before ahead of every read, which may take long, and report after it.
type flushReader struct {
	io.Reader
	before func() error
	report func(read int64) // nil if nobody wants to know
	read   int64
}

func (r *flushReader) Read(p []byte) (int, error) {
	if err := r.before(); err != nil {
		return 0, err
	}
	n, err := r.Reader.Read(p)
	if r.read += int64(n); r.report != nil {
		r.report(r.read)
	}
	return n, err
}

// blocks passes records on, many at a time. Its errors are those of ctx.
type blocks struct {
	ctx   context.Context // of the only call that uses it
	out   chan<- []log.Item
	last  a2a.RecordID
	items []log.Item
}

// put adds the next record.
func (b *blocks) put(r a2a.Record, u a2a.Update) error {
	if b.items == nil {
		b.items = make([]log.Item, 0, ReplayBlock)
	}
	b.last++
	r.ID = b.last
	b.items = append(b.items, log.Item{Record: r, Update: u})
	if len(b.items) < ReplayBlock {
		return nil
	}
	return b.flush()
}

// flush passes on what there is.
func (b *blocks) flush() error {
	if len(b.items) > 0 {
		select {
		case b.out <- b.items:
			b.items = nil
		case <-b.ctx.Done():
		}
	}
	return b.ctx.Err()
}

// A player remembers, for open exchanges, what the client knew when it decoded their answers.
type player struct {
	exchanges map[a2a.ExchangeID]*playedExchange
	formats   map[a2a.Binding]a2a.Format
	mask      func(a2a.Record) a2a.Record // nil changes nothing
	opening   map[string]bool             // agents, by their names in notes, whose card was not found yet
	last      time.Time
}

type playedExchange struct {
	call        *a2a.Call
	rpcID       string
	status      int
	contentType string
	framed      bool // it is known whether its events are lines
	lines       bool
	decoder     a2a.Decoder
}

func newPlayer() *player {
	return &player{exchanges: map[a2a.ExchangeID]*playedExchange{}, opening: map[string]bool{}}
}

// decode finds and decodes the payload of a record from a journal.
func (p *player) decode(r *a2a.Record) a2a.Update {
	p.last = r.Time
	x := p.exchanges[r.Exchange]
	fault := p.render(r)
	if p.mask != nil {
		*r = p.mask(*r)
	}
	return p.meaning(x, r, fault)
}

// meaning returns the meaning of a record that is rendered.
func (p *player) meaning(x *playedExchange, r *a2a.Record, fault *a2a.Fault) a2a.Update {
	switch r.Kind {
	case a2a.KindRequest:
		p.exchanges[r.ID] = &playedExchange{call: r.Call, rpcID: log.RequestID(r.Raw)}
		return a2a.Update{}
	case a2a.KindDelivery:
		return a2a.DecodeDelivery(r)
	case a2a.KindEnd:
		delete(p.exchanges, r.Exchange)
		return a2a.Update{}
	case a2a.KindHead:
		if x != nil && r.Head != nil {
			x.status, x.contentType = r.Head.Status, r.Head.Header.Get("Content-Type")
		}
		return a2a.Update{}
	case a2a.KindNote:
		p.note(r.Note)
		return a2a.Update{}
	case a2a.KindSurplus:
		return a2a.Update{}
	}
	if x == nil {
		x = &playedExchange{}
	}
	in := a2a.Input{
		Body: r.Raw, Status: x.status, ContentType: x.contentType, RPCID: x.rpcID,
		Stream: r.Kind == a2a.KindEvent, Torn: r.Torn, Omitted: r.Omitted,
	}
	switch {
	case r.Binary != nil:
		in.Kind, in.Fault = r.Binary.Kind, fault
	case in.Stream:
		x.unframe(r, &in)
	}
	return x.decoder.Decode(r.Call, in)
}

// render gives a record of a message that is not JSON its rendering, as the live session does.
func (p *player) render(r *a2a.Record) *a2a.Fault {
	if r.Binary == nil || r.Binary.Rebuilt && r.Binary.Bytes == nil || r.Call == nil {
		return nil
	}
	format := p.formats[r.Call.Binding]
	if format == nil {
		return &a2a.Fault{Sentence: "This Parley cannot read the messages of " + r.Call.Binding.String()}
	}
	text, fault := format.Render(r.Binary)
	r.Raw = text
	return fault
}

// missingEnds returns ends for the exchanges that have none, because the recording program was
// killed.
func (p *player) missingEnds() []a2a.Record {
	var ends []a2a.Record
	for _, id := range slices.Sorted(maps.Keys(p.exchanges)) {
		ends = append(ends, a2a.Record{
			Exchange: id, Kind: a2a.KindEnd, Time: p.last, Call: p.exchanges[id].call,
			End: &a2a.End{Reason: a2a.Cut, Class: a2a.ClassUnrecorded, Sentence: "The recording ends during this exchange: its real end is unknown."},
		})
	}
	return ends
}

// note follows which agents are being opened.
func (p *player) note(n *a2a.Note) {
	switch {
	case n == nil || len(p.opening) > maxOpening:
	case n.Type == log.NoteOpening:
		p.opening[n.Attrs[log.AttrAgent]] = true
	case n.Type == log.NoteOpened, n.Type == log.NoteClosed:
		delete(p.opening, n.Attrs[log.AttrAgent])
	}
}

// maxOpening limits how many agents a hostile recording can open at a time.
const maxOpening = 1 << 16

// unopenedSentence describes an agent whose card the recording does not contain.
const unopenedSentence = "The recording ends before the card of this agent was found."

// missingOpens returns the result of discoveries that had not ended when the recording stopped.
func (p *player) missingOpens() []a2a.Record {
	var notes []a2a.Record
	for _, id := range slices.Sorted(maps.Keys(p.opening)) {
		notes = append(notes, a2a.Record{Kind: a2a.KindNote, Time: p.last, Note: &a2a.Note{Type: log.NoteOpened, Attrs: map[string]string{
			log.AttrAgent: id, log.AttrSentence: unopenedSentence,
		}}})
	}
	return notes
}

// unframe finds the payload of an event, as the client found it.
func (x *playedExchange) unframe(r *a2a.Record, in *a2a.Input) {
	if !x.framed {
		media, _, _ := mime.ParseMediaType(x.contentType)
		start := bytes.TrimLeft(r.Raw, " \t\r\n\xEF\xBB\xBF")
		x.framed, x.lines = true, media != "text/event-stream" && bytes.HasPrefix(start, []byte("{"))
	}
	r.Data = []byte{}
	if x.lines {
		r.Data = bytes.TrimSpace(r.Raw)
	} else if data, ok := log.PlainFrame(r.Raw); ok && r.Omitted == 0 {
		r.Data = data
	} else if f, err := sse.NewDecoder(bytes.NewReader(r.Raw)).Next(); err == nil && r.Omitted == 0 && f.Data != nil {
		// The decoder's memory, which it is part of, is many times as large.
		r.Data, in.Unprefixed = bytes.Clone(f.Data), f.Unprefixed
	}
	if r.SSE != nil {
		in.Event = r.SSE.Event
	}
	in.Body = r.Data
}

// Records reads the journal once, with its bytes as they were recorded, and closes it. Its error is
// that of [Read].
func (j *Recording) Records(put func(a2a.Record) error) error {
	defer j.file.Close()
	return Read(j.file, put)
}
