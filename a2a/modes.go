package a2a

import (
	"slices"
	"strings"
)

// InputModes returns the media types that an agent declares for input, as it writes them: those
// of the card and those of its skills, without repetitions. It is nil if the card declares
// none.
func (c *Card) InputModes() []string {
	return c.modes(c.DefaultInputModes, func(s *Skill) []string { return s.InputModes })
}

// OutputModes returns the media types that an agent declares for output, like
// [Card.InputModes].
func (c *Card) OutputModes() []string {
	return c.modes(c.DefaultOutputModes, func(s *Skill) []string { return s.OutputModes })
}

func (c *Card) modes(defaults []string, of func(*Skill) []string) []string {
	var out []string
	seen := map[string]bool{}
	add := func(modes []string) {
		for _, m := range modes {
			if !seen[m] {
				seen[m] = true
				out = append(out, m)
			}
		}
	}
	add(defaults)
	for i := range c.Skills {
		add(of(&c.Skills[i]))
	}
	return out
}

// Takes reports whether a part matches one of the modes, as cards list them: media types,
// patterns such as image/*, and the kinds of part, which many cards list instead. An empty list
// accepts everything, and an unknown type always matches, because it cannot be proved wrong.
func Takes(modes []string, p *Part) bool {
	media := p.media()
	return len(modes) == 0 || media == "" || slices.ContainsFunc(modes, func(mode string) bool {
		mode, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(mode)), ";")
		major, minor, typed := strings.Cut(strings.TrimSpace(mode), "/")
		switch kind, _, _ := strings.Cut(media, "/"); {
		case !typed:
			return major == "*" || major == p.Kind.String() || major == kind || major == "json" && p.Kind == PartData
		case minor == "*":
			return major == "*" || major == kind
		default:
			return major+"/"+minor == media
		}
	})
}

// media is the bare media type of a part, empty if it is not known.
func (p *Part) media() string {
	media, _, _ := strings.Cut(strings.ToLower(p.MediaType), ";")
	switch media = strings.TrimSpace(media); {
	case media != "":
		return media
	case p.Kind == PartText:
		return "text/plain"
	case p.Kind == PartData:
		return "application/json"
	default:
		return ""
	}
}
