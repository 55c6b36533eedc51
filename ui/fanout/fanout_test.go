package fanout

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

func TestMain(m *testing.M) { panetest.Main(m) }

// A body is an answer of one text.
type body struct {
	text string
	w, h int
}

func (b *body) SetSize(w, h int)         { b.w, b.h = w, h }
func (b *body) SetStyles(*styles.Styles) {}
func (b *body) Lines() []string {
	return canvas.Block(canvas.Wrap(canvas.Sanitize(b.text), max(1, b.w)), b.w, b.h)
}

func columns(n int, text string) (all []Column) {
	for range n {
		all = append(all, Column{Name: "agent " + string(rune('a'+len(all))), State: "working", Figures: "1 s", Body: &body{text: text}, Scroll: func(tea.KeyPressMsg) {}})
	}
	return all
}

// As many columns as have room are beside each other; without room for two they are stacked.
func TestColumnsFitTheWidth(t *testing.T) {
	for _, c := range []struct{ w, h, columns, from, to int }{
		{80, 24, 4, 0, 2}, {120, 40, 4, 0, 3}, {200, 60, 4, 0, 4}, {200, 60, 2, 0, 2}, {200, 60, 7, 0, 4},
		{60, 26, 4, 0, 3}, {60, 10, 4, 0, 1}, {5, 3, 3, 0, 1},
	} {
		p := New(styles.New(themes.Mono(), styles.Unicode()))
		p.SetSize(c.w, c.h)
		p.SetColumns("hello", columns(c.columns, "text"))
		if from, to := p.Window(); from != c.from || to != c.to {
			t.Errorf("%+v: got columns %d to %d", c, from, to)
		}
		for range c.columns {
			p.Key(panetest.Key("right"))
		}
		if from, to := p.Window(); p.At() != c.columns-1 || to != c.columns || from != c.columns-(c.to-c.from) {
			t.Errorf("%+v: got column %d of %d to %d at the end", c, p.At(), from, to)
		}
	}
}

func TestKeysBecomeIntents(t *testing.T) {
	scrolled := 0
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	all := columns(2, "text")
	all[1].Scroll = func(tea.KeyPressMsg) { scrolled++ }
	p.SetColumns("hello", all)
	p.Key(panetest.Key("l"))
	p.Key(panetest.Key("j"))
	p.Mouse(tea.MouseWheelMsg{Button: tea.MouseWheelDown}, 70, 10)
	if scrolled != 2 {
		t.Errorf("got %d scrolls, want those of the key and of the wheel", scrolled)
	}
	if in, ok := p.Key(panetest.Key("d")).(Compare); !ok || in.Column != 1 {
		t.Errorf("got %v, want a comparison of the second column", in)
	}
	p.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 3, 10)
	if in, ok := p.Key(panetest.Key("enter")).(Open); !ok || in.Column != 0 {
		t.Errorf("got %v, want the first column, which was clicked", in)
	}
	if _, ok := p.Key(panetest.Key("esc")).(Close); !ok {
		t.Error("esc did not close the pane")
	}
}

// An answer gets keys that it knows: its own space folds, and it has no ctrl+u.
func TestTheKeysOfThePaneScrollTheAnswer(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	p.SetSize(80, 24)
	var got []string
	all := columns(2, "text")
	all[0].Scroll = func(msg tea.KeyPressMsg) { got = append(got, msg.String()) }
	p.SetColumns("hello", all)
	for _, k := range []string{"k", "j", "ctrl+u", "space", "ctrl+d", "g", "G"} {
		p.Key(panetest.Key(k))
	}
	if got, want := strings.Join(got, " "), "up down pgup pgdown pgdown home end"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHostileAnswersAreDrawnInAnySize(t *testing.T) {
	p := New(styles.New(themes.Mono(), styles.Unicode()))
	bad := "\x1b[31mred\x1b]0;title\x07\u202e" + strings.Repeat("界", 300) + "\r\nnext\x00\xff"
	for n := range 6 {
		all := columns(n, bad)
		for i := range all {
			all[i].Name, all[i].State, all[i].Figures = bad, bad, "1 s"
		}
		if n > 2 {
			all[1].Body, all[1].Scroll = nil, nil
		}
		for _, size := range [][2]int{{0, 0}, {1, 1}, {2, 9}, {8, 3}, {20, 5}, {36, 30}, {73, 10}, {80, 24}, {200, 60}} {
			p.SetSize(size[0], size[1])
			p.SetColumns(bad, all)
			for _, k := range []string{"right", "left", "j", "G", "tab", "d", "enter"} {
				p.Key(panetest.Key(k))
				rows := p.Lines()
				panetest.Exact(t, rows, size[0], size[1])
				panetest.Sanitized(t, rows)
			}
		}
	}
}

// The name of a column has the colour that its agent has in all panes, selected or not.
func TestAColumnHasTheColourOfItsAgent(t *testing.T) {
	st := styles.New(themes.Dark(), styles.Unicode())
	p := New(st)
	p.SetSize(80, 24)
	all := columns(2, "text")
	all[0].Agent, all[1].Agent = 1, 2
	p.SetColumns("hello", all)
	for i, c := range all {
		if got, want := strings.Join(p.Lines(), "\n"), looks.Tag(st, c.Agent).Bold().S(c.Name); !strings.Contains(got, want) {
			t.Errorf("column %d: got rows without %q:\n%q", i, want, got)
		}
	}
}
