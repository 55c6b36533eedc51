package attach

import (
	"path/filepath"
	"strings"
	"unicode"
)

// maxPasted is the longest text that is read as file names, and maxPaths the largest number of
// files.
const (
	maxPasted = 8 << 10
	maxPaths  = 32
)

// Paths returns the files that a pasted text names, if it contains only file names as terminals
// write them when files are dropped: absolute or below the home, quoted or with backslashes
// where a shell would need them, or as file URLs. It does not check whether the files exist.
// Nil means that the text is something else.
func Paths(pasted, home string) []string {
	text := strings.TrimSpace(pasted)
	if text == "" || len(text) > maxPasted {
		return nil
	}
	var out []string
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		for _, word := range names(strings.TrimSpace(line)) {
			p, ok := pathOf(word, home)
			if !ok || len(out) == maxPaths {
				return nil
			}
			out = append(out, p)
		}
	}
	return out
}

// names divides a line into possible paths. One that begins like a path and continues without
// quotes and without another beginning is a path with spaces in it: some terminals quote
// nothing.
func names(line string) []string {
	if strings.ContainsAny(line, "\"'\\") || strings.Contains(line, " /") || strings.Contains(line, " file:") || strings.Contains(line, " ~") {
		return words(line)
	}
	return []string{line}
}

// pathOf returns the path of a word that is one.
func pathOf(word, home string) (string, bool) {
	if strings.ContainsFunc(word, unicode.IsControl) {
		return "", false
	}
	p := Resolve(word, home, "")
	return p, filepath.IsAbs(p) && (p != word || strings.TrimLeft(word, `/\`) != "")
}

// words divides a text as a shell does: at white space that is neither quoted nor behind a
// backslash. Where the backslash is part of paths it quotes nothing.
func words(text string) []string {
	var (
		out   []string
		word  strings.Builder
		begun bool
		quote rune
	)
	escapes := filepath.Separator != '\\'
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && escapes && quote != '\'':
			escaped, begun = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && unicode.IsSpace(r):
			if begun {
				out, begun = append(out, word.String()), false
				word.Reset()
			}
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 || escaped { // an apostrophe, not a quotation
		return []string{text}
	}
	if begun {
		out = append(out, word.String())
	}
	return out
}
