package a2a

import (
	"fmt"
	"io"
	"math"

	"parley/a2a/gather"
	"parley/internal/units"
)

// A Limit bounds how much Parley accepts of one kind of thing. All but [LimitItems] count decoded
// bytes: compressed data counts with its uncompressed size.
type Limit uint8

// The limits.
const (
	LimitCard      Limit = iota // an agent card, downloaded or in a file
	LimitAnswer                 // an answer without a stream
	LimitEvent                  // an event of a stream, with the comments before it
	LimitStream                 // the recorded part of a stream
	LimitItems                  // what a stream begins, see [exchange.countItems]
	LimitFile                   // a file that is downloaded
	LimitRecording              // the journal of a session
	LimitSaved                  // the files that a command saves
	limitCount
)

// NoLimit as a value of [Limits] removes a limit.
const NoLimit = -1

// limitTable is the only definition of the limits: the flag and setting of each, its default in
// bytes, and its subject.
var limitTable = [limitCount]struct {
	flag, what string
	bytes      int64
}{
	LimitCard:      {"max-card", "an agent card", 16_000_000},
	LimitAnswer:    {"max-answer", "an answer without a stream", 32_000_000},
	LimitEvent:     {"max-event", "one event of a stream", 32_000_000},
	LimitStream:    {"max-stream", "the recorded part of one stream", 400_000_000},
	LimitItems:     {"max-items", "artifacts, messages, tasks, contexts and changes of state in one stream", 5_000},
	LimitFile:      {"max-file", "a downloaded file", 64_000_000},
	LimitRecording: {"record-max", "the recording of a session", 1 << 30},
	LimitSaved:     {"save-max", "the files that one command saves", 1 << 30},
}

// AllLimits lists the limits.
func AllLimits() []Limit {
	list := make([]Limit, limitCount)
	for i := range list {
		list[i] = Limit(i)
	}
	return list
}

// Flag returns the name of the flag and of the setting that changes the limit.
func (l Limit) Flag() string { return limitTable[l].flag }

// Bytes returns the default of the limit, a number for one that counts no bytes.
func (l Limit) Bytes() int64 { return limitTable[l].bytes }

// CountsBytes reports whether the limit is a size, and not a number of things.
func (l Limit) CountsBytes() bool { return l != LimitItems }

// String names the subject of the limit: "an agent card".
func (l Limit) String() string { return limitTable[l].what }

// Limits are the limits that were changed: 0 means the default of [Limit.Bytes], and [NoLimit]
// means none.
type Limits [limitCount]int64

// Of returns how many bytes a limit allows.
func (ls *Limits) Of(l Limit) int64 {
	switch n := ls[l]; {
	case n > 0:
		return n
	case n == 0:
		return l.Bytes()
	default:
		return math.MaxInt64 / 2
	}
}

// A limitError stops the reading of an answer at a limit.
type limitError struct {
	limit Limit
	bytes int64 // that it allows
}

func (e *limitError) Error() string {
	return fmt.Sprintf("more than %s of %s", e.most(), e.limit)
}

// most returns what is allowed, for a sentence.
func (e *limitError) most() string {
	if e.limit.CountsBytes() {
		return units.Size(e.bytes)
	}
	return units.Count(int(e.bytes))
}

// limitEnd is the end of an exchange that a limit stopped: it names the limit and the flag that
// raises it. What came before stays.
func (x *exchange) limitEnd(e *limitError) End {
	if x.seen != nil {
		return x.seen.limitEnd(e)
	}
	sends, size := "answered with more than %s; Parley stopped reading there and kept what came", e.most()
	switch x.reached(e) {
	case LimitCard:
		sends = "sends an agent card of more than %s; Parley stopped reading there"
	case LimitEvent:
		sends = "sends an event of more than %s; Parley stopped reading there and kept what came"
	case LimitStream:
		sends = "streamed " + units.Roughly(x.bodyBytes) + ", which counts as more than %s of records; Parley stopped reading there and kept what came"
	case LimitItems:
		sends = "began more than %s " + LimitItems.String() + "; Parley stopped reading there and kept what came"
	case LimitFile:
		sends = "sends a file of more than %s; Parley stopped reading there, so the file is incomplete"
	}
	return End{Reason: Cut, Class: ClassLimit, Sentence: fmt.Sprintf(
		"%s "+sends+". --%s raises the limit.", hostPort(x.target), size, e.limit.Flag())}
}

// reached returns what a limit stopped: a stream also where an answer came as one.
func (x *exchange) reached(e *limitError) Limit {
	if e.limit != LimitEvent && e.limit != LimitItems && x.tally.Streamed {
		return LimitStream
	}
	return e.limit
}

// values returns how many JSON values Parley reads in what a limit allows: 1,000,000 in the 32 MB of an event.
// The index of one value takes as much memory as some 30 bytes.
func (ls *Limits) values(l Limit) int {
	return int(min(max(ls.Of(l)/32, 1_000_000), math.MaxInt32))
}

// at returns the error for reading beyond a limit.
func (ls *Limits) at(l Limit) *limitError { return &limitError{l, ls.Of(l)} }

// bodyLimit returns the limit of a body without stream.
func (op Op) bodyLimit() Limit {
	switch op {
	case OpCard, OpCatalog:
		return LimitCard
	case OpArtifact:
		return LimitFile
	default:
		return LimitAnswer
	}
}

// eventsLimit is the limit of the events of an answer: that of a stream where the answer is the work for
// a message or its continuation, and that of a body where it only tells what is known.
func (op Op) eventsLimit() Limit {
	switch op {
	case OpGet, OpList, OpCancel, OpPushSet, OpPushGet, OpPushList, OpPushDelete, OpCard, OpExtendedCard:
		return op.bodyLimit()
	default:
		return LimitStream
	}
}

const (
	// shortPiece is the size in bytes up to which an event with a piece of an artifact counts
	// as it is: such events take little more than their text.
	shortPiece = 16 << 10
	// otherCost is what any other event counts in addition to its bytes, and longTimes how
	// often the bytes of a long one count: as received, as decoded, as the text that they
	// extend, as drawn, and as garbage that was not yet collected.
	otherCost = 4 << 10
	longTimes = 24
)

// countRecord counts the recorded bytes of a stream's event, and fails beyond the limit. A
// single long event never exceeds it: its own limit has accepted it.
func (x *exchange) countRecord(size int, u *Update) error {
	limit := x.call.Op.eventsLimit()
	most := x.wire.limits.Of(limit)
	only := func(kind EventKind) bool { return len(u.Events) == 1 && u.Events[0].Kind == kind }
	switch {
	case size > shortPiece && !only(EventNotA2A): // whose bytes are not decoded
		x.recordCost += min(longTimes*int64(size), most/4*3)
	case only(EventArtifact):
		x.recordCost += int64(size)
	default:
		x.recordCost += int64(size) + otherCost
	}
	if x.recordCost > most {
		return x.wire.limits.at(limit)
	}
	return x.countItems(u)
}

// countItems counts what an event begins: each costs some kilobytes, however short it is. The history of a task
// began earlier, and the next event replaces it. It fails beyond the limit.
func (x *exchange) countItems(u *Update) error {
	n := x.hooks.Items
	if n == nil {
		n = &Items{}
		x.hooks.Items = n
	}
	for i := range u.Events {
		ev := &u.Events[i]
		id, context, status := ev.TaskID, ev.ContextID, ev.Status
		if t := ev.Task; t != nil {
			id, context, status = t.ID, t.ContextID, &t.Status
			for k := range t.Artifacts {
				n.Add('a', id, t.Artifacts[k].Key)
			}
		}
		n.Add('t', id)
		n.Add('c', context)
		if ev.Artifact != nil {
			n.Add('a', id, ev.Artifact.Key)
		}
		if status != nil {
			n.Change('s', status.Word, id)
		}
		if m := ev.Message; m != nil && m.IDMade {
			n.Next()
		} else if m != nil {
			n.Add('m', m.ID)
		}
	}
	if int64(n.Len()) > x.wire.limits.Of(LimitItems) {
		return x.wire.limits.at(LimitItems)
	}
	return nil
}

// readAtMost returns the bytes before r and those of r, up to a limit. The bytes that came
// before an error are returned with it.
func readAtMost(before []byte, r io.Reader, limit *limitError) ([]byte, error) {
	g := gather.After(before)
	_, err := g.ReadFrom(io.LimitReader(r, limit.bytes-int64(len(before))+1))
	body := g.Take()
	if err == nil && int64(len(body)) > limit.bytes {
		return body[:limit.bytes:limit.bytes], limit
	}
	return body, err
}
