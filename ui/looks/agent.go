package looks

import (
	"parley/session/model"
	"parley/ui/styles"
)

// Agent returns the sign and the paint of how an agent does, as far as that is known: of one
// that nobody has asked anything it is not.
func Agent(st *styles.Styles, p model.Phase, h model.Health) (styles.Glyph, styles.Paint) {
	switch {
	case p == model.Discovering:
		return styles.Idle, st.Agent
	case p == model.Unreachable || p == model.Failed:
		return styles.Failed, st.Failed
	case h == model.Ailing:
		return styles.Ailing, st.Waiting
	case h == model.Unasked:
		return styles.Idle, st.Faint
	default:
		return styles.Online, st.OK
	}
}
