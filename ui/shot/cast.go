package shot

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/visible"
)

// castBegin is how every asciicast begins that Parley writes.
const castBegin = `{"env":{"PROGRAM":"parley"`

// CastHeader returns the first line of an asciicast (version 2) of a screen of w×h cells.
func CastHeader(w, h int, began time.Time, title string) []byte {
	header, _ := json.Marshal(map[string]any{ // texts and numbers do not fail
		"version": 2, "width": w, "height": h, "timestamp": max(began.Unix(), 0), "title": visible.Line(title),
		"env": map[string]string{"PROGRAM": "parley", "TERM": "xterm-256color"},
	})
	return append(visible.JSON(header), '\n')
}

// CastEvent returns the line of an asciicast for an output.
func CastEvent(at time.Duration, output string) []byte {
	b, _ := json.Marshal(output) // a text does not fail
	return []byte("[" + strconv.FormatFloat(at.Seconds(), 'f', 6, 64) + `, "o", ` + string(visible.JSON(b)) + "]\n")
}

// CastClear is in front of the first output of an asciicast.
const CastClear = "\x1b[?25l\x1b[2J"

// Cast returns the frames as an asciicast that lasts until end.
func (a *Animation) Cast(title string, began time.Time, end time.Duration) []byte {
	if len(a.frames) == 0 {
		return CastHeader(1, 1, began, title)
	}
	out := CastHeader(a.frames[0].w, a.frames[0].h, began, title)
	var shown []string
	for i := range a.frames {
		f, output := &a.frames[i], ""
		if i == 0 {
			output = CastClear
		}
		rows := f.rows[:min(len(f.rows), a.frames[0].h)]
		output += Changes(shown, rows)
		shown = rows
		out = append(out, CastEvent(a.times[i]-a.times[0], output)...)
	}
	return append(out, CastEvent(a.until(len(a.frames)-1, end)-a.times[0], "")...)
}

// Changes returns the rows that changed since a frame, each at its place.
func Changes(before, rows []string) string {
	var b strings.Builder
	for y, row := range rows {
		if y >= len(before) || before[y] != row {
			fmt.Fprintf(&b, "\x1b[%d;1H%s", y+1, row)
		}
	}
	return b.String()
}
