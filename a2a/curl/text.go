package curl

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text is the content of an argument or a body.
type text []piece

// A piece is literal, or the value of a variable.
type piece struct{ literal, variable string }

// plain reports whether every character is visible, and no terminal takes any for a command.
// Line ends are plain.
func (t text) plain() bool {
	return !slices.ContainsFunc(t, func(p piece) bool {
		return !utf8.ValidString(p.literal) || strings.ContainsFunc(p.literal, hidden)
	})
}

// file reports whether curl could take the text for a file name.
func (t text) file() bool {
	t = t.compact()
	return len(t) > 0 && (t[0].variable != "" || t[0].literal[0] == '@')
}

func hidden(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }

// compact joins adjacent literal pieces, and drops empty ones.
func (t text) compact() text {
	var out text
	for _, p := range t {
		switch last := len(out) - 1; {
		case p == piece{}:
		case p.variable == "" && last >= 0 && out[last].variable == "":
			out[last].literal += p.literal
		default:
			out = append(out, p)
		}
	}
	return out
}

// word writes the text as one word of a POSIX shell. Text without variables and hidden
// characters is in single quotes.
func (t text) word() string {
	t = t.compact()
	if len(t) == 2 && t[1].variable != "" && inDouble(t[0].literal) {
		return `"` + t[0].literal + "$" + t[1].variable + `"`
	}
	var b strings.Builder
	for _, p := range t {
		switch {
		case p.variable != "":
			b.WriteString(`"$` + p.variable + `"`)
		case text{p}.plain():
			b.WriteString(quote(p.literal))
		default:
			b.WriteString(`"$(printf ` + quote(format(strings.ReplaceAll(p.literal, "\x00", ""))) + `)"`) // an argument cannot contain NUL
		}
	}
	if b.Len() == 0 {
		return "''"
	}
	return b.String()
}

// inDouble reports whether s may be between double quotes unchanged.
func inDouble(s string) bool {
	return text{{literal: s}}.plain() && !strings.ContainsAny(s, "\"$`\\!\n")
}

// quote puts s between single quotes, in which a shell changes nothing.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// pipe writes a command that prints the text. It uses printf, which is built into shells: so
// there is no limit to its length, and bytes that no argument can contain, such as NUL, can be
// written in octal.
func (t text) pipe() string {
	var parts []string
	for _, p := range t.compact() {
		switch {
		case p.variable != "":
			parts = append(parts, `printf %s "$`+p.variable+`"`)
		case text{p}.plain():
			parts = append(parts, "printf %s "+quote(p.literal))
		default:
			parts = append(parts, "printf "+quote(format(p.literal)))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "{ " + strings.Join(parts, "; ") + "; }"
}

// format writes s as a format of printf that prints s. Hidden bytes are in octal.
func format(s string) string {
	var b strings.Builder
	if rest, dash := strings.CutPrefix(s, "-"); dash { // which would begin an option
		b.WriteString(`\055`)
		s = rest
	}
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '%':
			b.WriteString("%%")
		case r == '\\':
			b.WriteString(`\\`)
		case r == utf8.RuneError && n == 1 || hidden(r):
			for _, c := range []byte(s[:n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		default:
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}
