package menu

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/internal/panetest"
	"parley/themes"
	"parley/ui/styles"
)

func open() *Menu {
	m := New(styles.New(themes.Mono(), styles.Unicode()))
	m.SetSize(60, 5)
	m.Open("bench", "#4", []Item{
		{Key: "s", Name: "pause reading", Why: "this stream is over"},
		{Key: "c", Name: "cut", Note: "the connection", Value: 1},
		{Key: "k", Name: "cut later", Ask: "after how many more events?", Default: 3, Value: 2},
	})
	return m
}

func press(m *Menu, names ...string) (last Intent) {
	for _, name := range names {
		last = m.Key(panetest.Key(name))
	}
	return last
}

func text(t *testing.T, m *Menu) string {
	t.Helper()
	panetest.Exact(t, m.Lines(), m.W, m.H)
	return panetest.Text(m.Lines())
}

func TestAnItemIsOneKey(t *testing.T) {
	m := open()
	if got := text(t, m); got != "s  pause reading  this stream is over\nc  cut        the connection\nk  cut later\n\n" {
		t.Errorf("got rows\n%s\nwant the actions, the disabled one with its reason", got)
	}
	if got := press(m, "c").(Choose); got.Item.Value != 1 {
		t.Errorf("c chose %+v, want item 1", got)
	}
	if got := press(open(), "enter").(Choose); got.Item.Value != 1 {
		t.Errorf("enter chose %+v, want item 1, the first that is possible", got)
	}
	if got := press(m, "s"); got != (Refused{Why: "this stream is over"}) {
		t.Errorf("s gave %+v, want Refused", got)
	}
	if got := press(m, "x"); got != nil {
		t.Errorf("x gave %+v, want nil", got)
	}
	if got := press(m, "esc"); got != (Close{}) {
		t.Errorf("esc gave %+v, want Close", got)
	}
	m.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, 7)
	if got, ok := m.Mouse(tea.MouseClickMsg{Button: tea.MouseLeft}, 1, 1).(Choose); !ok || got.Item.Value != 1 {
		t.Errorf("a click gave %+v, want item 1", got)
	}
}

func TestANumberIsAskedFor(t *testing.T) {
	m := open()
	if got := press(m, "k"); got != nil || !m.Asking() || m.Cursor() == nil {
		t.Fatalf("k gave %+v, want the question for a number", got)
	}
	if got := text(t, m); !strings.Contains(got, "k  after how many more events? 3") {
		t.Errorf("got rows\n%s\nwant the question with its default", got)
	}
	if got := press(m, "enter").(Choose); got.Number != 3 {
		t.Errorf("enter alone gave %d, want 3", got.Number)
	}
	if got := press(m, "k", "1", "x", "2", "9", "backspace", "enter").(Choose); got.Number != 12 || got.Item.Value != 2 {
		t.Errorf("12 gave %+v, want item 2 with 12", got)
	}
	if got := press(m, "k", "0", "enter").(Choose); got.Number != 0 {
		t.Errorf("0 gave %d, want 0", got.Number)
	}
	if press(m, "k", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9", "9"); m.number != "999999" {
		t.Errorf("got number %s, want 999999", m.number)
	}
	if got := press(m, "esc"); got != nil || m.Asking() {
		t.Errorf("esc gave %+v, want the question closed", got)
	}
}

func TestAMenuFitsAnySize(t *testing.T) {
	m := open()
	for w := range 40 {
		for h := range 6 {
			m.SetSize(w, h)
			for _, name := range []string{"down", "down", "k", "esc", "up", "up"} {
				press(m, name)
				text(t, m)
				m.Cursor()
			}
		}
	}
	m.Open("none", "", nil)
	press(m, "enter", "down", "up")
	text(t, m)
}
