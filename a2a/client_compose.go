package a2a

import (
	"net/url"
	"slices"
	"strings"
)

// Compose returns the request that [Client.Do] would send for an operation. Credentials
// stand in it as [Mask], which [Client.Raw] fills in. The error is an [*EncodeError].
func (c *Client) Compose(req Request) (RawRequest, error) {
	if c.problem != "" {
		return RawRequest{}, &EncodeError{Sentence: asSentence(c.problem)}
	}
	c.fillIn(&req)
	out, err := c.binding.encode(req, c.options.NewID())
	if err != nil {
		return RawRequest{}, err
	}
	out.header.Set("User-Agent", c.wire.userAgent)
	out.header.Set("Accept-Encoding", "identity")
	r := RawRequest{Method: out.method, URL: out.url, Header: out.header, Body: out.body}
	masked := c.wire.creds.masked(c.wire.mask)
	if u, err := url.Parse(r.URL); err == nil {
		query := u.RawQuery
		masked.apply(r.Header, u)
		if u.RawQuery != query {
			r.URL = strings.Replace(u.String(), url.QueryEscape(Mask), Mask, 1)
		}
	}
	return r, nil
}

// masked returns credentials of which every secret is the mask.
func (c credentials) masked(m *masker) credentials {
	hide := func(s *string) {
		if *s != "" {
			*s = Mask
		}
	}
	if c.from != nil {
		c.bearer = Mask
	}
	hide(&c.bearer)
	hide(&c.apiKey)
	c.pairs = slices.Clone(c.pairs)
	for i := range c.pairs {
		if m.secretHeader(c.pairs[i].Name) {
			hide(&c.pairs[i].Value)
		}
	}
	return c
}

// resume adds the id of the newest frame of the stream that is resumed, as browsers
// do. An id that HTTP cannot carry is left out.
func (o *outgoingRequest) resume(id string) {
	for i := range len(id) {
		if c := id[i]; c < ' ' && c != '\t' || c == 0x7f {
			return
		}
	}
	if id != "" {
		o.header.Set("Last-Event-ID", id)
	}
}
