package cli

import (
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

// looksSecret reports whether the name or the value of a service parameter shows that it is a
// credential, which does not belong in a file that many may read.
func looksSecret(h a2a.HeaderPair) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(h.Value), " ")
	return a2a.SecretName(h.Name) || scheme == "bearer" || scheme == "basic" || a2a.MaskText(h.Value) != h.Value
}
