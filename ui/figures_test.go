package ui

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/session/sessiontest"
	"parley/themes"
	"parley/ui/chat"
	"parley/ui/header"
	"parley/ui/styles"
	"parley/ui/wire"
)

// A figure has the same value wherever a frame shows it: docs/figures.md defines each.
func TestAFigureIsTheSameEverywhere(t *testing.T) {
	t.Parallel()
	shown := map[string]int{} // comparisons of each figure
	for seed := range uint64(1000) {
		p := randomStream(seed)
		for figure, places := range figuresOf(p, seed) {
			shown[figure] += len(places) - 1
			for place, value := range places {
				for other, said := range places {
					if said != value {
						t.Fatalf("seed %d, %s: %s says %q, %s says %q", seed, figure, place, value, other, said)
					}
				}
			}
		}
	}
	for _, figure := range []string{"events", "duration", "average", "rate", "bytes", "first byte", "first event", "first artifact", "gap p50", "gap p95", "gap max", "payload"} {
		if shown[figure] < 50 {
			t.Errorf("%s was compared %d times, want at least 50", figure, shown[figure])
		}
	}
}

// randomStream returns a session with one stream, as agents send them.
func randomStream(seed uint64) *sessiontest.Tape {
	rng := rand.New(rand.NewPCG(seed, 12))
	pause := func() time.Duration { // most are short, and some are regular
		scale := []time.Duration{time.Millisecond, 40 * time.Millisecond, 900 * time.Millisecond, 3 * time.Second, 2 * time.Minute}[rng.IntN(5)]
		return scale + time.Duration(rng.Int64N(int64(scale)))*time.Duration(rng.IntN(2))
	}
	p := sessiontest.NewTape()
	call := sessiontest.CallOf(a2a.OpStream, 1)
	x := p.Ask(call, "hi")
	if rng.IntN(10) > 0 {
		wait := pause()
		head := &a2a.Head{Status: 200, Header: map[string][]string{"Content-Type": {"text/event-stream"}}}
		if rng.IntN(2) == 0 {
			head.Timing = &a2a.Timing{Sent: wait / 4, FirstByte: wait / 2}
		}
		p.After(wait).Put(a2a.Record{Kind: a2a.KindHead, Dir: a2a.In, Exchange: x, Call: call, Head: head})
	}
	for i := range rng.IntN(9) {
		p.After(pause())
		switch rng.IntN(6) {
		case 0:
			p.Event(x, call, sessiontest.StatusWord("WORKING"))
		case 1:
			p.Event(x, call, sessiontest.StatusSays("WORKING", fmt.Sprint("m", i), "on it"))
		case 2:
			p.Event(x, call, `{"artifactUpdate":{"taskId":"t","contextId":"c","append":true,"artifact":{"artifactId":"a","parts":[{"text":"with data"},{"data":{"n":1,"m":2}}]}}}`)
		default:
			p.Event(x, call, sessiontest.ChunkOf("a", fmt.Sprintf("%d %s", i, strings.Repeat("word ", 1+rng.IntN(40))), true))
		}
	}
	switch p.After(pause()); rng.IntN(5) {
	case 0:
		p.End(x, call, a2a.End{Reason: a2a.Cut, Class: []string{a2a.ClassCut, a2a.ClassSevered}[rng.IntN(2)], Sentence: "It broke."})
	case 1: // open
	default:
		p.Event(x, call, sessiontest.StatusWord("COMPLETED"))
		p.After(pause()).End(x, call, a2a.End{Reason: a2a.Ended})
	}
	return p
}

// Places are the values of a figure by the place that shows it.
type places map[string]string

// figuresOf reads the figures of a session in all places.
func figuresOf(p *sessiontest.Tape, seed uint64) map[string]places {
	found := map[string]places{}
	add := func(figure, place, value string) {
		if value == "" {
			return
		}
		if found[figure] == nil {
			found[figure] = places{}
		}
		found[figure][place] = strings.TrimSpace(value)
	}
	st := styles.New(themes.Mono(), styles.Unicode())
	state, now := p.State, p.At.Add(time.Duration(seed%5)*700*time.Millisecond)
	conv, s := state.Conversation(1), state.Log.Stream(1)
	readHeader(add, panetest.Text([]string{header.New(st).Draw(header.About{
		Agent: state.Agent(1), Conversation: conv, Stream: state.Log.Stream(conv.Stream), Findings: state.Log.Findings(), Now: now}, 240)}))
	w := wire.New(st)
	w.SetSize(160, 70)
	w.SetNow(now)
	w.SetLog(state.Log)
	w.Focus()
	w.Key(panetest.Key("+")) // a row for each chunk
	rows := panetest.Text(w.Lines())
	readRows(add, rows)
	if !s.Open() {
		readEnd(add, rows)
	}
	w.Key(panetest.Key("d"))
	w.Key(panetest.Key("4"))
	readTiming(add, panetest.Text(w.Lines()), s)
	w.Key(panetest.Key("esc"))
	w.Key(panetest.Key("s"))
	readStream(add, panetest.Text(w.Lines()), s)
	readChat(add, st, conv, now)
	if it := truth(state); it.events > 0 {
		add("events", "the records", units.Plural(it.events, "event"))
		add("bytes", "the records", units.Bytes(it.bytes))
	}
	return found
}

// dur is the pattern of a duration.
const dur = `(< 1 ms|\d[\d.]* (?:ms|s)\b|\d+ (?:min|h|d)\b(?: \d+ (?:s|min|h)\b)?)`

// read returns the first group of a pattern, empty if it is not there.
func read(text, pattern string) string {
	if m := regexp.MustCompile(pattern).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func readHeader(add func(figure, place, value string), text string) {
	add("events", "header", read(text, `(\d+ events?)`))
	add("rate", "header", read(text, `([\d.,]+) ev/s`))
	add("duration", "header", read(text, `events? · `+dur))
}

// readRows reads the row below the end of a stream, and what the rows say that artifacts got.
func readRows(add func(figure, place, value string), text string) {
	summary := read(text, `(?m)^ *── (.*gap max.*)$`)
	add("first byte", "row", read(summary, `ttfb `+dur))
	add("first artifact", "row", read(summary, `artifact `+dur))
	add("gap max", "row", read(summary, `gap max `+dur))
	total := int64(0)
	for _, m := range regexp.MustCompile(`(?m)(?:← ▤ a | · ).* (\d+) B(?: +[WEi])?$`).FindAllStringSubmatch(text, -1) {
		var n int64
		fmt.Sscan(m[1], &n)
		total += n
	}
	if total > 0 {
		add("payload", "rows", units.Bytes(total))
	}
}

// readEnd reads the record of the end.
func readEnd(add func(figure, place, value string), text string) {
	add("duration", "end", read(text, `(?m)^took +`+dur))
	add("events", "end", read(text, `(?m)^came +(\d+ events?)`))
	add("bytes", "end", read(text, `(?m)^came +(?:\d+ events?, )?([\d.]+ k?B)`))
	add("average", "end", read(text, `(?m)^rate +([\d.,]+) events/s`))
}

func readTiming(add func(figure, place, value string), text string, s *log.Stream) {
	at := func(name string) string { return read(text, `(?m)^`+name+` +(?:`+dur[1:len(dur)-1]+`) +`+dur) }
	first := at("first byte")
	if first == "" {
		first = at("head")
	}
	add("first byte", "timing", first)
	add("first event", "timing", at("first event"))
	add("first artifact", "timing", at("first artifact"))
	add("gap p50", "timing", read(text, `half within `+dur))
	add("gap p95", "timing", read(text, `95 % within `+dur))
	add("gap max", "timing", read(text, `the longest `+dur))
	add("events", "timing", read(text, `(?m)^came +(\d+ events?)`))
	add("bytes", "timing", read(text, `(?m)^came +(?:\d+ events?, )?([\d.]+ k?B)`))
	add("average", "timing", read(text, `(?m)^rate +([\d.,]+) events/s`))
	if !s.Open() {
		add("duration", "timing", at("end"))
	}
}

func readStream(add func(figure, place, value string), text string, s *log.Stream) {
	add("first byte", "stream", read(text, `first byte `+dur))
	add("first event", "stream", read(text, `(?m)(?:^| · )event `+dur))
	add("first artifact", "stream", read(text, `artifact `+dur))
	add("events", "stream", read(text, `(?m)(?:^| · )(\d+ events?)\b`))
	add("rate", "stream", read(text, `([\d.,]+)/s now`))
	add("average", "stream", read(text, `events? · ([\d.,]+)/s(?: ·|$)`))
	add("bytes", "stream", read(text, `(?m)(?:events?|/s|now) · ([\d.]+ k?B)(?:$| )`))
	add("gap p50", "stream", read(text, `gap p50 `+dur))
	add("gap p95", "stream", read(text, `p95 `+dur))
	add("gap max", "stream", read(text, `(?:max|gap) `+dur))
	if !s.Open() {
		add("duration", "stream", read(text, `(?m)^── stream .* · `+dur+` ─`))
	}
}

func readChat(add func(figure, place, value string), st *styles.Styles, conv *model.Conversation, now time.Time) {
	c := chat.New(st, func() time.Time { return now })
	c.SetSize(100, 80)
	c.Show(conv.Agent, conv)
	add("payload", "name line", read(panetest.Text(c.Lines()), `┌ a  \d+ parts? · ([\d.]+ k?B)`))
}

// A total is what the records of a stream say.
type total struct {
	events int
	bytes  int64
}

func truth(s *model.State) (sum total) {
	for id := a2a.RecordID(1); int(id) <= s.Log.Len(); id++ {
		if r := &s.Log.At(id).Record; r.Kind == a2a.KindEvent {
			sum.events++
			sum.bytes += int64(len(r.Raw))
		}
	}
	return sum
}
