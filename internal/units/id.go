package units

import (
	"strings"
	"unicode/utf8"
)

const (
	shortID = 8  // an id up to this length is shown whole
	wordID  = 16 // one without digits too
	idCells = 4  // how much of a longer one is shown
)

// ID returns a remote id as screens show it: whole when it is short or made of words, otherwise
// its first four characters if they are distinctive, as in a UUID or a hash, otherwise its last
// four, as in "task-000017" and in a UUID that begins with the time, which is the same for a
// whole day. The caller sanitises.
func ID(id string) string {
	n := utf8.RuneCountInString(id)
	if n <= shortID || n <= wordID && !strings.ContainsAny(id, "0123456789") {
		return id
	}
	runes := []rune(id)
	first := string(runes[:idCells])
	if isUUIDv7(id) {
		return string(runes[n-idCells:])
	}
	if strings.ContainsAny(first, "0123456789") || strings.Trim(strings.ToLower(first), "abcdef") == "" {
		return first
	}
	return string(runes[n-idCells:])
}

// isUUIDv7 reports whether id is a UUID of version 7 (RFC 9562 §5.7).
func isUUIDv7(id string) bool {
	return len(id) == 36 && id[8] == '-' && id[13] == '-' && id[14] == '7' && id[18] == '-' && id[23] == '-'
}
