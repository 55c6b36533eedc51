package timeline

import (
	"sort"
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// entry draws entry i in a row of exactly the view's width.
func (v *View) entry(i int) string {
	s, step := v.chain.entry(i)
	if step == nil {
		return canvas.Fit(v.prefix(units.Duration(v.chain.offset(s, 0)), styles.Silence)+v.link(s), v.w)
	}
	left := v.prefix(units.Duration(v.chain.offset(s, step.Begin)), track(s, step)) + v.words(s, step)
	right := ""
	for _, right = range v.amounts(s, step, i) {
		if rest := v.w - gapCells - canvas.Width(right); canvas.Width(left) <= rest || rest >= leastWords {
			break
		}
	}
	room := v.w
	if right != "" {
		room = max(v.w-canvas.Width(right), 0)
		left = canvas.Ellipsize(left, max(room-gapCells, 0), v.st.G[styles.Ellipsis])
	} else {
		left = canvas.Ellipsize(left, room, v.st.G[styles.Ellipsis])
	}
	return canvas.Fit(left, room) + v.st.Faint.S(canvas.Fit(right, v.w-room))
}

const (
	gapCells   = 2  // between the words and the amount
	leastWords = 34 // the amount is shortened to leave the words this width, including their prefix
)

// link describes the resubscription between two streams.
func (v *View) link(s *log.Stream) string {
	words := " resubscribed"
	if prev := v.log.Stream(s.Prev); prev != nil && prev.End != nil {
		words += " " + units.Duration(max(s.Start.Sub(prev.Last), 0)) + " later"
		if cut := prev.Break(); cut != "" {
			words = " " + cut + v.plain(" · ") + strings.TrimPrefix(words, " ")
		}
	}
	return v.st.Agent.S(v.st.G[styles.Retry]) + v.st.Dim.S(words)
}

// track returns the part of the vertical line in front of a step.
func track(s *log.Stream, st *log.Step) styles.Glyph {
	switch {
	case st.Kind == log.StepWait:
		return styles.Silence
	case st.Kind != log.StepEnd:
		return styles.Vertical
	case s.End.Reason == a2a.Ended:
		return styles.LastBranch
	case s.End.Reason == a2a.Cancelled:
		return styles.Canceled
	default:
		return styles.Broken
	}
}

// words describes a step, painted and sanitised.
func (v *View) words(s *log.Stream, st *log.Step) string {
	g := &v.st.G
	switch st.Kind {
	case log.StepRequest:
		return v.st.User.S(g[styles.Send]) + " " + v.st.Text.S(v.record(st.From))
	case log.StepHead:
		return v.st.Agent.S(g[styles.Receive]) + " " + v.st.Text.S(v.record(st.From))
	case log.StepState:
		sign, paint := looks.Past(v.st, st.State)
		return paint.S(g[sign] + " " + canvas.SanitizeLine(st.StateWord()))
	case log.StepArtifact:
		return v.st.Accent.S(g[styles.File]) + " " + v.st.Text.S(v.artifacts(st))
	case log.StepWait:
		paint := v.st.Dim
		words := " silent for "
		switch {
		case st.Alive:
			words = " no event, only comments, for "
		case st.Stall:
			words = " stall: silent for "
		}
		return paint.S(g[styles.Pause] + words + units.Duration(st.End-st.Begin))
	case log.StepError:
		return v.st.Failed.S(g[styles.Failed] + " " + v.record(st.From))
	case log.StepEnd:
		sign, paint := looks.Ending(v.st, s, v.now)
		if s.End.Reason == a2a.Ended {
			sign = styles.Done
		}
		return paint.S(g[sign] + " " + v.record(st.From))
	default:
		return v.st.Dim.S(g[styles.Bullet] + " " + v.record(st.From))
	}
}

// artifacts names the artifacts of a step.
func (v *View) artifacts(st *log.Step) string {
	switch {
	case st.Artifacts >= log.ManyArtifacts:
		return strconv.Itoa(log.ManyArtifacts) + " artifacts or more"
	case st.Artifacts > 1:
		return units.Plural(st.Artifacts, "artifact")
	case st.Records > 1:
		return v.name(st.From)
	}
	return v.record(st.From)
}

// name describes a record without its amount, which is smaller than the step's.
func (v *View) name(id a2a.RecordID) string {
	what, _ := log.Words(v.log.At(id))
	return canvas.SanitizeLine(what)
}

// record describes a record, sanitised.
func (v *View) record(id a2a.RecordID) string {
	return v.plain(canvas.SanitizeLine(log.Describe(v.log.At(id))))
}

// amounts returns the numbers of records and bytes of a step, or the position of the cursor's
// record, from the longest form to the empty one.
func (v *View) amounts(s *log.Stream, st *log.Step, i int) []string {
	if st.Kind == log.StepWait {
		return []string{""}
	}
	bytes := ""
	if st.Bytes > 0 {
		bytes = "  " + canvas.FitRight(units.Bytes(st.Bytes), 7)
	}
	count := units.Count(st.Records)
	switch {
	case st.Records == 1:
		return []string{strings.TrimSpace(bytes), ""}
	case i == v.at && v.sel != st.From:
		ids := v.log.Exchange(s.Exchange)
		n := units.Count(index(ids, v.sel) - index(ids, st.From) + 1)
		return []string{n + " of " + count + bytes, n + " of " + count, n, ""}
	}
	times := count + v.st.G[styles.Times]
	return []string{units.Plural(st.Records, "record") + bytes, times + bytes, times, ""}
}

// index returns the position of a record in its exchange.
func index(ids []a2a.RecordID, id a2a.RecordID) int {
	return sort.Search(len(ids), func(i int) bool { return ids[i] >= id })
}

// figures returns the numbers of the chain in lines that fit the width.
func (v *View) figures() []string {
	sep := " " + v.st.G[styles.Separator] + " "
	var lines []string
	line := ""
	for _, group := range v.numbers() {
		for i, words := range group {
			switch {
			case line == "":
				line = words
			case i == 0 && canvas.Width(line+sep+strings.Join(group, sep)) > v.w, canvas.Width(line+sep+words) > v.w:
				lines = append(lines, line)
				line = words
			default:
				line += sep + words
			}
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
