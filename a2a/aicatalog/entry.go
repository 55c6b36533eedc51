package aicatalog

import (
	"mime"
	"net/url"
	"strings"

	"parley/a2a/hostname"
)

// The media types of entries that Parley opens.
const (
	TypeCatalog = "application/ai-catalog+json"
	TypeCard    = "application/a2a-agent-card+json"
)

// A Kind says what Parley can do with an entry.
type Kind uint8

// The kinds.
const (
	Other   Kind = iota // something else, such as an MCP server, or nothing that can be used
	Agent               // an A2A agent
	Catalog             // another catalog
)

// An Entry is one entry of a catalog.
type Entry struct {
	Kind        Kind
	Identifier  string
	Type        string // as written
	DisplayName string
	Description string
	Version     string
	Publisher   string
	Tags        []string
	// URL is absolute, http or https; empty if there is none that can be requested.
	URL string
	// Data is the document itself, nil if the catalog has only its URL.
	Data []byte
	// Problem says in a clause what is wrong with the entry, empty if nothing is. An entry that
	// has a problem may still be an Agent or a Catalog, if it can be opened.
	Problem string

	name string // see Name; empty until it is known
}

// Name returns what a list calls the entry: its display name, the name in its document, the last
// segment of its identifier, or its URL.
func (e *Entry) Name() string {
	if e.name != "" { // names are compared with each other, so each is made once
		return e.name
	}
	return e.nameWith("")
}

// nameWith returns the name of an entry whose document has a name, or an empty one.
func (e *Entry) nameWith(inDocument string) string {
	if e.DisplayName != "" {
		return e.DisplayName
	}
	if inDocument != "" {
		return inDocument
	}
	if i := strings.LastIndexAny(e.Identifier, ":/"); i+1 < len(e.Identifier) && e.Identifier != e.URL {
		return e.Identifier[i+1:]
	}
	if u, err := url.Parse(e.URL); err == nil && e.URL != "" {
		path := strings.Trim(u.Path, "/")
		path = strings.TrimSuffix(strings.TrimSuffix(path, ".well-known/agent-card.json"), ".well-known/agent.json")
		return strings.TrimSuffix(hostname.Of(u)+"/"+path, "/")
	}
	if e.Identifier != "" {
		return e.Identifier
	}
	return "entry without a name"
}

// Label returns the name of the entry's type: "A2A agent", "catalog", or the media type as
// written.
func (e *Entry) Label() string {
	switch {
	case e.Kind == Agent:
		return "A2A agent"
	case e.Kind == Catalog:
		return "catalog"
	case e.Type == "":
		return "no type"
	}
	return e.Type
}

// kindOf returns what a media type stands for. An entry of a plain list has none: it is an agent.
func kindOf(mediaType string) Kind {
	name, _, err := mime.ParseMediaType(mediaType)
	if err != nil {
		name = strings.ToLower(strings.TrimSpace(mediaType))
	}
	switch name {
	case TypeCard, "application/a2a+json":
		return Agent
	case TypeCatalog:
		return Catalog
	}
	return Other
}

// address resolves the URL of an entry against that of its catalog, or says in a clause why it
// is not requested.
func address(written string, base *url.URL) (absolute, problem string) {
	u, err := url.Parse(strings.TrimSpace(written))
	switch {
	case err != nil:
		return "", "its URL cannot be read"
	case !u.IsAbs() && base == nil:
		return "", "its URL is relative, and the catalog is a file"
	case !u.IsAbs():
		u = base.ResolveReference(u)
	}
	switch {
	case !strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https"):
		return "", "its URL begins with " + clip(u.Scheme, 32) + ":, and only http and https are requested"
	case u.Hostname() == "":
		return "", "its URL names no host"
	case u.User != nil:
		return "", "its URL has a name or password"
	}
	u.Fragment = ""
	return u.String(), ""
}
