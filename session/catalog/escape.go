package catalog

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"
)

// escape writes a text as the inside of a JSON string, with only the escapes that JSON requires,
// or with those of all characters that are not ASCII.
func escape(s string, ascii bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r > 0xffff && ascii:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(r>>10), 0xdc00+(r&0x3ff))
		case r < ' ', r >= utf8.RuneSelf && ascii:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inBase64 returns the characters that a text has in base64 at each of the three places where it
// can begin, without those that its neighbours influence. A short text would be found anywhere.
func inBase64(s string) (forms []string) {
	const least, group, width = 6, 3, 4 // bytes; three become four characters
	if len(s) < least {
		return nil
	}
	for before := range group {
		padded := strings.Repeat("\x00", before) + s
		whole := len(padded) / group * group
		text := base64.StdEncoding.EncodeToString([]byte(padded[:whole]))
		if before > 0 {
			text = text[width:]
		}
		forms = append(forms, text)
	}
	return forms
}
