package keys_test

import (
	"strings"
	"testing"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// clusters stand in one place each, and are of several characters.
var clusters = []string{"👩‍👩‍👧‍👦", "👍🏽", "🇮🇸", "e\u0301", "क्षि", "x"}

func press(in keys.Input, names ...string) keys.Input {
	for _, name := range names {
		in, _ = in.Update(map[string]tea.KeyPressMsg{
			"backspace": {Code: tea.KeyBackspace}, "delete": {Code: tea.KeyDelete}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight},
			"home": {Code: tea.KeyHome}, "ctrl+k": {Code: 'k', Mod: tea.ModCtrl}, "ctrl+u": {Code: 'u', Mod: tea.ModCtrl},
			"ctrl+w": {Code: 'w', Mod: tea.ModCtrl}, "ctrl+y": {Code: 'y', Mod: tea.ModCtrl},
		}[name])
	}
	return in
}

func filled(text string) keys.Input {
	in := keys.NewInput()
	in.Focus()
	in.SetValue(text)
	in.CursorEnd()
	return in
}

// One key deletes or passes all that stands in one place.
func TestAnInputWorksByWhatStandsInOnePlace(t *testing.T) {
	for _, c := range clusters {
		for _, by := range [][]string{{"left", "backspace"}, {"left", "left", "delete"}, {"home", "right", "delete"}, {"home", "right", "right", "backspace"}} {
			in := press(filled("a"+c+"b"), by...)
			if got := in.Value(); got != "ab" {
				t.Errorf("%q without its middle by %s is %q", "a"+c+"b", strings.Join(by, ", "), got)
			}
		}
		if got := press(filled(c), "backspace", "backspace").Value(); got != "" {
			t.Errorf("of %q stays %q", c, got)
		}
	}
}

// What was cut by ctrl+k, ctrl+u and ctrl+w comes back by ctrl+y, as often as wanted; a
// masked input keeps nothing.
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
	in.EchoMode = textinput.EchoPassword
	if got := press(in, "ctrl+u", "ctrl+y").Value(); got != "" {
		t.Errorf("a masked input kept %q", got)
	}
}
