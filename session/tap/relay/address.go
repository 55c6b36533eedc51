package relay

import (
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/httphead"
	"parley/session/listen"
)

// TokenField is the field of a head in which a client may name the token of a relay.
const TokenField = "Parley-Token"

// checkClient says why a request may not come to this relay, nil if it may.
func (r *Relay) checkClient(h *Head) *fault {
	host := h.Host
	if u, err := url.Parse(h.URI); err == nil && u.Host != "" && h.Method != http.MethodConnect && !strings.HasPrefix(h.URI, "/") {
		if !strings.EqualFold(u.Host, h.Host) {
			return &fault{http.StatusMisdirectedRequest, "This tap stands before one agent and is no proxy to other hosts: use its URL, " + r.base + "."}
		}
	}
	if r.loopback {
		if !listen.NamesLoopback(host) {
			return &fault{http.StatusForbidden, "This tap serves only clients of this machine: use its URL, " + r.base + "."}
		}
		return nil
	}
	if !r.knows(h) {
		return &fault{http.StatusForbidden, "This tap needs its token, as the first part of the path or in the field " + TokenField + "."}
	}
	return nil
}

// knows reports whether a request has the token.
func (r *Relay) knows(h *Head) bool {
	_, inPath := r.withoutToken(h.URI)
	return inPath || r.isToken(h.Header.Get(TokenField))
}

func (r *Relay) isToken(word string) bool {
	return r.options.Token != "" && subtle.ConstantTimeCompare([]byte(word), []byte(r.options.Token)) == 1
}

// withoutToken returns the target of a request without the token at the beginning of its path, and
// whether it had one.
func (r *Relay) withoutToken(uri string) (string, bool) {
	if !strings.HasPrefix(uri, "/") {
		return uri, false
	}
	end := strings.IndexAny(uri[1:], "/?")
	if end < 0 {
		end = len(uri) - 1
	}
	word, err := url.PathUnescape(uri[1 : end+1])
	if err != nil || !r.isToken(word) {
		return uri, false
	}
	rest := uri[end+1:]
	if !strings.HasPrefix(rest, "/") {
		rest = "/" + rest
	}
	return rest, true
}

// addressed returns the head of a request as it goes to a target: with its host, and without the
// token of the relay. If path is set, it replaces the target of the request.
func (r *Relay) addressed(h *Head, to *url.URL, path string) []byte {
	uri, _ := r.withoutToken(h.URI)
	if path != "" {
		uri = path
	} else if u, err := url.Parse(uri); err == nil && u.Host != "" && !strings.HasPrefix(uri, "/") {
		u.Scheme, u.Host = to.Scheme, to.Host
		uri = u.String()
	}
	rest := h.Wire[len(h.Method)+1+len(h.URI):]
	head := slices.Concat([]byte(h.Method+" "+uri), rest)
	return changeFields(head, func(f *httphead.Field) []byte {
		switch {
		case f.Key() == "Host":
			return slices.Concat(f.Line[:f.At], []byte(to.Host), f.Line[f.At+len(f.Value):])
		case f.Key() == TokenField && r.isToken(f.Value): // is for this relay only
			return nil
		}
		return f.Line
	})
}

// dialAddress returns host and port of a target.
func dialAddress(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}
