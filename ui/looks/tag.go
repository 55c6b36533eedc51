package looks

import (
	"parley/a2a"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/styles"
)

// TagOf returns the letters that tell an agent from the others of a session, safe to draw; empty while there
// were no others, or while its name is unknown.
func TagOf(s *model.State, agent a2a.AgentID) string {
	if a := s.Agent(agent); a != nil && s.Tags.Several() {
		return canvas.SanitizeLine(a.Tag)
	}
	return ""
}

// Tag returns the colour of an agent, in all panes: of its tag, of the bar of its rows and of its turns, of its
// name where it speaks, and of its lanes. Agents that were opened one after the other differ. Without colours
// there is none: names tell agents apart.
func Tag(st *styles.Styles, agent a2a.AgentID) styles.Paint {
	if agent == 0 || len(st.Tags) == 0 {
		return styles.Paint{}
	}
	return st.Tags[(int(agent)-1)%len(st.Tags)]
}

// TagArea returns an area in the colour of an agent's tag.
func TagArea(st *styles.Styles, agent a2a.AgentID) styles.Area {
	if agent == 0 || len(st.TagAreas) == 0 {
		return st.DimArea
	}
	return st.TagAreas[(int(agent)-1)%len(st.TagAreas)]
}

// Tagged returns a name with the tag before it, in the tag's colour; the name alone without a tag.
func Tagged(st *styles.Styles, agent a2a.AgentID, tag, name string) string {
	if tag == "" {
		return name
	}
	return Tag(st, agent).Bold().S(tag) + " " + name
}
