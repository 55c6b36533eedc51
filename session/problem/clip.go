package problem

import "unicode/utf8"

// Clip shortens an agent's text, so that a row's cost does not depend on it.
func Clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	i := most
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i] + "..."
}
