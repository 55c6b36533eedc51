package signin

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"parley/a2a"
)

// An Identity is who the user is for one origin. It contains no secret: the [Secrets] of an identity
// are kept apart.
type Identity struct {
	// Origin is that of the agent, see a2a.Origin, and the only one that gets the credentials.
	Origin string `json:"origin"`
	Kind   Kind   `json:"kind"`
	Scheme string `json:"scheme,omitempty"` // its name in the card
	// Name and In say where an API key goes: the parameter, and header, query or cookie.
	Name string `json:"name,omitempty"`
	In   string `json:"in,omitempty"`
	// User is the name of [Basic], or what a token says of its subject.
	User     string    `json:"user,omitempty"`
	Server   *Server   `json:"server,omitempty"`
	ClientID string    `json:"clientId,omitempty"`
	Resource string    `json:"resource,omitempty"` // see [Server]; it is asked for again when the token is renewed
	Scopes   []string  `json:"scopes,omitempty"`
	Audience []string  `json:"audience,omitempty"`
	Expires  time.Time `json:"expires,omitzero"`
	Created  time.Time `json:"created"`
	// Received is when the newest token came.
	Received time.Time `json:"received,omitzero"`
	// Renews is set if a new token can be had without the user.
	Renews bool `json:"renews,omitempty"`
}

// Secrets are what an identity is proven with.
type Secrets struct {
	Value   string `json:"value"`             // the token, key or password
	Refresh string `json:"refresh,omitempty"` // of OAuth 2
	Client  string `json:"client,omitempty"`  // the secret of the client
}

// slot names the place of the credentials in a request: an origin can have one identity for each.
func (i *Identity) slot() string {
	switch {
	case i.Kind != Key:
		return "authorization"
	case i.Name == "":
		return "key"
	}
	return "key " + strings.ToLower(i.In+" "+i.Name)
}

// key is the name of the identity in a store.
func (i *Identity) key() string { return i.Origin + " " + i.slot() }

// take sets what a token says. Its claims are for display only: nothing is decided by them, because
// only the agent can verify them.
func (i *Identity) take(t *oauth2.Token, now time.Time) Secrets {
	i.Expires, i.Received = t.Expiry.Round(0), now.UTC().Round(0) // a monotonic clock stands still while the machine sleeps
	if granted, _ := t.Extra("scope").(string); granted != "" {
		i.Scopes = scopesIn(granted)
	}
	raw, _ := t.Extra("id_token").(string)
	i.name(claimsOf(raw))
	i.read(t.AccessToken, now)
	i.Renews = t.RefreshToken != "" || i.Kind == ClientSecret
	return Secrets{Value: t.AccessToken, Refresh: t.RefreshToken}
}

// read sets what an access token says of itself, if it is a JSON Web Token.
func (i *Identity) read(token string, now time.Time) {
	access := claimsOf(token)
	if i.Expires.IsZero() && access.Expires > 0 {
		i.Expires = time.Unix(access.Expires, 0)
	}
	if len(access.Audience) > 0 {
		i.Audience = access.Audience
	}
	if len(access.Scopes) > 0 {
		i.Scopes = access.Scopes
	}
	i.name(access)
	if i.Created.IsZero() {
		i.Created = now.UTC().Truncate(time.Second)
	}
}

// name sets the user of a token, unless it is known.
func (i *Identity) name(c claims) {
	for _, name := range []string{c.Email, c.Username, c.Subject} {
		if name != "" && i.User == "" {
			i.User = printable(name)
		}
	}
}

// claims are what a JSON Web Token says.
type claims struct {
	Subject  string
	Email    string
	Username string
	Audience []string
	Scopes   []string
	Expires  int64
}

// claimsOf reads a token, without verifying it; nothing of one that is no JSON Web Token.
func claimsOf(token string) (c claims) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || len(token) > 64<<10 {
		return c
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return c
	}
	var all struct {
		Subject  string          `json:"sub"`
		Email    string          `json:"email"`
		Username string          `json:"preferred_username"`
		Audience json.RawMessage `json:"aud"`
		Scope    json.RawMessage `json:"scope"`
		Scp      json.RawMessage `json:"scp"`
		Expires  float64         `json:"exp"`
	}
	if json.Unmarshal(payload, &all) != nil {
		return c
	}
	c = claims{Subject: all.Subject, Email: all.Email, Username: all.Username}
	if all.Expires > 0 && all.Expires < 1<<40 {
		c.Expires = int64(all.Expires)
	}
	for _, name := range texts(all.Audience) {
		c.Audience = append(c.Audience, printable(name))
	}
	for _, raw := range []json.RawMessage{all.Scp, all.Scope} {
		if scopes := scopesIn(strings.Join(texts(raw), " ")); len(scopes) > 0 {
			c.Scopes = scopes
		}
	}
	return c
}

// maxScopes limits the scopes that are read of a token.
const maxScopes = 200

// scopesIn returns the scopes in a text with spaces between them.
func scopesIn(text string) (scopes []string) {
	for _, name := range strings.Fields(text) {
		if len(scopes) == maxScopes {
			break
		}
		scopes = append(scopes, printable(name))
	}
	return scopes
}

// texts returns the first few texts of a claim, which is a text or a list of them.
func texts(raw json.RawMessage) (list []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		list = []string{one}
	} else if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	const most = maxScopes
	return slices.DeleteFunc(list[:min(len(list), most)], func(s string) bool { return s == "" })
}

// due reports whether a token should be renewed before it is used. One that has just come is not due:
// where the clocks differ by an hour, every token would be.
func (i *Identity) due(now time.Time) bool {
	return !i.Expires.IsZero() && now.Add(early).After(i.Expires) && now.Sub(i.Received) > early
}

// Doubts returns sentences about what may be wrong with an identity for an agent: it has expired, or
// lacks scopes that the card requires.
func (i *Identity) Doubts(required []string, now time.Time) []string {
	var all []string
	if !i.Expires.IsZero() && !now.Before(i.Expires) && !i.Renews {
		all = append(all, fmt.Sprintf("The token expired %s ago.", now.Sub(i.Expires).Round(time.Second)))
	}
	var missing []string
	for _, scope := range required {
		if len(i.Scopes) > 0 && !slices.Contains(i.Scopes, scope) {
			missing = append(missing, printable(scope))
		}
	}
	if len(missing) > 0 {
		all = append(all, "The token lacks what the card requires: "+strings.Join(missing, ", ")+".")
	}
	if len(i.Audience) > 0 && !slices.ContainsFunc(i.Audience, i.means) {
		all = append(all, fmt.Sprintf("The token is for %s, and not for %s: the agent may refuse it.", strings.Join(i.Audience[:min(len(i.Audience), 3)], ", "), i.Origin))
	}
	return all
}

// means reports whether an audience may be the agent: an address at its origin, or a name that is no
// address.
func (i *Identity) means(audience string) bool {
	return !strings.Contains(audience, "://") || a2a.Origin(audience) == i.Origin
}
