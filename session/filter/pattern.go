package filter

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A pattern is a regular expression that is matched in any case.
type pattern struct {
	re *regexp.Regexp
	// must is a part of every match; empty if there is none. Searching for it first is many
	// times faster than the expression.
	must Text
}

// compilePattern compiles an expression (RE2). Its cost is proportional to the text that is
// searched.
func compilePattern(expr string) (*pattern, error) {
	tree, err := syntax.Parse(expr, syntax.Perl) // separately, so that errors point into it
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?i)" + expr)
	if err != nil {
		return nil, err
	}
	return &pattern{re, NewText(literal(tree.Simplify()))}, nil
}

// in reports whether the pattern matches in s.
func (p *pattern) in(s []byte) bool {
	return (p.must.lower == "" || p.must.In(s)) && p.re.Match(s)
}

// leastLiteral is the shortest literal that is searched for first.
const leastLiteral = 3

// literal returns the longest text that is a part of every match of an expression.
func literal(re *syntax.Regexp) string {
	switch re.Op {
	case syntax.OpLiteral:
		return plainest(re.Rune)
	case syntax.OpCapture, syntax.OpPlus:
		return literal(re.Sub[0])
	case syntax.OpConcat:
		best := ""
		for _, sub := range re.Sub {
			if s := literal(sub); len(s) > len(best) {
				best = s
			}
		}
		return best
	default:
		return ""
	}
}

// plainest returns the longest run of letters that are the same to the expression and to a
// [Text]: without k and s, which have a third case beyond ASCII, and without replacements of
// broken bytes.
func plainest(runes []rune) string {
	best := ""
	odd := func(r rune) bool { return strings.ContainsRune("kKsS\u212a\u017f", r) || r == utf8.RuneError }
	for _, run := range strings.FieldsFunc(string(runes), odd) {
		if len(run) > len(best) && len(run) >= leastLiteral {
			best = run
		}
	}
	return best
}
