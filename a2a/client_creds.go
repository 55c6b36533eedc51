package a2a

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/httphead"
)

// credentials are sent with every request.
type credentials struct {
	bearer string
	// from gives the bearer token if there is no fixed one; may be nil.
	from   func(ctx context.Context, refused string) (string, error)
	apiKey string
	keyIn  string // header, query or cookie
	keyAs  string // its name there
	pairs  []HeaderPair

	idle     []string // set, but not sent to this agent
	withheld []string // clauses that say so, and what to do
	common   bool     // one of them is a word of the protocol
}

// newCredentials places what options set as a card says, which is nil until it is known: a
// bearer token and headers go along unless the card's schemes exclude them, an API key only
// where the card wants one.
func newCredentials(o *Options, card *Card) credentials {
	c := credentials{bearer: strings.TrimSpace(o.Bearer), apiKey: strings.TrimSpace(o.APIKey)}
	if c.bearer == "" {
		c.from = o.BearerFrom
	}
	if (c.bearer != "" || c.from != nil) && !card.accepts("bearer") {
		c.idle = append(c.idle, c.bearer)
		c.withhold("the bearer token is not sent, because the card declares only %s", card.schemeWords())
		c.bearer, c.from = "", nil
	}
	if s := card.keyScheme(); o.KeyName != "" {
		c.keyIn, c.keyAs = strings.ToLower(o.KeyIn), o.KeyName
	} else if s != nil {
		c.keyIn, c.keyAs = strings.ToLower(s.In), s.Name
	} else if c.apiKey != "" {
		c.idle = append(c.idle, c.apiKey)
		if card != nil {
			c.withhold("the API key is not sent, because the card does not say where to put it: name its header with --svc-param")
		} else {
			c.withhold("the API key is not sent, because no card says where to put it: name its header with --svc-param")
		}
		c.apiKey = ""
	}
	for _, p := range o.Headers {
		scheme, _, many := strings.Cut(p.Value, " ")
		if !many {
			scheme = ""
		}
		if !p.Pinned && strings.EqualFold(p.Name, "Authorization") && !card.accepts(scheme) {
			c.idle = append(c.idle, headerValues(p.Name, p.Value)...)
			c.withhold("the header Authorization is not sent, because the card declares only %s: pin it for this agent to send it anyway", card.schemeWords())
			continue
		}
		c.pairs = append(c.pairs, p)
	}
	return c
}

func (c *credentials) withhold(format string, args ...any) {
	c.withheld = append(c.withheld, fmt.Sprintf(format, args...))
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
	own := slices.Concat([]string{c.bearer, c.apiKey}, c.idle, o.Passwords)
	for _, p := range c.pairs {
		if m.secretHeader(p.Name) {
			own = append(own, headerValues(p.Name, p.Value)...)
		}
	}
	c.common = m.know(own...)
	for _, ref := range o.UserAddresses {
		m.typed(ref)
	}
	return m
}

// set reports whether any credential is set, including those that this agent does not get.
func (c *credentials) set(m *masker) bool { return c.anySent(m) || len(c.idle) > 0 }

// anySent reports whether any of what is sent is a secret.
func (c *credentials) anySent(m *masker) bool {
	secret := func(p HeaderPair) bool { return p.Value != "" && m.secretHeader(p.Name) }
	return c.bearer != "" || c.from != nil || c.apiKey != "" || slices.ContainsFunc(c.pairs, secret)
}

// apply puts the credentials on a request. What the user set as a header wins.
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

// badHeader returns the name of a header that HTTP cannot carry. Without this check a line
// break in a token would look like a broken connection.
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

// NotToken reports whether a character cannot stand in a token of HTTP, see [httphead.NotToken].
func NotToken(r rune) bool { return httphead.NotToken(r) }

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
