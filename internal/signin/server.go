package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/hostname"
)

// A Server is an authorization server: where its endpoints are.
type Server struct {
	Issuer    string `json:"issuer"`
	AuthURL   string `json:"authorization_endpoint"`
	TokenURL  string `json:"token_endpoint"`
	DeviceURL string `json:"device_authorization_endpoint"`
	RevokeURL string `json:"revocation_endpoint"`
	// Methods are those with which a client says who it is at the endpoint for tokens; none if
	// nothing but a card names the endpoints, or the metadata do not say it.
	Methods []string `json:"token_endpoint_auth_methods_supported,omitempty"`
	// NamesIssuer is set if the server names itself in its redirects (RFC 9207).
	NamesIssuer bool `json:"authorization_response_iss_parameter_supported"`
	// OpenID is set if its metadata are those of OpenID Connect, so that identities are signed.
	OpenID bool `json:"-"`
	// Resource is what a token is asked for (RFC 8707), if the agent's own metadata name it.
	Resource string `json:"-"`
}

// The limits of what is read from an authorization server.
const (
	maxAnswer  = 1 << 20
	timeToWait = 30 * time.Second
)

// HTTPClient returns a client for authorization servers with the transport of the user's settings.
// It reads no more than it must, waits no longer, and follows no redirect to another host.
func HTTPClient(transport http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: limited{transport}, Timeout: timeToWait,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if a2a.Origin(req.URL.String()) != a2a.Origin(via[0].URL.String()) || len(via) > 5 {
				return fmt.Errorf("it redirects to %s, which Parley does not follow with credentials", a2a.ShownOrigin(req.URL.String()))
			}
			return nil
		},
	}
}

// limited ends answers at [maxAnswer], and connects to no host that cannot be looked up.
type limited struct{ next http.RoundTripper }

// RoundTrip sends a request.
func (l limited) RoundTrip(req *http.Request) (*http.Response, error) {
	if _, ok := hostname.Mapped(req.URL); !ok {
		return nil, hostname.Refusal(a2a.ShownHost(req.URL))
	}
	resp, err := l.next.RoundTrip(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}

// Find returns the authorization server for an attempt: from the URLs of the card, or from the
// metadata that the card or a challenge names. The error is a clause.
func Find(ctx context.Context, client *http.Client, a *Login) (*Server, error) {
	r := &reader{client, &masker{}}
	r.mask.client(a.Settings.ClientID, a.Settings.Secret)
	r.mask.know(a.hidden...)
	switch s := &a.Step; {
	case s.Flow.TokenURL != "":
		server := &Server{AuthURL: s.Flow.AuthorizationURL, TokenURL: s.Flow.TokenURL, DeviceURL: s.Flow.DeviceAuthorizationURL}
		if s.Scheme.OAuth2MetadataURL != "" { // it knows more, such as where tokens are revoked
			if more, err := r.metadata(ctx, s.Scheme.OAuth2MetadataURL); err == nil && more.TokenURL == server.TokenURL {
				return more, nil
			}
		}
		return server, r.check(server)
	case s.Scheme.OpenIDConnectURL != "":
		return r.metadata(ctx, openIDURL(s.Scheme.OpenIDConnectURL))
	case s.Scheme.OAuth2MetadataURL != "":
		return r.metadata(ctx, s.Scheme.OAuth2MetadataURL)
	case a.Challenge.Params["resource_metadata"] != "":
		return r.protectedBy(ctx, a)
	}
	return nil, errors.New("neither the card nor the agent's answer names an authorization server")
}

// openIDSuffix is where OpenID Connect publishes metadata.
const openIDSuffix = "/.well-known/openid-configuration"

// openIDURL returns the address of metadata for what a card names, which may be the issuer.
func openIDURL(raw string) string {
	if strings.Contains(raw, "/.well-known/") {
		return raw
	}
	return strings.TrimSuffix(raw, "/") + openIDSuffix
}

// wellKnown returns the addresses at which an issuer may publish metadata (RFC 8414, 3.1 and 5).
func wellKnown(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return []string{issuer}
	}
	path := strings.TrimSuffix(u.Path, "/")
	at := func(p string) string { return u.Scheme + "://" + u.Host + p }
	return []string{at("/.well-known/oauth-authorization-server" + path), at("/.well-known/openid-configuration" + path), at(path + openIDSuffix)}
}

// A reader gets what servers publish. Its errors are clauses without secrets of the sign-in.
type reader struct {
	client *http.Client
	mask   *masker
}

// metadata reads the metadata of a server (RFC 8414). The issuer must be the one whose metadata
// these are, or another server could take its place.
func (r *reader) metadata(ctx context.Context, address string) (*Server, error) {
	s := &Server{OpenID: strings.Contains(address, "openid-configuration")}
	if err := r.get(ctx, address, s); err != nil {
		return nil, err
	}
	if a2a.Origin(s.Issuer) != a2a.Origin(address) {
		return nil, fmt.Errorf("the metadata at %s are those of another server, %s", r.mask.address(address), r.mask.address(s.Issuer))
	}
	return s, r.check(s)
}

// check refuses endpoints over which a secret would be readable, or which are no addresses.
func (r *reader) check(s *Server) error {
	for _, raw := range []string{s.AuthURL, s.TokenURL, s.DeviceURL, s.RevokeURL} {
		if raw == "" {
			continue
		}
		u, err := url.Parse(raw)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil {
			return fmt.Errorf("the authorization server has the endpoint %s, which is no address of HTTP", r.mask.address(raw))
		}
		if u.Scheme == "http" && !hostname.IsLoopback(u.Hostname()) {
			return fmt.Errorf("the endpoint %s is without TLS, so that others could read the token", r.mask.address(raw))
		}
	}
	if s.TokenURL == "" {
		return errors.New("the authorization server names no endpoint for tokens")
	}
	return nil
}

// get reads a document of JSON.
func (r *reader) get(ctx context.Context, address string, into any) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && hostname.IsLoopback(u.Hostname())) {
		return fmt.Errorf("the metadata at %s cannot be trusted: they need an https address", r.mask.address(address))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("%s is no address", r.mask.address(address))
	}
	req.Header.Set("Accept", "application/json")
	resp, err := r.client.Do(req)
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case err != nil:
		return fmt.Errorf("%s cannot be reached: %s", r.mask.address(address), r.mask.cause(err))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answered %s", r.mask.address(address), r.mask.text(resp.Status))
	}
	err = json.NewDecoder(resp.Body).Decode(into)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && wrong.Field != "" {
		return fmt.Errorf("%s answered with metadata whose member %s has a wrong type", r.mask.address(address), wrong.Field)
	}
	if err != nil {
		return fmt.Errorf("%s answered with something that is no JSON", r.mask.address(address))
	}
	return nil
}
