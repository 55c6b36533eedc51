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
	for _, want := range []string{"Welcome  to all", "an address, a card file, or words", "Recent", "○ Travel Desk", "3 h", "and 4 more: type a name", "Recordings                            none yet"} {
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

func TestHostileRowsAreDrawnInAnySize(t *testing.T) {
	hostile := "\x1b[2Jevil\x07\n" + strings.Repeat("語", 500)
	for w := 0; w < 130; w += 7 {
		for h := 0; h < 50; h += 3 {
			p := pane(w, h)
			p.SetWords(hostile, hostile, "nothing")
			p.SetSections(append(p.sections, Section{Title: hostile, Rows: []Row{
				{ID: hostile, Name: hostile, Note: hostile, Value: 1}, {ID: "2", Name: hostile, Note: hostile, Outcome: a2a.StateFailed, Records: 1 << 40, Time: p.now, Value: 1},
			}, Hint: hostile}))
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
