package lint

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/jsontok"
	"parley/internal/units"
)

// statusRules are about the state of a task at one moment.
var statusRules = [...]rule{
	{
		id: "STAT-001", severity: a2a.Error, in: knownDialects, section: "0.1 §6.3, 0.3 §6.3, 1.0 §4.1.3, §5.5",
		checks: "The state is one of the dialect's words", fix: "Write the state as the dialect does",
		at: atStatus, run: stateWord,
	},
	{
		id: "STAT-002", severity: a2a.Warning, in: knownDialects, section: "1.0 §5.5",
		checks: "The state is a word, not a number", fix: "Write the state as a word",
	},
	{
		id: "STAT-003", severity: a2a.Warning, in: knownDialects, section: "0.1 §6.3, 0.3 §6.3, 1.0 §4.1.3",
		checks: "A task that was begun does not return to submitted", fix: "Continue with working",
		at: atTask | atStatusEvent, run: plausible,
	},
	{
		id: "STAT-004", severity: a2a.Warning, in: knownDialects, section: "0.1 §6.2, 0.3 §6.2, 1.0 §5.6.1",
		checks: "Timestamps are RFC 3339 with a zone, in 1.0 UTC with Z; they neither go back nor lie in the future",
		fix:    "Write the time of the change as RFC 3339 in UTC",
		at:     atStatus, run: timestamp,
	},
	{
		id: "STAT-005", severity: a2a.Info, in: knownDialects, section: "0.1 §6.2, 0.3 §6.2, 1.0 §4.1.2",
		checks: "A status has a timestamp", fix: "Send the time when the status changed",
		at: atStatus, run: hasTimestamp,
	},
	{
		id: "STAT-006", severity: a2a.Warning, in: knownDialects, section: "0.2 §4.5, 1.0 §7.6.1",
		checks: "A waiting task says in a message what it waits for", fix: "Ask in the status message",
		at: atStatus, run: asksFor,
	},
	{
		id: "STAT-007", severity: a2a.Info, in: knownDialects, section: "0.1 §6.3, 0.3 §6.3",
		checks: "A failed or rejected task gives the reason in a message", fix: "Give the reason in the status message",
		at: atStatus, run: saysWhy,
	},
}

func stateWord(p *pass, n jsontok.Node) {
	node := get(n, "state")
	if !node.IsText() {
		return
	}
	word := node.Text()
	s, name := a2a.ParseState(word), p.dialect()
	want := a2a.Word(s, name)
	switch {
	case word == "", s == a2a.StateOther: // the decoder checks it
	case p.in == onV01 && (s == a2a.StateRejected || s == a2a.StateAuthRequired):
		p.note(node, "0.1 has no state “"+clip(word)+"”")
	case word == want:
	case p.in == onV03REST && (word == s.String() || word == a2a.Word(s, a2a.V10)):
	default:
		p.note(node, "The state is written “"+clip(word)+"”; "+name.Number()+" writes "+want)
	}
}

// plausible checks the order of states in one stream.
func plausible(p *pass, n jsontok.Node) {
	s, before := statusOf(p.ev), p.x.stream.state
	if s == nil || s.State != a2a.StateSubmitted || p.x.stream.taskID != p.ev.TaskID {
		return
	}
	if before == a2a.StateWorking || before.Interrupted() {
		p.note(get(get(n, "status"), "state"), "The task was "+before.String()+" and is now submitted")
	}
}

// maxAhead is how far the clock of an agent may be ahead of Parley's.
const maxAhead = 5 * time.Minute

func timestamp(p *pass, n jsontok.Node) {
	node := get(n, "timestamp")
	if p.ev == nil || p.ev.Kind == a2a.EventTaskList || !node.IsText() {
		return
	}
	s := statusOf(p.ev)
	if s == nil || s.Time.IsZero() || !s.HasZone {
		return // the decoder checks it
	}
	switch before := p.x.stream.stamp; {
	case !p.r.Time.IsZero() && s.Time.After(p.r.Time.Add(maxAhead)):
		if p.x.first(onceStamp) {
			p.note(node, "The timestamp is "+units.Duration(s.Time.Sub(p.r.Time))+" in the future")
		}
	case p.ev.Kind == a2a.EventStatus && s.Time.Before(before) && p.x.stream.taskID == p.ev.TaskID:
		if p.x.first(onceStamp) {
			p.note(node, "The timestamp is "+units.Duration(before.Sub(s.Time))+" before that of the preceding status")
		}
	case p.in&v10 != 0 && !strings.HasSuffix(s.TimestampText, "Z"):
		p.note(node, "The timestamp is not UTC with Z")
	}
}

func hasTimestamp(p *pass, n jsontok.Node) {
	if get(n, "timestamp").Exists() || p.ev == nil || p.ev.Kind == a2a.EventTaskList {
		return
	}
	if p.x.first(onceNoStamp) {
		p.note(n, "The status has no timestamp")
	}
}

// stateWithoutMessage reports whether a status has no message, and returns its state.
func stateWithoutMessage(n jsontok.Node) (a2a.State, bool) {
	state := get(n, "state")
	if !state.IsText() || get(n, "message").Exists() || get(n, "update").Exists() {
		return a2a.StateUnknown, false
	}
	return a2a.ParseState(state.Text()), true
}

func asksFor(p *pass, n jsontok.Node) {
	if s, ok := stateWithoutMessage(n); ok && s.Interrupted() {
		p.note(n, "The task is "+s.String()+" but does not say what it waits for")
	}
}

func saysWhy(p *pass, n jsontok.Node) {
	if s, ok := stateWithoutMessage(n); ok && (s == a2a.StateFailed || s == a2a.StateRejected) {
		p.note(n, "The task is "+s.String()+" without a reason")
	}
}
