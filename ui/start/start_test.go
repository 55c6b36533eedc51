package start

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"parley/a2a"
	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func isAddress(text string) bool { return strings.Contains(text, ":") }

// pane returns a pane with some sections.
func pane(w, h int) *Pane {
	p := New(styles.New(themes.Dark(), styles.Unicode()), isAddress)
	p.SetSize(w, h)
	now := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	p.SetNow(now)
	var many []Row
	for i := range 9 {
		many = append(many, Row{ID: fmt.Sprint("saved", i), Name: fmt.Sprint("Saved ", i), Note: "http://saved", Value: fmt.Sprint("saved", i)})
	}
	p.SetWords("Welcome", "to all", "Nothing here contains this.")
	p.SetSections([]Section{
		{Title: "Recent", Rows: []Row{
			{ID: "desk", Name: "Travel Desk", Note: "http://localhost:9001", Sign: Known, Time: now.Add(-3 * time.Hour), Value: "desk"},
			{ID: "movie", Name: "Movie Agent", Note: "http://localhost:41241", Value: "movie"},
		}},
		{Title: "Saved", Rows: many},
		{Title: "Recordings", Hint: "none yet"},
		{Title: "Nothing"},
	})
	return p
}

func text(p *Pane) string { return panetest.Text(p.Lines()) }

func press(p *Pane, names ...string) (last Intent) {
	for _, name := range names {
		last = p.Key(panetest.Key(name))
	}
	return last
}

func TestTheRowsStandInSections(t *testing.T) {
	got := text(pane(90, 40))
	for _, want := range []string{"▀▄▄█    Welcome", "▄▄▀    to all", "an address, a card file, or words", "Recent", "○ Travel Desk", "3 h", "and 4 more: type a name", "Recordings                            none yet"} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "Nothing") {
		t.Errorf("got the heading of an empty section in\n%s", got)
	}
}

func TestKeysMoveAndOpen(t *testing.T) {
	p := pane(90, 40)
	for _, c := range []struct {
		press []string
		want  Intent
	}{
		{[]string{"enter"}, Open{"desk"}}, {[]string{"down", "enter"}, Open{"movie"}}, {[]string{"down", "down", "enter"}, Open{"saved1"}},
		{[]string{"up", "up", "up", "up", "enter"}, Open{"desk"}}, {[]string{"esc"}, Close{}},
	} {
		if got := press(p, c.press...); got != c.want {
			t.Errorf("%q: got %#v, want %#v", c.press, got, c.want)
		}
	}
}

func TestTypingFilters(t *testing.T) {
	p := pane(90, 40)
	if got := press(p, "m", "v", "a", "enter"); got != (Open{"movie"}) {
		t.Errorf("got %#v, want the agent whose name has these letters", got)
	}
	if got := text(p); strings.Contains(got, "Travel Desk") || !strings.Contains(got, "mva") {
		t.Errorf("got rows that do not match:\n%s", got)
	}
	if p.Cursor() == nil {
		t.Error("got no cursor while the user types")
	}
	press(p, "esc")
	if got := text(p); !strings.Contains(got, "Travel Desk") || p.Text() != "" {
		t.Errorf("got a filter after esc:\n%s", got)
	}
	if got := press(p, "j", "k", "p", "/", "?", "q", "space", "2", "enter", "tab"); got != nil || p.Text() != "jkp/?q 2" || !strings.Contains(text(p), "Nothing here contains this") {
		t.Errorf("got %#v, the text %q and\n%s\nwant each character typed", got, p.Text(), text(p))
	}
	for _, b := range p.ShortHelp() {
		if want := b.Help().Desc == "clear"; b.Enabled() != want {
			t.Errorf("got the hint %q enabled: %v without a row, want %v", b.Help().Desc, b.Enabled(), want)
		}
	}
	press(p, "esc")
	if got := press(p, "s", "a", "v", "e", "d", "space", "8", "enter"); got != (Open{"saved8"}) {
		t.Errorf("got %#v, want a row beyond those that are listed without a filter", got)
	}
}

func TestTabCompletesTheSelectedRow(t *testing.T) {
	p := pane(90, 40)
	p.SetSections(append(p.sections, Section{Title: "Running here", Rows: []Row{{ID: "hello", Name: "Hello\x1b[2J", Note: "127.0.0.1:9999", Fill: "http://127.0.0.1:9999", Value: "hello"}}}))
	press(p, "m", "o", "v", "tab")
	if p.Text() != "Movie Agent" || press(p, "enter") != (Open{"movie"}) {
		t.Errorf("got the text %q, want the name of the row, which stays selected", p.Text())
	}
	press(p, "esc", "h", "e", "l", "l", "tab")
	if p.Text() != "http://127.0.0.1:9999" {
		t.Errorf("got the text %q, want an address", p.Text())
	}
	p.sections[len(p.sections)-1].Rows[0].Fill = ""
	if press(p, "esc", "h", "e", "l", "l", "tab"); strings.Contains(p.Text(), "\x1b") {
		t.Errorf("got the text %q, want it sanitized", p.Text())
	}
}

func TestARecordingSaysHowItEnded(t *testing.T) {
	p := pane(78, 40)
	p.SetSections([]Section{{Title: "Recordings", Rows: []Row{
		{ID: "a", Name: "Book me a flight from London to Lisbon in December", Note: "Travel Desk", Outcome: a2a.StateCompleted, Records: 1089, Time: p.now.Add(-time.Minute)},
		{ID: "b", Name: "Hello", Note: "Clerk", Records: 4, Time: p.now.Add(-49 * time.Hour)},
	}}})
	got := text(p)
	for _, want := range []string{"Book me a flight from London to Lisbon…  Travel Desk · ✓ · 1,089", "Clerk · 4 ", "2 d", p.now.Add(-time.Minute).Local().Format("15:04")} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
}

func TestAPastedAddressOpens(t *testing.T) {
	p := pane(90, 40)
	if got := p.Paste(tea.PasteMsg{Content: " http://localhost:9999\n"}); got != (OpenAddress{"http://localhost:9999"}) {
		t.Errorf("got %#v, want the address", got)
	}
	if got := p.Paste(tea.PasteMsg{Content: "movie"}); got != nil || p.Text() != "movie" {
		t.Errorf("got %#v and the text %q, want a filter", got, p.Text())
	}
	p.SetAddress(&Row{ID: "address", Name: "Open it", Value: "address"})
	if got := press(p, "enter"); got != (Open{"address"}) {
		t.Errorf("got %#v, want the address that was typed", got)
	}
}

func TestRowsThatComeLaterMoveNoSelection(t *testing.T) {
	p := pane(90, 40)
	press(p, "down")
	p.SetSections(append([]Section{{Title: "Go on", Rows: []Row{{ID: "broken", Value: "broken"}}}}, p.sections...))
	if got := press(p, "enter"); got != (Open{"movie"}) {
		t.Errorf("got %#v, want the row that was selected", got)
	}
}

func TestAClickSelectsAndOpens(t *testing.T) {
	p := pane(120, 40)
	rows := p.Lines()
	for y, row := range rows {
		if strings.Contains(panetest.Text([]string{row}), "Movie Agent") {
			if got := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, y); got != nil {
				t.Errorf("got %#v for the first click, want nothing", got)
			}
			if got := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 5, y); got != (Open{"movie"}) {
				t.Errorf("got %#v for the second click, want the agent", got)
			}
		}
	}
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelUp}, 5, 5)
	for y := range 50 { // headings and blank rows, too
		p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, y-5)
	}
}

// both returns a pane with agents at the left and recordings at the right.
func both(w, h int) *Pane {
	p := pane(w, h)
	p.SetSections([]Section{
		{Title: "Go on", Rows: []Row{{ID: "desk", Name: "Travel Desk", Value: "desk"}, {ID: "movie", Name: "Movie Agent", Value: "movie"}}},
		{Title: "Recordings", Right: true, Rows: []Row{{ID: "a", Name: "Book a flight", Value: "a"}, {ID: "b", Name: "Count to ten", Value: "b"}, {ID: "c", Name: "Hello", Value: "c"}}},
		{Title: "Your agents", Rows: []Row{{ID: "address", Name: "Open an address", Value: "address"}}},
	})
	return p
}

func TestAWideScreenHasTwoColumns(t *testing.T) {
	if got := text(both(pairRoom-1, 30)); strings.Contains(got, "Recordings  ") || strings.Index(got, "Hello") > strings.Index(got, "Your agents") {
		t.Errorf("got\n%s\nwant one column in the order of the sections", got)
	}
	p := both(pairRoom, 30)
	beside := func(left, right string) bool {
		for _, l := range strings.Split(text(p), "\n") {
			if i := strings.Index(l, left); i >= 0 && strings.Contains(l[i:], right) {
				return true
			}
		}
		return false
	}
	if !beside("Go on", "Recordings") || !beside("Movie Agent", "Count to ten") || !beside("Your agents", "") {
		t.Errorf("got\n%s\nwant recordings beside agents", text(p))
	}
	for _, c := range []struct {
		press []string
		want  string
	}{
		{[]string{"down", "down"}, "address"}, {[]string{"down"}, "a"}, {[]string{"down", "down", "down"}, "c"}, // all rows in one order
		{[]string{"left"}, "movie"}, {[]string{"left"}, "movie"}, {[]string{"right"}, "b"}, {[]string{"down", "left"}, "movie"},
		{[]string{"e", "left", "h"}, "c"}, // in the text
	} {
		if got := press(p, append(c.press, "enter")...); got != (Open{c.want}) {
			t.Errorf("%q: got %v, want %s", c.press, got, c.want)
		}
	}
	if got := p.Text(); got != "he" {
		t.Errorf("got the text %q, want left to move in it", got)
	}
	press(p, "esc")
	for y, l := range p.Lines() {
		l = canvas.Plain(l)
		for _, c := range []struct{ name, value string }{{"Movie Agent", "movie"}, {"Count to ten", "b"}} {
			before, _, found := strings.Cut(l, c.name)
			if !found {
				continue
			}
			click := func() Intent { return p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, canvas.Width(before), y) }
			click()
			if got := click(); got != (Open{c.value}) {
				t.Errorf("a click on %s: got %v", c.name, got)
			}
		}
	}
	p.SetSections([]Section{{Title: "Go on", Rows: p.sections[0].Rows}, {Title: "Recordings", Right: true, Hint: "none yet"}})
	if got := text(p); strings.Contains(got, "Go on   ") {
		t.Errorf("got\n%s\nwant no column with a heading alone", got)
	}
}

// The page is in the middle, and stays where it is while the user types, and where rows come later.
func TestThePageStaysInThePlace(t *testing.T) {
	at := func(p *Pane) (x, y int) {
		for y, l := range p.Lines() {
			if before, _, found := strings.Cut(canvas.Plain(l), "❯"); found {
				return canvas.Width(before), y
			}
		}
		return -1, -1
	}
	for _, size := range []struct{ w, h int }{{76, 22}, {116, 36}, {156, 41}, {196, 56}} {
		p := both(size.w, size.h)
		x, y := at(p)
		last := 0
		for i, l := range p.Lines() {
			if strings.TrimSpace(canvas.Plain(l)) != "" {
				last = i
			}
		}
		g := p.page()
		if below := size.h - 1 - last; below-g.top > 1 || below < g.top || g.left != size.w-g.wide-g.left {
			t.Errorf("%v: got %d rows above, %d below, and %d cells left of %d", size, g.top, below, g.left, g.wide)
		}
		for _, name := range []string{"h", "e", "q", "q", "q", "esc"} {
			press(p, name)
			if cx, cy := at(p); cx != x || cy != y {
				t.Errorf("%v: got the input at %d, %d after %s, want it at %d, %d", size, cx, cy, name, x, y)
			}
			if c := p.Cursor(); c == nil || c.Y != y {
				t.Errorf("%v: got the cursor %v, want it in the input", size, c)
			}
		}
		p.SetSections(append(p.sections, Section{Title: "Running here", Rows: []Row{{ID: "new", Name: "New"}}}))
		if cx, cy := at(p); size.h > 30 && (cx != x || cy != y) {
			t.Errorf("%v: got the input at %d, %d after a row came, want it at %d, %d", size, cx, cy, x, y)
		}
		p.Begin()
		if _, cy := at(p); size.h > 30 && cy >= y {
			t.Errorf("%v: got the input at %d, want more rows in the middle again", size, cy)
		}
	}
}

// The mark is in colours that run into each other where the terminal has them, in ASCII where it has no
// others, and gone where the rows need its room.
func TestTheMarkIsDrawnWhereThereIsRoom(t *testing.T) {
	p := pane(90, 40)
	if lines := wordmark(p.St); !strings.HasPrefix(lines[0], p.St.Gradient(2)[0].S("█")) || !strings.Contains(lines[0], p.St.Gradient(2)[1].S("█")) {
		t.Errorf("got the mark %q, want it from one colour to the other", lines)
	}
	one := p.St.Gradient(32)[18].On
	if one == p.St.Gradient(2)[0].On || strings.Count(strings.Join(p.Lines(), ""), one) == 0 {
		t.Error("got no colour between the two")
	}
	p.SetStyles(styles.New(themes.Mono(), styles.ASCII()))
	got := strings.Join(p.Lines(), "\n")
	if !strings.Contains(canvas.Plain(got), "|_)  (_| |   |  (/_  \\/") || strings.Contains(got, "38;") {
		t.Errorf("got no plain mark in\n%s", got)
	}
	for _, l := range canvas.Plain(strings.Join(wordmark(p.St), "")) {
		if l > 0x7e {
			t.Errorf("got %q in the mark of ASCII", l)
		}
	}
	for _, size := range []struct{ w, h int }{{90, 18}, {30, 60}, {90, 6}} {
		p := pane(size.w, size.h)
		if got := text(p); strings.Contains(got, "▀▀▀") || !strings.Contains(got, "Travel Desk") {
			t.Errorf("%v: got\n%s\nwant rows in place of the mark", size, got)
		}
	}
}

func TestHostileRowsAreDrawnInAnySize(t *testing.T) {
	hostile := "\x1b[2Jevil\x07\n" + strings.Repeat("語", 500)
	for w := 0; w < 230; w += 7 {
		for h := 0; h < 50; h += 3 {
			p := pane(w, h)
			p.SetWords(hostile, hostile, "nothing")
			p.SetSections(append(p.sections, Section{Title: hostile, Rows: []Row{
				{ID: hostile, Name: hostile, Note: hostile, Value: 1}, {ID: "2", Name: hostile, Note: hostile, Outcome: a2a.StateFailed, Records: 1 << 40, Time: p.now, Value: 1},
			}, Hint: hostile, Right: h%2 > 0}))
			for range 20 {
				press(p, "down")
			}
			lines := p.Lines()
			if len(lines) != h {
				t.Fatalf("%d×%d: got %d rows", w, h, len(lines))
			}
			for _, l := range lines {
				if canvas.Width(l) != w || strings.Contains(l, "\x1b[2J") || strings.ContainsAny(l, "\x07\n") {
					t.Fatalf("%d×%d: got the row %q", w, h, l)
				}
			}
		}
	}
}

func TestTheSelectedRowIsInTheWindow(t *testing.T) {
	p := pane(80, 9)
	for i := range 12 {
		var want string
		if o, ok := press(p, "enter").(Open); ok {
			want = o.Value.(string)
		}
		shown := map[string]string{"desk": "Travel Desk", "movie": "Movie Agent"}[want]
		if shown == "" {
			shown = strings.Replace(want, "saved", "Saved ", 1)
		}
		if got := text(p); !strings.Contains(got, shown) {
			t.Errorf("step %d: got no %q in\n%s", i, shown, got)
		}
		press(p, "down")
	}
}
