package editor

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"parley/ui/keys"
)

// Key handles a key press: one of the keys that edit text, or a character.
func (e *Editor) Key(msg tea.KeyPressMsg, k *keys.Text) {
	page := max(1, e.h-1)
	for _, a := range []struct {
		keys *key.Binding
		do   func()
	}{
		{&k.Newline, e.newline},
		{&k.Up, func() { e.Vertical(-1) }},
		{&k.Down, func() { e.Vertical(1) }},
		{&k.Left, e.leftward},
		{&k.Right, e.right},
		{&k.PageUp, func() { e.Vertical(-page) }},
		{&k.PageDown, func() { e.Vertical(page) }},
		{&k.LineStart, func() { e.GoTo(e.Row, 0) }},
		{&k.LineEnd, func() { e.GoTo(e.Row, len(e.Line())) }},
		{&k.TextStart, func() { e.GoTo(0, 0) }},
		{&k.TextEnd, func() {
			e.GoTo(len(e.Lines), 0)
			e.GoTo(e.Row, len(e.Line()))
		}},
		{&k.WordLeft, func() { e.GoTo(e.Row, e.wordLeft()) }},
		{&k.WordRight, func() { e.GoTo(e.Row, e.wordRight()) }},
		{&k.Backspace, e.backspace},
		{&k.Delete, e.remove},
		{&k.DeleteWord, func() { e.cutOut(e.wordLeft()) }},
		{&k.DeleteNextWord, func() { e.cutOut(e.wordRight()) }},
		{&k.DeleteEnd, func() { e.cutOut(len(e.Line())) }},
		{&k.DeleteTo, func() { e.cutOut(0) }},
		{&k.Yank, func() { e.Insert(e.cutText) }},
		{&k.Undo, func() { e.TakeBack() }},
	} {
		if key.Matches(msg, *a.keys) {
			a.do()
			return
		}
	}
	e.Insert(msg.Text)
}
