package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"parley/themes"
)

// A show is an area on a terminal of its own.
type show struct {
	*Area
	terminal *vt.Emulator
	w, h     int
	past     strings.Builder // everything that was written
}

func newShow(w, h int) *show {
	s := &show{terminal: vt.NewEmulator(w, h), w: w, h: h}
	at := time.Time{}
	now := func() time.Time { at = at.Add(time.Hour); return at }
	s.Area = NewArea(Terminal{Depth: themes.NoColours}.Styles(nil), func() (int, int) { return s.w, s.h }, now)
	return s
}

func (s *show) write(text string) {
	s.past.WriteString(text)
	_, _ = s.terminal.WriteString(text)
}

// screen returns the rows on the terminal without blanks at their ends.
func (s *show) screen() string {
	var rows []string
	for row := range strings.Lines(s.terminal.String()) {
		rows = append(rows, strings.TrimRight(row, " \n"))
	}
	return strings.TrimRight(strings.Join(rows, "\n"), "\n")
}

func TestATextGrowsWhereItStands(t *testing.T) {
	s := newShow(40, 20)
	s.write("before\r\n")
	for _, piece := range []string{"# Ti", "tle\n\nSome **bo", "ld** text", "\n\n| a | b |\n", "|---|---|\n| 1 | 2 |\n"} {
		s.Append(piece, "", "")
		s.write(s.Draw())
	}
	s.write(s.End())
	s.write("after")
	want := "before\n  # Title\n\n  Some bold text\n\n  a     b\n  ───────\n  1     2\n\nafter"
	if got := s.screen(); got != want {
		t.Errorf("got screen\n%s\nwant\n%s", got, want)
	}
}

// What is printed meanwhile stands above the rows that still change.
func TestALineComesBetween(t *testing.T) {
	s := newShow(40, 20)
	s.Append("one\n\ntwo\n\nthr", "", "")
	s.write(s.Draw())
	s.write(s.Lift() + "State: working\r\n")
	s.Append("ee\n", "", "")
	s.write(s.Draw())
	s.write(s.End())
	if got, want := s.screen(), "  one\nState: working\n\n  two\n\n  three"; got != want {
		t.Errorf("got screen\n%s\nwant\n%s", got, want)
	}
}

// The cost of a chunk does not grow with the text, and nothing that scrolled away is lost.
func TestRowsThatAreCompleteAreWrittenOnce(t *testing.T) {
	s := newShow(60, 10)
	longest := 0
	for i := range 500 {
		s.Append(fmt.Sprintf("Paragraph %d has some words.\n\n", i), "", "")
		out := s.Draw()
		longest = max(longest, len(out))
		s.write(out)
	}
	s.write(s.End())
	if longest > 1000 {
		t.Errorf("got %d bytes for one chunk, want few", longest)
	}
	for i := range 500 {
		if n := strings.Count(s.past.String(), fmt.Sprintf("Paragraph %d has", i)); n < 1 || n > 4 {
			t.Fatalf("got paragraph %d written %d times, want it once, or again while it was the last", i, n)
		}
	}
}

// After the terminal became narrower, a row takes several lines, and the cursor goes up by all of
// them.
func TestANarrowerTerminal(t *testing.T) {
	s := newShow(60, 20)
	s.Append("word word word word word word word word word word", "", "")
	s.write(s.Draw())
	s.w = 30
	s.Append(" end", "", "")
	if out := s.Draw(); !strings.HasPrefix(out, "\x1b[2A\r\x1b[J") {
		t.Errorf("got %q, want two lines up", out)
	}
}

func TestHostileTextControlsNothing(t *testing.T) {
	s := newShow(60, 20)
	for _, piece := range []string{"a\x1b[2Jb\x1b]0;title\x07", "\u202egnirts\r\n", "![x](http://h/\x1b[31m) &#27;[2J `\x1b[5m`\n\n```\n\x1b[?1049h\n```\n"} {
		s.Append(piece, "", "")
		s.write(s.Draw())
	}
	s.write(s.End())
	for _, bad := range []string{"\x1b[2J", "\x1b]0", "title\x07", "\u202e", "\x1b[5m", "\x1b[?1049h", "\x1b[31m"} {
		if strings.Contains(s.past.String(), bad) {
			t.Errorf("got %q on the terminal, want it made harmless:\n%q", bad, s.past.String())
		}
	}
}

// What is no Markdown keeps its lines.
func TestCodeIsNoMarkdown(t *testing.T) {
	s := newShow(60, 20)
	s.Append("a*b\n\tc*d\n", "", "x.go")
	s.write(s.Draw() + s.End())
	if got := s.screen(); !strings.Contains(got, "a*b\n") || !strings.Contains(got, "  c*d") {
		t.Errorf("got screen\n%s\nwant code", got)
	}
}
