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
	"parley/session/log"
	"parley/session/model"
)

// A Recording is a journal that is open to be replayed.
type Recording struct {
	file  *os.File
	path  string
	size  int64
	rules log.Checker
}

// Size returns the file's size in bytes.
func (j *Recording) Size() int64 { return j.size }

// Check makes the reader check the replayed records. The [model.State] that they are applied to
// does not check those again, so that both run in parallel; it must have the same rules, because
// it checks the rest.
func (j *Recording) Check(rules log.Checker) { j.rules = rules }

// Open opens a journal. The error says why the file cannot be read.
func Open(path string) (*Recording, error) {
	f, err := os.Open(path)
	var info os.FileInfo
	if err == nil {
		if info, err = f.Stat(); err == nil && info.IsDir() {
			err = errors.New("it is a directory")
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
	return &Recording{file: f, path: path, size: info.Size()}, nil
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
	read, over := make(chan []log.Item, readAhead), make(chan error, 1)
	go func() {
		defer close(read)
		over <- j.read(ctx, read)
	}()
	j.check(ctx, read, feed, ahead)
	err := <-over
	if ctx.Err() != nil {
		return
	}
	tell := func(sentence string) {
		feed.Append(log.Item{Signal: &log.Signal{Kind: log.SignalJournal, Class: JournalDamaged, Sentence: sentence}})
	}
	var damage *DamageError
	switch {
	case errors.As(err, &damage):
		for _, d := range damage.Damages {
			tell(d.Sentence)
		}
	case err != nil:
		tell(fmt.Sprintf("The rest of %s could not be read (%v): only the records before it are shown.", j.path, plain(err)))
	}
	if ahead != Unpaced {
		_ = feed.Drained(ctx, 0)
	}
}

// readAhead is how many unchecked blocks may be read, so that neither the reader nor the
// checker waits for the other's slower blocks.
const readAhead = 4

// read reads and decodes the records, and passes them on block by block until ctx ends.
func (j *Recording) read(ctx context.Context, read chan<- []log.Item) error {
	p, out := newPlayer(), blocks{ctx: ctx, out: read}
	// A file may still be written, or come through a pipe: the reader passes on what it has
	// before it waits for more.
	err := Read(&flushReader{j.file, out.flush}, func(r a2a.Record) error {
		u := p.decode(&r)
		return out.put(r, u)
	})
	for _, r := range append(p.missingEnds(), p.missingOpens()...) {
		if out.put(r, a2a.Update{}) != nil {
			return err
		}
	}
	_ = out.flush()
	return err
}

// check applies the rules to the blocks in order and puts them into the feed, until there are
// no more. Blocks that come after ctx has ended are dropped.
func (j *Recording) check(ctx context.Context, read <-chan []log.Item, feed *log.Feed, ahead int) {
	checks, put := model.NewPrecheck(j.rules), 0
	for items := range read {
		if ctx.Err() != nil {
			continue // so that the reader is not blocked
		}
		if j.rules != nil {
			for i := range items {
				checks.Check(&items[i])
			}
		}
		feed.AppendAll(items)
		if put += len(items); ahead != Unpaced {
			_ = feed.Drained(ctx, min(ahead, put/2)) // a consumer that has just begun has other things to do
		}
	}
}

// flushReader calls before ahead of every read, which may take long.
type flushReader struct {
	io.Reader
	before func() error
}

func (r *flushReader) Read(p []byte) (int, error) {
	if err := r.before(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
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
	opening   map[string]bool // agents, by their names in notes, whose card was not found yet
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
	}
	if x == nil {
		x = &playedExchange{}
	}
	in := a2a.Input{
		Body: r.Raw, Status: x.status, ContentType: x.contentType, RPCID: x.rpcID,
		Stream: r.Kind == a2a.KindEvent, Torn: r.Torn, Omitted: r.Omitted,
	}
	if in.Stream {
		x.unframe(r, &in)
	}
	return x.decoder.Decode(r.Call, in)
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
