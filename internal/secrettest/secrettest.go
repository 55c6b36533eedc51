// Package secrettest spells secrets as agents repeat them, and says whether a text shows one.
package secrettest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Each returns a spelling that writes every character with a format.
func Each(format string) func(string) string {
	return func(s string) string {
		var b strings.Builder
		for _, c := range s {
			fmt.Fprintf(&b, format, c)
		}
		return b.String()
	}
}

// inside returns a spelling that writes something after the third character.
func inside(what string) func(string) string {
	return func(s string) string { return s[:3] + what + s[3:] }
}

// replaced returns a spelling that replaces characters.
func replaced(pairs ...string) func(string) string { return strings.NewReplacer(pairs...).Replace }

// Spellings are the ways in which an agent may repeat a secret of ASCII, of at least eight characters with
// a "-", by name. Only what a text becomes on its way to a reader shows most of them.
var Spellings = map[string]func(string) string{
	"plain":         func(s string) string { return s },
	"percent-lower": Each("%%%02x"),
	"percent-upper": Each("%%%02X"),
	"percent-some":  func(s string) string { return capitals.ReplaceAllStringFunc(s, Each("%%%02x")) },
	"query":         url.QueryEscape,
	"path":          url.PathEscape,
	"html-dec":      Each("&#%d;"),
	"html-hex":      Each("&#x%x;"),
	"html-named":    replaced("-", "&hyphen;", "/", "&sol;"),
	"html":          html.EscapeString,
	"json":          Quote,
	"json in json":  func(s string) string { return Quote(Quote(s)) },
	"json-u":        func(s string) string { return `{"said":"` + Each(`\u%04x`)(s) + `"}` },
	"base64":        func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64url":     func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"base64-lines": func(s string) string {
		return sixes.ReplaceAllString(base64.StdEncoding.EncodeToString([]byte(s)), "$0\n")
	},
	"zero-width":      Each("%c\u200b"),
	"soft-hyphen":     replaced("-", "\u00ad-"),
	"md-escape":       replaced("-", `\-`, "_", `\_`),
	"md-strong":       func(s string) string { return s[:4] + "**" + s[4:7] + "**" + s[7:] },
	"md-code":         func(s string) string { return s[:4] + "`" + s[4:7] + "`" + s[7:] },
	"md-link":         func(s string) string { return "[" + s[:3] + "](http://x/)" + s[3:] },
	"html-tag":        inside("<b></b>"),
	"html-comment":    inside("<!-- -->"),
	"no-break-hyphen": replaced("-", "\u2011"),
	"full-width":      func(s string) string { return strings.Map(func(r rune) rune { return r + 0xfee0 }, s) },
	"escape-code":     inside("\x1b[31m"),
	"nul":             inside("\x00"),
	"line":            inside("\r\n"),
	"backspace":       inside("\b"),
}

var (
	capitals = regexp.MustCompile(`[A-Z]`)
	sixes    = regexp.MustCompile(`.{6}`)
)

// Quote returns a text as it stands between the quotes of JSON.
func Quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b[1 : len(b)-1])
}

// visible returns a text without what a screen and a page show nothing of: escape sequences of colours, tags,
// white space, controls, invisible characters, marks of Markdown and frames.
func visible(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '<' || r == 0x1b:
			end := map[bool]byte{true: '>', false: 'm'}[r == '<']
			if n := strings.IndexByte(text[i:], end); n > 0 {
				size = n + 1
			}
		case r <= ' ' || strings.ContainsRune("|`*~\\\u00ad\u200b\u2060", r) || r >= 0x2500 && r <= 0x259f:
		default:
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String()
}

// forms are those in which a reader sees a secret.
var forms = []string{"plain", "percent-lower", "percent-upper", "percent-some", "query", "base64", "base64url", "json"}

// wide replaces characters that look like others.
var wide = strings.NewReplacer(append([]string{"\u2011", "-"}, full()...)...)

func full() (pairs []string) {
	for r := rune(0xff01); r <= 0xff5e; r++ {
		pairs = append(pairs, string(r), string(r-0xfee0))
	}
	return pairs
}

// Shown returns the name of a form in which a reader sees a secret in a text: plain, in base64 or in percent
// encoding; empty if the text does not show it. It knows nothing of how Parley looks for secrets.
func Shown(text, secret string) (form string) {
	text = wide.Replace(html.UnescapeString(visible(text)))
	for _, form := range forms {
		if strings.Contains(text, visible(Spellings[form](secret))) {
			return form
		}
	}
	return ""
}
