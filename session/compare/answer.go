package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/session/log"
	"parley/session/model"
)

// An answer is a turn of a side with what is compared of it.
type answer struct {
	turn   *model.Turn
	blocks []*model.Block
	ids    ids
}

func newAnswer(t *model.Turn, blocks []*model.Block) *answer {
	return &answer{turn: t, blocks: blocks, ids: idsOf(t)}
}

// maxPrompt is how many bytes of a prompt are compared.
const maxPrompt = 64 << 10

// prompt returns the text of a turn's message, or what stands for it.
func (a *answer) prompt() string {
	t := a.turn
	switch {
	case t.Message != nil:
		w := &writer{ids: a.ids}
		for i := range t.Message.Parts {
			w.part(&t.Message.Parts[i])
		}
		text := w.out.String()
		return text[:min(len(text), maxPrompt)]
	case t.Written != "":
		return "request written by hand: " + t.Written
	}
	return "without a message"
}

// normal returns a prompt for the alignment: without regard to case and spaces.
func normal(prompt string) string { return strings.ToLower(strings.Join(strings.Fields(prompt), " ")) }

// states returns the path of an answer: the states of its tasks, and what else came, in words.
func (a *answer) states() []string {
	var path []string
	add := func(word string) {
		if n := len(path); n == 0 || path[n-1] != word {
			path = append(path, word)
		}
	}
	for _, b := range a.blocks {
		for _, word := range statesOf(b) {
			add(word)
		}
		for i := range b.Entries {
			switch e := &b.Entries[i]; {
			case e.Kind == model.EntryProblem && e.Problem != nil && !e.Problem.Ours() && e.Problem.Resumed == 0:
				add("error")
			case e.Kind == model.EntryMessage && b.Task == nil && !e.Replaced:
				add("message")
			}
		}
	}
	if len(path) == 0 {
		path = []string{"no answer"}
	}
	return path
}

// A Timing is how long an answer took. What is not known is negative.
type Timing struct {
	FirstByte time.Duration // from the first request to the first byte of its response
	Gap       time.Duration // the median pause between two events
	LongGap   time.Duration // the longest one
	Total     time.Duration // from the first request to the last byte
	Events    int
}

// timingOf adds up the exchanges of a turn.
func timingOf(exchanges []*log.Stream) Timing {
	t := Timing{FirstByte: -1, Gap: -1, LongGap: -1, Total: -1}
	var from, to time.Time
	most := 0
	for i, x := range exchanges {
		if i == 0 {
			from, t.FirstByte = x.Start, x.FirstByte
		}
		if x.Last.After(to) {
			to = x.Last
		}
		t.Events += x.Events
		if x.Gaps.Count > most {
			most, t.Gap = x.Gaps.Count, x.Gaps.Quantile(0.5)
		}
		if x.Gaps.Known() {
			t.LongGap = max(t.LongGap, x.Gaps.Max)
		}
	}
	if len(exchanges) > 0 {
		t.Total = max(0, to.Sub(from))
	}
	return t
}

// The times within which two answers count as equally fast.
const (
	equalFactor = 2
	equalTime   = 250 * time.Millisecond
)

// slower reports whether one of two times is much longer.
func slower(x, y time.Duration) bool {
	if x < 0 || y < 0 {
		return (x < 0) != (y < 0)
	}
	short, long := min(x, y), max(x, y)
	return long-short > equalTime && long > equalFactor*short
}

// differs reports whether two answers took different times.
func (t *Timing) differs(u *Timing) bool {
	return slower(t.FirstByte, u.FirstByte) || slower(t.Gap, u.Gap) || slower(t.LongGap, u.LongGap) || slower(t.Total, u.Total)
}

// A fact is a value that stands at a place of the answer.
type fact struct{ at, value string }

// artifactsOf returns the artifacts of an answer.
func (a *answer) artifactsOf() (all []*model.Artifact) {
	for _, b := range a.blocks {
		for i := range b.Entries {
			if e := &b.Entries[i]; e.Kind == model.EntryArtifact && e.Artifact != nil && !e.Replaced {
				all = append(all, e.Artifact)
			}
		}
	}
	return all
}

// maxFacts is how many values of the artifacts of one answer are compared.
const maxFacts = 10_000

// A collector collects the facts of an artifact.
type collector struct {
	ids    ids
	ignore Pointers
	facts  []fact
}

// factsOf returns what an artifact consists of: its name, the kinds of its parts, its data. The
// words of its text belong to the answer.
func factsOf(a *answer, artifact *model.Artifact, at []string, ignore Pointers) []fact {
	c := &collector{ids: a.ids, ignore: ignore}
	c.add(pointer(at, "name"), artifact.Name)
	c.add(pointer(at, "mediaType"), artifact.MediaType)
	for i, p := range piecesOf(artifact) {
		of := pointer(at, "parts", strconv.Itoa(i))
		switch {
		case p.part == nil:
			c.add(of, "text")
		case p.part.Kind == a2a.PartData:
			c.json(pointer(of, "data"), p.part.Data)
		case p.part.Kind == a2a.PartText:
			c.add(of, "text")
		default:
			c.add(of, strings.Join(strings.Fields("file "+p.part.Filename+" "+p.part.MediaType), " "))
		}
	}
	c.json(pointer(at, "metadata"), artifact.Metadata)
	return c.facts
}

// add adds a value unless it is empty or ignored.
func (c *collector) add(at []string, value string) {
	if value != "" && len(c.facts) < maxFacts && !c.ignore.Has(at) {
		const most = 1 << 10
		c.facts = append(c.facts, fact{pointerText(at), stable(c.ids, strings.ToValidUTF8(value[:min(len(value), most)], ""))})
	}
}

// json adds the values of a JSON value.
func (c *collector) json(at []string, raw json.RawMessage) {
	if len(raw) == 0 || c.ignore.Has(at) {
		return
	}
	if v, ok := parse(raw); ok && len(raw) <= maxText {
		c.walk(at, v)
		return
	}
	c.add(at, fmt.Sprintf("%d bytes", len(raw)))
}

// walk adds the values below a place.
func (c *collector) walk(at []string, v any) {
	if len(c.facts) == maxFacts || c.ignore.Has(at) {
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			c.add(at, "{}")
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			c.walk(pointer(at, k), v[k])
		}
	case []any:
		if len(v) == 0 {
			c.add(at, "[]")
		}
		for i := range v {
			c.walk(pointer(at, strconv.Itoa(i)), v[i])
		}
	case string:
		c.add(at, strconv.Quote(v))
	default:
		c.add(at, fmt.Sprint(v))
	}
}

// artifacts compares the artifacts of two answers, which are paired by their names and their
// order.
func artifacts(first, second *answer, ignore Pointers) []Difference {
	a, b := first.artifactsOf(), second.artifactsOf()
	name := func(of *answer, all []*model.Artifact) (out []string) {
		for _, x := range all {
			out = append(out, stable(of.ids, x.Name))
		}
		return out
	}
	var out []Difference
	pairs, _ := align(name(first, a), name(second, b))
	for _, p := range pairs {
		at := []string{"artifacts", strconv.Itoa(max(p.first, p.second))}
		if p.first >= 0 {
			at[1] = strconv.Itoa(p.first)
		}
		var was, is []fact
		if p.first >= 0 {
			was = factsOf(first, a[p.first], at, ignore)
		}
		if p.second >= 0 {
			is = factsOf(second, b[p.second], at, ignore)
		}
		out = append(out, factDifferences(was, is)...)
	}
	return out
}

// factDifferences returns the places with different values.
func factDifferences(was, is []fact) (out []Difference) {
	second := make(map[string]string, len(is))
	for _, f := range is {
		second[f.at] = f.value
	}
	first := make(map[string]bool, len(was))
	for _, f := range was {
		first[f.at] = true
		if value := second[f.at]; value != f.value {
			out = append(out, Difference{Aspect: Artifacts, At: f.at, First: f.value, Second: value})
		}
	}
	for _, f := range is {
		if !first[f.at] {
			out = append(out, Difference{Aspect: Artifacts, At: f.at, Second: f.value})
		}
	}
	return out
}
