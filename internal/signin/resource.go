package signin

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"parley/a2a"
)

// A protected is what a protected resource says of itself (RFC 9728, 2).
type protected struct {
	Resource string   `json:"resource"`
	Servers  []string `json:"authorization_servers"`
}

// protectedBy reads the metadata of a protected resource (RFC 9728), and those of the first
// authorization server that it names.
func (r *reader) protectedBy(ctx context.Context, a *Login) (*Server, error) {
	address := a.Challenge.Params["resource_metadata"]
	switch asked := a.asked(); {
	case a2a.Origin(asked) != a.Origin:
		return nil, fmt.Errorf("%s asks for credentials, but those for %s do not go there: sign in to it at its own address", r.mask.address(asked), a.Origin)
	case a2a.Origin(address) != a.Origin:
		return nil, fmt.Errorf("%s names metadata at %s, which is another origin: nothing was requested there; whoever runs the agent can publish them at its own origin", r.mask.address(asked), r.mask.named(address))
	}
	var about protected
	if err := r.get(ctx, address, &about); err != nil {
		return nil, err
	}
	if err := r.checkResource(a, address, about.Resource); err != nil {
		return nil, err
	}
	if len(about.Servers) == 0 {
		return nil, fmt.Errorf("the metadata at %s name no authorization server", r.mask.address(address))
	}
	issuer := about.Servers[0]
	var last error
	for _, at := range wellKnown(issuer) {
		server, err := r.metadata(ctx, at)
		if err == nil {
			server.Resource = about.Resource
			return server, nil
		}
		last = err
	}
	return nil, last
}

// asked returns the URL for which the agent asks for credentials.
func (a *Login) asked() string { return cmp.Or(a.Refused, a.Origin) }

// checkResource refuses metadata of another resource than the one that was requested (RFC 9728, 3.3):
// whoever runs the agent could use a token for another one there, in the name of the user.
func (r *reader) checkResource(a *Login, address, resource string) error {
	switch asked := a.asked(); {
	case resource == "":
		return fmt.Errorf("the metadata at %s lack “resource”, so that no token was requested for %s: whoever runs the agent can add it", r.mask.address(address), r.mask.address(asked))
	case a2a.Origin(resource) != a.Origin || !covers(resource, asked) || !documents(address, resource):
		return fmt.Errorf("the metadata at %s are those of %s, and not of %s: no token was requested, because the agent could use it there; whoever runs the agent can correct “resource”", r.mask.address(address), r.mask.named(resource), r.mask.named(asked))
	}
	return nil
}

// covers reports whether a resource contains what was requested at the same origin: it is the same URL, or
// its path leads there, as many servers are one resource with all their paths. RFC 9728 demands the same URL,
// but most servers name their origin. Who requests a card at a well-known place has not named a path
// yet, so that the agent may also be below that place.
func covers(resource, asked string) bool {
	r, err := url.Parse(strings.TrimSpace(resource))
	if err != nil || r.User != nil || r.Fragment != "" || strings.Contains(r.Path, a2a.Mask) {
		return false
	}
	u, err := url.Parse(strings.TrimSpace(asked))
	if err != nil {
		return false
	}
	if above, _, card := strings.Cut(u.Path, "/.well-known/"); card {
		return below(above, r.Path) || below(r.Path, above)
	}
	return below(u.Path, r.Path) && hasQuery(u.Query(), r.Query())
}

// resourcePlace is what a resource adds to its address for that of its metadata (RFC 9728, 3).
const resourcePlace = "/.well-known/oauth-protected-resource"

// documents reports whether metadata at an address may be those of a resource at the same origin. The
// well-known place says of which resource they are; servers also publish the metadata of a path
// at the place of their origin, and those of the origin at each path.
func documents(address, resource string) bool {
	at, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return false
	}
	before, after, known := strings.Cut(at.Path, resourcePlace)
	if !known || after != "" && after[0] != '/' {
		return true
	}
	r, err := url.Parse(strings.TrimSpace(resource))
	return err == nil && (below(before+after, r.Path) || below(r.Path, before+after))
}

// below reports whether a path is another one, or leads on from it. What is masked in it may be anything.
func below(whole, start string) bool {
	all, first := segments(whole), segments(start)
	return len(first) <= len(all) && slices.EqualFunc(all[:len(first)], first, same)
}

// segments returns the names in a path.
func segments(p string) []string {
	p = strings.Trim(path.Clean("/"+p), "/")
	if p == "" {
		return nil
	}
	return strings.Split(p, "/")
}

// same reports whether two texts are equal, or may be because a secret is masked in one of them.
func same(a, b string) bool {
	return a == b || strings.Contains(a, a2a.Mask) || strings.Contains(b, a2a.Mask)
}

// hasQuery reports whether a query contains all of another one.
func hasQuery(sent, wanted url.Values) bool {
	for name, values := range wanted {
		if !slices.EqualFunc(sent[name], values, same) {
			return false
		}
	}
	return true
}
