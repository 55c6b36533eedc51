package editor

import "slices"

// An undo is the history of the text. Consecutive typing is one entry.
type undo struct {
	past   []moment
	typing int // line of the current run of typing, -1 for none
	at     int // column where the run continues
}

// A moment is an earlier text with its cursor.
type moment struct {
	lines    []string
	row, col int
}

const (
	// mostUndo is the number of entries; long texts have fewer.
	mostUndo = 100
	// mostLines is the number of lines in all entries.
	mostLines = 1 << 20
)

// remember adds the text to the history before a change. Consecutive typed characters share one
// entry.
func (e *Editor) remember(typed bool) {
	u := &e.history
	goesOn := typed && len(u.past) > 0 && u.typing == e.Row && u.at == e.Col
	u.typing = -1
	if typed {
		u.typing, u.at = e.Row, e.Col+1
	}
	if goesOn {
		return
	}
	most := min(mostUndo, max(1, mostLines/len(e.Lines)))
	if over := len(u.past) - most + 1; over > 0 {
		u.past = slices.Delete(u.past, 0, over)
	}
	u.past = append(u.past, moment{slices.Clone(e.Lines), e.Row, e.Col})
}

// TakeBack undoes the last change and reports whether there was one.
func (e *Editor) TakeBack() bool {
	u := &e.history
	n := len(u.past) - 1
	if n < 0 {
		return false
	}
	was := u.past[n]
	u.past, u.typing = u.past[:n], -1
	e.Lines = was.lines
	e.GoTo(was.row, was.col)
	e.changed()
	return true
}
