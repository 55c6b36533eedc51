package looks

import (
	"parley/session/task"
	"parley/ui/styles"
)

// TaskOf is [Task] with the word of the state, for a task whose agent may be away: while an agent
// cannot be reached its task does not work, and the word says what it was.
func TaskOf(st *styles.Styles, away bool, l *task.Lifecycle) (sign styles.Glyph, paint styles.Paint, word string) {
	sign, paint = Task(st, l)
	word = task.StateWord(l.State, l.Word)
	switch {
	case l.Forgotten:
		word = "forgotten"
	case away && l.Works():
		return styles.Unknown, st.Dim, "was " + word
	}
	return sign, paint, word
}
