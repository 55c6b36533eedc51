package wire

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a"
	"parley/ui/canvas"
	"parley/ui/looks"
	"parley/ui/styles"
)

// tagged reports whether each row names its agent: the rows of several are listed.
func (p *Pane) tagged() bool { return p.rows.scope.kind() == OfAll && len(p.filter.facts.agents) > 1 }

// tag draws the tag of a record's agent: its name where there is room, else its initials.
func (p *Pane) tag(id a2a.RecordID, c columns) string {
	agent := p.rows.log.Owner(id).Agent
	if c.tag == 0 || agent == 0 || p.filter.name == nil {
		return ""
	}
	name := canvas.SanitizeLine(p.filter.name(agent))
	if c.tag == tagCells {
		return looks.Tag(p.st, agent).S(canvas.Fit(initials(name), c.tag))
	}
	return looks.Tag(p.st, agent).S(canvas.Ellipsize(name, c.tag, p.st.G[styles.Ellipsis]))
}

// initials returns the first letters of the first two words of a name, or the first two letters
// of a single word.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch len(words) {
	case 0:
		return ""
	case 1:
		_, first := utf8.DecodeRuneInString(words[0])
		_, second := utf8.DecodeRuneInString(words[0][first:])
		return words[0][:first+second]
	default:
		_, first := utf8.DecodeRuneInString(words[0])
		_, second := utf8.DecodeRuneInString(words[1])
		return words[0][:first] + words[1][:second]
	}
}
