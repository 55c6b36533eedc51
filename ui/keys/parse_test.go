package keys

import "testing"

func TestAKeyIsParsedAsItIsWritten(t *testing.T) {
	for _, name := range []string{"enter", "tab", "shift+tab", "esc", "space", "backspace", "up", "pgup", "pgdown", "f1", "f12", "ctrl+p", "ctrl+c", "alt+w", "alt+enter", "a", "A", "?", "+", "ctrl++", "é", "ctrl+alt+x"} {
		if msg, ok := Parse(name); !ok || msg.String() != name {
			t.Errorf("%s: got %q, %v", name, msg.String(), ok)
		}
	}
	for name, want := range map[string]string{"Ctrl+P": "ctrl+p", "PgDn": "pgdown", "escape": "esc", "ENTER": "enter"} {
		if msg, ok := Parse(name); !ok || msg.String() != want {
			t.Errorf("%s: got %q, %v, want %s", name, msg.String(), ok, want)
		}
	}
	for _, name := range []string{"", "nowhere", "ctrl+", "ctrl+nothing", "f13", "hyper+x"} {
		if msg, ok := Parse(name); ok {
			t.Errorf("%q: got %q, want none", name, msg.String())
		}
	}
}
