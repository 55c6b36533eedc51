package composer

import (
	"strings"
	"testing"
)

func remembering() *Composer {
	c := open(80, newTask)
	c.SetHistory(NewHistory("/history lis", "Book me a flight", "Weather in Oslo?", "A flight to Lisbon", "Weather in Oslo?", "héllo FLIGHT\nsecond line"))
	return c
}

func TestTheHistoryIsSearchedAsInAShell(t *testing.T) {
	for _, way := range []struct{ keys, want, line string }{
		{"ctrl+r", "half a thought", "4 messages"},
		{"ctrl+r f l i g", "héllo FLIGHT\nsecond line", "1 of 3"},
		{"ctrl+r f l i g ctrl+r", "A flight to Lisbon", "2 of 3"},
		{"ctrl+r f l i g up up", "Book me a flight", "3 of 3"},
		{"ctrl+r f l i g up up up", "Book me a flight", "3 of 3"},
		{"ctrl+r f l i g up up down", "A flight to Lisbon", "2 of 3"},
		{"ctrl+r o s l", "Weather in Oslo?", "1 of 1"}, // equal messages count once
		{"ctrl+r z z", "half a thought", "no match"},
		{"ctrl+r z z backspace backspace", "half a thought", ""},
		{"ctrl+r l i s x", "half a thought", "no match"},
		{"ctrl+r l i s x backspace", "A flight to Lisbon", "1 of 1"},
		{"ctrl+r f l i g esc", "half a thought", "new task"},
		{"ctrl+r f l i g enter", "héllo FLIGHT\nsecond line", "new task"},
		{"ctrl+r f l i g ctrl+r enter up", "Weather in Oslo?", "new task"}, // continues from the match
		{"ctrl+r f l i g enter down", "half a thought", "new task"},
		{"ctrl+r o s l left x", "Weather in Oslox?", "new task"},
	} {
		c := remembering()
		c.SetDraft(Draft{Text: "half a thought"})
		c.Attach(report)
		for _, k := range strings.Fields(way.keys) {
			if in := press(c, k); in != nil {
				t.Fatalf("%s: got intent %v for %s, want none", way.keys, in, k)
			}
		}
		if c.Value() != way.want {
			t.Errorf("%s: got text %q, want %q", way.keys, c.Value(), way.want)
		}
		if got := screen(c); !strings.Contains(got, way.line) {
			t.Errorf("%s: got a screen without %q:\n%s", way.keys, way.line, got)
		}
		if c.Value() == "half a thought" && c.Attached() != 1 {
			t.Errorf("%s: got %d parts, want the draft's 1", way.keys, c.Attached())
		}
	}
}

// Backspace deletes a whole cluster, however many characters it has.
func TestBackspaceInTheSearchDeletesAWholeCluster(t *testing.T) {
	for _, cluster := range []string{"e\u0301", "🇩🇪", "👍🏽", "x", "é"} {
		c := remembering()
		c.Search("os" + cluster)
		press(c, "backspace")
		if c.search.words != "os" {
			t.Errorf("%q: got search words %q after backspace, want os", cluster, c.search.words)
		}
		press(c, "backspace", "backspace", "backspace")
		if c.search.words != "" || !c.search.on {
			t.Errorf("%q: got search words %q, want none and the search still on", cluster, c.search.words)
		}
	}
}

func TestTheSearchShowsWhereItIs(t *testing.T) {
	c := remembering()
	press(c, "ctrl+r", "o", "s", "l")
	if cur := c.Cursor(); cur == nil || cur.Y != 1 || cur.X != len("history > osl") {
		t.Errorf("got cursor %+v, want it behind the search words", cur)
	}
	if names := enabled(c.ShortHelp()); names != "accept message older message newer message cancel search" {
		t.Errorf("got keys %q, want those of the search", names)
	}
	for _, w := range []int{0, 1, 9, 40} {
		c.SetSize(w, 5)
		exact(t, c, w, 5)
		c.Cursor()
	}
}

func TestASearchTakesAPasteAndHostileWords(t *testing.T) {
	c := remembering()
	press(c, "ctrl+r")
	c.Paste("Oslo\n\x1b[2J" + strings.Repeat("x", 10_000_000))
	if c.search.words != "Oslo" || c.Value() != "Weather in Oslo?" {
		t.Errorf("got search words %.40q and text %.40q, want Oslo and its match", c.search.words, c.Value())
	}
	press(c, "esc", "ctrl+r")
	c.Paste("\x1b]0;title\a\u202e")
	c.SetSize(40, c.Height())
	for _, line := range c.Lines() {
		if strings.ContainsFunc(sgr.ReplaceAllString(line, ""), unshowable) {
			t.Errorf("row has control characters: %q", line)
		}
	}
	empty := open(40, newTask)
	press(empty, "ctrl+r", "a", "ctrl+r", "up", "down", "enter")
	if !empty.Empty() || empty.Searching() {
		t.Errorf("got text %q without a history, want none and the search ended", empty.Value())
	}
}

func TestWhatWasWrittenEarlierComesFirst(t *testing.T) {
	c := open(60, newTask)
	h := NewHistory("now")
	c.SetHistory(h)
	press(c, "up")
	h.PrependTexts([]string{"/slash", "old", "old"})
	for _, want := range []string{"old", "//slash", "//slash"} {
		if press(c, "up"); c.Value() != want {
			t.Fatalf("got text %q after up, want %q", c.Value(), want)
		}
	}
}
