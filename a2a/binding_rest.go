package a2a

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// restBinding gives every operation a verb and a path below a base URL
// (specification 0.3.0 §3.2.3, 1.0 §11).
type restBinding struct {
	dialect *Dialect
	base    string
}

// The content types of bodies: specification 1.0 prefers the second, many servers
// know only the first.
const (
	mediaJSON = "application/json"
	mediaA2A  = "application/a2a+json"
)

func (b restBinding) encode(req Request, id string) (outgoingRequest, error) {
	body, method, err := b.dialect.Encode(req, id)
	if err != nil {
		return outgoingRequest{}, err
	}
	verb, path, _ := route(method)
	return b.request(&req, verb, path, body)
}

// request fills in a path. Its tenant stands before everything else, because a
// GET has no body to carry it.
func (b restBinding) request(req *Request, verb, path string, body []byte) (outgoingRequest, error) {
	op := req.Call.Op
	path, err := fill(path, req)
	if err != nil {
		return outgoingRequest{}, err
	}
	var query url.Values
	if b.dialect.query != nil {
		query = b.dialect.query(op, req)
	}
	out := outgoingRequest{method: verb, url: join(b.base, path, query), header: b.dialect.requestHeader(req), body: body}
	media := cmp.Or(b.dialect.media, mediaJSON)
	if body != nil {
		out.header.Set("Content-Type", media)
	}
	if media != mediaJSON {
		media += ", " + mediaJSON
	}
	out.header.Set("Accept", accept(op, media))
	return out, nil
}

// next repeats a request in the other form where two texts of the specification, or two
// releases of an SDK, disagree.
func (b restBinding) next(req *Request, sent outgoingRequest, o *Answer) (outgoingRequest, string, bool) {
	out := sent
	switch {
	case o.Events > 0:
		return outgoingRequest{}, "", false
	case o.Status == http.StatusUnsupportedMediaType && sent.body != nil && sent.tried&triedMedia == 0:
		out.tried |= triedMedia
		other := mediaA2A
		if sent.header.Get("Content-Type") == mediaA2A {
			other = mediaJSON
		}
		out.header = sent.header.Clone()
		out.header.Set("Content-Type", other)
		return out, "The agent does not accept this content type; Parley repeats the request as " + other + ".", true
	case req.Call.Op == OpSubscribe && sent.tried&triedVerb == 0 && o.lacksHandler():
		out.tried |= triedVerb
		out.method = http.MethodPost
		return out, "The agent does not accept a GET here; Parley repeats the request as a POST.", true
	case b.dialect.otherwise != nil && sent.tried&triedSpelling == 0 && saysEmpty(req.Call.Op, o):
		params, err := b.dialect.otherwise(req.Call.Op, req)
		if err != nil {
			return outgoingRequest{}, "", false
		}
		body, err := marshal(params)
		if err != nil {
			return outgoingRequest{}, "", false
		}
		out.tried |= triedSpelling
		out.body = body
		return out, "The agent found no content in the message; Parley repeats it with the other name of that member.", true
	}
	return outgoingRequest{}, "", false
}

// saysEmpty reports whether an agent refused a message because it did not find its
// content, so that nothing was started.
func saysEmpty(op Op, o *Answer) bool {
	var rpc *RPCError
	if op != OpSend && op != OpStream || !errors.As(o.Err, &rpc) {
		return false
	}
	switch o.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
	default:
		return false
	}
	said := strings.ToLower(rpc.Message)
	if strings.Contains(said, "parse") {
		return true // a strict reader, to which every unknown member is a syntax error
	}
	member := strings.Contains(said, "content") || strings.Contains(said, "part") || strings.Contains(said, "message")
	complaints := []string{"empty", "missing", "required", "at least one", "no field named", "unknown field", "unknown name", "must not be"}
	return member && slices.ContainsFunc(complaints, func(complaint string) bool { return strings.Contains(said, complaint) })
}

// fill puts the names of things into a path.
func fill(path string, req *Request) (string, error) {
	if strings.Contains(path, "{task}") {
		id, err := req.needTask()
		if err != nil {
			return "", err
		}
		if id, err = segment(id, "task"); err != nil {
			return "", err
		}
		path = strings.ReplaceAll(path, "{task}", id)
	}
	if strings.Contains(path, "{config}") {
		if req.PushID == "" {
			return "", encodeErrorf("The request names no push configuration; choose one first")
		}
		id, err := segment(req.PushID, "push configuration")
		if err != nil {
			return "", err
		}
		path = strings.ReplaceAll(path, "{config}", id)
	}
	if strings.Contains(path, "{artifact}") {
		link, err := ParseArtifactURI(req.URI)
		if err != nil {
			return "", err
		}
		path = strings.ReplaceAll(path, "{artifact}", link.path())
	}
	rest, ok := strings.CutPrefix(path, "/{tenant}")
	if !ok {
		return path, nil
	}
	if req.Tenant == "" {
		return rest, nil
	}
	var b strings.Builder
	for name := range strings.SplitSeq(strings.Trim(req.Tenant, "/"), "/") { // some tenants are paths themselves
		name, err := segment(name, "tenant")
		if err != nil {
			return "", err
		}
		b.WriteString("/" + name)
	}
	return b.String() + rest, nil
}

// segment escapes a name for use in a path. It refuses names that would leave the path.
func segment(name, what string) (string, error) {
	if name == "." || name == ".." || name == "" {
		return "", encodeErrorf("The %s is named “%s”, which a URL cannot contain; use JSON-RPC to reach it", what, name)
	}
	return url.PathEscape(name), nil
}

// join appends a path to a base URL without doubling the slash between them. A
// path that begins with /../ stands beside the last segment of the base.
func join(base, path string, query url.Values) string {
	head, tail := base, ""
	if i := strings.IndexAny(base, "?#"); i >= 0 {
		head, tail = base[:i], base[i:]
	}
	tail, _, _ = strings.Cut(tail, "#")
	head = strings.TrimRight(head, "/")
	if beside, ok := strings.CutPrefix(path, "/../"); ok {
		path = "/" + beside
		if u, err := url.Parse(head); err == nil && u.Path != "" {
			head = head[:strings.LastIndexByte(head, '/')]
		}
	}
	if len(query) > 0 {
		if tail == "" {
			tail = "?"
		} else {
			tail += "&"
		}
		tail += query.Encode()
	}
	return head + path + tail
}
