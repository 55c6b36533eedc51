package replay

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Goal is a place that the user names in words.
type Goal struct {
	Record   int           // from 1, 0 for none
	Since    time.Duration // the time after the first record
	Relative bool          // Since counts from the position
	Clock    bool          // Since is a time of day
	Part     float64       // of the recording
	Word     string        // finding, mark or turn
	Dir      int           // 1 for the next Word, -1 for the one before
	kind     goalKind
}

type goalKind uint8

const (
	toRecord goalKind = iota
	toTime
	toPart
	toWord
)

// errGoal says what can be written.
var errGoal = errors.New("write a time such as 12:03 or +30s, a record such as #421, a time of day such as @14:02, 50%, or next finding")

// Parse reads a goal: 12:03, 90s, -30s, #421, 421, @14:02:07, 50%, start, end, next finding,
// previous mark, turn.
func Parse(text string) (Goal, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	switch {
	case text == "start":
		return Goal{Record: 1}, nil
	case text == "end":
		return Goal{Part: 1, kind: toPart}, nil
	case strings.HasSuffix(text, "%"):
		n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			return Goal{}, errGoal
		}
		return Goal{Part: n / 100, kind: toPart}, nil
	case strings.HasPrefix(text, "@"):
		d, ok := clockTime(text[1:], true)
		if !ok {
			return Goal{}, errGoal
		}
		return Goal{Since: d, Clock: true, kind: toTime}, nil
	}
	if n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 31); err == nil {
		return Goal{Record: max(1, int(n))}, nil
	}
	if g, ok := wordGoal(text); ok {
		return g, nil
	}
	return timeGoal(text)
}

// wordGoal reads the name of what stands out, with its direction.
func wordGoal(text string) (g Goal, ok bool) {
	g = Goal{Dir: 1, kind: toWord}
	for i, word := range strings.Fields(text) {
		switch {
		case i == 0 && word == "next":
		case i == 0 && (word == "previous" || word == "last"):
			g.Dir = -1
		case g.Word == "" && (word == "finding" || word == "mark" || word == "turn"):
			g.Word = word
		default:
			return Goal{}, false
		}
	}
	return g, g.Word != ""
}

// timeGoal reads a time after the first record, or after the position.
func timeGoal(text string) (Goal, error) {
	g := Goal{kind: toTime}
	rest := strings.TrimLeft(text, "+-")
	if g.Relative = len(text) == len(rest)+1; !g.Relative && rest != text {
		return Goal{}, errGoal
	}
	d, ok := clockTime(rest, false)
	if !ok {
		var err error
		if d, err = time.ParseDuration(rest); err != nil || d < 0 {
			return Goal{}, errGoal
		}
	}
	if g.Since = d; strings.HasPrefix(text, "-") {
		g.Since = -d
	}
	return g, nil
}

// clockTime reads 12:03, 12:03.5 or 1:02:03. A time of day begins with the hour, any other may
// begin with the minute.
func clockTime(text string, day bool) (time.Duration, bool) {
	parts := strings.Split(text, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return 0, false
	}
	if day && len(parts) == 2 {
		parts = append(parts, "0")
	}
	seconds := 0.0
	for i, part := range parts {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil || !(n >= 0) || n > 1e6 || strings.ContainsAny(part, "+-einxp") || i > 0 && n >= 60 || i < len(parts)-1 && n != float64(int(n)) {
			return 0, false
		}
		seconds = seconds*60 + n
	}
	if day && seconds >= 24*60*60 {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// Go goes to a goal; marks are the records that the user marked, in order, and zone is that of
// times of day. It reports whether there is a new feed. The error is a sentence that says why
// there is no such place.
func (p *Player) Go(g Goal, marks []int, zone *time.Location) (restarted bool, err error) {
	n, complete := p.index.size()
	switch g.kind {
	case toRecord:
		if complete && g.Record > n {
			return false, fmt.Errorf("there is no record #%d: the last one is #%d", g.Record, n)
		}
		return p.Seek(g.Record), nil
	case toPart:
		return p.SeekPart(g.Part), nil
	case toWord:
		record := 0
		switch g.Word {
		case "mark":
			record = Nearest(marks, p.at, g.Dir)
		case "turn":
			record = p.Next(Turn, g.Dir)
		default:
			record = p.Next(Finding, g.Dir)
		}
		if done, all := p.index.checks(); g.Word == "finding" && !all && (record == 0 || g.Dir < 0 && done < p.at) {
			return false, fmt.Errorf("the rules have checked %d %% of the recording: try again when they have checked more", int(100*p.Checked()))
		}
		if record == 0 {
			return false, fmt.Errorf("there is no %s %s here", map[int]string{1: "later", -1: "earlier"}[g.Dir], g.Word)
		}
		return p.Seek(record), nil
	}
	since, _ := p.Since()
	switch {
	case g.Clock:
		since = untilClock(p.Start().In(zone), g.Since)
	case g.Relative:
		since += g.Since
	default:
		since = g.Since
	}
	return p.SeekTime(since), nil
}

// SeekPart goes to the record at a part of the time line.
func (p *Player) SeekPart(part float64) (restarted bool) {
	const cells = 1000
	n, _ := p.index.size()
	i := int(part * cells)
	if i >= cells {
		return p.Seek(n)
	}
	if i <= 0 {
		return p.Seek(1)
	}
	return p.Seek(p.index.cells(cells)[i-1])
}

// untilClock returns how long after start the clock shows a time of day.
func untilClock(start time.Time, day time.Duration) time.Duration {
	y, m, d := start.Date()
	for {
		at := time.Date(y, m, d, 0, 0, 0, 0, start.Location()).Add(day)
		if !at.Before(start) {
			return at.Sub(start)
		}
		d++
	}
}
