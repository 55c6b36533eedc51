package serve

import (
	"strings"
	"unicode"

	"parley/a2a"
)

// normal returns a text without what users do not mean: case, white space and the mark at the end.
func normal(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	return strings.TrimRightFunc(text, func(r rune) bool { return r == ' ' || unicode.IsPunct(r) && !strings.ContainsRune(a2a.Mask, r) })
}

// matches reports whether a text is the recorded one, in which a mask stands for anything.
func matches(recorded, text string) bool {
	pieces := a2a.SplitMasks(recorded)
	if len(pieces) == 1 {
		return recorded == text
	}
	rest, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return false
	}
	for _, piece := range pieces[1 : len(pieces)-1] {
		_, after, found := strings.Cut(rest, piece)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, pieces[len(pieces)-1])
}
