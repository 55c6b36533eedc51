package a2a

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An ArtifactLink is what an artifact:// URI names: a file that an agent of a
// Solace Agent Mesh has stored, and that only a gateway of the mesh hands out.
type ArtifactLink struct {
	Agent, User, Session, File string
	Version                    string // a number, empty for the newest
}

// maxLink is the longest artifact:// URI that is accepted.
const maxLink = 4 << 10

const artifactScheme = "artifact://"

// IsArtifactURI reports whether a URL has the scheme of [ArtifactLink].
func IsArtifactURI(uri string) bool {
	return len(uri) >= len(artifactScheme) && strings.EqualFold(uri[:len(artifactScheme)], artifactScheme)
}

// ParseArtifactURI reads artifact://AGENT/USER/SESSION/FILE?version=N, whose segments
// are percent-encoded and whose version may be missing. Nothing else is taken: the
// names come from an agent and go into the path of a request. The error, an
// [*EncodeError], says what is wrong.
func ParseArtifactURI(uri string) (ArtifactLink, error) {
	switch {
	case !IsArtifactURI(uri):
		return ArtifactLink{}, encodeErrorf("“%s” is not an artifact:// URI; a gateway hands out nothing else", clip(uri))
	case len(uri) > maxLink:
		return ArtifactLink{}, encodeErrorf("The artifact:// URI is longer than %d bytes; no request was sent", maxLink)
	}
	place, query, _ := strings.Cut(uri[len(artifactScheme):], "?")
	segments := strings.Split(place, "/")
	if len(segments) != 4 {
		return ArtifactLink{}, encodeErrorf("“%s” does not name an agent, a user, a session and a file; a gateway needs all four", clip(uri))
	}
	for i, s := range segments {
		plain, err := url.PathUnescape(s)
		if err != nil || strings.Contains(s, "#") || !fileName(plain) {
			return ArtifactLink{}, encodeErrorf("“%s” in “%s” is not a valid name in a gateway", clip(s), clip(uri))
		}
		segments[i] = plain
	}
	version, ok := strings.CutPrefix(query, "version=")
	if query != "" && (!ok || version == "" || len(version) > 9 || strings.Trim(version, "0123456789") != "") {
		return ArtifactLink{}, encodeErrorf("“?%s” of an artifact:// URI is not a version; write ?version=2", clip(query))
	}
	return ArtifactLink{Agent: segments[0], User: segments[1], Session: segments[2], File: segments[3], Version: version}, nil
}

// fileName reports whether a name remains one path segment for every reader of the path.
func fileName(name string) bool {
	return name != "" && name != "." && name != ".." && utf8.ValidString(name) &&
		!strings.ContainsAny(name, `/\`) && !strings.ContainsFunc(name, unicode.IsControl)
}

// String names the artifact for a user: "report.pdf version 2".
func (l ArtifactLink) String() string {
	if l.Version == "" {
		return l.File
	}
	return l.File + " version " + l.Version
}

// path is the artifact's path below the gateway's artifacts. It omits agent and user: the
// gateway knows the session by the credentials. The gateway also has a path for whole URIs, but
// in every release the one for sessions shadows it.
func (l ArtifactLink) path() string {
	path := url.PathEscape(l.Session) + "/" + url.PathEscape(l.File)
	if l.Version != "" {
		path += "/versions/" + l.Version
	}
	return path
}

// artifact reads the answer to [OpArtifact] and [OpCatalog]. The body is the file, even if it looks like an
// event stream or a web page, or is empty.
func (x *exchange) artifact(ctx context.Context, resp *http.Response) End {
	if x.file && resp.ContentLength > x.wire.limits.Of(LimitFile) {
		return x.oversize()
	}
	end := x.whole(ctx, nil, resp.Body)
	switch {
	case end.Reason != Ended:
	case isFile(x.call, x.tally.status):
		return End{Reason: Ended}
	case x.file:
		return x.fileStatus(end)
	case x.tally.status == http.StatusNotFound && x.call.Op == OpArtifact:
		end.Class = ClassStatus
		end.Sentence = fmt.Sprintf("%s has no such artifact (%s%s): it may have been deleted, or it belongs to another user's session.",
			hostPort(x.target), x.tally.statusText, x.tally.says())
	}
	return end
}

// isFile reports whether the body of an answer is a file, and not a message of A2A; a status of 0
// is unknown.
func isFile(call *Call, status int) bool {
	return (call.Op == OpArtifact || call.Op == OpCatalog) && (status == 0 || status/100 == 2)
}
