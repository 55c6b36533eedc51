package prompt

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/themes"
	"parley/ui/composer"
	"parley/ui/styles"
)

// asked returns the program of a question in a terminal of 40×12.
func asked(earlier ...string) *model {
	commands := func() []composer.Command {
		return []composer.Command{{Word: "help", About: "lists the commands"}, {Word: "history", About: "prints what you said"}}
	}
	p := New(styles.New(themes.Dark().In(themes.NoColours), styles.Unicode()), earlier, commands)
	p.field.SetTargets([]composer.TargetChoice{{Label: "start a task"}}, 0)
	m := &model{Prompt: p}
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	return m
}

// press presses keys and draws a frame after each; a text is typed rune by rune.
func (m *model) press(t *testing.T, keys ...any) {
	t.Helper()
	rows := 0
	draw := func(msg tea.Msg) {
		m.Update(msg)
		n := strings.Count(m.View().Content, "\n") + 1
		if n < rows || n > 12 {
			t.Errorf("got a frame of %d rows after one of %d, want it no lower, and at most 12", n, rows)
		}
		rows = n
	}
	for _, k := range keys {
		switch k := k.(type) {
		case string:
			for _, r := range k {
				draw(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		case rune:
			draw(tea.KeyPressMsg{Code: k})
		case tea.KeyPressMsg:
			draw(k)
		case tea.PasteMsg:
			draw(k)
		}
	}
}

var ctrl = func(r rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: r, Mod: tea.ModCtrl} }

func TestAMessageIsEntered(t *testing.T) {
	for name, c := range map[string]struct {
		keys []any
		want Reply
	}{
		"a line":              {[]any{"hello", tea.KeyEnter}, Reply{Text: "hello"}},
		"two lines":           {[]any{"one", ctrl('j'), "two", tea.KeyEnter}, Reply{Text: "one\ntwo"}},
		"from the history":    {[]any{tea.KeyUp, tea.KeyUp, tea.KeyEnter}, Reply{Text: "older"}},
		"from a search":       {[]any{ctrl('r'), "old", tea.KeyEnter, tea.KeyEnter}, Reply{Text: "older"}},
		"a completed command": {[]any{"/hel", tea.KeyTab, tea.KeyEnter}, Reply{Command: "help"}},
		"a slash":             {[]any{"//x", tea.KeyEnter}, Reply{Text: "/x"}},
		"after ctrl+c":        {[]any{"wrong", ctrl('c'), "right", tea.KeyEnter}, Reply{Text: "right"}},
		"a paste":             {[]any{tea.PasteMsg{Content: "a\nb"}, tea.KeyEnter}, Reply{Text: "a\nb"}},
	} {
		m := asked("older", "newer")
		m.press(t, c.keys...)
		if m.reply == nil || *m.reply != c.want {
			t.Errorf("%s: got %+v, want %+v", name, m.reply, c.want)
		}
	}
}

func TestTheEndOfAChat(t *testing.T) {
	for _, k := range []tea.KeyPressMsg{ctrl('c'), ctrl('d')} {
		m := asked()
		if m.press(t, k); !m.over || m.reply != nil {
			t.Errorf("%s: got %+v, want the end", k, m.reply)
		}
	}
}

// A secret is neither drawn while it is typed nor left on the terminal.
func TestASecretIsNotDrawn(t *testing.T) {
	m := asked()
	m.field.SetTargets([]composer.TargetChoice{{Label: "answer", Secret: true}}, 0)
	m.press(t, "hunter2")
	if v := m.View().Content; strings.Contains(v, "hunter") {
		t.Errorf("got frame\n%s\nwant the secret masked", v)
	}
	m.press(t, tea.KeyEnter)
	if v := m.View().Content; strings.Contains(v, "hunter") || !m.reply.Secret || m.reply.Text != "hunter2" {
		t.Errorf("got %+v and frame\n%s", m.reply, v)
	}
}

func TestASmallTerminal(t *testing.T) {
	m := asked()
	for _, size := range [][2]int{{1, 1}, {3, 4}, {200, 4}, {2, 60}} {
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		m.high = 0
		if n := strings.Count(m.View().Content, "\n") + 1; n > size[1] {
			t.Errorf("%v: got %d rows, want at most %d", size, n, size[1])
		}
	}
}
