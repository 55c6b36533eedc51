package a2a

import (
	"net/url"
	"strings"
	"unicode"
)

// The names of what was masked in a URL.
const (
	inURL         = "in the URL"
	passwordInURL = "password in the URL"
	userInURL     = "user in the URL"
)

// MaskURL returns a URL from another party without its password, the parameters whose names
// mark them as secret, and tokens of known shapes.
func MaskURL(raw string) string {
	masked, _ := namesOnly().url(raw)
	return masked
}

// MaskReference returns what a user typed to name an agent in a form that may be shown: a URL
// without user and password, without the values of its parameters, unless those are public, without
// those of its fragment, and without a secret that is its fragment. Public are names that the user
// declared public.
func MaskReference(ref string, public ...string) string {
	masked, _ := RedactReference(ref, public...)
	return masked
}

// RedactReference does the same and returns what was masked, in no particular order.
func RedactReference(ref string, public ...string) (string, []Redaction) {
	m := namesOnly()
	m.public = public
	m.typed(ref)
	masked, gone := m.url(ref)
	return m.bareFragment(masked, gone)
}

// bareFragment also masks what a fragment has without a name, unless it names a part of a page, as most
// fragments do. It is never sent, so no agent can repeat it. That of a mesh names an agent.
func (m *masker) bareFragment(ref string, gone []Redaction) (string, []Redaction) {
	place, fragment, hash := strings.Cut(ref, "#")
	if !hash || !strings.Contains(place, "://") || IsMesh(place) {
		return ref, gone
	}
	fields := strings.Split(fragment, "&")
	for i, field := range fields {
		if strings.Contains(field, "=") || strings.Contains(field, Mask) || namesPart(field) {
			continue
		}
		shown, one := m.standIn(inURL, field)
		fields[i] = shown
		gone = append(gone, one)
	}
	return place + "#" + strings.Join(fields, "&"), gone
}

// namesPart reports whether a fragment consists of words and short numbers, as the name of a part of a page
// does: "install-2.1". A secret has letters and digits in one word, or a long number.
func namesPart(fragment string) bool {
	if len(fragment) < shortestSecret {
		return true
	}
	for _, word := range strings.FieldsFunc(fragment, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		digits := strings.ContainsFunc(word, unicode.IsDigit)
		if digits && (strings.ContainsFunc(word, unicode.IsLetter) || len(word) >= shortestSecret) {
			return false
		}
	}
	return true
}

// typed makes the parameters of a URL that a user typed secret, with their values.
func (m *masker) typed(raw string) {
	place, fragment, _ := strings.Cut(raw, "#")
	place, query, _ := strings.Cut(place, "?")
	if _, rest, ok := strings.Cut(place, "://"); ok {
		authority, _, _ := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			user, password, ok := strings.Cut(authority[:at], ":")
			m.knowEscaped(password)
			if !ok {
				m.knowEscaped(user)
			}
		}
	}
	for _, fields := range []string{query, fragment} {
		for field := range strings.SplitSeq(fields, "&") {
			name, value, named := strings.Cut(field, "=")
			if plain, err := url.QueryUnescape(name); named && err == nil && !m.public.Has(plain) {
				m.query[strings.ToLower(plain)] = true
				m.knowEscaped(value)
			}
		}
	}
}

// knowEscaped adds a secret that stands in a URL.
func (m *masker) knowEscaped(s string) {
	if plain, err := url.QueryUnescape(s); err == nil && m.vault != nil {
		m.know(s, plain)
	}
}

// url returns a URL without its password and secret parameters. All else stays byte for byte,
// because a repaired URL would hide what was requested.
func (m *masker) url(raw string) (string, []Redaction) {
	place, fragment, hash := strings.Cut(raw, "#")
	place, query, asked := strings.Cut(place, "?")
	place, gone := m.user(place)
	if asked {
		masked, more := m.params(query)
		place, gone = place+"?"+masked, append(gone, more...)
	}
	if hash {
		masked, more := m.params(fragment)
		place, gone = place+"#"+masked, append(gone, more...)
	}
	b, whole := []byte(place), []span{{end: len(place)}}
	spans := append(m.spans(nil, b, inURL), m.vault.all().plain(b, false, inURL)...)
	for i := range spans {
		spans[i].name = inURL
	}
	masked, more := m.bytes(b, m.numbered(spans, whole, b, false))
	return string(masked), append(gone, atHead(more)...)
}

// user masks the password before the host of a URL, and the user where there is no
// password, because such a user is a token.
func (m *masker) user(place string) (string, []Redaction) {
	scheme, rest, ok := strings.Cut(place, "://")
	if !ok {
		return place, nil
	}
	authority, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@')
	if at <= 0 || isMask(authority[:at]) {
		return place, nil
	}
	user, password, ok := strings.Cut(authority[:at], ":")
	if !ok {
		shown, gone := m.standIn(userInURL, user)
		return scheme + "://" + shown + rest[at:], []Redaction{gone}
	}
	if password == "" || isMask(password) {
		return place, nil
	}
	shown, gone := m.standIn(passwordInURL, password)
	return scheme + "://" + user + ":" + shown + rest[at:], []Redaction{gone}
}

// params masks the secret parameters of a raw query, or of a fragment that is written like
// one.
func (m *masker) params(query string) (string, []Redaction) {
	var gone []Redaction
	fields := strings.Split(query, "&")
	for i, field := range fields {
		name, value, _ := strings.Cut(field, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil {
			plain = name
		}
		if value != "" && !isMask(value) && m.secretQuery(plain) {
			shown, one := m.standIn("query "+plain, value)
			fields[i] = name + "=" + shown
			gone = append(gone, one)
		}
	}
	return strings.Join(fields, "&"), gone
}
