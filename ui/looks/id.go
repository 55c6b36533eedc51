package looks

import (
	"parley/internal/units"
	"parley/ui/canvas"
)

// ShortID returns an agent's id sanitised and shortened, as it is shown.
func ShortID(id string) string { return units.ID(canvas.SanitizeLine(id)) }
