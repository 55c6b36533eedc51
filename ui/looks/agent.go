package looks

import (
	"parley/session"
	"parley/ui/styles"
)

// Agent returns the sign and the paint of how an agent does, as far as that is known: of one
// that nobody has asked anything it is not.
func Agent(st *styles.Styles, p session.Phase, h session.Health) (styles.Glyph, styles.Paint) {
	switch {
	case p == session.Discovering:
		return styles.Idle, st.Agent
	case p == session.Unreachable || p == session.Failed:
		return styles.Failed, st.Failed
	case h == session.Ailing:
		return styles.Ailing, st.Waiting
	case h == session.Unasked:
		return styles.Idle, st.Faint
	default:
		return styles.Online, st.OK
	}
}
