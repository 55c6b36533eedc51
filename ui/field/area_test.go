package field

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"parley/themes"
	"parley/ui/styles"
)

// A key that moves by words ends if there is no word before the cursor.
func TestAWordBackwardEndsWhereThereIsNone(t *testing.T) {
	a := NewArea(styles.New(themes.Mono(), styles.ASCII()), 0)
	a.SetWidth(40)
	for _, text := range []string{"", " ", " \n \n ", "one two"} {
		a.SetValue(text)
		for range 3 {
			a.Key(tea.KeyPressMsg{Code: tea.KeyLeft, Mod: tea.ModAlt})
		}
		if a.Line() != 0 || a.Column() != 0 {
			t.Errorf("in %q the cursor is at %d:%d, want 0:0", text, a.Line(), a.Column())
		}
	}
}

func TestAnAreaWorksByWhatStandsInOnePlaceAndSaysWhatItCut(t *testing.T) {
	a := NewArea(styles.New(themes.Mono(), styles.ASCII()), 2)
	a.SetWidth(40)
	for _, c := range clusters {
		a.SetValue("a" + c)
		if a.Key(tea.KeyPressMsg{Code: tea.KeyBackspace}); a.Value() != "a" {
			t.Errorf("%q after backspace is %q, want a", "a"+c, a.Value())
		}
	}
	a.SetValue("one two")
	for _, mod := range []tea.KeyMod{tea.ModAlt, tea.ModCtrl} {
		a.CursorEnd()
		if a.Key(tea.KeyPressMsg{Code: tea.KeyLeft, Mod: mod}); a.Column() != len("one ") {
			t.Errorf("left with modifier %v goes to column %d, want to the word before", mod, a.Column())
		}
	}
	a.CursorEnd()
	if cut := a.Key(tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}); cut != "two" || a.Value() != "one " {
		t.Errorf("ctrl+w cut %q and left %q, want two and \"one \"", cut, a.Value())
	}
}
