package looks

import (
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/session/problem"
	"parley/session/task"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// Stands says how a conversation stands: what its newest message or the newest task is doing. Two of them that
// are equal look alike.
type Stands struct {
	task.Lifecycle
	Task  string // the id of the task, empty if the message has none yet
	Any   bool   // something was sent
	Sent  bool   // a message is on its way, and the agent has not told of a task
	Away  bool   // the agent cannot be reached
	Tap   bool   // the task is that of another client, which the tap listens to
	Cut   bool   // the connection broke while the task was at work, and nothing was heard of it since then
	Moves bool   // a turn is at work
	New   bool   // the task has completed just now
	For   string // how long it has worked or waited, empty if that is unknown
	Quiet string // that and for how long the open stream stalls, empty if it does not
}

// newTime is how long a task that completed is new.
const newTime = 3 * time.Second

// StandsOf returns how a conversation with an agent stands, whose newest stream is s, nil if it has none. Times
// are relative to now; without it, as in a recording that is not played, there are none. Next is how long it
// stays so while nothing comes and no turn is at work, 0 for ever.
func StandsOf(a *model.Agent, conv *model.Conversation, s *log.Stream, now time.Time) (stands Stands, next time.Duration) {
	if a == nil || conv == nil {
		return stands, 0
	}
	turn, t := newest(conv)
	stands.Any, stands.Away, stands.Tap = t != nil, a.Away(), a.Tap != ""
	if stands.Moves = turn != nil && turn.Pending; stands.Moves {
		stands.For = since(turn.Time, now)
		if quiet := Quiet(s, now); quiet > 0 {
			stands.Quiet = Silent(quiet)
		}
	}
	if t == nil {
		if stands.Any, stands.Sent = stands.Moves, stands.Moves; stands.Sent {
			stands.Task = turn.Target.TaskID
		}
		return stands, 0
	}
	stands.Task, stands.Lifecycle = t.ID, t.Lifecycle
	stands.Denials, stands.Shown = 0, time.Time{}
	stands.Cut = isCut(t, s, stands.Moves)
	if now.IsZero() || t.Since().IsZero() {
		return stands, 0
	}
	switch d := now.Sub(t.Since()); {
	case stands.AsksUser():
		age, left := units.Age(d)
		if next, stands.For = left, ""; age > 0 {
			stands.For = units.Seconds(age)
		}
	case t.State == a2a.StateCompleted && d < newTime:
		stands.New, next = true, newTime-max(0, d)
	}
	return stands, next
}

// newest returns the newest turn of a conversation and its task: that of an earlier turn if it has none and is
// over. Both are nil if there are none.
func newest(conv *model.Conversation) (turn *model.Turn, t *model.Task) {
	if n := len(conv.Turns); n > 0 {
		turn = conv.Turns[n-1]
		for i := len(turn.Blocks) - 1; i >= 0; i-- {
			if t = turn.Blocks[i].Task; t != nil {
				return turn, t
			}
		}
	}
	if n := len(conv.Tasks); n > 0 && (turn == nil || !turn.Pending) {
		t = conv.Tasks[n-1]
	}
	return turn, t
}

// since returns how long ago something began, empty if that is not known.
func since(at, now time.Time) string {
	if at.IsZero() || now.IsZero() {
		return ""
	}
	return units.Seconds(max(0, now.Sub(at)))
}

// isCut reports whether the newest that is known of a task at work is that its stream broke.
func isCut(t *model.Task, s *log.Stream, moves bool) bool {
	return s != nil && s.Break() != "" && s.End.Class != problem.ClassStopped && t.Works() &&
		(!moves || t.Resubscribe != nil) && !t.AnsweredSince(max(s.Exchange, s.LastEvent))
}

// AsksUser reports whether the user has to do something.
func (s *Stands) AsksUser() bool { return s.Waits() && !s.Tap }

// look returns the sign, the paint and the word. The paint sets a ground if solid is true.
func (s *Stands) look(st *styles.Styles) (sign styles.Glyph, paint styles.Paint, word string, solid bool) {
	sign, paint, word = TaskOf(st, s.Away, &s.Lifecycle)
	switch {
	case s.Sent:
		return styles.Online, st.AgentArea.Text, "working", true
	case s.Forgotten || s.Away && s.Works():
		return sign, st.Dim, word, false
	case s.Cut:
		return styles.Cut, st.FailedArea.Text, "cut while " + word, true
	case s.Waits() && s.Tap:
		_, paint = Past(st, s.State)
		return sign, paint, word, false
	case s.Waits() && s.State == a2a.StateAuthRequired:
		return sign, st.WaitingArea.Text, "wants sign-in", true
	case s.Waits():
		return sign, st.WaitingArea.Text, "waits for you", true
	}
	switch s.State {
	case a2a.StateSubmitted, a2a.StateWorking:
		return sign, st.AgentArea.Text, word, true
	case a2a.StateFailed, a2a.StateRejected:
		return sign, st.FailedArea.Text, word, true
	case a2a.StateCompleted:
		if s.New {
			return sign, st.OKArea.Text, word, true
		}
	}
	return sign, paint, word, false
}

// Sign returns the sign, which does not move; empty if nothing was sent.
func (s *Stands) Sign(st *styles.Styles) string {
	if !s.Any {
		return ""
	}
	sign, _, _, _ := s.look(st)
	return st.G[sign]
}

// Chip draws how a conversation stands as a block, empty if nothing was sent. What has to meet the eye has a
// ground. Spin is the frame of the spinner for what is at work, empty for a sign that stands still. A silent
// stream stops it, and the length of the silence takes the place of the word, on a grey block of the same width.
func (s *Stands) Chip(st *styles.Styles, spin string) string {
	if !s.Any {
		return ""
	}
	glyph, paint, word, solid := s.look(st)
	sign, g := st.G[glyph], &st.G
	word = canvas.Ellipsize(canvas.SanitizeLine(word), 20, g[styles.Ellipsis])
	switch works := s.Sent || s.Works(); {
	case !solid || s.Cut || !s.Moves && works:
	case works:
		if spin != "" {
			sign = spin
		}
		if s.For != "" {
			word += " " + roomy(s.For)
		}
		if s.Quiet != "" {
			sign, word, paint = g[styles.Pause], canvas.Fit(s.Quiet, max(canvas.Width(s.Quiet), canvas.Width(word))), st.DimArea.Text
		}
	case s.AsksUser() && s.For != "":
		word += " " + s.For
	}
	return paint.S(" " + sign + " " + word + " ")
}

// roomy fits a running time into the room that its minutes with the longest seconds need, so that what stands
// behind it does not move with each digit.
func roomy(s string) string {
	minutes, _, has := strings.Cut(s, "min")
	switch {
	case strings.Contains(s, "h"): // it changes once a minute
		return s
	case has:
		return canvas.Fit(s, canvas.Width(minutes+"min 59 s"))
	}
	return canvas.Fit(s, canvas.Width("59 s"))
}
