package extensions

import (
	"slices"
	"strings"

	"parley/internal/units"
	"parley/session/model"
	"parley/ui/canvas"
	"parley/ui/composer"
)

// Warn adds a warning to every choice if the agent requires an extension that the next message
// would not request.
func (c *Controller) Warn(choices []composer.TargetChoice) []composer.TargetChoice {
	a, next := c.host.Agent(), c.draft.Extensions()
	if a == nil || len(a.Extensions.Missing) == 0 && next == nil {
		return choices
	}
	missing := missingExtensions(a, next)
	if len(missing) == 0 {
		return choices
	}
	warn := "the agent requires " + shortName(missing[0]) + ", which is not requested: /ext"
	if n := len(missing); n > 1 {
		warn = "the agent requires " + units.Plural(n, "extension") + " that are not requested: /ext"
	}
	for i := range choices {
		choices[i].Warn = warn
	}
	return choices
}

// missingExtensions returns the extensions that the card requires and a message would not request.
func missingExtensions(a *model.Agent, next []string) []string {
	if d, known := a.Profile.Spoken(); !known || d.ExtensionsHeader() == "" {
		return nil
	}
	if next == nil {
		return a.Extensions.Missing
	}
	var out []string
	if a.Card != nil {
		for i := range a.Card.Capabilities.Extensions {
			if x := &a.Card.Capabilities.Extensions[i]; x.Required && !slices.Contains(next, x.URI) && !slices.Contains(out, x.URI) {
				out = append(out, x.URI)
			}
		}
	}
	return out
}

// shortName returns the last words of a URI, as they may be shown.
func shortName(uri string) string {
	const most = 32
	uri = canvas.SanitizeLine(uri[max(0, len(uri)-4*most):])
	words := strings.FieldsFunc(uri, func(r rune) bool { return r == '/' || r == ':' })
	if len(words) == 0 {
		return "an extension"
	}
	name := words[len(words)-1]
	if n := len(words); n > 1 && len(name) < 4 { // a version alone does not identify it
		name = words[n-2] + "/" + name
	}
	return canvas.Ellipsize(name, most, "…")
}
