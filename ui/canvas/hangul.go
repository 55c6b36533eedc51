package canvas

import "unicode/utf8"

// The conjoining letters that modern syllables are made of, and the syllables, in
// the order and numbers of the Unicode Standard, section 3.12.
const (
	firstSyllable = 0xac00
	firstLead     = 0x1100
	firstVowel    = 0x1161
	beforeTail    = 0x11a7 // a syllable without a tail counts as tail 0
	leads         = 19
	vowels        = 21
	tails         = 28
)

func isLead(r rune) bool  { return r >= firstLead && r < firstLead+leads }
func isVowel(r rune) bool { return r >= firstVowel && r < firstVowel+vowels }
func isTail(r rune) bool  { return r > beforeTail && r < beforeTail+tails }

// isOpenSyllable reports whether r is a syllable that a tail can be added to.
func isOpenSyllable(r rune) bool {
	return r >= firstSyllable && r < firstSyllable+leads*vowels*tails && (r-firstSyllable)%tails == 0
}

// isJamo covers all conjoining letters, old ones included: they form clusters
// among themselves.
func isJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11ff || r >= 0xa960 && r <= 0xa97c || r >= 0xd7b0 && r <= 0xd7fb
}

// compose returns the syllable of the letters of an atom: lead, vowel and perhaps a tail, or an
// open syllable and a tail.
func compose(atom string) string {
	r, size := utf8.DecodeRuneInString(atom)
	if isLead(r) {
		vowel, n := utf8.DecodeRuneInString(atom[size:])
		r = firstSyllable + ((r-firstLead)*vowels+(vowel-firstVowel))*tails
		size += n
	}
	if tail, n := utf8.DecodeRuneInString(atom[size:]); n > 0 {
		r += tail - beforeTail
	}
	return string(r)
}
