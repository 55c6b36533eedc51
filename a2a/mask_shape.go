package a2a

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// secretToken names a masked text that has the shape of a credential.
const secretToken = "token"

const (
	// shortestToken and longestToken limit the consecutive characters of a token: longer rows
	// are files in base64.
	shortestToken, longestToken = 20, 16 << 10
	// maxHeader is the longest JSON Web Token header that is read.
	maxHeader = 4 << 10
)

// A shape is the format of an issuer's tokens: a prefix and a number of further characters.
type shape struct {
	prefix      string
	least, most int // characters after the prefix; most is 0 where there is no limit
	of          charset
}

// charset says which characters follow the prefix of a token.
type charset uint8

const (
	ofAlnum  charset = iota // letters and digits
	ofUpper                 // upper-case letters and digits
	ofWord                  // letters, digits, _ and -
	ofDotted                // those, and dots
	ofHex                   // hexadecimal digits
	ofMixed                 // as word, with a stretch that no word of a language contains
)

// shapes are the tokens of known format, as their issuers document them.
var shapes = [...]shape{
	{"github_pat_", 22, 255, ofWord},
	{"ghp_", 30, 255, ofAlnum}, {"gho_", 30, 255, ofAlnum}, {"ghu_", 30, 255, ofAlnum}, {"ghs_", 30, 255, ofAlnum}, {"ghr_", 30, 255, ofAlnum},
	{"glpat-", 20, 300, ofDotted}, {"gldt-", 20, 300, ofWord}, {"glrt-", 20, 300, ofDotted}, {"glptt-", 20, 300, ofWord},
	{"sk-ant-", 20, 300, ofWord}, {"sk_live_", 20, 250, ofAlnum}, {"sk_test_", 20, 250, ofAlnum}, {"rk_live_", 20, 250, ofAlnum},
	{"rk_test_", 20, 250, ofAlnum}, {"whsec_", 24, 100, ofAlnum}, {"sk-", 20, 300, ofMixed},
	{"AKIA", 16, 16, ofUpper}, {"ASIA", 16, 16, ofUpper}, {"AIza", 35, 35, ofWord}, {"ya29.", 20, 0, ofDotted}, {"GOCSPX-", 24, 40, ofWord},
	{"xoxa-", 20, 300, ofWord}, {"xoxb-", 20, 300, ofWord}, {"xoxe-", 20, 300, ofWord}, {"xoxo-", 20, 300, ofWord}, {"xoxp-", 20, 300, ofWord},
	{"xoxr-", 20, 300, ofWord}, {"xoxs-", 20, 300, ofWord}, {"xoxc-", 20, 300, ofWord}, {"xoxd-", 20, 500, ofWord}, {"xapp-", 20, 300, ofWord},
	{"hf_", 30, 60, ofAlnum}, {"npm_", 36, 36, ofAlnum}, {"pypi-AgE", 50, 0, ofWord}, {"SG.", 60, 80, ofDotted}, {"shpat_", 32, 32, ofHex},
	{"dop_v1_", 64, 64, ofHex}, {"gsk_", 40, 80, ofAlnum}, {"r8_", 36, 40, ofAlnum}, {"nvapi-", 40, 100, ofWord}, {"xai-", 60, 120, ofAlnum},
	{"pplx-", 40, 80, ofAlnum}, {"dapi", 32, 32, ofHex}, {"tskey-", 20, 100, ofWord}, {"lin_api_", 32, 64, ofAlnum},
}

// shapesBy are the shapes by the first byte of their prefixes, for a fast check.
var shapesBy = func() (by [256][]*shape) {
	for i := range shapes {
		c := shapes[i].prefix[0]
		by[c] = append(by[c], &shapes[i])
	}
	return by
}()

// tokenBytes are the bytes that a token may contain.
var tokenBytes = func() (is [256]bool) {
	for c := range is {
		is[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
	}
	return is
}()

// shapeSpans appends the positions of tokens of known shapes and of private keys in a text. If
// a text has no row of characters as long as a token, only one byte in twenty is read.
func shapeSpans(spans []span, text []byte) []span {
	for start := 0; start+shortestToken <= len(text); {
		from := start + shortestToken
		for from > start && tokenBytes[text[from-1]] {
			from--
		}
		if from > start { // the earliest beginning of a row that is long enough
			start = from
			continue
		}
		to := start + shortestToken
		for to < len(text) && tokenBytes[text[to]] {
			to++
		}
		if to-start <= longestToken {
			spans = rowSpans(spans, text, start, to)
		}
		start = to + 1
	}
	return keySpans(spans, text)
}

// rowSpans appends the tokens in a row of characters. A token begins at the start of the row,
// after a leading escape of JSON or of a URL, or after a character that is not a letter or
// digit.
func rowSpans(spans []span, text []byte, from, to int) []span {
	at := from + escapeAt(text, from, to)
	for to-at >= shortestToken {
		if n := tokenAt(text[at:to]); n > 0 {
			spans = append(spans, span{off: at, end: at + n, name: secretToken})
			at += n
			continue
		}
		for at < to && inWordByte(text[at]) {
			at++
		}
		at++
	}
	return spans
}

// escapeAt returns how many characters at the beginning of a row belong to an escape.
func escapeAt(text []byte, from, to int) int {
	n := 0
	if from > 0 && text[from-1] == '%' {
		n = 2
	}
	if from > 0 && text[from-1] == '\\' {
		if n = 1; text[from] == 'u' {
			n = 5
		}
	}
	return min(n, to-from)
}

// inWordByte reports whether a byte is a letter or a digit of ASCII.
func inWordByte(c byte) bool { return tokenBytes[c] && c != '_' && c != '-' && c != '.' }

// tokenAt returns the length of the token at the beginning of a row, 0 if there is none.
func tokenAt(row []byte) int {
	if len(row) < shortestToken {
		return 0
	}
	if row[0] == 'e' && bytes.HasPrefix(row, []byte("eyJ")) {
		return webToken(row)
	}
	for _, s := range shapesBy[row[0]] {
		if rest, ok := bytes.CutPrefix(row, []byte(s.prefix)); ok {
			if n := s.fits(rest); n > 0 {
				return len(s.prefix) + n
			}
		}
	}
	return 0
}

// fits returns how many bytes after the prefix belong to the token, 0 if it does not fit.
func (s *shape) fits(rest []byte) int {
	n, stretch, longest, digit, letter := 0, 0, 0, false, false
	for n < len(rest) && s.of.has(rest[n]) {
		c := rest[n]
		n++
		if !inWordByte(c) {
			stretch, digit, letter = 0, false, false
			continue
		}
		stretch++
		digit, letter = digit || c <= '9', letter || c > '9'
		if digit && letter {
			longest = max(longest, stretch)
		}
	}
	for n > 0 && rest[n-1] == '.' { // the end of a sentence
		n--
	}
	switch {
	case n < s.least, s.most > 0 && n > s.most:
		return 0
	case n < len(rest) && inWordByte(rest[n]): // it continues as no token does
		return 0
	case s.of == ofMixed && longest < 12:
		return 0
	}
	return n
}

func (c charset) has(b byte) bool {
	switch c {
	case ofAlnum:
		return inWordByte(b)
	case ofUpper:
		return 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
	case ofHex:
		return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F'
	case ofDotted:
		return tokenBytes[b]
	default:
		return tokenBytes[b] && b != '.'
	}
}

// webToken returns the length of the JSON Web Token at the beginning of a row: three segments
// or five, the first of which is a header (RFC 7515, RFC 7516).
func webToken(row []byte) int {
	header, _, ok := bytes.Cut(row, []byte("."))
	if !ok || len(header) > maxHeader || bytes.Count(row, []byte(".")) < 2 {
		return 0
	}
	plain, err := base64.RawURLEncoding.DecodeString(string(header))
	if err != nil || !strings.Contains(string(plain), `"alg"`) {
		return 0
	}
	return len(bytes.TrimRight(row, "."))
}

// The marks of a private key in PEM (RFC 7468); the text between them, with spaces or URL
// escapes, names the kind.
var pemBegin, pemPrivate, pemEnd = []byte("-----BEGIN"), []byte("PRIVATE"), []byte("-----END")

// keySpans appends private keys: from the first line to the last line, or to the end of the
// JSON string that contains the key.
func keySpans(spans []span, text []byte) []span {
	if !bytes.Contains(text, pemPrivate) { // the rarer mark in texts of agents
		return spans
	}
	for from := 0; ; {
		i := bytes.Index(text[from:], pemBegin)
		if i < 0 {
			return spans
		}
		from += i
		rest := text[from+len(pemBegin):]
		label, _, ok := bytes.Cut(rest[:min(len(rest), 96)], []byte("-----"))
		if !ok || !bytes.Contains(label, pemPrivate) {
			from += len(pemBegin)
			continue
		}
		end := len(text)
		if quote := bytes.IndexByte(text[from:], '"'); quote >= 0 {
			end = from + quote
			if text[end-1] == '\\' { // JSON in a string of JSON
				end--
			}
		}
		if i := bytes.Index(text[from:end], pemEnd); i >= 0 {
			end = min(end, from+i+len(pemEnd)+len(label)+len("-----"))
		}
		spans = append(spans, span{off: from, end: end, name: "private key"})
		from = end
	}
}
