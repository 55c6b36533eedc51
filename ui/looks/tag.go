package looks

import (
	"parley/a2a"
	"parley/ui/styles"
)

// Tag returns the colour of an agent's tag. Agents that were opened one after the other differ.
func Tag(st *styles.Styles, agent a2a.AgentID) styles.Paint {
	if agent == 0 || len(st.Tags) == 0 {
		return styles.Paint{}
	}
	return st.Tags[(int(agent)-1)%len(st.Tags)]
}
