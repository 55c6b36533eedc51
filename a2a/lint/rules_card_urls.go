package lint

import (
	"net/netip"
	"net/url"
	"strings"

	"parley/a2a"
	"parley/a2a/hostname"
	"parley/a2a/jsontok"
	"parley/a2a/urlpath"
)

// cardSource returns the URL under which a card was requested, empty if it did not come from an address of its own.
func (p *pass) cardSource() string {
	if p.call.Op != a2a.OpCard {
		return ""
	}
	return p.call.Endpoint
}

// http reports whether an endpoint declares a text as its URL that has to be one of HTTP: not host:port, nor
// whatever a custom binding has, nor a topic of a mesh.
func (e *endpoint) http() bool {
	switch a2a.BindingOf(e.binding.Text()) {
	case a2a.BindingGRPC, a2a.BindingOther:
		return false
	}
	return e.url.IsText() && !strings.HasPrefix(e.url.Text(), "solace:")
}

func endpointURLs(p *pass, n jsontok.Node) {
	for _, e := range endpoints(n) {
		text := e.url.Text()
		if !e.http() {
			if e.url.IsText() && a2a.BindingOf(e.binding.Text()) == a2a.BindingGRPC && a2a.GRPCEndpoint(text) == "" {
				p.note(e.url, "The address of gRPC is not host:port")
			}
			continue
		}
		switch u, err := url.Parse(text); {
		case strings.TrimSpace(text) == "":
			p.note(e.url, "The endpoint's URL is empty")
		case err != nil:
			p.note(e.url, "The endpoint's URL is invalid")
		case u.Scheme == "":
			p.note(e.url, "The endpoint's URL is relative")
		case u.Scheme != "http" && u.Scheme != "https":
			p.note(e.url, "The endpoint's URL is not http(s)")
		}
	}
}

// endpointHosts also guesses about a name without a domain, which may be that of a container, if the card came from
// a host with another one.
func endpointHosts(p *pass, n jsontok.Node) {
	source := p.cardSource()
	from, err := url.Parse(source)
	if err != nil || from.Hostname() == "" {
		return
	}
	for _, e := range endpoints(n) {
		u, err := url.Parse(e.url.Text())
		if a2a.BindingOf(e.binding.Text()) == a2a.BindingGRPC {
			u, err = url.Parse(a2a.GRPCEndpoint(e.url.Text()))
		}
		switch {
		case err != nil || u.Hostname() == "":
		case a2a.IsMisplaced(e.url.Text(), source):
			p.note(e.url, "The endpoint's host cannot be reached from where the card was served")
		case isLocalName(u.Hostname()) && !isLocalName(from.Hostname()) && !hostname.Same(u.Hostname(), from.Hostname()):
			p.note(e.url, "The endpoint's host “"+clip(u.Hostname())+"” has no domain of the Internet: probably only a container or a cluster knows the name")
		}
	}
}

// isLocalName reports whether a host is a name that only some network can know, such as that of a container.
func isLocalName(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil || a2a.ReachOf(host) != a2a.ReachNetwork {
		return strings.HasSuffix(host, ".svc.cluster.local")
	}
	return true
}

func endpointPaths(p *pass, n jsontok.Node) {
	for _, e := range endpoints(n) {
		if u, err := url.Parse(e.url.Text()); err == nil && e.http() {
			if _, end := urlpath.Operation(u); end != "" {
				p.note(e.url, "The URL ends in "+clip(end)+", the path of an operation or of the card")
			}
		}
	}
}

func doubledPaths(p *pass, n jsontok.Node) {
	for _, e := range endpoints(n) {
		if u, err := url.Parse(e.url.Text()); err == nil && e.http() {
			if twice := urlpath.Doubled(u.Path); twice != "" {
				p.note(e.url, "The path begins with "+clip(twice)+" twice, as if a server and a gateway had both added it")
			}
		}
	}
}

func grpcPaths(p *pass, n jsontok.Node) {
	for _, e := range endpoints(n) {
		if a2a.BindingOf(e.binding.Text()) != a2a.BindingGRPC || strings.HasPrefix(e.url.Text(), "dns:") {
			continue
		}
		_, rest, has := strings.Cut(e.url.Text(), "://")
		if !has {
			rest = e.url.Text()
		}
		if _, path, _ := strings.Cut(rest, "/"); path != "" {
			p.note(e.url, "The address of gRPC has the path /"+clip(path)+", which clients of gRPC leave out")
		}
	}
}

// urlConflicts compares the interfaces of a card of 0.x.
func urlConflicts(p *pass, n jsontok.Node) {
	bindings := map[string]a2a.Binding{}
	for _, e := range endpoints(n) {
		if e.supported || !e.url.IsText() {
			continue
		}
		b, seen := bindings[e.url.Text()]
		if now := a2a.BindingOf(e.binding.Text()); !seen {
			bindings[e.url.Text()] = now
		} else if b != now {
			p.note(e.url, "Several transports declare the same URL")
			return
		}
	}
}

func unreleasedVersions(p *pass, n jsontok.Node) {
	for _, e := range endpoints(n) {
		version := e.version.Text()
		if _, known := a2a.ParseVersion(version); e.supported && !known && isVersion(version) && majorMinor(version) {
			p.note(e.version, "A2A "+clip(version)+" is not released")
		}
	}
}

func cardRequires(p *pass, n jsontok.Node) {
	for e := range get(get(n, "capabilities"), "extensions").Elems() {
		if required, _ := get(e, "required").Bool(); required {
			p.note(get(e, "required"), "The card requires the extension "+clip(get(e, "uri").Text())+": the agent refuses a client that does not name it")
		}
	}
}
