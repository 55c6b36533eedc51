package field

import (
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"parley/themes"
	"parley/ui/styles"
)

// clusters are grapheme clusters of several characters.
var clusters = []string{"👩‍👩‍👧‍👦", "👍🏽", "🇮🇸", "e\u0301", "क्षि", "x"}

func press(in *Field, names ...string) *Field {
	for _, name := range names {
		in.Key(map[string]tea.KeyPressMsg{
			"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
			"home": {Code: tea.KeyHome}, "ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
			"ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl},
		}[name])
	}
	return in
}

func filled(text string) *Field {
	in := New(styles.New(themes.Mono(), styles.ASCII()), Options{})
	in.Focus()
	in.SetValue(text)
	return &in
}

// One key deletes or passes a whole cluster.
func TestAnInputWorksByWhatStandsInOnePlace(t *testing.T) {
	for _, c := range clusters {
		for _, by := range [][]string{{"left", "backspace"}, {"left", "left", "delete"}, {"home", "right", "delete"}, {"home", "right", "right", "backspace"}} {
			in := press(filled("a"+c+"b"), by...)
			if got := in.Value(); got != "ab" {
				t.Errorf("%q after deleting its middle by %s is %q, want ab", "a"+c+"b", strings.Join(by, ", "), got)
			}
		}
		if got := press(filled(c), "backspace", "backspace").Value(); got != "" {
			t.Errorf("%q after backspace is %q, want nothing", c, got)
		}
	}
}

// ctrl+y inserts text that ctrl+k, ctrl+u or ctrl+w cut, any number of times; a masked field
// stores nothing.
func TestWhatWasCutIsInsertedAgain(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"ctrl+u ctrl+y ctrl+y", "one twoone two"}, {"home ctrl+k ctrl+y", "one two"}, {"ctrl+w home ctrl+y", "twoone "},
		{"ctrl+w ctrl+k ctrl+y", "one two"}, {"ctrl+y", "one two"},
	} {
		if got := press(filled("one two"), strings.Fields(c.keys)...).Value(); got != c.want {
			t.Errorf("%s makes %q, want %q", c.keys, got, c.want)
		}
	}
	in := filled("secret")
	in.SetMasked(true)
	if got := press(in, "ctrl+u", "ctrl+y").Value(); got != "" {
		t.Errorf("a masked field restored the cut text %q", got)
	}
}

func TestWhatComesIntoAFieldIsOneLineOfText(t *testing.T) {
	for paste, want := range map[string]string{"one\ntwo\r\nthree": "one two three", "a\x1b[2Jb": "ab"} {
		in := filled("")
		if changed := in.Paste(paste); !changed || in.Value() != want || strings.ContainsFunc(in.Value(), unicode.IsControl) {
			t.Errorf("Paste(%q) made %q, changed: %v; want %q", paste, in.Value(), changed, want)
		}
	}
	in := New(styles.New(themes.Mono(), styles.ASCII()), Options{Limit: 3})
	in.Focus()
	if in.Paste("one\ntwo"); in.Value() != "one" {
		t.Errorf("a field of three characters holds %q, want one", in.Value())
	}
	if in.Paste("more") {
		t.Error("got a change from Paste into a full field, want none")
	}
}

func TestAFieldShowsItsHintItsPromptAndItsMask(t *testing.T) {
	st := styles.New(themes.Mono(), styles.ASCII())
	in := New(st, Options{Glyph: true, Hint: "nothing yet", Masked: true})
	in.SetWidth(20)
	in.Focus()
	if got, want := strings.TrimRight(ansi.Strip(in.View()), " "), st.G[styles.Prompt]+" nothing yet"; got != want {
		t.Errorf("empty it is %q, want %q", got, want)
	}
	in.SetValue("secret")
	if got, want := strings.TrimRight(ansi.Strip(in.View()), " "), st.G[styles.Prompt]+" ******"; got != want {
		t.Errorf("masked it is %q, want %q", got, want)
	}
	for _, c := range []struct{ x, y, w, h, wantX, wantY int }{
		{0, 0, 20, 5, 8, 0}, {4, 2, 20, 5, 12, 2}, {4, 9, 20, 5, 12, 4}, {4, -1, 5, 5, 4, 0},
	} {
		if cur := in.Cursor(c.x, c.y, c.w, c.h); cur == nil || cur.X != c.wantX || cur.Y != c.wantY {
			t.Errorf("at %d,%d of %d×%d: got cursor %+v, want %d,%d", c.x, c.y, c.w, c.h, cur, c.wantX, c.wantY)
		}
	}
	if in.Cursor(0, 0, 0, 5) != nil || in.Cursor(0, 0, 5, 0) != nil {
		t.Error("got a cursor in a pane without room, want nil")
	}
	in.SetMasked(false)
	in.SetValue("한국어")
	if in.SetCursor(2); in.Cursor(0, 0, 20, 5).X != 6 {
		t.Errorf("got cursor column %d behind two wide characters and the prompt, want 6", in.Cursor(0, 0, 20, 5).X)
	}
	if in.Blur(); in.Cursor(0, 0, 20, 5) != nil {
		t.Error("got a cursor in a blurred field, want nil")
	}
}
