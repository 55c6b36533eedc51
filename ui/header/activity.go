package header

import (
	"strconv"
	"strings"
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session/log"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// activity returns the right side of the header.
func (h *Header) activity(about About) []segment {
	st, g := h.st, &h.st.G
	var out []segment
	add := func(rank int, text string) { out = append(out, segment{text: text, rank: rank, right: true}) }
	if about.Recording != "" {
		add(5, st.Dim.S("recording "+canvas.Ellipsize(canvas.SanitizeLine(about.Recording), 32, g[styles.Ellipsis])))
	}
	if about.Unrecorded {
		add(3, st.Waiting.S("not recorded"))
	}
	if conv := about.Conversation; conv != nil && conv.Stats.Exchange != 0 {
		rank := 8
		if conv.Stats.Open {
			rank = 4
		}
		add(rank, h.stream(about, conv.Stats))
	}
	if flags := h.findings(about.Findings); flags != "" {
		out = append(out, segment{text: flags, rank: 5, right: true, flags: true})
	}
	if n := about.Waiting; n > 0 {
		add(2, st.Waiting.Bold().S(strconv.Itoa(n)+" waiting"))
	}
	return out
}

// findings returns the counts of errors and warnings.
func (h *Header) findings(found *log.Findings) string {
	flag := h.st.G[styles.Flag]
	var words []string
	if n := found.Count(a2a.Error); n > 0 {
		words = append(words, h.st.Failed.S(flag+" "+units.Count(n)))
	}
	if n := found.Count(a2a.Warning); n > 0 {
		words = append(words, h.st.Waiting.S(flag+" "+units.Count(n)))
	}
	return strings.Join(words, " ")
}

// stream returns the counts of the newest stream of the conversation; the rate and "live" only
// while it is open.
func (h *Header) stream(about About, s model.StreamStats) string {
	st := h.st
	if s.Open {
		rate := ""
		if secs := about.Now.Sub(s.Start).Seconds(); secs > 0 && s.Events > 0 {
			rate = " " + h.st.G[styles.Separator] + " " + strconv.Itoa(int(float64(s.Events)/max(1, secs)+0.5)) + " ev/s"
		}
		if about.Paused {
			return st.Waiting.S("not read ") + st.Text.S(units.Plural(s.Events, "event"))
		}
		return st.Faint.S("live ") + st.Text.S(units.Plural(s.Events, "event")) + st.Faint.S(rate) + " " + h.spark(s)
	}
	took := s.Last.Sub(s.Start).Round(time.Millisecond)
	return st.Faint.S("last stream ") + st.Dim.S(units.Plural(s.Events, "event")) +
		st.Faint.S(" "+h.st.G[styles.Separator]+" "+units.Duration(took)) + " " + h.spark(s)
}

// spark draws the event counts of the latest seconds.
func (h *Header) spark(s model.StreamStats) string {
	recent := s.Recent
	if len(recent) > 8 {
		recent = recent[len(recent)-8:]
	}
	top := 1
	for _, n := range recent {
		top = max(top, n)
	}
	var b strings.Builder
	for _, n := range recent {
		b.WriteString(h.st.G.Spark(n, top))
	}
	return h.st.Agent.S(b.String())
}
