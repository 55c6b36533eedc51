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
		{"ctrl+r o s l", "Weather in Oslo?", "1 of 1"}, // what was said twice is one
		{"ctrl+r z z", "half a thought", "no match"},
		{"ctrl+r z z backspace backspace", "half a thought", ""},
		{"ctrl+r l i s x", "half a thought", "no match"},
		{"ctrl+r l i s x backspace", "A flight to Lisbon", "1 of 1"},
		{"ctrl+r f l i g esc", "half a thought", "new task"},
		{"ctrl+r f l i g enter", "héllo FLIGHT\nsecond line", "new task"},
		{"ctrl+r f l i g ctrl+r enter up", "Weather in Oslo?", "new task"}, // goes on from there
		{"ctrl+r f l i g enter down", "half a thought", "new task"},
		{"ctrl+r o s l left x", "Weather in Oslox?", "new task"},
	} {
		c := remembering()
		c.SetDraft(Draft{Text: "half a thought"})
		c.Attach(report)
		for _, k := range strings.Fields(way.keys) {
			if in := press(c, k); in != nil {
				t.Fatalf("%s: %s gave %v", way.keys, k, in)
			}
		}
		if c.Value() != way.want {
			t.Errorf("%s: %q, want %q", way.keys, c.Value(), way.want)
		}
		if got := screen(c); !strings.Contains(got, way.line) {
			t.Errorf("%s: %q is not said:\n%s", way.keys, way.line, got)
		}
		if c.Value() == "half a thought" && c.Attached() != 1 {
			t.Errorf("%s: what went with it is gone", way.keys)
		}
	}
}

// Backspace takes away what stands in one place, of however many characters it is made.
func TestBackspaceInTheSearchDeletesAWholeCluster(t *testing.T) {
	for _, cluster := range []string{"e\u0301", "🇩🇪", "👍🏽", "x", "é"} {
		c := remembering()
		c.Search("os" + cluster)
		press(c, "backspace")
		if c.search.words != "os" {
			t.Errorf("%q: what is left is %q", cluster, c.search.words)
		}
		press(c, "backspace", "backspace", "backspace")
		if c.search.words != "" || !c.search.on {
			t.Errorf("%q: what is left is %q", cluster, c.search.words)
		}
	}
}

func TestTheSearchShowsWhereItIs(t *testing.T) {
	c := remembering()
	press(c, "ctrl+r", "o", "s", "l")
	if cur := c.Cursor(); cur == nil || cur.Y != 1 || cur.X != len("history > osl") {
		t.Errorf("the cursor is at %+v", cur)
	}
	if names := enabled(c.ShortHelp()); names != "take older newer back" {
		t.Errorf("the footer names %s", names)
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
		t.Errorf("it looks for %.40q and found %.40q", c.search.words, c.Value())
	}
	press(c, "esc", "ctrl+r")
	c.Paste("\x1b]0;title\a\u202e")
	c.SetSize(40, c.Height())
	for _, line := range c.Lines() {
		if strings.ContainsFunc(sgr.ReplaceAllString(line, ""), unshowable) {
			t.Errorf("the screen has controls: %q", line)
		}
	}
	empty := open(40, newTask)
	press(empty, "ctrl+r", "a", "ctrl+r", "up", "down", "enter")
	if !empty.Empty() || empty.Searching() {
		t.Errorf("without a history: %q", empty.Value())
	}
}

func TestWhatWasWrittenEarlierComesFirst(t *testing.T) {
	c := open(60, newTask)
	h := NewHistory("now")
	c.SetHistory(h)
	press(c, "up")
	h.Precede([]string{"/slash", "old", "old"})
	for _, want := range []string{"old", "//slash", "//slash"} {
		if press(c, "up"); c.Value() != want {
			t.Fatalf("up gave %q, want %q", c.Value(), want)
		}
	}
}
