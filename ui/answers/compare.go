// Package answers is the pane of the differences between two answers, two conversations or
// two tasks. Two answers are to the same message, which was sent over two bindings or to two
// agents.
//
// A [Pane] shows a [Document] and does not know the engine. It returns what the user asks for
// as an [Intent].
package answers

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/compare"
	"parley/session/model"
	"parley/session/problem"
)

// A Document is a comparison as the pane shows it.
type Document struct {
	Title         string
	First, Second []string       // both sides, in words
	Agents        [2]a2a.AgentID // whose names these begin with, 0 for none
	Verdict       string         // in one sentence
	Lines         []compare.Line
	Differ        int    // lines of one side only
	Rule          string // what is not compared
	Top           bool   // it is read from its beginning, not from the first difference
}

// Turns compares the answers of two turns to the same message.
func Turns(s *model.State, first, second *model.Turn) Document {
	text := compare.Turns(first, second)
	d := Document{
		Title: "both answers", First: side(s, first), Second: side(s, second), Verdict: text.Verdict(), Lines: text.Lines, Differ: text.Differ,
		Rule: "Ids, times and the boundaries of chunks are not compared.",
	}
	if a, b := first.Conversation.Agent, second.Conversation.Agent; a != b {
		d.First, d.Second = append([]string{a.Name()}, d.First...), append([]string{b.Name()}, d.Second...)
		d.Agents = [2]a2a.AgentID{a.ID, b.ID}
	}
	return d
}

// Result returns a comparison of two sides as a document.
func Result(r *compare.Result) Document {
	d := Document{
		Title: "compare", First: []string{r.First.Name, r.First.About}, Second: []string{r.Second.Name, r.Second.About},
		Verdict: "Both sides are the same.", Lines: r.Lines(), Rule: "What is not compared stands at the end.", Top: true,
	}
	var differ []string
	for _, a := range r.Aspects {
		if a.Differ > 0 {
			differ = append(differ, string(a.Aspect))
		}
	}
	if len(differ) > 0 {
		d.Verdict = "Both sides differ in " + strings.Join(differ, ", ") + "."
	}
	for i, l := range d.Lines {
		d.Lines[i].Text = strings.TrimSuffix(l.Text, compare.NotCounted) // which is about exit statuses
		if isDifferent(l.Mark) {
			d.Differ++
		}
	}
	return d
}

// isDifferent reports whether a mark is that of a line of one side only.
func isDifferent(mark byte) bool { return mark == compare.First || mark == compare.Second }

// side describes the answer of a turn: in which way it came, and how much.
func side(s *model.State, t *model.Turn) []string {
	way := s.WayOf(t)
	requests, events, bytes := 0, 0, int64(0)
	var from, to time.Time
	for _, x := range s.Log.Streams() {
		if x.Call == nil || x.Call.Turn != t.ID || x.Call.Check {
			continue
		}
		requests++
		events += x.Events
		bytes += x.Bytes
		if from.IsZero() {
			from = x.Start
		}
		if x.Last.After(to) {
			to = x.Last
		}
	}
	return []string{
		problem.WayName(way), units.Plural(requests, "request"), units.Plural(events, "event"), units.Bytes(bytes), units.Duration(max(0, to.Sub(from))),
		a2a.MaskReference(way.Endpoint),
	}
}
