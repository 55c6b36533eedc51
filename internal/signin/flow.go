package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"parley/a2a"
	"parley/a2a/hostname"
)

// A Request is what one sign-in with OAuth 2 needs.
type Request struct {
	HTTP     *http.Client // see [HTTPClient]
	Server   *Server
	ClientID string
	Secret   string // of the client; empty for a public one
	Scopes   []string
	// Port is that of this machine to which the server sends the browser back, and which must be
	// registered there: http://127.0.0.1:PORT/callback.
	Port int

	mask masker
}

// begin makes what the request is proven with secret, and more that goes along. The error says in a clause
// why the server would not know the client.
func (r *Request) begin(more ...string) error {
	r.mask.client(r.ClientID, r.Secret)
	r.mask.know(more...)
	_, err := r.method()
	return err
}

// A Token is what an authorization server gives.
type Token = oauth2.Token

// DefaultPort is the port of redirects unless the user sets another one.
const DefaultPort = 8712

// config returns the request as the library has it.
func (r *Request) config() *oauth2.Config {
	style, secret := r.style()
	return &oauth2.Config{
		ClientID: r.ClientID, ClientSecret: secret, Scopes: r.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: r.Server.AuthURL, TokenURL: r.Server.TokenURL, DeviceAuthURL: r.Server.DeviceURL, AuthStyle: style},
	}
}

// context returns a context with which the library uses the client of the request.
func (r *Request) context(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, r.HTTP)
}

// resource returns the option that asks for a token for one resource (RFC 8707).
func (r *Request) resource() []oauth2.AuthCodeOption {
	if r.Server.Resource == "" {
		return nil
	}
	return []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("resource", r.Server.Resource)}
}

// ClientCredentials asks for a token with the client's own secret. The error is a clause.
func ClientCredentials(ctx context.Context, r *Request) (*oauth2.Token, error) {
	if r.Secret == "" {
		return nil, errors.New("the flow client-credentials needs the client's secret: set PARLEY_CLIENT_SECRET")
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	style, secret := r.style()
	c := clientcredentials.Config{ClientID: r.ClientID, ClientSecret: secret, TokenURL: r.Server.TokenURL, Scopes: r.Scopes, AuthStyle: style}
	if r.Server.Resource != "" {
		c.EndpointParams = url.Values{"resource": {r.Server.Resource}}
	}
	return r.checked(c.Token(r.context(ctx)))
}

// A DeviceGrant is what the user does at another device: open an address and enter a code.
type DeviceGrant struct {
	URL, Code string
	// Complete is the address with the code in it, empty if the server has none.
	Complete string
}

// Device asks for a code, shows it, and waits until the user has entered it somewhere or it has
// expired. The error is a clause.
func Device(ctx context.Context, r *Request, show func(DeviceGrant)) (*oauth2.Token, error) {
	if r.Server.DeviceURL == "" {
		return nil, errors.New("the authorization server has no endpoint for device codes")
	}
	if err := r.begin(); err != nil {
		return nil, err
	}
	ctx, c := r.context(ctx), r.config()
	grant, err := c.DeviceAuth(ctx, r.resource()...)
	if err != nil {
		return nil, r.clause(err)
	}
	shown, err := r.shownGrant(grant)
	if err != nil {
		return nil, err
	}
	show(shown)
	grant.Interval = min(max(grant.Interval, 0), longestInterval) // the library has one for 0, and panics at others
	token, err := c.DeviceAccessToken(ctx, grant)
	if err == context.DeadlineExceeded { //nolint:errorlint // of the library itself, and not of a request: the code has expired
		return nil, errNotInTime
	}
	return r.checked(token, err)
}

// longestInterval is how many seconds a server can have Parley wait between two polls.
const longestInterval = 600

var errNotInTime = errors.New("nobody entered the code in time")

// shownGrant returns what a user needs of a device grant. The user opens the addresses, so that a mask would
// not do in them: one with a secret is not shown. Some servers use one code for the user and the device.
func (r *Request) shownGrant(grant *oauth2.DeviceAuthResponse) (g DeviceGrant, err error) {
	g = DeviceGrant{URL: grant.VerificationURI, Code: printable(grant.UserCode), Complete: grant.VerificationURIComplete}
	secret := r.mask.hides(g.Code)
	if grant.DeviceCode != grant.UserCode {
		r.mask.know(grant.DeviceCode)
	}
	switch {
	case g.Code == "" || webAddress(g.URL) != nil:
		return g, fmt.Errorf("%s answered without a code, or without an address to enter it", r.host())
	case secret || r.mask.hides(g.URL):
		return g, fmt.Errorf("%s answered with a code or an address that contains a secret of this sign-in, so that it is not shown", r.host())
	case webAddress(g.Complete) != nil || r.mask.hides(g.Complete):
		g.Complete = ""
	}
	return g, nil
}

// webAddress says what is wrong with an address that a browser is to open.
func webAddress(raw string) error {
	if u, err := url.Parse(raw); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("it is no address of the web")
	}
	return nil
}

// Refresh asks for another token. The refresh token of the result may be another one.
func Refresh(ctx context.Context, r *Request, refreshToken string) (*oauth2.Token, error) {
	if err := r.begin(refreshToken); err != nil {
		return nil, err
	}
	return r.checked(r.config().TokenSource(r.context(ctx), &oauth2.Token{RefreshToken: refreshToken}).Token())
}

// checked returns a token that HTTP can carry.
func (r *Request) checked(t *oauth2.Token, err error) (*oauth2.Token, error) {
	if err != nil {
		return nil, r.clause(err)
	}
	identity, _ := t.Extra("id_token").(string)
	r.mask.know(t.AccessToken, t.RefreshToken, identity)
	switch {
	case t.AccessToken == "" || strings.ContainsFunc(t.AccessToken, func(c rune) bool { return c <= ' ' || c >= 0x7f }):
		return nil, fmt.Errorf("%s answered with a token that HTTP cannot carry", r.host())
	case t.TokenType != "" && !strings.EqualFold(t.TokenType, "bearer"):
		return nil, fmt.Errorf("%s answered with a token of the type %q, which Parley cannot use", r.host(), r.mask.text(t.TokenType))
	}
	return t, nil
}

// Ended reports whether an error says that the user must sign in again.
func Ended(err error) bool { return errors.Is(err, errEnded) }

var errEnded = errors.New("the sign-in has ended")

// clause returns why the authorization server gave no token, as a clause without anything secret.
func (r *Request) clause(err error) error {
	refused, ok := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case ok && refused.ErrorCode == "invalid_grant":
		return fmt.Errorf("%w: %s no longer accepts it%s", errEnded, r.host(), r.described(refused))
	case ok && refused.ErrorCode == "expired_token":
		return errNotInTime
	case ok && refused.ErrorCode == "access_denied":
		return errors.New("the sign-in was refused at " + r.host())
	case ok && refused.ErrorCode == "invalid_client":
		return fmt.Errorf("%s refused: invalid_client%s: Parley named the client %s, so check its id and its secret", r.host(), r.described(refused), r.named())
	case ok && refused.ErrorCode != "":
		return fmt.Errorf("%s refused: %s%s", r.host(), r.mask.text(refused.ErrorCode), r.described(refused))
	case ok:
		return fmt.Errorf("%s answered %s, and no token: check that %s is its endpoint for tokens", r.host(), r.mask.text(refused.Response.Status), r.mask.address(r.Server.TokenURL))
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s cannot be reached: %s", r.host(), r.mask.cause(err))
	}
	return fmt.Errorf("%s answered with something that is no token", r.host())
}

// described returns what a server says about an error, in parentheses.
func (r *Request) described(e *oauth2.RetrieveError) string {
	if e.ErrorDescription == "" {
		return ""
	}
	return " (" + r.mask.text(e.ErrorDescription) + ")"
}

// host is the host of the authorization server.
func (r *Request) host() string {
	if _, host, ok := strings.Cut(a2a.ShownOrigin(r.Server.TokenURL), "://"); ok {
		return r.mask.text(host)
	}
	return "the authorization server"
}

// hostOf returns the host of an address, empty if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return hostname.Of(u)
}
