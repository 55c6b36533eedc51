package themes

import (
	"embed"
	"slices"
)

//go:embed builtin/*.toml
var files embed.FS

// builtin are the names of the built-in themes, in the order of lists.
var builtin = [...]string{
	"dark", "light",
	"catppuccin-latte", "catppuccin-frappe", "catppuccin-macchiato", "catppuccin-mocha",
	"dracula", "nord", "gruvbox-dark", "gruvbox-light", "solarized-dark", "solarized-light", "tokyo-night",
	"high-contrast", "mono",
}

// Names returns the names of the built-in themes, in the order of lists.
func Names() []string { return slices.Clone(builtin[:]) }

// All returns the built-in themes in the order of lists.
func All() []Theme {
	var out []Theme
	for _, name := range builtin {
		t, _ := ByName(name)
		out = append(out, t)
	}
	return out
}

// ByName returns the built-in theme of that name. It reads no other.
func ByName(name string) (Theme, bool) {
	if !slices.Contains(builtin[:], name) {
		return Theme{}, false
	}
	content, err := files.ReadFile("builtin/" + name + ".toml")
	if err != nil {
		return Theme{}, false // a test reads every file
	}
	t := Theme{Name: name, Contrast: readable}
	t.change(name, content)
	return t, true
}

// Dark returns the theme for terminals with a dark background.
func Dark() Theme { return named("dark") }

// Light returns the theme for terminals with a light background.
func Light() Theme { return named("light") }

// Mono returns the theme without colours, for NO_COLOR and for terminals that have none: bold,
// reverse and underline replace colours.
func Mono() Theme { return named("mono") }

func named(name string) Theme {
	t, _ := ByName(name)
	return t
}
