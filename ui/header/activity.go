package header

import (
	"strconv"
	"strings"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// activity returns the right side of the header.
func (h *Header) activity(about About) []segment {
	st, g := h.st, &h.st.G
	var out []segment
	add := func(rank int, text string) { out = append(out, segment{text: text, rank: rank, right: true}) }
	if about.Calm {
		return h.calm(about)
	}
	if about.Recording != "" {
		add(5, st.Dim.S("recording "+canvas.Ellipsize(canvas.SanitizeLine(about.Recording), 32, g[styles.Ellipsis])))
	}
	if about.Dropped != "" {
		add(4, st.Waiting.S(canvas.SanitizeLine(about.Dropped)))
	}
	if about.Unrecorded {
		add(3, st.Waiting.S("not recorded"))
	}
	if s := about.Stream; s != nil {
		out = append(out, h.stream(about, s))
	}
	if words, short := h.findings(about); words != "" {
		out = append(out, segment{text: words, short: short, rank: 9, last: 5, right: true, area: theFlags})
	}
	if words := waiting(&about); words != "" {
		add(2, st.Waiting.Bold().S(words))
	}
	return out
}

// waiting counts the tasks that wait for the user besides the one whose state says so; empty for none.
func waiting(about *About) string {
	n, more := about.Waiting, ""
	if stands, _ := about.stands(); stands.AsksUser() {
		n, more = n-1, " more"
	}
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n) + more + " waiting"
}

// calm returns the right side for an audience: that this is a recording, and how many tasks wait.
func (h *Header) calm(about About) (out []segment) {
	if about.Recording != "" {
		out = append(out, segment{text: h.st.Dim.S("recording"), rank: 5, right: true})
	}
	if words := waiting(&about); words != "" {
		out = append(out, segment{text: h.st.Waiting.S(words), rank: 2, right: true})
	}
	return out
}

// findings returns the counts of the agent's errors and warnings, with words and without; those of all where no
// agent is shown. Two counts without words have the letters of the rows, because without colour they look alike.
func (h *Header) findings(about About) (words, short string) {
	flag, count := h.st.G[styles.Flag]+" ", about.Findings.Count
	if a := about.Agent; a != nil {
		count = func(s a2a.Severity) int { return about.Findings.CountOf(a.ID, s) }
	}
	var long, bare []string
	for _, of := range []struct {
		n     int
		noun  string
		paint styles.Paint
	}{{count(a2a.Error), "error", h.st.Failed}, {count(a2a.Warning), "warning", h.st.Waiting}} {
		if of.n > 0 {
			long = append(long, of.paint.S(flag+units.Plural(of.n, of.noun)))
			bare = append(bare, of.paint.S(flag+units.Count(of.n)))
		}
	}
	short = strings.Join(bare, " ")
	if len(bare) > 1 {
		short = h.st.Failed.S(flag+units.Count(count(a2a.Error))+"E") + " " + h.st.Waiting.S(units.Count(count(a2a.Warning))+"W")
	}
	return strings.Join(long, "  "), short
}

// stream returns the figures of the newest stream of the conversation: while it is open, the rate
// or how long it has brought nothing, otherwise its duration and where it was cut.
func (h *Header) stream(about About, s *log.Stream) segment {
	st, g := h.st, &h.st.G
	count, sep := units.Plural(s.Events, "event"), st.Faint.S(" "+g[styles.Separator]+" ")
	rate := units.PerSecond(s.Rate(about.Now)) + " ev/s"
	seg := segment{rank: 4, right: true}
	switch cut := s.Break(); {
	case s.Open() && about.Paused:
		seg.text = st.Waiting.S("not read ") + st.Text.S(count)
	case s.Stall(about.Now) > 0:
		stall := st.Waiting.S(looks.Stalled(st))
		seg.rank, seg.last = speechRank, 2
		seg.text, seg.short = stall+sep+st.Text.S(count)+sep+st.Faint.S(rate), stall
	case s.Open():
		seg.text = st.Faint.S("live ") + st.Text.S(count) + sep + st.Faint.S(rate) + h.spark(s.Recent())
	case cut != "":
		seg.rank, seg.last = speechRank, 3
		seg.text, seg.short = st.Dim.S(cut)+sep+st.Dim.S(count)+sep+st.Faint.S(units.Duration(s.Duration(about.Now))), st.Dim.S(cut)
	default:
		seg.rank = 8
		seg.text = st.Faint.S("last stream ") + st.Dim.S(count) + sep + st.Faint.S(units.Duration(s.Duration(about.Now))) + h.spark(s.Recent())
	}
	return seg
}

// spark draws the event counts of the latest seconds, after a space. One of very few seconds has no
// shape that tells anything, so it is left out.
func (h *Header) spark(recent []int) string {
	const least, most = 4, 8
	if len(recent) < least {
		return ""
	}
	if len(recent) > most {
		recent = recent[len(recent)-most:]
	}
	top := 1
	for _, n := range recent {
		top = max(top, n)
	}
	var b strings.Builder
	for _, n := range recent {
		b.WriteString(h.st.G.Spark(n, top))
	}
	return " " + h.st.Agent.S(b.String())
}
