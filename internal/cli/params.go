package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"parley/a2a"
)

// publicPrefix precedes a service parameter whose value is public: public:NAME:value.
const publicPrefix = "public:"

// param reads a service parameter, NAME:value or public:NAME:value; spaces around the
// name and the value do not count.
func param(s string) (h a2a.HeaderPair, ok bool) {
	if rest, marked := strings.CutPrefix(strings.TrimSpace(s), publicPrefix); marked && strings.Contains(rest, ":") {
		h.Public, s = true, rest
	}
	name, value, ok := strings.Cut(s, ":")
	h.Name, h.Value = strings.TrimSpace(name), strings.TrimSpace(value)
	return h, ok && h.Name != ""
}

// checkParam says in a clause what is wrong with a service parameter, empty if nothing is.
// It never repeats the value.
func checkParam(s string) string {
	h, ok := param(s)
	switch {
	case !ok:
		return "not written as name:value"
	case h.Public:
		return unfitPublic(h.Name)
	default:
		return ""
	}
}

// unfitPublic says in a clause why a name cannot be declared public, empty if it can.
func unfitPublic(name string) string {
	if why := a2a.CheckPublic(name); why != "" {
		return "a name that cannot be public: " + why
	}
	return ""
}

// secret reports whether the value of a service parameter is a credential.
func (n *network) secret(h a2a.HeaderPair) bool {
	return h.Value != "" && !(h.Public && a2a.CheckPublic(h.Name) == "") && !a2a.PublicNames(n.public).Has(h.Name)
}

// besides returns service parameters; a stronger one replaces weaker ones of the same name.
func besides(weak, strong []string) []string {
	list := slices.DeleteFunc(slices.Clone(weak), func(w string) bool {
		same, _ := param(w)
		return slices.ContainsFunc(strong, func(s string) bool {
			h, _ := param(s)
			return strings.EqualFold(same.Name, h.Name)
		})
	})
	return append(list, strong...)
}

// namesVariable reports whether a service parameter of a file names a variable of the environment.
func namesVariable(value string) bool {
	named := false
	os.Expand(value, func(name string) string {
		named = named || name != "" && (name[0] == '_' || 'a' <= name[0]|0x20 && name[0]|0x20 <= 'z')
		return ""
	})
	return named
}

// plainSecret says in a clause what to write in place of a service parameter of a file whose value is a
// secret; empty if it is none, or names a variable. What is public decides, and not how a value looks: a
// password looks like any word.
func (n *network) plainSecret(s string) string {
	h, ok := param(s)
	if !ok || !n.secret(h) || namesVariable(h.Value) && a2a.MaskText(h.Value) == h.Value {
		return ""
	}
	instead := fmt.Sprintf("a secret in plain text: write %q, and set NAME", h.Name+": $NAME")
	if a2a.CheckPublic(h.Name) == "" {
		instead += fmt.Sprintf(", or begin it with %q if it is no secret", publicPrefix+h.Name)
	}
	return instead
}
