package looks

import (
	"parley/internal/units"
	"parley/ui/canvas"
)

// ShortID returns an agent's id as it stands on the screen.
func ShortID(id string) string { return units.ID(canvas.SanitizeLine(id)) }
