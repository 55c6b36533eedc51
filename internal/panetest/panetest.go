// Package panetest presses keys and reads rows as a user does, for tests of what is
// drawn.
package panetest

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/ui/canvas"
)

// Key returns the message for a key, named as in bindings, as terminals send it: "a", "G",
// "enter", "ctrl+t". It panics if no terminal sends such a key.
func Key(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	rest := name
	for _, mod := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if r, ok := strings.CutPrefix(rest, mod.prefix); ok && r != "" {
			rest, k.Mod = r, k.Mod|mod.mod
		}
	}
	if code, ok := keyCodes[rest]; ok {
		k.Code = code
		if rest == "space" && k.Mod == 0 {
			k.Text = " "
		}
	} else {
		r := []rune(rest)
		if len(r) != 1 {
			panic(fmt.Sprintf("no terminal sends the key %q", name))
		}
		k.Code = r[0]
		if k.Mod == 0 {
			k.Text = rest
			if lower := strings.ToLower(rest); lower != rest {
				k.Code, k.ShiftedCode, k.Mod = []rune(lower)[0], r[0], tea.ModShift
			}
		}
	}
	if k.String() != name {
		panic(fmt.Sprintf("the key made for %q is %q", name, k.String()))
	}
	return k
}

// keyCodes are the keys that are not characters.
var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
	"delete": tea.KeyDelete, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome,
	"end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f12": tea.KeyF12,
}

// Text is what a user reads in rows: without styles and trailing spaces.
func Text(rows []string) string {
	plain := make([]string, len(rows))
	for i, row := range rows {
		plain[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(plain, "\n")
}

// joiners keep emoji together that a user typed; see [canvas.SanitizeRendered].
var joiners = strings.NewReplacer("\u200d", "", "\ufe0f", "", "\u200b", "")

// Exact fails t unless there are h rows of w cells that contain no terminal commands except
// styles.
func Exact(t testing.TB, rows []string, w, h int) {
	t.Helper()
	if len(rows) != h {
		t.Fatalf("got %d rows at %d×%d, want %d", len(rows), w, h, h)
	}
	for i, row := range rows {
		if got := canvas.Width(row); got != w {
			t.Fatalf("row %d: got %d cells at %d×%d: %q", i, got, w, h, row)
		}
		clean := canvas.SanitizeRendered(row)
		if clean != row {
			clean, row = joiners.Replace(clean), joiners.Replace(row)
		}
		if clean == row && !strings.Contains(row, "\n") {
			continue
		}
		at := 0
		for at < min(len(clean), len(row)) && clean[at] == row[at] {
			at++
		}
		t.Fatalf("row %d at %d×%d has a terminal command: %.60q, after %q", i, w, h, row[at:], row[:at])
	}
}

// Sanitized fails t if a row contains anything that [canvas.SanitizeRendered] replaces.
func Sanitized(t testing.TB, rows []string) {
	t.Helper()
	for _, row := range rows {
		if canvas.SanitizeRendered(row) != row {
			t.Fatalf("got unsanitized text in a row, want none: %q", row)
		}
	}
}

// Plain fails t if a text, such as a title, contains anything that [canvas.SanitizeLine] replaces.
func Plain(t testing.TB, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if canvas.SanitizeLine(s) != s {
			t.Errorf("got unsanitized text in a title or a note, want none: %q", s)
		}
	}
}

// CursorInside fails t if a cursor is outside of w×h cells.
func CursorInside(t testing.TB, c *tea.Cursor, w, h int) {
	t.Helper()
	if c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= h) {
		t.Fatalf("got a cursor at %d,%d, want it inside %d×%d", c.X, c.Y, w, h)
	}
}

// Sees fails t unless a text contains all these words.
func Sees(t testing.TB, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("got a screen without %q:\n%s", word, text)
		}
	}
}
