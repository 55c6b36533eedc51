package config

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/a2a/hostname"
)

// An Agent is one that a user saved under a name: its address and how to speak to it. It
// contains no secrets, only the names of the variables that hold them.
type Agent struct {
	Name string `toml:"name"`
	// Ref is the address that names the agent elsewhere: a URL, a host, a card's file.
	Ref       string   `toml:"ref"`
	Dialect   string   `toml:"dialect,omitempty"`
	Endpoint  string   `toml:"endpoint,omitempty"`
	Tenant    string   `toml:"tenant,omitempty"`
	Transport []string `toml:"transport,omitempty"`
	Extension []string `toml:"extension,omitempty"` // URIs that are requested
	// Bearer and APIKey are written as $NAME, and so are secrets in Params, each of which is
	// name:value.
	Bearer string   `toml:"bearer,omitempty"`
	APIKey string   `toml:"api-key,omitempty"`
	Params []string `toml:"svc-param,omitempty"`
	// BearerCommand is a program with its arguments that prints the bearer token.
	BearerCommand []string `toml:"bearer-command,omitempty"`
	// MQTTUser and MQTTPassword, written as $NAME, are those of the broker of a mesh, MQTTClientID is
	// the id there, and MeshUser under whom its agents keep sessions. MeshInterval and MeshGone are
	// durations: how often agents announce themselves, and when one that does not is gone.
	// ArtifactGateway is the URL of the mesh's HTTP gateway.
	MQTTUser        string `toml:"mqtt-user,omitempty"`
	MQTTPassword    string `toml:"mqtt-password,omitempty"`
	MQTTClientID    string `toml:"mqtt-client-id,omitempty"`
	MeshUser        string `toml:"mesh-user,omitempty"`
	MeshInterval    string `toml:"mesh-interval,omitempty"`
	MeshGone        string `toml:"mesh-gone,omitempty"`
	ArtifactGateway string `toml:"artifact-gateway,omitempty"`
	// Public are names of headers and query parameters whose values are not secrets.
	Public []string `toml:"public,omitempty"`
	// CACert, Cert and Key are files of additional trusted authorities, of the client
	// certificate and of its key.
	CACert string `toml:"cacert,omitempty"`
	Cert   string `toml:"cert,omitempty"`
	Key    string `toml:"key,omitempty"`

	// Place is where a user wrote it, file and line; empty for one that Parley wrote.
	Place string `toml:"-"`
}

// MaxName is how long an agent's name may be, in characters.
const MaxName = 64

// CheckName says why an agent cannot be saved under a name, in a clause; empty if it can.
func CheckName(name string) string {
	switch {
	case name == "":
		return "an agent needs a name"
	case !utf8.ValidString(name) || utf8.RuneCountInString(name) > MaxName:
		return fmt.Sprintf("a name has at most %d characters", MaxName)
	case strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "a name contains no control characters"
	case strings.TrimSpace(name) != name:
		return "a name begins and ends with a character other than a space"
	case strings.Contains(name, "://") || name == "-":
		return "a name is not an address"
	default:
		return ""
	}
}

// Check says what makes an agent unusable, in a clause; empty if nothing does.
func (a *Agent) Check() string {
	if why := CheckName(a.Name); why != "" {
		return why
	}
	switch ref := a.Ref; {
	case ref == "":
		return "the agent " + a.Name + " needs a ref: a URL, a host or a card's file"
	case ref == "-":
		return "the ref of " + a.Name + " is standard input, which cannot be saved"
	case strings.ContainsFunc(ref, unicode.IsControl) || !utf8.ValidString(ref):
		return "the ref of " + a.Name + " contains control characters"
	case HoldsPassword(a.Endpoint):
		return "the endpoint of " + a.Name + " contains a password: write bearer = \"$NAME\" instead, and set NAME"
	case !utf8.ValidString(strings.Join(slices.Concat([]string{a.Dialect, a.Endpoint, a.Tenant}, a.Transport, a.Extension, a.Params), "")):
		return "a setting of " + a.Name + " is not text"
	case HoldsPassword(ref):
		return "the ref of " + a.Name + " contains a password: write bearer = \"$NAME\" instead, and set NAME"
	default:
		return ""
	}
}

// HoldsPassword reports whether a URL has a name or a password before its host.
func HoldsPassword(ref string) bool {
	_, rest, absolute := strings.Cut(ref, "://")
	authority, _, _ := strings.Cut(rest, "/")
	return absolute && strings.Contains(authority, "@")
}

// beside returns the path of a file that a settings file in dir names: ~ is home, and a
// relative path begins in dir.
func beside(path, dir, home string) string {
	switch {
	case strings.HasPrefix(path, "~/") && home != "":
		return filepath.Join(home, path[2:])
	case path == "" || filepath.IsAbs(path):
		return path
	default:
		return filepath.Join(dir, path)
	}
}

// Same reports whether two references are the same to a user: a slash at the end makes no
// difference, nor do the letters in which a host is written, the usual path of a card, and a scheme
// that only one of them has.
func Same(a, b string) bool {
	a, b = mapped(a), mapped(b)
	if strings.Contains(a, "://") != strings.Contains(b, "://") {
		a, b = bare(a), bare(b)
	}
	return a == b
}

func mapped(ref string) string {
	for _, usual := range []string{"/", "/.well-known/agent-card.json", "/.well-known/agent.json", "/"} {
		ref = strings.TrimSuffix(ref, usual)
	}
	u, err := url.Parse(ref)
	if err != nil {
		return ref
	}
	to, _ := hostname.Mapped(u)
	return strings.Replace(ref, "//"+u.Host, "//"+to.Host, 1)
}

// bare returns a web address without its scheme.
func bare(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "https://"), "http://")
}

// resolveRef returns a reference of a file in dir so that it is valid everywhere: ~ is home,
// and a path that begins with a dot is relative to the file in which it is written.
func resolveRef(ref, dir, home string) string {
	if u, err := url.Parse(ref); err == nil && u.Scheme != "" && u.Host != "" {
		return ref
	}
	switch {
	case strings.HasPrefix(ref, "~/") && home != "":
		return filepath.Join(home, ref[2:])
	case strings.HasPrefix(ref, "./") || strings.HasPrefix(ref, "../"):
		return filepath.Join(dir, ref)
	default:
		return ref
	}
}
