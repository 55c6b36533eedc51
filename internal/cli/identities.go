package cli

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley/a2a"
	"parley/internal/signin"
	"parley/session/journal"
	"parley/ui"
)

// The values of --token-store.
const (
	storeKeyring = "keyring"
	storeFile    = "file"
	storeMemory  = "memory"
)

// storeFlag defines --token-store alone.
func (a *app) storeFlag(set *pflag.FlagSet) { a.net.storeFlag(set) }

func (n *network) storeFlag(set *pflag.FlagSet) {
	set.StringVar(&n.tokenStore, "token-store", storeKeyring, "`where` parley auth keeps secrets: keyring (of the system), file (only you can read it), or memory")
}

// openIdentities makes who the user is known to all clients.
func (a *app) openIdentities() error {
	var vault signin.Vault
	index := ""
	if dir, err := journal.SessionsDir(runtime.GOOS, a.env.get); err == nil {
		index = filepath.Join(filepath.Dir(dir), "identities.json")
	}
	switch store := a.net.tokenStore; {
	case store == "" || store == storeKeyring:
		vault = &a.net.keyring
	case store == storeFile && index != "":
		vault = signin.File{Path: filepath.Join(filepath.Dir(index), "tokens.json")}
	case store == storeMemory:
		vault, index = &signin.Memory{}, ""
	default:
		return usage("The value of --token-store is none of keyring, file and memory.")
	}
	client := a.net.authClient()
	a.net.keeper = signin.NewKeeper(index, vault, client, now)
	a.net.signIn = &signin.Client{Keeper: a.net.keeper, HTTP: client, Now: now, Defaults: signin.Settings{Secret: a.env.get("PARLEY_CLIENT_SECRET"), Port: signin.DefaultPort}}
	return nil
}

// unkept says why credentials could not be kept, a clause; empty if they can. A keyring may take as long as
// patience to answer, a minute if that is 0.
func (n *network) unkept(patience time.Duration) string {
	switch n.tokenStore {
	case storeMemory:
		return "with --token-store memory, the credentials would be forgotten when this command ends"
	case storeFile:
		return ""
	}
	if !(signin.Keyring{Patience: patience}).Available() {
		return "this system has no keyring, or it is locked: unlock it, or set token-store = \"file\" in config.toml, which keeps secrets in a file that only you can read"
	}
	return ""
}

// authClient returns a client for authorization servers. Their certificates are always verified.
func (n *network) authClient() *http.Client {
	return signin.HTTPClient(&http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 1,
		TLSClientConfig: &tls.Config{RootCAs: n.certificates.roots, MinVersion: tls.VersionTLS12},
	})
}

// prepare reads the secrets that identify needs. It waits for the keyring.
func (n *network) prepare(ref string) {
	if origin := a2a.TypedOrigin(ref); n.keeper != nil && origin != "" {
		n.keeper.Prepare(origin)
	}
}

// identify adds the credentials that the user has at the origin of an agent, unless others are given
// for the same place of a request. The workbench calls it between two frames, so it does not wait for
// the keyring: [network.prepare] has read the secrets.
func (n *network) identify(o *a2a.Options, ref string) {
	if n.keeper == nil {
		return
	}
	origin := a2a.TypedOrigin(ref)
	if e := o.Pins.Endpoint; origin == "" || e != "" && a2a.TypedOrigin(e) != origin {
		return // the endpoint is named, but nobody signed in there
	}
	all, err := n.keeper.Of(origin)
	if err != nil {
		return // parley auth status says what is wrong with the file
	}
	for _, i := range all {
		s, known := n.keeper.Known(i)
		o.Passwords = append(o.Passwords, s.Value, s.Refresh, s.Client)
		set := func(name string) bool {
			return slices.ContainsFunc(o.Headers, func(h a2a.HeaderPair) bool { return strings.EqualFold(h.Name, name) })
		}
		header := set("Authorization")
		switch {
		case i.Kind == signin.Key:
			if known && o.APIKey == "" {
				addKey(o, &i, s.Value, set)
			}
		case o.Bearer != "" || o.BearerFrom != nil || header:
		case i.Kind == signin.Basic:
			if known {
				pair := base64.StdEncoding.EncodeToString([]byte(i.User + ":" + s.Value))
				o.Headers = append(o.Headers, a2a.HeaderPair{Name: "Authorization", Value: "Basic " + pair})
			}
		default:
			o.BearerFrom = func(ctx context.Context, refused string) (string, error) { return n.keeper.Token(ctx, i, refused) }
		}
	}
}

// unread returns the identities for an agent whose secrets will go along, but have not been read.
func (n *network) unread(ref string) []signin.Identity {
	if n.keeper == nil {
		return nil
	}
	all, err := n.keeper.Of(a2a.TypedOrigin(ref))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(i signin.Identity) bool {
		_, known := n.keeper.Known(i)
		return known || i.Kind != signin.Key && i.Kind != signin.Basic // the others are read for each request
	})
}

// addKey puts an API key where its scheme wants it, unless the user gave a header of that name.
func addKey(o *a2a.Options, i *signin.Identity, key string, set func(name string) bool) {
	switch {
	case i.Name == "":
		o.APIKey = key
	case strings.EqualFold(i.In, "query"):
		o.APIKey, o.KeyIn, o.KeyName = key, "query", i.Name
	case strings.EqualFold(i.In, "cookie"):
		o.Headers = append(o.Headers, a2a.HeaderPair{Name: "Cookie", Value: i.Name + "=" + key, Reserved: true})
	case !set(i.Name):
		o.Headers = append(o.Headers, a2a.HeaderPair{Name: i.Name, Value: key, Reserved: true})
	}
}

// keyringPatience is how long the workbench and the doctor wait for a secret: a locked keyring does not
// answer before somebody unlocks it.
const keyringPatience = 3 * time.Second

// signInService returns what the workbench signs in with. Where the vault cannot keep an identity, it
// is known until the program ends.
func (a *app) signInService(f *signInFlags) ui.SignIn {
	if a.net.signIn == nil {
		return nil
	}
	a.net.keyring.Patience = keyringPatience
	c := *a.net.signIn
	c.Brief = true
	c.Defaults.ClientID, c.Defaults.Port = f.clientID, f.port
	return &c
}
