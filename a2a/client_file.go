package a2a

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"parley/internal/units"
)

// fileTime is how long a download may take.
const fileTime = 10 * time.Minute

// Trusts reports whether credentials are set and go along with a request for a URL: only
// to origins that the user named or allowed.
func (c *Client) Trusts(uri string) bool {
	return c.wire.gate.armed && c.wire.gate.allowed[Origin(uri)]
}

// File downloads the file that an agent's http or https URI names. Credentials and other
// headers are sent where [Client.Trusts] says so, and nowhere else. A redirect is followed
// within the origin of the URI and to the origins in Options; any other redirect ends with a
// refused request whose URL is the target. At most [LimitFile] bytes are read. The file is the
// body that is put to the trace, whatever it looks like.
func (c *Client) File(ctx context.Context, call Call, uri string, besides ...string) Answer {
	return c.FileRest(ctx, call, uri, Rest{}, besides...)
}

// A Rest is what is missing of a file: the bytes after the first From of the version that Tag, a
// strong entity tag, names. The zero value is the whole file.
type Rest struct {
	From int64
	Tag  string
}

// FileRest downloads the rest of a file, as [Client.File] downloads the whole. A server answers
// with status 206 and the rest or, where the file has changed or the server knows no ranges, with
// status 200 and the whole.
func (c *Client) FileRest(ctx context.Context, call Call, uri string, rest Rest, besides ...string) Answer {
	call.Op, call.Dialect, call.Binding = OpArtifact, Unknown, ""
	call.URI, _ = c.wire.mask.url(uri)
	call.Endpoint = call.URI
	uri, problem := c.wire.restoredURL("address of the file", uri)
	if problem != "" {
		return unsent(ClassUnsupported, problem, nil)
	}
	g := gate{armed: true, file: true, userOrigin: Origin(uri), allowed: map[string]bool{Origin(uri): true}}
	for _, origin := range besides {
		g.allowed[Origin(origin)] = true
	}
	route := func(to string) *wire {
		w := *c.wire
		if w.gate = g; !c.Trusts(to) {
			w.creds = credentials{}
		}
		return &w
	}
	limit := fileTime
	if own := c.options.AnswerTimeout; own > 0 && own < limit {
		limit = own
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, &timeoutError{after: limit})
	defer cancel()
	x := route(uri).exchange(call, Hooks{})
	x.file, x.route = true, route
	header := http.Header{"Accept": {"*/*"}}
	if rest.From > 0 && rest.Tag != "" {
		header["Range"], header["If-Range"] = []string{fmt.Sprintf("bytes=%d-", rest.From)}, []string{rest.Tag}
	}
	return x.perform(ctx, outgoingRequest{method: http.MethodGet, url: fileURL(uri), header: header}, byUser)
}

// fileURL returns a URL without the parts that are not sent to a server.
func fileURL(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return uri
	}
	u.User, u.Fragment = nil, ""
	return u.String()
}

// fileStatus is the end of an exchange that did not return the file.
func (x *exchange) fileStatus(end End) End {
	host, status := hostPort(x.target), x.tally.statusText
	end.Class = ClassStatus
	switch x.tally.status {
	case http.StatusNotFound, http.StatusGone:
		end.Sentence = fmt.Sprintf("%s has no such file (%s%s): the file may have been deleted, or the link may have expired.", host, status, x.tally.says())
	case http.StatusUnauthorized, http.StatusForbidden:
		end.Class = ClassAuth
		end.Sentence = fmt.Sprintf("%s refused the download (%s%s): the link may have expired, or the host requires credentials, which Parley sends only to hosts that you named.",
			host, status, x.tally.says())
	default:
		end.Sentence = fmt.Sprintf("%s refused the download (%s%s).", host, status, x.tally.says())
	}
	return end
}

// oversize is the end of an exchange whose file exceeds the limit.
func (x *exchange) oversize() End {
	limit := x.wire.limits.at(LimitFile)
	x.cause = limit
	return End{Reason: Cut, Class: ClassLimit, Sentence: fmt.Sprintf(
		"The file at %s is larger than %s: nothing was downloaded. --%s raises the limit.", hostPort(x.target), units.Size(limit.bytes), limit.limit.Flag())}
}
