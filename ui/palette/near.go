package palette

import (
	"slices"
	"strings"

	"parley/internal/spelling"
	"parley/ui/canvas"
	"parley/ui/keys"
)

// maxNear is how many similar entries are suggested.
const maxNear = 3

// nearest returns the entries whose name or slash word is most similar to a text that matches
// nothing.
func nearest(text string, entries []Entry) []match {
	want := []rune(strings.ToLower(strings.TrimPrefix(text, "/")))
	if len(want) > spelling.MaxWord {
		return nil
	}
	most := spelling.Most(len(want))
	var out []match
	for d := 1; d <= most && len(out) == 0; d++ {
		for i := range entries {
			e := &entries[i]
			if len(out) < maxNear && e.Why == "" && slices.ContainsFunc(append(e.Also[:len(e.Also):len(e.Also)], e.Name, e.Word), func(s string) bool {
				return s != "" && spelling.Differences(want, s) == d
			}) {
				out = append(out, match{entry: e})
			}
		}
	}
	return out
}

// nothing says that nothing matches, what is similar, and what enter would do.
func (p *Palette) nothing() string {
	words := "nothing matches"
	if len(p.near) > 0 && !(p.taken && p.other != "") {
		var names []string
		for _, m := range p.near {
			names = append(names, canvas.SanitizeLine(m.entry.Name))
		}
		return words + "; did you mean " + strings.Join(names, " or ") + "? " + keys.Name(p.Of(nextEntry)) + " selects it"
	}
	switch {
	case p.other != "" && p.taken:
		words += "; " + keys.Name(p.Of(chooseEntry)) + " " + p.other
	case p.other != "":
		words += "; " + p.other
	}
	return words
}
