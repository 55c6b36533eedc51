package card

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"parley/a2a"
)

// A card is public, and yet cards hold secrets: in URLs, in examples of headers, in parameters of
// extensions. The card that is compared with another one may have been read before Parley knew a
// secret. So both values of a difference are masked by what they are, whichever of them is new.

// address matches a URL in a text.
var address = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'<>\\^` + "`" + `{|}]+`)
})

// credentials match a credential in a text, behind its first group: the value of a header or of a
// parameter that is one by its name, and what follows the name of a scheme.
var credentials = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)(\b(?:proxy-)?authorization\b["']?\s*[:=]\s*["']?(?:(?:bearer|basic|digest|token|apikey)\s+)?)[^\s"',;]+`),
		regexp.MustCompile(`(?i)(\b(?:set-)?cookie\b["']?\s*[:=]\s*["']?)[^"'\n]+`),
		regexp.MustCompile(`(?i)(\b[\w-]*(?:api[_-]?key|token|secret|password|passwd)\b["']?\s*[:=]\s*["']?)[^\s"',;&]*\d[^\s"',;&]*`),
		regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)(?:[A-Za-z._~+/=-]*\d[A-Za-z0-9._~+/=-]{7,}|[A-Za-z0-9._~+/=-]{7,}\d[A-Za-z0-9._~+/=-]*)`),
	}
})

// credentialWords are in lower case; a text without any of them has nothing of that kind.
var credentialWords = [...]string{"authorization", "cookie", "key", "token", "secret", "passw", "bearer", "basic"}

// maxShown is how much of a text is looked at, in bytes: only its beginning is listed.
const maxShown = 16 << 10

// shownText returns a text of a card without what looks like a secret in it.
func shownText(text string) string {
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + "…"
	}
	if strings.Contains(text, "://") {
		text = address().ReplaceAllStringFunc(text, func(u string) string {
			plain := strings.TrimRight(u, ".,;:!?)]")
			return shownAddress(plain) + u[len(plain):]
		})
	}
	low := strings.ToLower(text)
	if slices.ContainsFunc(credentialWords[:], func(w string) bool { return strings.Contains(low, w) }) {
		for _, c := range credentials() {
			text = c.ReplaceAllString(text, "${1}"+a2a.Mask)
		}
	}
	return a2a.MaskText(text)
}

// shownAddress masks in a URL what a reader need not see to tell where it leads: the password, the
// values of parameters, and what only a machine writes in the path and behind #.
func shownAddress(u string) string {
	u = a2a.MaskReference(u)
	rest := strings.IndexAny(u, "?#")
	if rest < 0 {
		rest = len(u)
	}
	path := strings.Split(u[:rest], "/")
	for i := min(3, len(path)); i < len(path); i++ {
		if random(path[i]) {
			path[i] = a2a.Mask
		}
	}
	return strings.Join(path, "/") + u[rest:]
}

// leastRandom is the length from which a segment of a path may be a secret.
const leastRandom = 16

// random reports whether a text is one long word of digits and of letters in both cases, as keys are
// and ids, names and versions hardly.
func random(s string) bool {
	return len(s) >= leastRandom && strings.ContainsFunc(s, unicode.IsDigit) && strings.ContainsFunc(s, unicode.IsLower) && strings.ContainsFunc(s, unicode.IsUpper)
}

// shownValue returns a value of a card, at a path, without what is a secret by its name, its place
// or its look.
func shownValue(path []string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out, example := make(map[string]any, len(v)), describesSecret(v)
		for name, e := range v {
			at := below(path, name)
			if example && isExample(name) {
				at = below(path, "secret")
			}
			out[name] = shownValue(at, e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = shownValue(path, e)
		}
		return out
	case string:
		if v != "" && secretMember(path) {
			return a2a.Mask
		}
		if !strings.ContainsAny(v, " \t\n") && strings.ContainsAny(v, "?#") && !strings.Contains(v, "://") { // a relative URL
			return a2a.MaskReference(v)
		}
		return shownText(v)
	case json.Number:
		if secretMember(path) {
			return a2a.Mask
		}
	}
	return v
}

// exampleNames are the members of an object about a header or a parameter that may hold its value.
var exampleNames = [...]string{"value", "example", "examples", "default"}

// isExample reports whether a member may hold the value of what the object describes.
func isExample(name string) bool { return slices.Contains(exampleNames[:], strings.ToLower(name)) }

// describesSecret reports whether an object describes a header or a parameter that is a credential.
func describesSecret(v map[string]any) bool {
	return slices.ContainsFunc([]string{"name", "key", "header"}, func(member string) bool {
		name, is := v[member].(string)
		return is && a2a.SecretName(name)
	})
}

// schemeMembers are the members of a security scheme that hold no secret, in lower case and without
// underscores. The others are nobody's.
var schemeMembers = [...]string{
	"type", "scheme", "in", "location", "name", "description", "bearerformat", "openidconnecturl", "oauth2metadataurl",
	"authorizationurl", "tokenurl", "refreshurl", "deviceauthorizationurl", "pkcerequired", "$case",
}

// secretHolders are objects whose members all may be secrets, in lower case.
var secretHolders = [...]string{"headers", "cookies", "credentials", "env"}

// secretMember reports whether the value at a path is a secret by its name or its place.
func secretMember(path []string) bool {
	path = slices.DeleteFunc(slices.Clone(path), func(p string) bool { return p != "" && strings.Trim(p, "0123456789") == "" })
	names := mapped(path, func(p string) string { return strings.ToLower(strings.ReplaceAll(p, "_", "")) })
	has := func(list ...string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(list, n) })
	}
	switch {
	case len(names) == 0 || names[0] == "signatures" || has("security", "securityrequirements"):
		return false
	case names[0] == "authentication":
		return len(names) > 1 && names[1] != "schemes"
	case names[0] == "securityschemes":
		return len(names) > 2 && !has("scopes") && !slices.Contains(schemeMembers[:], names[len(names)-1])
	case slices.ContainsFunc(path, a2a.SecretName):
		return true
	}
	return has(secretHolders[:]...) && !a2a.PublicNames(nil).Has(path[len(path)-1])
}

// maskedLike masks in the text of an old value what is masked in that of a new one, where nothing
// else differs: the secret was not known when the old card was read.
func maskedLike(old, now string) string {
	pieces := a2a.SplitMasks(now)
	last := len(pieces) - 1
	if last == 0 || !strings.HasPrefix(old, pieces[0]) {
		return old
	}
	rest := old[len(pieces[0]):]
	for _, piece := range pieces[1:last] {
		_, behind, found := strings.Cut(rest, piece)
		if !found {
			return old
		}
		rest = behind
	}
	if !strings.HasSuffix(rest, pieces[last]) {
		return old
	}
	return now
}

// maskedAs does the same with the first of several new values that is like the old one.
func maskedAs(old string, now ...string) string {
	for _, n := range now {
		if like := maskedLike(old, n); like != old {
			return like
		}
	}
	return old
}

// maskedOnes returns the first values of a list in which something is masked.
func maskedOnes(list []string) (masked []string) {
	const most = 16
	for _, v := range list {
		if len(masked) < most && strings.Contains(v, a2a.Mask) {
			masked = append(masked, v)
		}
	}
	return masked
}

// Mask returns differences without what a mask finds in their values: the secrets of a session.
func Mask(list []Difference, mask func(string) string) []Difference {
	if list == nil {
		return nil
	}
	return mapped(list, func(d Difference) Difference {
		d.Old, d.New, d.said = mask(d.Old), mask(d.New), mask(d.said)
		return d
	})
}

// MaskChanges does the same with changes.
func MaskChanges(list []Change, mask func(string) string) []Change {
	if list == nil {
		return nil
	}
	return mapped(list, func(c Change) Change { return Change{mask(c.Sentence), c.Security} })
}
