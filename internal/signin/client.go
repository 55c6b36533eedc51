package signin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley/a2a"
	"parley/a2a/challenge"
)

// Settings are what the user's settings say about sign-ins.
type Settings struct {
	// ClientID is the id under which Parley is registered at authorization servers, and Secret the
	// secret of that registration. Both may be empty.
	ClientID, Secret string
	Scopes           []string // to ask for in place of those that the agent requires
	Port             int      // see [Request]
}

// A Client signs the user in and out, on the command line and in the workbench. Its methods wait for
// servers, for the user and for the keyring. It is safe for use by several goroutines.
type Client struct {
	Keeper   *Keeper
	HTTP     *http.Client // see [HTTPClient]
	Now      func() time.Time
	Defaults Settings
	// Brief keeps an identity until the program ends if the vault cannot.
	Brief bool
}

// A Result is who the user is after a sign-in.
type Result struct {
	Identity Identity
	// Doubts are sentences about what may be wrong with the token.
	Doubts []string
	// Unkept says in a clause why the identity ends with the program, empty if it does not.
	Unkept string
}

// A Login is one sign-in with OAuth 2.
type Login struct {
	Origin    string // of the agent
	Step      Step
	Challenge challenge.Challenge // of the agent's refusal, the zero value if there is none
	// Refused is the URL of the request that was refused with the challenge, in which secrets may be
	// masked; empty if it is not known.
	Refused  string
	Settings Settings // of this sign-in
	// Session are the secrets for which masks stand in these addresses; nil if none are known.
	Session *a2a.Secrets
	hidden  []string // secrets in the addresses
	// Show is called once with what the user has to open, from another goroutine.
	Show func(Page)
	// Pasted brings the address of the last page from a browser that cannot come back; nil if
	// nobody can paste.
	Pasted <-chan string
}

// A Page is what the user has to open to sign in.
type Page struct {
	URL  string
	Host string // that the page belongs to
	// Code is to be entered there, empty if nothing is; Complete is then an address with the code
	// in it, if the server has one.
	Code, Complete string
	// Back is where the browser comes back to, empty for a code.
	Back string
}

// Settings returns the settings of the user.
func (c *Client) Settings() Settings { return c.Defaults }

// Place names where secrets are kept.
func (c *Client) Place() string { return c.Keeper.Place() }

// Identities returns who the user is, for all origins. The error is a clause.
func (c *Client) Identities() ([]Identity, error) { return c.Keeper.List() }

// Enter keeps a key, a password with its user, or a token that the user has entered. The error is a
// clause.
func (c *Client) Enter(origin string, s *Step, user, secret string) (Result, error) {
	if why := CheckEntered(secret); why != "" {
		return Result{}, errors.New(why)
	}
	if why := CheckEntered(user); why != "" && s.Kind == Basic {
		return Result{}, errors.New("the name: " + why)
	}
	i := Identity{Origin: origin, Kind: s.Kind, Scheme: s.Scheme.Key, Name: s.Scheme.Name, In: s.Scheme.In}
	switch {
	case s.Kind == Basic && strings.Contains(user, ":"):
		return Result{}, errors.New("a user of the scheme Basic must not contain a colon")
	case s.Kind == Basic:
		i.User = user
	case s.Kind == Bearer:
		if scheme, token, ok := strings.Cut(secret, " "); ok && strings.EqualFold(scheme, "bearer") {
			secret = strings.TrimSpace(token) // pasted together with its scheme
		}
		if strings.ContainsFunc(secret, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
			return Result{}, errors.New("the token must be one word of ASCII characters")
		}
		i.read(secret, c.Now())
	}
	return c.keep(i, Secrets{Value: secret}, s.Scopes, "")
}

// maxEntered is the longest secret that can be entered, in bytes.
const maxEntered = 64 << 10

// CheckEntered says in a clause what is wrong with an entered text, empty if no header refuses it.
func CheckEntered(text string) string {
	switch {
	case text == "":
		return "nothing was entered"
	case len(text) > maxEntered || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Sprintf("it must be one line of at most %d bytes without control characters", maxEntered)
	}
	return ""
}

// Authorize runs the flow of a step until the user has signed in, or ctx ends. The error is a clause.
func (c *Client) Authorize(ctx context.Context, a *Login) (Result, error) {
	if a.Settings.ClientID == "" {
		return Result{}, errors.New("OAuth needs the id under which Parley is registered at the authorization server (--client-id)")
	}
	a = a.restored()
	server, err := Find(ctx, c.HTTP, a)
	if err != nil {
		return Result{}, err
	}
	return c.grant(ctx, a, server)
}

// grant runs the flow of an attempt at its server, and keeps what comes.
func (c *Client) grant(ctx context.Context, a *Login, server *Server) (Result, error) {
	r := &Request{HTTP: c.HTTP, Server: server, ClientID: a.Settings.ClientID, Secret: a.Settings.Secret, Scopes: a.scopes(server), Port: a.Settings.Port}
	r.mask.know(a.hidden...)
	token, err := a.run(ctx, r)
	if err != nil {
		return Result{}, err
	}
	i := Identity{Origin: a.Origin, Kind: a.Step.Kind, Scheme: a.Step.Scheme.Key, Server: server, Resource: server.Resource, ClientID: r.ClientID, Scopes: r.Scopes}
	s := i.take(token, c.Now())
	r.mask.clean(&i)
	s.Client = r.Secret
	return c.keep(i, s, a.Step.Scopes, a.unkept(server))
}

// scopes are those that are asked for.
func (a *Login) scopes(server *Server) []string {
	scopes := slices.Clone(a.Settings.Scopes)
	if len(scopes) == 0 {
		scopes = slices.Clone(a.Step.Scopes)
	}
	if len(scopes) == 0 {
		scopes = strings.Fields(a.Challenge.Params["scope"])
	}
	if server.OpenID && a.Step.Kind != ClientSecret && !slices.Contains(scopes, "openid") {
		scopes = append([]string{"openid"}, scopes...)
	}
	return scopes
}

// run runs the flow.
func (a *Login) run(ctx context.Context, r *Request) (*Token, error) {
	switch a.Step.Kind {
	case ClientSecret:
		return ClientCredentials(ctx, r)
	case DeviceCode:
		return Device(ctx, r, func(g DeviceGrant) {
			a.Show(Page{URL: g.URL, Host: hostOf(g.URL), Code: g.Code, Complete: g.Complete})
		})
	case AuthorizationCode:
		return Code(ctx, r, func(address, back string) {
			a.Show(Page{URL: address, Host: hostOf(address), Back: back})
		}, a.Pasted)
	}
	return nil, fmt.Errorf("%s is no flow of OAuth", a.Step.Words())
}

// keep keeps an identity: no longer than the program runs if why says in a clause that no file may have it.
func (c *Client) keep(i Identity, s Secrets, required []string, why string) (Result, error) {
	if i.Created.IsZero() {
		i.Created = c.Now().UTC().Truncate(time.Second)
	}
	got := Result{Identity: i, Doubts: i.Doubts(required, c.Now())}
	var err error
	if why != "" {
		err = errors.New(why)
	} else {
		err = c.Keeper.Keep(i, s)
	}
	if err != nil && c.Brief {
		got.Unkept = err.Error()
		err = c.Keeper.KeepBriefly(i, s)
	}
	return got, err
}

// Renew gets another token for an identity. The error is a clause.
func (c *Client) Renew(ctx context.Context, i Identity) (Identity, error) {
	return c.Keeper.Renew(ctx, i)
}

// SignOut forgets an identity; see [Keeper.SignOut].
func (c *Client) SignOut(ctx context.Context, i Identity) (told bool, err error) {
	return c.Keeper.SignOut(ctx, i)
}

// Temporary reports whether an identity ends with the program, although others are kept.
func (c *Client) Temporary(i Identity) bool { return c.Keeper.Brief(i) }
