package keys

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Parse returns the press of a key that is written as the help writes it: "enter", "ctrl+p", "A".
// It reports whether there is such a key.
func Parse(name string) (tea.KeyPressMsg, bool) {
	var msg tea.KeyPressMsg
	rest := strings.ToLower(name)
	for {
		modifier, after, found := strings.Cut(rest, "+")
		mod := map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[modifier]
		if !found || mod == 0 || after == "" {
			break
		}
		msg.Mod |= mod
		name, rest = name[len(modifier)+1:], after
	}
	named := map[string]rune{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "escape": tea.KeyEscape, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete,
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "pgdn": tea.KeyPgDown,
		"f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6, "f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
	}
	if code, ok := named[rest]; ok {
		msg.Code = code
		return msg, true
	}
	switch {
	case rest == "space":
		name = " "
	case msg.Mod&tea.ModCtrl != 0:
		name = rest
	}
	runes := []rune(name)
	if len(runes) != 1 {
		return msg, false
	}
	if msg.Code = runes[0]; msg.Mod&^tea.ModShift == 0 {
		msg.Text = string(runes)
	}
	return msg, true
}
