package a2a

import (
	"fmt"
	"io"
	"math"
)

// A Limit bounds how many bytes are taken of one kind of thing. Bytes are counted as they
// are decoded: what is packed on the wire counts by what it unpacks to.
type Limit uint8

// The limits.
const (
	LimitCard      Limit = iota // an agent card, fetched or in a file
	LimitAnswer                 // an answer that is no stream
	LimitEvent                  // an event of a stream, with the comments before it
	LimitStream                 // all of a stream that is kept
	LimitFile                   // a file that is fetched
	LimitRecording              // the journal of a session
	limitCount
)

// NoLimit as a value of [Limits] takes a limit away.
const NoLimit = -1

// limitTable is the one place where limits stand: the flag and setting that changes each,
// the bytes without one, and what it holds for.
var limitTable = [limitCount]struct {
	flag, what string
	bytes      int64
}{
	LimitCard:      {"max-card", "an agent card", 16_000_000},
	LimitAnswer:    {"max-answer", "an answer that is no stream", 32_000_000},
	LimitEvent:     {"max-event", "one event of a stream", 32_000_000},
	LimitStream:    {"max-stream", "what is kept of one stream", 400_000_000},
	LimitFile:      {"max-file", "a file that is fetched", 64_000_000},
	LimitRecording: {"record-max", "the recording of a session", 1 << 30},
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

// Bytes returns the limit where nothing changes it.
func (l Limit) Bytes() int64 { return limitTable[l].bytes }

// String says what the limit holds for: "an agent card".
func (l Limit) String() string { return limitTable[l].what }

// Limits are the limits that somebody changed: 0 is what [Limit.Bytes] says, and [NoLimit]
// is none.
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
	return fmt.Sprintf("more than %s of %s", sizeText(e.bytes), e.limit)
}

// sizeText writes a size as its flag takes it: "16 MB", "1500 kB".
func sizeText(n int64) string {
	for _, unit := range [...]struct {
		name  string
		bytes int64
	}{{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if n >= unit.bytes && n%unit.bytes == 0 {
			return fmt.Sprintf("%d %s", n/unit.bytes, unit.name)
		}
	}
	return bytesText(n)
}

// roughly writes a size in whole megabytes, or kilobytes.
func roughly(n int64) string {
	switch {
	case n >= 1e6:
		n -= n % 1e6
	case n >= 1e3:
		n -= n % 1e3
	}
	return sizeText(n)
}

// limited is the end of an exchange that a limit stopped: it says which, and the flag that
// raises it. What came before stays.
func (x *exchange) limited(e *limitError) End {
	sends, size := "answered with more than %s, and reading stopped there; what came stays", sizeText(e.bytes)
	switch e.limit {
	case LimitCard:
		sends = "sends an agent card of more than %s, and reading stopped there"
	case LimitEvent:
		sends = "sends an event of more than %s, and reading stopped there; what came stays"
	case LimitStream:
		sends = "streamed " + roughly(x.got) + ", which counts as more than %s of what is kept, and reading stopped there; what came stays"
	case LimitFile:
		sends = "sends a file of more than %s, and reading stopped there: the file is not whole"
	}
	return End{Reason: Cut, Class: ClassLimit, Sentence: fmt.Sprintf(
		"%s "+sends+". --%s raises the limit.", hostPort(x.target), size, e.limit.Flag())}
}

// at returns the error with which reading ends at a limit.
func (ls *Limits) at(l Limit) *limitError { return &limitError{l, ls.Of(l)} }

// bodyLimit returns the limit of a body that is no stream.
func (x *exchange) bodyLimit() Limit {
	switch x.call.Op {
	case OpCard:
		return LimitCard
	case OpArtifact:
		return LimitFile
	default:
		return LimitAnswer
	}
}

const (
	// shortPiece is the longest event of a piece of an artifact that counts as it is, in
	// bytes: such events take little more than their text.
	shortPiece = 16 << 10
	// otherCost is what any other event counts for besides its bytes, and longTimes how
	// often the bytes of a long one count: as they came, as what they mean, as the text that
	// they are added to, as what is drawn, and as garbage that was not yet collected.
	otherCost = 4 << 10
	longTimes = 24
)

// keep counts what will be kept of an event of a stream, and fails where it is too much.
// One long event alone is never too much: its own limit has let it in.
func (x *exchange) keep(size int, u *Update) error {
	limit := x.wire.limits.at(LimitStream)
	switch {
	case len(u.Events) == 1 && u.Events[0].Kind == EventNotA2A: // nothing is made of its bytes
		x.kept += int64(size) + otherCost
	case size > shortPiece:
		x.kept += min(longTimes*int64(size), limit.bytes/4*3)
	case len(u.Events) == 1 && u.Events[0].Kind == EventArtifact:
		x.kept += int64(size)
	default:
		x.kept += int64(size) + otherCost
	}
	if x.kept > limit.bytes {
		return limit
	}
	return nil
}

// readAtMost returns what stands before r and r itself, up to a limit. The bytes that came
// before an error are returned with it.
func readAtMost(before []byte, r io.Reader, limit *limitError) ([]byte, error) {
	g := gatherer{before}
	_, err := g.ReadFrom(io.LimitReader(r, limit.bytes-int64(len(before))+1))
	body := g.body()
	if err == nil && int64(len(body)) > limit.bytes {
		return body[:limit.bytes:limit.bytes], limit
	}
	return body, err
}
