package signin

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"parley/a2a"
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
}

// A Token is what an authorization server gives.
type Token = oauth2.Token

// DefaultPort is the port of redirects unless the user sets another one.
const DefaultPort = 8712

// config returns the request as the library has it.
func (r *Request) config() *oauth2.Config {
	return &oauth2.Config{
		ClientID: r.ClientID, ClientSecret: r.Secret, Scopes: r.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: r.Server.AuthURL, TokenURL: r.Server.TokenURL, DeviceAuthURL: r.Server.DeviceURL},
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
	c := clientcredentials.Config{ClientID: r.ClientID, ClientSecret: r.Secret, TokenURL: r.Server.TokenURL, Scopes: r.Scopes}
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
	ctx, c := r.context(ctx), r.config()
	grant, err := c.DeviceAuth(ctx, r.resource()...)
	if err != nil {
		return nil, r.clause(err)
	}
	if grant.UserCode == "" || webAddress(grant.VerificationURI) != nil {
		return nil, fmt.Errorf("%s answered without a code, or without an address to enter it", r.host())
	}
	if webAddress(grant.VerificationURIComplete) != nil {
		grant.VerificationURIComplete = ""
	}
	show(DeviceGrant{URL: grant.VerificationURI, Code: printable(grant.UserCode), Complete: grant.VerificationURIComplete})
	return r.checked(c.DeviceAccessToken(ctx, grant))
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
	return r.checked(r.config().TokenSource(r.context(ctx), &oauth2.Token{RefreshToken: refreshToken}).Token())
}

// checked returns a token that HTTP can carry.
func (r *Request) checked(t *oauth2.Token, err error) (*oauth2.Token, error) {
	switch {
	case err != nil:
		return nil, r.clause(err)
	case t.AccessToken == "" || strings.ContainsFunc(t.AccessToken, func(c rune) bool { return c <= ' ' || c >= 0x7f }):
		return nil, fmt.Errorf("%s answered with a token that HTTP cannot carry", r.host())
	case t.TokenType != "" && !strings.EqualFold(t.TokenType, "bearer"):
		return nil, fmt.Errorf("%s answered with a token of the type %q, which Parley cannot use", r.host(), printable(t.TokenType))
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
		return fmt.Errorf("%w: %s no longer accepts it%s", errEnded, r.host(), described(refused))
	case ok && refused.ErrorCode == "expired_token":
		return errors.New("nobody entered the code in time")
	case ok && refused.ErrorCode == "access_denied":
		return errors.New("the sign-in was refused at " + r.host())
	case ok && refused.ErrorCode != "":
		return fmt.Errorf("%s refused: %s%s", r.host(), printable(refused.ErrorCode), described(refused))
	case ok:
		return fmt.Errorf("%s answered %s, and no token: check that %s is its endpoint for tokens", r.host(), refused.Response.Status, shown(r.Server.TokenURL))
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s cannot be reached: %w", r.host(), networkCause(err))
	}
	return fmt.Errorf("%s answered with something that is no token", r.host())
}

// described returns what a server says about an error, in parentheses.
func described(e *oauth2.RetrieveError) string {
	if e.ErrorDescription == "" {
		return ""
	}
	return " (" + printable(e.ErrorDescription) + ")"
}

// host is the host of the authorization server.
func (r *Request) host() string {
	if host := hostOf(r.Server.TokenURL); host != "" {
		return host
	}
	return "the authorization server"
}

// hostOf returns the host of an address, empty if it has none.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

// networkCause returns the reason of a failure without the address, which may contain a secret.
func networkCause(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() {
		return fmt.Errorf("it did not answer within %s", timeToWait)
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Err
	}
	return err
}

// shown returns an address without its query, which may contain a secret. What was masked in its path
// is still the mask.
func shown(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "an address that cannot be read"
	}
	path := strings.ReplaceAll(u.EscapedPath(), url.PathEscape(a2a.Mask), a2a.Mask)
	return printable(a2a.ShownOrigin(raw) + path)
}

// printable returns a text of a server in at most 200 characters, none of which controls a
// terminal.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > 200 {
		s = string(runes[:200]) + "…"
	}
	return strings.TrimSpace(s)
}

// loopback reports whether a host is this machine alone.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
