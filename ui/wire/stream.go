package wire

import (
	"time"

	"parley/a2a"
	"parley/internal/units"
	"parley/session"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// A timing is what the times of an exchange's records tell about it. It is kept
// record by record, so that a stream of any length is summed up at no cost.
type timing struct {
	start, last time.Time
	head        time.Duration // from the request to the response's head; negative before
	artifact    time.Duration // from the request to the first artifact; negative before
	gap         time.Duration // the longest between two records
	events      int
	end         a2a.RecordID
}

func newTiming(r *a2a.Record) *timing {
	return &timing{start: r.Time, last: r.Time, head: -1, artifact: -1}
}

// add takes note of the exchange's next record.
func (t *timing) add(it *session.Item) {
	r := &it.Record
	t.gap = max(t.gap, r.Time.Sub(t.last))
	t.last = r.Time
	switch r.Kind {
	case a2a.KindHead:
		if t.head < 0 {
			t.head = max(r.Time.Sub(t.start), 0)
		}
	case a2a.KindEvent:
		t.events++
	case a2a.KindEnd:
		t.end = r.ID
	}
	if t.artifact >= 0 {
		return
	}
	for i := range it.Update.Events {
		if it.Update.Events[i].Kind == a2a.EventArtifact {
			t.artifact = max(r.Time.Sub(t.start), 0)
			return
		}
	}
}

// summary tells how a stream went in w cells, for the row below its end; empty for
// an exchange that was no stream. What is told first gives way last.
func (t *timing) summary(g *styles.Glyphs, w int) string {
	if t.events == 0 {
		return ""
	}
	var head, artifact string
	sep := " " + g[styles.Separator] + " "
	if t.head >= 0 {
		head = "ttfb " + units.Duration(t.head) + sep
	}
	if t.artifact >= 0 {
		artifact = "artifact " + units.Duration(t.artifact) + sep
	}
	rule, gap := g[styles.Horizontal]+g[styles.Horizontal]+" ", "gap max "+units.Duration(t.gap)
	for _, s := range []string{head + artifact + gap, head + gap} {
		if canvas.Width(rule+s) <= w {
			return rule + s
		}
	}
	return rule + gap
}
