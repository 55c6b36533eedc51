package a2a

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"parley/a2a/hostname"
	"parley/a2a/urlpath"
)

// httpURL returns an absolute http(s) URL, nil for anything else such as a file's
// name.
func httpURL(s string) *url.URL {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	return u
}

// isHTTP reports whether a URL is one of http or https, with a host.
func isHTTP(u *url.URL) bool {
	return u.Hostname() != "" && (strings.EqualFold(u.Scheme, "http") || strings.EqualFold(u.Scheme, "https"))
}

// IsMisplaced reports whether a card that source served declares a host that only makes sense on the agent's
// own machine or network.
func IsMisplaced(declared, source string) bool {
	u, from := httpURL(declared), httpURL(source)
	return u != nil && from != nil && isMisplaced(u, from)
}

// isMisplaced reports whether a card served by source declares a host that only
// makes sense on the agent's own machine or network: a wildcard always, a
// loopback or private host if the card came from outside of it. A host that a mask hides is not judged.
func isMisplaced(u, source *url.URL) bool {
	host := u.Hostname()
	if strings.Contains(host, Mask) || strings.Contains(source.Hostname(), Mask) {
		return false
	}
	if _, ok := hostname.Name(source.Hostname()); !ok || hostname.Same(host, source.Hostname()) {
		return false
	}
	switch ReachOf(host) {
	case ReachNone:
		return true
	case ReachMachine:
		return ReachOf(source.Hostname()) != ReachMachine
	case ReachNetwork:
		return ReachOf(source.Hostname()) == ReachWorld
	default:
		return false
	}
}

// Reach says from how far a host can be reached.
type Reach uint8

// The reaches.
const (
	ReachNone    Reach = iota // 0.0.0.0: nowhere
	ReachMachine              // localhost
	ReachNetwork              // 192.168.1.7, printer.local, a bare name
	ReachWorld
)

// ReachOf tells by its name or address alone from how far a host can be reached: by the one that
// is connected to. A host that cannot be connected to is not near.
func ReachOf(host string) Reach {
	host, ok := hostname.Name(host)
	if !ok {
		return ReachWorld
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		switch ip = ip.Unmap(); {
		case ip.IsUnspecified():
			return ReachNone
		case ip.IsLoopback():
			return ReachMachine
		case ip.IsPrivate(), ip.IsLinkLocalUnicast():
			return ReachNetwork
		default:
			return ReachWorld
		}
	}
	host = strings.TrimSuffix(host, ".")
	switch {
	case host == "localhost" || strings.HasSuffix(host, ".localhost"):
		return ReachMachine
	case !strings.Contains(host, "."), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".internal"):
		return ReachNetwork
	default:
		return ReachWorld
	}
}

// mayAnswer reports whether the path of an operation or of the card can be the endpoint of a binding.
// Requests of JSON-RPC have no path of their own, so that an agent may take them at any path but that
// of a card.
func mayAnswer(u *url.URL, b Binding) bool {
	return b != BindingREST && !strings.Contains(u.Path, "/.well-known/")
}

// suspect warns of an endpoint that JSON-RPC is declared for and that has the path of an operation of
// HTTP+JSON. Where the path is without the operation is a guess, which [Profile.OtherWays] makes.
func (d *detector) suspect(c *candidate) {
	p := &d.profile
	base := p.baseEndpoint()
	if base == "" {
		return
	}
	d.warn("The card declares %s for JSON-RPC, which has the path of an operation of HTTP+JSON; Parley uses it as it is declared, and tries %s if nothing answers there",
		clip(c.iface.DeclaredURL), base)
	p.Evidence = append(p.Evidence, Evidence{
		Field: "endpoint", Value: base, Reason: "a guess: the declared URL without the path of an operation", Confidence: Guess,
	})
}

// AtOperation reports whether the card declares the path of an operation of HTTP+JSON for another
// binding.
func (p *Profile) AtOperation() bool { return p.baseEndpoint() != "" }

// baseEndpoint returns the endpoint without the path of an operation, empty if it has none.
func (p *Profile) baseEndpoint() string {
	u := httpURL(p.Endpoint)
	if u == nil || !mayAnswer(u, p.Binding) {
		return ""
	}
	if base, end := urlpath.Operation(u); end != "" {
		return base.String()
	}
	return ""
}

// declared reports whether the card names the endpoint, not the user.
func (w *wire) declared() bool {
	return w.profile != nil && w.card != nil && !w.profile.Pinned("endpoint")
}

// urlAdvice says what to check where nothing answers at a URL: who wrote the URL, the author of the
// card or Parley. The profile is that of the client which used the URL, nil if none did.
func (w *wire) urlAdvice(out *outgoingRequest) string {
	if w.profile == nil || w.card == nil || out.from != nil {
		return "check the URL"
	}
	endpoint, _ := w.mask.url(w.profile.Endpoint)
	declared := slices.ContainsFunc(w.card.Interfaces, func(i Interface) bool {
		shown, _ := w.mask.url(i.URL)
		return shown == endpoint || out.path != "" // a carrier has no URL of its own
	})
	switch {
	case w.profile.Pinned("endpoint"):
		return "check the endpoint that you pinned"
	case !declared:
		return "the card does not declare " + endpoint + ", which Parley made from a URL in the card"
	case out.path == "" && out.url != w.profile.Endpoint:
		return "check the URL in the card, " + endpoint + ", to which Parley added the path of the operation"
	}
	if u := httpURL(w.profile.Endpoint); u != nil && urlpath.Doubled(u.Path) != "" {
		return "check the URL in the card, whose path begins with " + urlpath.Doubled(u.Path) + " twice, as if a server and a gateway had both added it"
	}
	return "check the URL in the card"
}

// onOrigin returns u with the scheme, host and port of source.
func onOrigin(u, source *url.URL) *url.URL {
	c := *u
	c.Scheme, c.Host = source.Scheme, source.Host
	return &c
}
