package editor

import "slices"

// An undo holds what the text was before its latest changes. A stretch of typing is one.
type undo struct {
	past   []moment
	typing int // the line on which the newest stretch of typing goes on, -1 for none
	at     int // where it goes on
}

// A moment is the text as it was, and where the cursor stood.
type moment struct {
	lines    []string
	row, col int
}

const (
	// mostUndo is how many changes can be taken back, fewer where there are many lines.
	mostUndo = 100
	// mostLines is how many lines all of them may hold.
	mostLines = 1 << 20
)

// remember keeps the text before it is changed. Typed characters behind one another are
// one change.
func (e *Editor) remember(typed bool) {
	u := &e.undone
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

// TakeBack makes the latest change undone and reports whether there was any.
func (e *Editor) TakeBack() bool {
	u := &e.undone
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
