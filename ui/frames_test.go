package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/a2a"
	"parley/internal/golden"
	"parley/ui/control"
	"parley/ui/control/activities"
)

// scenes are the states of the screen that have golden files.
var scenes = []struct {
	name string
	play func(d *desk)
}{
	{"start", func(d *desk) { d.book(allFound) }},
	{"command", func(d *desk) { d.book(allFound); d.write("/"); d.press("down", "down") }},
	{"attached", func(d *desk) {
		d.book(asksWhere)
		d.model.panes.composer.Attach(attached)
		d.write("London, see the map")
	}},
	{"queued", func(d *desk) {
		d.book(midStream)
		for _, text := range []string{"And a hotel near the river", "What will the weather be?"} {
			d.write(text)
			d.press("enter")
		}
	}},
	{"held", func(d *desk) {
		d.book(midStream)
		d.write("And a hotel near the river")
		d.press("enter")
		d.turnOver(3, "The connection broke.")
		d.wait(noticeTime * 3)
	}},
	{"asked", func(d *desk) { d.book(asksWhere) }},
	{"streaming", func(d *desk) { d.book(midStream) }},
	{"chunk", func(d *desk) {
		d.book(allBooked)
		d.model.reveal(100)
		d.model.setFocus(control.OnChat)
		d.press("l", "l")
	}},
	{"booked", func(d *desk) { d.book(allBooked) }},
	{"refused", func(d *desk) { d.replay("refused.jsonl"); d.upTo(100) }},
	{"palette", func(d *desk) { d.book(asksDates); d.press("ctrl+p") }},
	{"card", func(d *desk) { d.book(allFound); d.press("f2") }},
	{"evidence", func(d *desk) { d.book(allFound); d.press("f2", "w", "down") }},
	{"themes", func(d *desk) { d.book(midStream); d.press("alt+t", "j", "j", "j") }},
	{"start-screen", func(d *desk) { d.book(allFound); d.write("/start"); d.press("enter") }},
	{"lanes", func(d *desk) { d.book(allBooked); d.press("f6") }},
	{"sessions", func(d *desk) { d.recorded(); d.press("alt+2", "j") }},
	{"answers", func(d *desk) {
		d.book(asksWhere)
		d.comparesAnswers("Where do you want to fly?")
	}},
	{"compare", func(d *desk) {
		d.book(asksWhere)
		d.comparesAnswers("Where do you want to fly?")
		d.press("esc")
		d.write("/diff")
		d.press("enter", "enter")
	}},
	{"fanout", func(d *desk) { d.book(allFound); d.fansOut() }},
	{"fanout-menu", func(d *desk) { d.book(allFound); d.write("/fanout Which tide is it?"); d.press("enter", "2") }},
	{"export", func(d *desk) { d.isHome(); d.book(allBooked); d.exports() }},
	{"export-format", func(d *desk) { d.isHome(); d.book(allBooked); d.exports("s") }},
	{"exporting", func(d *desk) { d.slowExports(); d.wait(activities.Interval) }},
	{"help", func(d *desk) { d.book(allBooked); d.press("f1") }},
	{"reading", func(d *desk) {
		d.book(allBooked)
		d.press("tab", "tab", "k", "k", "k", "d")
	}},
	{"stream", func(d *desk) { d.book(allBooked); d.press("tab", "tab", "s", "k", "k", "k", "l", "l") }},
	{"agents", func(d *desk) { d.book(asksDates); d.press("shift+tab") }},
	{"findings", func(d *desk) { d.wrong(); d.press("tab", "tab", "F") }},
	{"request", func(d *desk) {
		d.byHand()
		d.press("tab", "tab", "e", "right")
		d.write(`"x": tru,`)
		d.press("tab")
	}},
	{"tasks", func(d *desk) { d.tasked(); d.press("f3") }},
	{"tasks-filter", func(d *desk) { d.tasked(); d.press("f3", "/"); d.write("input-required") }},
	{"webhooks", func(d *desk) { d.hooked(); d.press("f4") }},
	{"webhook", func(d *desk) { d.hooked(); d.press("f4", "a"); d.write("https://hooks.example.com/mine") }},
	{"credentials", func(d *desk) {
		e := d.identified()
		e.Pinned.Headers = []a2a.HeaderPair{{Name: "X-Team", Value: "blue"}}
		d.press("f5")
		d.write("a-token")
	}},
	{"form", func(d *desk) { d.asksForData(); d.press("alt+i", "space", "down", "down"); d.write("1234") }},
	{"copy", func(d *desk) { d.byHand(); d.press("tab", "tab", "k", "c") }},
	{"picture", func(d *desk) { d.book(allBooked); d.press("tab", "k", "space") }},
	{"bench", func(d *desk) {
		d.book(midStream)
		d.press("tab", "tab", "!", "k", "7")
	}},
}

// Golden frames: every scene as text in every size, in one size also with its styles, and a few
// in other themes.
func TestFrames(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ w, h int }{{200, 60}, {120, 40}, {80, 24}, {60, 20}, {20, 5}} {
		for _, s := range scenes {
			name := fmt.Sprintf("%dx%d/%s", size.w, size.h, s.name)
			t.Run(name, func(t *testing.T) {
				bubble(t, size.w, size.h, Options{}, func(d *desk) {
					s.play(d)
					golden.Compare(t, "frames/"+name, d.text())
				})
			})
		}
	}
}

func TestFramesInOtherLooks(t *testing.T) {
	t.Parallel()
	noColor := func(name string) string { return map[string]string{"NO_COLOR": "1"}[name] }
	for _, look := range []struct {
		name string
		o    Options
	}{
		{"dark", Options{Theme: Theme{Name: "dark"}}},
		{"light", Options{Theme: Theme{Name: "light"}}},
		{"mono", Options{Theme: Theme{Name: "mono"}}},
		{"nocolor-ascii", Options{ASCII: true, Getenv: noColor}},
	} {
		for _, s := range scenes {
			if !slices.Contains([]string{"streaming", "refused", "palette", "findings", "request", "credentials"}, s.name) {
				continue
			}
			t.Run(look.name+"/"+s.name, func(t *testing.T) {
				bubble(t, 120, 40, look.o, func(d *desk) {
					s.play(d)
					golden.Compare(t, "frames/"+look.name+"/"+s.name, strings.Join(d.rows(), "\n"))
				})
			})
		}
	}
}

func TestASCIIFramesHaveNoGlyphOutsideASCII(t *testing.T) {
	t.Parallel()
	agentsWords := strings.NewReplacer("í", "i", "€", "E", "“", "\"", "”", "\"", "§", "S", "⟨", "<", "⟩", ">") // and those of rules
	for _, s := range scenes {
		t.Run(s.name, func(t *testing.T) {
			bubble(t, 120, 40, Options{ASCII: true}, func(d *desk) {
				s.play(d)
				for y, row := range strings.Split(agentsWords.Replace(d.text()), "\n") {
					if i := strings.IndexFunc(row, func(r rune) bool { return r > 126 }); i >= 0 {
						t.Errorf("row %d has the non-ASCII character %q in %q", y, row[i:], row)
					}
				}
			})
		})
	}
}

func TestFramesOfARecording(t *testing.T) {
	t.Parallel()
	bubble(t, 120, 40, Options{Name: "booking.jsonl"}, func(d *desk) {
		d.replay("booking.jsonl")
		d.upTo(allBooked)
		d.wait(skimFrame)
		d.sees("recording booking.jsonl", "Before you go", "Travel Desk", "130 records")
		golden.Compare(t, "frames/120x40/recording", d.text())
	})
}
