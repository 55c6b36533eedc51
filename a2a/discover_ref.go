package a2a

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"parley/a2a/hostname"
	"parley/internal/units"
)

// A reference is the parsed form of what a user typed to name an agent. Exactly one member is
// set, but plain beside url.
type reference struct {
	stdin bool
	file  string
	url   *url.URL
	rpc   string // an endpoint of gRPC
	mesh  MeshAddress
	// entry names an entry of the catalog at url, or in file; empty for an agent's own address.
	entry string
	// plain is the whole reference as a URL, if it may also be one.
	plain *url.URL
}

// parseReference parses a reference, or says in one sentence why it cannot. An existing file
// wins; without a scheme, it uses http for hosts of this machine and of private networks and
// https for all others.
func parseReference(ref string) (r reference, problem string) {
	ref = strings.TrimSpace(ref)
	switch {
	case ref == "":
		return r, "No agent was named: give a URL, a card file, or - for standard input."
	case ref == "-":
		return reference{stdin: true}, ""
	}
	if catalog, entry, sure := splitEntry(ref); entry != "" {
		return entryReference(ref, catalog, entry, sure)
	}
	return plainReference(ref)
}

// plainReference parses a reference that names no entry of a catalog.
func plainReference(ref string) (r reference, problem string) {
	scheme, _, absolute := strings.Cut(ref, "://")
	switch {
	case absolute && strings.EqualFold(scheme, "file"):
		return fileReference(ref)
	case IsGRPC(ref) || absolute && strings.EqualFold(scheme, "dns"):
		return rpcReference(ref)
	case IsMesh(ref):
		m, problem := ParseMesh(ref)
		return reference{mesh: m}, problem
	case absolute && !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return r, fmt.Sprintf("%q cannot be opened: Parley reads agent cards from http, https, grpc, grpcs, mqtt, mqtts, ws, wss and files.", scheme+"://")
	case !absolute && looksLikeFile(ref):
		return reference{file: ref}, ""
	case !absolute:
		ref = guessScheme(ref) + "://" + ref
	}
	u, err := url.Parse(ref)
	switch {
	case err != nil || u.Host == "" || strings.ContainsAny(u.Host, " \t"):
		return r, "This is neither a URL nor a file: check the spelling, or give the card's file with its path."
	case !isHost(u):
		return r, noHost(u)
	case u.User != nil:
		return r, "A name or password in a URL would be shown on screens and saved in files: give it with --bearer, --api-key or a header. An entry of a catalog is written https://host/.well-known/ai-catalog.json@NAME."
	}
	u.Fragment = ""
	return reference{url: u}, ""
}

func rpcReference(ref string) (r reference, problem string) {
	endpoint := GRPCEndpoint(ref)
	if endpoint == "" {
		return r, "This is no address of gRPC: write grpc://host:port, or grpcs://host:port with TLS."
	}
	if u, err := url.Parse(endpoint); err == nil && !isHost(u) {
		return r, noHost(u)
	}
	return reference{rpc: endpoint}, ""
}

func fileReference(ref string) (r reference, problem string) {
	u, err := url.Parse(ref)
	if err != nil || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return r, fmt.Sprintf("%q does not name a file of this machine: write file:///path/to/card.json.", ref)
	}
	name := filepath.FromSlash(u.Path)
	if trimmed := strings.TrimPrefix(name, string(filepath.Separator)); filepath.VolumeName(trimmed) != "" {
		name = trimmed // file:///C:/card.json
	}
	return reference{file: name}, ""
}

// looksLikeFile reports whether a reference without a scheme is a file: it exists, it is
// written as a path, or it is a JSON file whose name cannot be a host.
func looksLikeFile(ref string) bool {
	if strings.HasPrefix(ref, ".") || filepath.IsAbs(ref) || filepath.VolumeName(ref) != "" {
		return true
	}
	if info, err := os.Stat(ref); err == nil && !info.IsDir() {
		return true
	}
	host, _, _ := strings.Cut(filepath.ToSlash(ref), "/")
	return strings.HasSuffix(ref, ".json") && (host == ref || !strings.ContainsAny(host, ".:") && host != "localhost")
}

// fileSentence says why a card file could not be read.
func fileSentence(name string, err error) string {
	var limit *limitError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("There is no file %s: check its name and the folder.", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Sprintf("Permission to read %s is denied: check its permissions.", name)
	case errors.As(err, &limit):
		return fmt.Sprintf("%s is longer than %s: check that it is an agent card. --%s raises the limit.", name, units.Size(limit.bytes), limit.limit.Flag())
	default:
		return fmt.Sprintf("%s cannot be read as a file: check its path.", name)
	}
}

// guessScheme returns the scheme for a reference that begins with a host.
func guessScheme(ref string) string {
	u, err := url.Parse("http://" + ref)
	if err != nil {
		return "https"
	}
	name, _ := hostname.Name(u.Hostname())
	_, err = netip.ParseAddr(name)
	if isAddress := err == nil; ReachOf(name) != ReachWorld && (isAddress || u.Port() != "443") {
		return "http"
	}
	return "https"
}

// A location is one possible URL of a card.
type location struct {
	url string
	// elsewhere is set for the root of a host when the reference has a path: what
	// is found there may be another agent.
	elsewhere bool
	// given is set for the reference itself, unless it names a card.
	given bool
}

// The well-known places of a card (RFC 8615): the name since 0.3, and the one
// before it.
const (
	wellKnownCard = "/.well-known/agent-card.json"
	wellKnownOld  = "/.well-known/agent.json"
)

// locations lists the possible URLs of the card of a URL, the likeliest first. The query stays:
// some servers choose the agent by it.
func locations(u *url.URL) []location {
	var list []location
	seen := map[string]bool{}
	add := func(path string, elsewhere bool) {
		at := *u
		at.Path, at.RawPath = unescape(path), path
		if s := at.String(); !seen[s] {
			seen[s] = true
			list = append(list, location{url: s, elsewhere: elsewhere})
		}
	}
	path := u.EscapedPath()
	base := strings.TrimRight(path, "/")
	exact := strings.HasSuffix(path, ".json") || strings.HasSuffix(path, "/card")
	if exact {
		add(path, false)
		prefix, isCard := strings.CutSuffix(path, wellKnownCard)
		prefix, isOld := strings.CutSuffix(prefix, wellKnownOld)
		if !isCard && !isOld {
			add(wellKnownCard, true)
			add(wellKnownOld, true)
			return list
		}
		base = prefix
	}
	add(base+wellKnownCard, false)
	add(base+wellKnownOld, false)
	if base != "" {
		add(wellKnownCard, true)
		add(wellKnownOld, true)
	}
	for _, rest := range [...]string{"/v1/card", "/extendedAgentCard", gatewayCards} {
		add(base+rest, false)
	}
	if n := len(list); !exact {
		add(path, false)
		for i := n; i < len(list); i++ {
			list[i].given = true
		}
	}
	return list
}

func unescape(path string) string {
	if plain, err := url.PathUnescape(path); err == nil {
		return plain
	}
	return path
}

// endpointIn returns the URL that may be an endpoint if no card is found. A card's URL is not
// one, but the part before its well-known path may be.
func endpointIn(u *url.URL) string {
	at := *u
	path := at.EscapedPath()
	for _, known := range []string{wellKnownCard, wellKnownOld} {
		if base, ok := strings.CutSuffix(path, known); ok {
			at.Path, at.RawPath = unescape(base), base
			return at.String()
		}
	}
	if strings.HasSuffix(path, ".json") || strings.HasSuffix(path, "/card") {
		return ""
	}
	return at.String()
}
