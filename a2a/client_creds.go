package a2a

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// defaultKeyHeader carries an API key when the card does not say what should.
const defaultKeyHeader = "X-API-Key"

// credentials are what is sent along with every request.
type credentials struct {
	bearer string
	apiKey string
	keyIn  string // header, query or cookie
	keyAs  string // its name there
	pairs  []HeaderPair
}

func newCredentials(o *Options, card *Card) credentials {
	c := credentials{
		bearer: strings.TrimSpace(o.Bearer),
		apiKey: strings.TrimSpace(o.APIKey),
		keyIn:  "header", keyAs: defaultKeyHeader,
		pairs: o.Headers,
	}
	if s := keyScheme(card); s != nil {
		c.keyIn, c.keyAs = strings.ToLower(s.In), s.Name
	}
	return c
}

// keyScheme returns the apiKey scheme that a card asks for: the first one its
// requirements name, else the first one it declares, nil if there is none.
func keyScheme(card *Card) *SecurityScheme {
	if card == nil {
		return nil
	}
	usable := map[string]*SecurityScheme{}
	var first *SecurityScheme
	for i := range card.SecuritySchemes {
		s := &card.SecuritySchemes[i]
		if s.Type != "apiKey" || s.Name == "" {
			continue
		}
		usable[s.Key] = s
		if first == nil {
			first = s
		}
	}
	for _, requirement := range card.Security {
		for _, wanted := range requirement {
			if s := usable[wanted.Scheme]; s != nil {
				return s
			}
		}
	}
	return first
}

// transportHeaders are those that say how HTTP carries a request. net/http writes them itself,
// and they are no secrets.
var transportHeaders = [...]string{"Host", "Content-Length", "Transfer-Encoding", "Trailer"}

// publicOf returns the names that options declare public, those of single headers too.
func publicOf(o *Options) PublicNames {
	public := slices.Clone(o.Public)
	for _, p := range o.Headers {
		if p.Public {
			public = append(public, p.Name)
		}
	}
	return public
}

// masker returns a masker that knows these credentials.
func (c *credentials) masker(o *Options) *masker {
	m := newMasker(publicOf(o))
	m.vault = o.Secrets
	m.vault.name(o.SecretMembers)
	for _, p := range c.pairs {
		if name := http.CanonicalHeaderKey(p.Name); !slices.Contains(transportHeaders[:], name) {
			m.headers[name] = true
		}
	}
	switch c.keyIn {
	case "query":
		m.query[strings.ToLower(c.keyAs)] = true
	case "header":
		m.headers[http.CanonicalHeaderKey(c.keyAs)] = true
	}
	m.know(c.bearer, c.apiKey)
	for _, p := range c.pairs {
		if m.secretHeader(p.Name) {
			m.know(headerValues(p.Name, p.Value)...)
		}
	}
	for _, ref := range o.Named {
		m.typed(ref)
	}
	return m
}

// set reports whether any of what is sent is a secret.
func (c *credentials) set(m *masker) bool {
	for _, p := range c.pairs {
		if p.Value != "" && m.secretHeader(p.Name) {
			return true
		}
	}
	return c.bearer != "" || c.apiKey != ""
}

// apply puts the credentials on a request. What the person set as a header wins.
func (c *credentials) apply(h http.Header, u *url.URL) {
	if c.bearer != "" {
		h.Set("Authorization", "Bearer "+c.bearer)
	}
	switch {
	case c.apiKey == "":
	case c.keyIn == "query":
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += url.QueryEscape(c.keyAs) + "=" + url.QueryEscape(c.apiKey)
	case c.keyIn == "cookie":
		h.Add("Cookie", c.keyAs+"="+c.apiKey)
	default:
		h.Set(c.keyAs, c.apiKey)
	}
	replaced := map[string]bool{}
	for _, p := range c.pairs {
		name := http.CanonicalHeaderKey(p.Name)
		if !replaced[name] {
			h.Del(name)
			replaced[name] = true
		}
		h.Add(name, p.Value)
	}
}

// badHeader returns the name of a header that HTTP cannot carry. Without this a
// stray line end in a token looks like a broken connection.
func badHeader(h http.Header) (name string, bad bool) {
	for name, values := range h {
		bad = name == "" || strings.ContainsFunc(name, NotToken)
		for _, v := range values {
			bad = bad || strings.ContainsFunc(v, isControl)
		}
		if bad {
			return name, true
		}
	}
	return "", false
}

// NotToken reports whether a character cannot stand in a token of HTTP, which methods and
// names of headers are (RFC 9110, 5.6.2).
func NotToken(r rune) bool {
	return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
