package looks

import (
	"parley/session/model"
	"parley/ui/styles"
)

// Agent returns the sign and the paint of an agent's phase and health. An agent that was not
// asked anything yet has the sign for unknown health. Late is set for an agent of a mesh that may
// be gone.
func Agent(st *styles.Styles, p model.Phase, h model.Health, late bool) (styles.Glyph, styles.Paint) {
	switch {
	case p == model.Discovering:
		return styles.Idle, st.Agent
	case p == model.Unreachable || p == model.Failed:
		return styles.Failed, st.Failed
	case late:
		return styles.Unknown, st.Dim
	case h == model.Unhealthy:
		return styles.Ailing, st.Failed
	case h == model.HealthUnknown:
		return styles.Idle, st.Faint
	default:
		return styles.Online, st.OK
	}
}

// Protocol returns a version of A2A so that it says of what it is one: an agent has a version, too. Other protocols than
// A2A have names.
func Protocol(version string) string {
	if version != "" && version[0] >= '0' && version[0] <= '9' {
		return "A2A " + version
	}
	return version
}
