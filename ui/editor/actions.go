package editor

import (
	"charm.land/bubbles/v2/key"

	"parley/ui/action"
	"parley/ui/keys"
)

// Newline returns the action that breaks the line. R is what a pane returns for a key press: nothing,
// for the keys of an editor.
func Newline[R any](e *Editor) action.Action[R] {
	return row[R](keys.TextKeys().Newline, false, e.newline)
}

// Actions returns the actions that move the cursor and delete. The help leaves out those that every
// input has.
func Actions[R any](e *Editor) []action.Action[R] {
	k := keys.TextKeys()
	page := func() int { return max(1, e.h-1) }
	to := func(col func() int) func() { return func() { e.GoTo(e.Row, col()) } }
	cut := func(col func() int) func() { return func() { e.cutOut(col()) } }
	start, end := func() int { return 0 }, func() int { return len(e.Line()) }
	return []action.Action[R]{
		row[R](k.Up, true, func() { e.Vertical(-1) }),
		row[R](k.Down, true, func() { e.Vertical(1) }),
		row[R](k.Left, true, e.leftward),
		row[R](k.Right, true, e.right),
		row[R](k.PageUp, true, func() { e.Vertical(-page()) }),
		row[R](k.PageDown, true, func() { e.Vertical(page()) }),
		row[R](k.LineStart, false, to(start)),
		row[R](k.LineEnd, false, to(end)),
		row[R](k.TextStart, false, func() { e.GoTo(0, 0) }),
		row[R](k.TextEnd, false, func() {
			e.GoTo(len(e.Lines), 0)
			e.GoTo(e.Row, len(e.Line()))
		}),
		row[R](k.WordLeft, false, to(e.wordLeft)),
		row[R](k.WordRight, false, to(e.wordRight)),
		row[R](k.Backspace, true, e.backspace),
		row[R](k.Delete, true, e.remove),
		row[R](k.DeleteWord, false, cut(e.wordLeft)),
		row[R](k.DeleteNextWord, false, cut(e.wordRight)),
		row[R](k.DeleteEnd, false, cut(end)),
		row[R](k.DeleteTo, false, cut(start)),
		row[R](k.Yank, false, func() { e.Insert(e.cutText) }),
		row[R](k.Undo, false, func() { e.TakeBack() }),
	}
}

// row returns the action of a key.
func row[R any](b key.Binding, passing bool, do func()) action.Action[R] {
	return action.Action[R]{
		Row: action.Row{Keys: b.Keys(), Does: b.Help().Desc, Passing: passing},
		Run: func() (none R) { do(); return none },
	}
}
