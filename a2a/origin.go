package a2a

import (
	"cmp"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/hostname"
)

// Origin returns scheme, host and port of an http or https URL in one spelling,
// "https://agent.example" or "http://localhost:4100", and "" for anything else. A URL of gRPC has
// the origin of its HTTP/2, and that of a broker the origin of HTTP at its port. Two URLs share an
// origin exactly if the results are equal; another port or a loopback address under another
// name is another origin. The host is the one that is connected to, in ASCII (see
// [hostname.Key]): sentences name origins, and letters may look like others.
func Origin(rawURL string) string {
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil {
		return ""
	}
	return originOf(u)
}

func originOf(u *url.URL) string {
	scheme, host, port := strings.ToLower(u.Scheme), u.Hostname(), u.Port()
	switch scheme { // gRPC is HTTP/2
	case schemeGRPC:
		scheme = "http"
	case schemeGRPCS:
		scheme = "https"
	}
	if under := meshOrigins[scheme]; under != "" {
		port, scheme = cmp.Or(port, meshPorts[scheme]), under
	}
	if scheme != "http" && scheme != "https" || host == "" {
		return ""
	}
	if scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		port = ""
	}
	host = hostname.Key(host) // which net.JoinHostPort puts into brackets
	switch {
	case port != "":
		host = net.JoinHostPort(host, port)
	case strings.Contains(host, ":"):
		host = "[" + host + "]"
	}
	return scheme + "://" + host
}

// isSamePort reports whether a URL and an origin are one port of this machine under two of its names,
// as localhost and 127.0.0.1 are.
func isSamePort(u *url.URL, origin string) bool {
	from, err := url.Parse(origin)
	to, known := url.Parse(originOf(u))
	return err == nil && known == nil && from.Scheme == to.Scheme && from.Port() == to.Port() &&
		hostname.IsLoopback(from.Hostname()) && hostname.IsLoopback(to.Hostname())
}

// maxShownHost is how many bytes of a host a sentence contains: nearly every host is shorter.
const maxShownHost = 80

// ShownHost returns the host of a URL, with its port, for use in a sentence: as [hostname.Of] has
// it, and cut at its beginning, which the owner of the end can choose freely. It is empty if the
// URL has no host.
func ShownHost(u *url.URL) string {
	host := hostname.Of(u)
	if len(host) > maxShownHost {
		return "…" + host[len(host)-maxShownHost:]
	}
	return host
}

// isHost reports whether the host of a URL can be looked up.
func isHost(u *url.URL) bool {
	_, ok := hostname.Name(u.Hostname())
	return ok
}

// noHost says that a host cannot be looked up.
func noHost(u *url.URL) string {
	return "T" + hostname.Refusal(ShownHost(u)).Error()[1:] + ": correct it, or give another address."
}

// ShownOrigin returns the origin of a URL for users: as [Origin], but with the scheme that they
// know, "grpc://localhost:50051".
func ShownOrigin(rawURL string) string {
	u, err := url.Parse(strings.TrimSpace(rawURL))
	if err != nil {
		return ""
	}
	return shownOrigin(u)
}

func shownOrigin(u *url.URL) string {
	origin, scheme := originOf(u), strings.ToLower(u.Scheme)
	if _, rest, ok := strings.Cut(origin, "://"); ok && (scheme == schemeGRPC || scheme == schemeGRPCS || meshOrigins[scheme] != "") {
		return scheme + "://" + rest
	}
	return origin
}

// A gate restricts where credentials go: while any are set, requests go only to origins that
// the user named or allowed.
type gate struct {
	armed      bool
	answer     bool   // it guards a secret answer, and no credentials
	file       bool   // it restricts a download to the origin that was asked for
	userOrigin string // the first origin the user named, for sentences
	allowed    map[string]bool
	secure     map[string]string // by host: the origin with TLS that the user opened there, or from which the card came
	// values are the query values that the user wrote. They go only to allowed origins even if
	// nothing else is a secret.
	values map[string]bool
}

func newGate(o *Options, armed bool) gate {
	g := gate{armed: armed, allowed: map[string]bool{}, secure: map[string]string{}, values: map[string]bool{}}
	for _, all := range namedQuery(o) {
		for _, v := range all {
			g.values[v] = v != ""
		}
	}
	for _, raw := range o.UserAddresses {
		if origin := TypedOrigin(raw); origin != "" {
			g.allow(origin)
			if g.userOrigin == "" {
				g.userOrigin = cmp.Or(ShownOrigin(raw), origin)
			}
		}
	}
	for _, raw := range append(o.AllowOrigins[:len(o.AllowOrigins):len(o.AllowOrigins)], o.ArtifactGateway) {
		if origin := TypedOrigin(raw); origin != "" {
			g.allow(origin)
		}
	}
	g.noteSecure(o.CardOrigin)
	return g
}

// allow notes an origin that the user named.
func (g gate) allow(origin string) {
	g.allowed[origin] = true
	g.noteSecure(origin)
}

// noteSecure notes that a host was opened over TLS.
func (g gate) noteSecure(origin string) {
	if host, ok := strings.CutPrefix(origin, "https://"); ok && g.secure[hostOf(host)] == "" {
		g.secure[hostOf(host)] = origin
	}
}

// hostOf returns the host of an origin without its port.
func hostOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// TypedOrigin returns the origin of what a user typed to name an agent, with the scheme that
// Parley uses where none was typed; "" for a file and for what names nothing.
func TypedOrigin(typed string) string {
	if origin := Origin(typed); origin != "" {
		return origin
	}
	r, problem := parseReference(typed)
	switch {
	case problem != "":
		return ""
	case r.url != nil:
		return originOf(r.url)
	case r.mesh.Broker != "":
		return Origin(r.mesh.Broker)
	default:
		return Origin(r.rpc)
	}
}

// disarmed returns the gate for requests without credentials.
func (g gate) disarmed() gate {
	g.armed = false
	return g
}

// permits reports whether credentials may go to a URL.
func (g gate) permits(u *url.URL) bool { return !g.armed || g.allowed[originOf(u)] }

// namedQuery returns the parameters in the queries of what a user named, except those
// that are public.
func namedQuery(o *Options) url.Values {
	secrets, public := url.Values{}, publicOf(o)
	for _, raw := range o.UserAddresses {
		_, query, _ := strings.Cut(raw, "?")
		query, _, _ = strings.Cut(query, "#")
		values, _ := url.ParseQuery(query) // as far as it can be read
		for name, all := range values {
			if !public.Has(name) {
				secrets[name] = append(secrets[name], all...)
			}
		}
	}
	return secrets
}

// queryLeak returns a parameter that the user wrote in a query and that a redirect's URL would
// carry to another origin; empty if there is none, or if it may go there.
func (g gate) queryLeak(u *url.URL) (name string) {
	if len(g.values) == 0 || g.allowed[originOf(u)] {
		return ""
	}
	for name, all := range u.Query() {
		if slices.ContainsFunc(all, func(v string) bool { return g.values[v] }) {
			return name
		}
	}
	for v := range g.values {
		if len(v) >= shortestSecret && strings.Contains(u.Path, v) {
			return "path"
		}
	}
	return ""
}

// forSecret returns the gate for a request that holds a secret answer: it goes only to its own
// origin.
func (g gate) forSecret(rawURL string) gate {
	if g.armed {
		return g
	}
	origin := Origin(rawURL)
	allowed := maps.Clone(g.allowed)
	allowed[origin] = true
	return gate{armed: true, answer: true, userOrigin: ShownOrigin(rawURL), allowed: allowed, secure: g.secure}
}
