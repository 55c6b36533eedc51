package terminal

import (
	"github.com/charmbracelet/colorprofile"

	"parley/themes"
)

// DepthOf returns how many colours a terminal with a profile has.
func DepthOf(p colorprofile.Profile) themes.Depth {
	switch p {
	case colorprofile.TrueColor:
		return themes.Full
	case colorprofile.ANSI256:
		return themes.Indexes256
	case colorprofile.ANSI:
		return themes.Indexes16
	default:
		return themes.NoColours
	}
}
