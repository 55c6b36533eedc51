package present

import (
	"strings"
	"unicode/utf8"

	"parley/ui/canvas"
	"parley/ui/styles"
)

const (
	// maxStrokes is how many keys are shown, a text that was typed counted as one.
	maxStrokes = 4
	// maxTyped is how many characters of a text are shown: the last ones. All of maxKept are
	// kept, because a credential is known by its beginning.
	maxTyped, maxKept = 24, 512
)

// Strokes are the keys that were pressed last, for those who watch. The zero value has none.
type Strokes struct {
	keys  []string
	typed bool // the last one is a text
}

// Add adds a key by its name, or the text that it typed.
func (s *Strokes) Add(name, text string) {
	switch n := len(s.keys); {
	case text == "" || text == " " && !s.typed:
		s.keys, s.typed = append(s.keys, name), false
	case s.typed:
		s.keys[n-1] += text
	default:
		s.keys, s.typed = append(s.keys, text), true
	}
	if n := len(s.keys); s.typed {
		s.keys[n-1] = last(s.keys[n-1], maxKept)
	}
	s.keys = s.keys[max(0, len(s.keys)-maxStrokes):]
}

// Clear forgets the keys.
func (s *Strokes) Clear() { *s = Strokes{} }

// last returns the last n characters of a text.
func last(text string, n int) string {
	for utf8.RuneCountInString(text) > n {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}

// Line draws the keys in at most w cells, the last ones if not all fit; empty without any. A text
// is shown as mask returns it.
func (s *Strokes) Line(st *styles.Styles, w int, mask func(string) string) string {
	line, used := "", 0
	for i := len(s.keys) - 1; i >= 0; i-- {
		words := " " + last(strings.TrimRight(mask(canvas.SanitizeLine(s.keys[i])), " "), maxTyped) + " "
		n := canvas.Width(words)
		if used > 0 {
			n++
		}
		if used+n > w {
			break
		}
		chip := st.Chip.And(st.Bold).S(words)
		if used > 0 {
			chip += " "
		}
		line, used = chip+line, used+n
	}
	return line
}
