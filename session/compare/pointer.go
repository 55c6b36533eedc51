package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley/internal/visible"
)

// Pointers are the places of an answer that are not compared.
type Pointers [][]string

// The limits of a pointer.
const (
	maxPointer = 4 << 10
	maxDepth   = 100
)

// ParsePointer parses a JSON pointer (RFC 6901) to a place of an answer, such as
// /artifacts/0/metadata. A * stands for any one member or index. The error is a sentence.
func ParsePointer(text string) ([]string, error) {
	if len(text) > maxPointer || strings.Count(text, "/") > maxDepth {
		return nil, fmt.Errorf("the pointer is too long: name a place with at most %d members", maxDepth)
	}
	if len(text) < 2 || text[0] != '/' {
		return nil, fmt.Errorf("%q is no JSON pointer: it begins with / and names a place, such as /artifacts/0/metadata", visible.Line(text))
	}
	tokens := strings.Split(text[1:], "/")
	for i, token := range tokens {
		rest := strings.NewReplacer("~0", "", "~1", "").Replace(token)
		if strings.Contains(rest, "~") {
			return nil, fmt.Errorf("%q is no JSON pointer: after ~ stands 0 for ~ or 1 for /", visible.Line(text))
		}
		tokens[i] = strings.NewReplacer("~0", "~", "~1", "/").Replace(token)
	}
	return tokens, nil
}

// Has reports whether a place, or one that contains it, is among the pointers.
func (p Pointers) Has(at []string) bool {
	return slices.ContainsFunc(p, func(tokens []string) bool {
		if len(tokens) > len(at) {
			return false
		}
		for i, token := range tokens {
			if token != "*" && token != at[i] {
				return false
			}
		}
		return true
	})
}

// pointer returns the place of something below a place.
func pointer(at []string, below ...string) []string { return slices.Concat(at, below) }

// text returns a place as a JSON pointer.
func pointerText(at []string) string {
	var b strings.Builder
	for _, token := range at {
		b.WriteString("/")
		b.WriteString(strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1"))
	}
	return b.String()
}

// strip returns a JSON value without the places that are ignored. It changes the value.
func (p Pointers) strip(v any, at []string) any {
	if len(p) == 0 {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			below := pointer(at, k)
			if p.Has(below) {
				delete(v, k)
				continue
			}
			v[k] = p.strip(v[k], below)
		}
	case []any:
		for i := range v {
			below := pointer(at, strconv.Itoa(i))
			if p.Has(below) {
				v[i] = "<ignored>"
				continue
			}
			v[i] = p.strip(v[i], below)
		}
	}
	return v
}
