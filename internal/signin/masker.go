package signin

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parley/a2a"
)

// A masker makes what an authorization server says fit to be shown: without the secrets of the sign-in,
// which a server may repeat in any text, and without anything that controls a terminal. The zero
// value knows no secrets.
type masker struct{ secrets a2a.Secrets }

// know makes values secret, in all their spellings, and as they are in a form or a header (RFC 6749, 2.3.1),
// which may be spelled once more.
func (m *masker) know(values ...string) {
	for _, v := range values {
		m.secrets.Add(v, url.QueryEscape(v)) // also short ones, as words
		m.secrets.Know(v, url.QueryEscape(v))
	}
}

// client makes the secret of a client secret, also as a header carries it beside the id.
func (m *masker) client(id, secret string) {
	if secret == "" {
		return
	}
	m.know(secret)
	for _, pair := range []string{id + ":" + secret, url.QueryEscape(id) + ":" + url.QueryEscape(secret)} {
		m.know(base64.RawStdEncoding.EncodeToString([]byte(pair)))
	}
}

// text returns a text of a server, masked and printable, in at most 200 characters. What is cut was masked
// before, or half a secret would stay.
func (m *masker) text(s string) string { return printable(m.secrets.Mask(s)) }

// hides reports whether a text contains a secret.
func (m *masker) hides(s string) bool { return m.secrets.Mask(s) != s }

// address returns an address without its query. What was masked in its path is still the mask.
func (m *masker) address(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "an address that cannot be read"
	}
	path := strings.ReplaceAll(u.EscapedPath(), url.PathEscape(a2a.Mask), a2a.Mask)
	return m.text(a2a.ShownOrigin(raw) + path)
}

// named returns an address with what is no secret in its query, or the text if it is no address.
func (m *masker) named(address string) string {
	if a2a.Origin(address) == "" {
		return strconv.Quote(m.text(address))
	}
	if _, query, ok := strings.Cut(a2a.MaskURL(address), "?"); ok {
		return m.address(address) + "?" + m.text(query)
	}
	return m.address(address)
}

// cause returns the reason of a failure of the network without the address, which may contain a secret. The
// library for HTTP quotes what a server sent.
func (m *masker) cause(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Sprintf("it did not answer within %s", timeToWait)
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		err = e.Err
	}
	return m.text(err.Error())
}

// clean masks what a server said of an identity: it is kept and shown. A scope with a secret in it is
// none that could be asked for again.
func (m *masker) clean(i *Identity) {
	i.User = m.text(i.User)
	i.Scopes = slices.DeleteFunc(i.Scopes, m.hides)
	for n, audience := range i.Audience {
		i.Audience[n] = m.text(audience)
	}
}

// printable returns a text of another party in at most 200 characters, none of which controls a
// terminal.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > 200 {
		s = string(runes[:200]) + "…"
	}
	return strings.TrimSpace(s)
}
