package tasks

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
)

// A filter narrows the list by state, context and age, which agents support too when they list
// tasks, and by words.
type filter struct {
	line    string // as the user typed it
	state   a2a.State
	context string // an id, its short form or its beginning
	after   time.Time
	words   []string // in lower case
	bad     string   // the error, a sentence; empty if there is none
}

// parse parses a filter such as "working ctx:7f3a after:2h words".
func parse(line string, now time.Time) filter {
	f := filter{line: line}
	for _, word := range strings.Fields(line) {
		name, value, named := strings.Cut(word, ":")
		switch {
		case named && (name == "state" || name == "status"):
			if !f.inState(value) && value != "" {
				f.bad = "No task is “" + value + "”: a state is submitted, working, input-required, auth-required, completed, failed, canceled or rejected."
			}
		case named && (name == "ctx" || name == "context"):
			f.context = value
		case named && (name == "after" || name == "since"):
			t, ok := moment(value, now)
			if f.after = t; !ok && value != "" {
				f.bad = "“" + value + "” is not a time: write 30m, 2h, 3d, 14:30, 2026-11-20 or 2026-11-20T14:30:00Z."
			}
		case f.inState(word):
		default:
			f.words = append(f.words, strings.ToLower(word))
		}
	}
	return f
}

// inState sets the state that a word names and reports whether it names one. The last one
// applies.
func (f *filter) inState(word string) bool {
	s := a2a.ParseState(word)
	if s == a2a.StateOther || s == a2a.StateUnknown || len(word) < 2 { // numbers name states, too
		return false
	}
	f.state = s
	return true
}

// moment parses a time: a duration before now, a time of today, a day, or an instant.
func moment(s string, now time.Time) (t time.Time, ok bool) {
	if days, cut := strings.CutSuffix(s, "d"); cut {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), true
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), true
	}
	if clock, err := time.Parse("15:04", s); err == nil {
		y, m, d := now.Date()
		return time.Date(y, m, d, clock.Hour(), clock.Minute(), 0, 0, now.Location()), true
	}
	if day, err := time.ParseInLocation(time.DateOnly, s, now.Location()); err == nil {
		return day, true
	}
	t, err := time.Parse(time.RFC3339, s)
	return t, err == nil
}

// matches reports whether the filter lists a task. A task whose time is unknown is not too old.
func (f *filter) matches(r *row) bool {
	stands := r.lifecycle()
	if f.state != a2a.StateUnknown && (stands.State != f.state || stands.Forgotten) || !isContext(r.context(), f.context) {
		return false
	}
	if at := r.time(); !f.after.IsZero() && !at.IsZero() && at.Before(f.after) {
		return false
	}
	if len(f.words) == 0 {
		return true
	}
	var text strings.Builder
	for _, s := range []string{r.agent.Name(), r.id, r.context(), r.words()} {
		text.WriteString(strings.ToLower(s[:min(len(s), maxRead)]))
		text.WriteByte(' ')
	}
	for _, w := range f.words {
		if !strings.Contains(text.String(), w) {
			return false
		}
	}
	return true
}

// isContext reports whether typed is an id, its short form or its beginning.
func isContext(id, typed string) bool {
	return typed == "" || strings.HasPrefix(id, typed) || short(id) == typed
}

// listFilter returns the filter in the form that an agent takes. A short context id becomes that
// of a known task.
func (f *filter) listFilter(rows []*row) a2a.ListFilter {
	l := a2a.ListFilter{State: f.state, ContextID: f.context}
	for _, r := range rows {
		if id := r.context(); f.context != "" && id != "" && isContext(id, f.context) {
			l.ContextID = id
			break
		}
	}
	if !f.after.IsZero() {
		l.StatusTimestampAfter = f.after.UTC().Format(time.RFC3339)
	}
	return l
}

// words returns the text that identifies a task to the user: its first message, or what its
// agent said last.
func (r *row) words() string {
	if r.task != nil && r.task.Title() != "" {
		return r.task.Title()
	}
	if r.listed != nil {
		return r.listed.Title
	}
	return ""
}
