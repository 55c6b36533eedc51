package a2a

import (
	"net/url"
	"strings"

	"parley/a2a/hostname"
)

// The schemes of endpoints of gRPC: with TLS and without.
const (
	schemeGRPC  = "grpc"
	schemeGRPCS = "grpcs"
)

// IsGRPC reports whether a text is an address of gRPC by its scheme.
func IsGRPC(address string) bool {
	scheme, _, ok := strings.Cut(strings.TrimSpace(address), "://")
	return ok && (strings.EqualFold(scheme, schemeGRPC) || strings.EqualFold(scheme, schemeGRPCS))
}

// A grpcAddress is an address of gRPC as cards and users write it.
type grpcAddress struct {
	scheme string // as written, in lower case; empty without one
	host   string
	port   string
}

// parseGRPC reads host:port, alone or after grpc://, grpcs://, http://, https://, dns:/// or
// dns:, and reports false for anything else. A path is ignored, because services have their own.
func parseGRPC(s string) (a grpcAddress, ok bool) {
	rest := strings.TrimSpace(s)
	if scheme, after, has := strings.Cut(rest, "://"); has {
		a.scheme, rest = strings.ToLower(scheme), after
	} else if after, has := strings.CutPrefix(rest, "dns:"); has {
		a.scheme, rest = "dns", after
	}
	switch a.scheme {
	case "", schemeGRPC, schemeGRPCS, "http", "https":
		rest, _, _ = strings.Cut(rest, "/")
	case "dns", "passthrough": // an authority may stand before the name: dns://resolver/name
		if _, name, has := strings.Cut(rest, "/"); has {
			rest = name
		}
		a.scheme = ""
	default:
		return a, false
	}
	rest, _, _ = strings.Cut(rest, "?")
	u, err := url.Parse("//" + rest)
	if err != nil || u.Hostname() == "" || u.User != nil || strings.ContainsAny(u.Host, " \t") {
		return a, false
	}
	a.host, a.port = u.Hostname(), u.Port()
	if a.port == "" {
		a.port = map[bool]string{true: "80", false: "443"}[a.plain()]
	}
	return a, true
}

// plain reports whether the address asks for no TLS.
func (a *grpcAddress) plain() bool { return a.scheme == "http" || a.scheme == schemeGRPC }

// url writes the address as an endpoint.
func (a *grpcAddress) url(tls bool) string {
	scheme := schemeGRPC
	if tls {
		scheme = schemeGRPCS
	}
	return scheme + "://" + hostname.Join(a.host, a.port)
}

// GRPCEndpoint returns the endpoint of an address that a user wrote: "grpc://host:port" without
// TLS, "grpcs://host:port" with it. An address without a scheme is spoken to with TLS, unless it
// is one of this machine. It is empty for anything that is no address.
func GRPCEndpoint(address string) string {
	a, ok := parseGRPC(address)
	if !ok {
		return ""
	}
	return a.url(!a.plain() && (a.scheme != "" || ReachOf(a.host) != ReachMachine))
}

// grpcURL returns the endpoint of an interface that a card declares, nil if it is no address. A
// card cannot ask for a connection without TLS to another machine: only the user can.
func grpcURL(declared string) *url.URL {
	a, ok := parseGRPC(declared)
	if !ok {
		return nil
	}
	local := ReachOf(a.host) == ReachMachine
	tls := a.scheme == "https" || a.scheme == schemeGRPCS || !local
	u, err := url.Parse(a.url(tls))
	if err != nil {
		return nil
	}
	return u
}
