package units

import "unicode/utf8"

// idCells is how much of a long id is shown.
const idCells = 4

// ID returns a remote id as screens show it: whole when it is short, else its
// first four characters if they tell anything, which they do in a UUID or a
// hash, else its last four, as in "task-000017". The caller sanitises.
func ID(id string) string {
	if utf8.RuneCountInString(id) <= 2*idCells {
		return id
	}
	runes := []rune(id)
	for _, r := range runes[:idCells] {
		if r >= '0' && r <= '9' {
			return string(runes[:idCells])
		}
	}
	for _, r := range runes[:idCells] {
		if !(r >= 'a' && r <= 'f' || r >= 'A' && r <= 'F') {
			return string(runes[len(runes)-idCells:])
		}
	}
	return string(runes[:idCells])
}
