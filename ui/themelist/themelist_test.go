package themelist

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/styles"
)

func opened(depth themes.Depth) *Pane {
	p := New(styles.New(themes.Dark().In(depth), styles.Unicode()))
	entries := []Entry{{Name: Auto, About: "by background", Theme: themes.Dark().In(depth)}}
	for _, t := range themes.All() {
		entries = append(entries, Entry{Name: t.Name, About: t.About, Theme: t.In(depth)})
	}
	entries = append(entries, Entry{Name: "mine", About: "\x1b[2Jhostile\u202e\n", Theme: themes.Light().In(depth), Problem: "mine.toml:1: \x1b[2J is wrong."})
	p.Open(entries, "nord", "Your own: NAME.toml in ~/x.")
	p.SetSize(44, 30)
	return p
}

func TestTheUsedThemeIsSelectedAndMarked(t *testing.T) {
	p := opened(themes.Full)
	if p.Selected() != "nord" || p.Note() != "16 themes" {
		t.Errorf("got %q and %q, want nord of 16 themes", p.Selected(), p.Note())
	}
	p.SetEntries(p.entries[3:])
	if p.Selected() != "nord" {
		t.Errorf("got %q after the list changed, want nord", p.Selected())
	}
	p.Key(panetest.Key("G"))
	text := strings.Join(p.Lines(), "\n")
	for _, want := range []string{"✓ ", "⚑ ", "mine.toml:1: "} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q, want it:\n%s", want, text)
		}
	}
	nord, _ := themes.ByName("nord")
	if swatch := styles.Pair(nord.Accent, nord.Ground).On; !strings.Contains(text, swatch) {
		t.Errorf("got no %q, a colour of a theme on its own ground", swatch)
	}
	if _, closed := p.Key(panetest.Key("esc")).(Close); !closed {
		t.Error("esc did not close the list")
	}
	if in := p.Key(panetest.Key("enter")); in != (Keep{Name: "mine"}) {
		t.Errorf("got %v for enter, want the selected theme kept", in)
	}
	if in := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, 0); in != nil || p.List.At != 0 {
		t.Errorf("got %v for a click, want the first row selected", in)
	}
	if in := p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 0, 0); in == nil {
		t.Error("a click on the selected row kept nothing")
	}
}

func TestHostileThemesAreDrawnInAnySize(t *testing.T) {
	for _, depth := range []themes.Depth{themes.Full, themes.Indexes256, themes.Indexes16, themes.NoColours} {
		p := opened(depth)
		for _, size := range [][2]int{{0, 0}, {1, 1}, {8, 3}, {20, 5}, {44, 30}, {90, 60}} {
			t.Run(fmt.Sprint(depth, size), func(t *testing.T) {
				p.SetSize(size[0], size[1])
				p.Key(panetest.Key("G"))
				lines := p.Lines()
				if len(lines) != size[1] {
					t.Fatalf("got %d rows, want %d", len(lines), size[1])
				}
				for _, row := range lines {
					if canvas.Width(row) != size[0] || strings.Contains(row, "\x1b[2J") || strings.Contains(row, "\u202e") {
						t.Errorf("got row %q, want %d safe cells", row, size[0])
					}
				}
			})
		}
	}
	empty := New(styles.New(themes.Dark(), styles.Unicode()))
	empty.SetSize(40, 5)
	if empty.Lines(); empty.Selected() != "" || empty.Key(panetest.Key("enter")) != nil {
		t.Error("an empty list has a theme")
	}
}
