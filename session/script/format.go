package script

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Format returns the text of the script: one step per line, with its comments.
func (s *Script) Format() []byte {
	var b strings.Builder
	line := func(text string) { b.WriteString(strings.TrimRight(text, " \t") + "\n") }
	for i := range s.Steps {
		step := &s.Steps[i]
		for _, l := range step.Before {
			line(l)
		}
		if step.Comment != "" {
			line(step.String() + "  " + step.Comment)
			continue
		}
		line(step.String())
	}
	for _, l := range s.Rest {
		line(l)
	}
	return []byte(b.String())
}

// String returns the step as it stands in a script, without its comments.
func (s *Step) String() string {
	words := []string{string(s.Verb)}
	add := func(more ...string) { words = append(words, more...) }
	switch s.Verb {
	case Open:
		add(word(s.Ref))
		if s.Agent != "" {
			add(word(s.Agent))
		}
	case Say, Answer, Caption, Type:
		add(quote(s.Text))
	case Wait, Expect:
		if text := s.Condition.String(); text != "" {
			add(text)
		}
		if s.Duration > 0 {
			add("within", durationText(s.Duration))
		}
	case Pause:
		add(durationText(s.Duration))
	case Speed:
		add(strconv.FormatFloat(s.Number, 'g', -1, 64))
	case Set:
		add(s.Name, word(s.Text))
	case Key:
		if add(word(s.Text)); s.Number > 1 {
			add(strconv.Itoa(int(s.Number)))
		}
	default:
		add(word(s.Text))
	}
	return strings.Join(words, " ")
}

// durationText returns a duration without units that are zero: 1m30s, 2s, 500ms.
func durationText(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// word returns a text as one word, in quotes if it needs them.
func word(s string) string {
	if s == "" || strings.ContainsAny(s, " \t\"'`\\") || strings.HasPrefix(s, "#") || strings.IndexFunc(s, isHidden) >= 0 {
		return quote(s)
	}
	return s
}

// isHidden reports whether a character cannot stand in a script, or would be invisible there.
func isHidden(r rune) bool { return !unicode.IsPrint(r) && r != '\ufffd' }

// quote returns a text in quotes.
func quote(s string) string {
	hidden := strings.IndexFunc(s, isHidden) >= 0
	if !hidden && strings.ContainsAny(s, "\"\\") && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case isHidden(r) && r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		case isHidden(r):
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
